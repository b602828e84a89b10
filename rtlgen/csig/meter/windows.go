package meter

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// aheadStage is timeStage of a raw meter with Places.Windows.
const aheadStage = 5

// aheadWindow is what windows are worked out of with Places.Windows.
type aheadWindow struct {
	*meter

	// The operation's time, and the same none to four windows earlier and one and two windows later (windows_times.go).
	now, length, three lib.Value
	less               []lib.Value
	more, more2        lib.Value

	// What an operation does, told to the two that follow: registers of their own. goesOn: it does not start anew.
	goesOn, ends, stays vgen.Signal
	// What the operation before the last made of the window, and what the last one does, where they are of the same port.
	freshSecond, followsSecond, restsSecond vgen.Signal
	fresh, follows, rests                   vgen.Signal
}

// windowsAhead is windows with Places.Windows.
//
// The start that it is compared with depends on the two operations just before, where they are of the same port: each
// lets it stay, moves it on by a window, or makes it that operation's time. So the operation is compared with all six
// starts that may come of it, beside each other, two stages before; what was decided on the two operations, a register
// by then, chooses. Between two registers lies a comparison, an addition with a choice, or a choice.
func (t *meter) windowsAhead() (anew, closes, restarts vgen.Signal) {
	d := &aheadWindow{meter: t}
	d.times()
	missLast, missSecond := d.missesBefore()
	s := d.storedStarts()
	d.before()
	choices := d.starts(s.earlier)
	missStart := d.missesStart(s.earlier)
	now, is := d.decide(d.cases(missLast, missSecond, missStart))
	t.m.Next(d.goesOn, now.anew.Not())
	t.m.Next(d.ends, now.ends)
	t.m.Next(d.stays, now.stay)
	anew = d.leave(s, choices, is)
	return anew, d.ends, t.p.Reg("restarts", aheadStage-1, now.stay.Not()).Signal
}

// before looks at what the two operations just before do. Whether these are of the same port comes in where they are
// told.
func (d *aheadWindow) before() {
	at := aheadStage
	d.goesOn, d.ends, d.stays = d.reg("goes_on", at, 1), d.reg("ends", at, 1), d.reg("stays", at, 1)
	second := d.nearAt(2, at-2)
	d.freshSecond, d.followsSecond = second.And(d.goesOn.Not()).Named("second_starts"),
		second.And(d.ends).Named("second_ends")
	d.restsSecond = second.Not().Or(d.stays).Named("second_rests")
	last := d.nearAt(1, at-1)
	d.fresh, d.follows = last.And(d.goesOn.Not()).Named("last_starts"), last.And(d.ends).Named("last_ends")
	d.rests = last.Not().Or(d.stays).Named("last_rests")
}

// nearAt tells at a stage whether the operation so many before is of the same port.
func (d *aheadWindow) nearAt(distance, stage int) vgen.Signal { return d.p.At(d.near(distance), stage) }

// reg is a register of a stage whose input comes later.
func (d *aheadWindow) reg(name string, stage, width int) vgen.Signal {
	return d.p.Value(name, stage, d.m.Reg(fmt.Sprintf("%s_s%d", name, stage), width)).Signal
}

// windowsAheadDocs are the headings of the stages.
func windowsAheadDocs(m *vgen.Module) {
	at := aheadStage
	m.StageDoc(1, "is one of the five operations before this one of the same port? Which section of time is it?")
	m.StageDoc(2, "now - window and now - 2 window; has the port been seen in this section of time or the last?")
	m.StageDoc(at-2, "the start that operations before the last two leave; now compared with the times of the last two")
	m.StageDoc(at-1, "what the operation does, for each start that the two before it may leave: the window restarts, ends, or continues")
	m.StageDoc(at, "the operation before selects among these; leaves_K selects the new start")
	m.StageDoc(at+1, "the new start, stored and forwarded to the operations that follow")
}
