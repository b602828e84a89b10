package meter

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// times works out the operation's time and those some windows away.
func (d *aheadWindow) times() {
	p, at := d.p, aheadStage
	d.now = p.Value("now", 0, d.ports.Now)
	d.length = p.Reg("window", 0, d.ports.Window)
	once, twice := p.At(d.length, 1), vgen.Cat(p.At(d.length, 1), vgen.Const(1, 0))
	d.three = p.Reg("window_3", 1, once.Zext(block.WindowBits+2).Add(twice.Zext(block.WindowBits+2)))
	now := d.now
	d.less = []lib.Value{
		now, p.Reg("now_less_1", 1, p.At(now, 1).Sub(d.window(1, 1))),
		p.Reg("now_less_2", 1, p.At(now, 1).Sub(d.window(1, 2))),
	}
	d.less = append(d.less, p.Reg("now_less_3", 2, p.At(d.less[1], 2).Sub(d.window(2, 2))),
		p.Reg("now_less_4", 2, p.At(d.less[2], 2).Sub(d.window(2, 2))))
	d.more = p.Reg("now_more_1", 1, p.At(now, 1).Add(d.window(1, 1)))
	d.more2 = p.Reg("now_more_2", at, p.At(now, at).Add(d.window(at, 2)))
}

// window is so many windows, at a stage.
func (d *aheadWindow) window(stage, n int) vgen.Signal {
	p, w := d.p, d.c.TimeBits
	switch n {
	case 1:
		return p.At(d.length, stage).Zext(w)
	case 2:
		return vgen.Cat(p.At(d.length, stage), vgen.Const(1, 0)).Zext(w)
	}
	return p.At(d.three, stage).Zext(w)
}

// missesBefore reports whether the operation's times are before those of the two operations just before, which are one
// and two stages further.
func (d *aheadWindow) missesBefore() (last, second []lib.Value) {
	p := d.p
	for i := range 3 {
		since := misses(fmt.Sprintf("since_last_%d", i), p.At(d.less[i], 2), p.At(d.now, 3))
		last = append(last, p.Reg(fmt.Sprintf("misses_last_%d", i), 2, since))
	}
	for i := range 4 {
		a, b := p.At(d.less[min(i, 2)], 2), p.At(d.now, 4)
		if i == 3 { // three windows less than now is two less than a window more than then
			b = p.At(d.more, 4)
		}
		second = append(second, p.Reg(fmt.Sprintf("misses_second_%d", i), 2, misses(fmt.Sprintf("since_second_%d", i), a, b)))
	}
	return last, second
}

// missesStart reports whether they are before the start that the operations before the last two leave.
func (d *aheadWindow) missesStart(earlier vgen.Signal) (list []lib.Value) {
	at := aheadStage
	for i, v := range d.less {
		since := misses(fmt.Sprintf("since_start_%d", i), d.p.At(v, at-2), earlier)
		list = append(list, d.p.Reg(fmt.Sprintf("misses_start_%d", i), at-2, since))
	}
	return list
}

// misses reports whether the time a is before b, modular.
func misses(name string, a, b vgen.Signal) vgen.Signal { return a.Sub(b).Named(name).Top() }
