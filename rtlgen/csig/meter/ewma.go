package meter

import (
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// ewmaMeter measures an average that decays by e^-(d/T), in which the bytes of an update count as sent evenly over its
// d ns.
func ewmaMeter(name string, c *block.Shape) *vgen.Module {
	t := newMeter(name, "Exponentially weighted average of the bytes that each port sends", c)
	weight := func(u update, _, _, after lib.Value) (h, j lib.Value) {
		gain, j := t.gain(u.since)
		product := t.p.Mul("gain_up", gain, t.curve("up", upCurve(), after), c.Limbs())
		rounded := lib.RoundHalfUp("weight_rounded", product.Signal, lineBits).Trunc(lineBits + 1)
		return t.p.Reg("weight", product.Stage, rounded), j
	}
	return t.average(averaging{
		now: t.ports.Now, dueShift: c.GapShift, lateShift: c.TimeShift + lateShift,
		phaseBits: c.TimeShift + ewmaRateBits, rate: ewmaRate, weight: weight,
	})
}

// gain is the contribution of bytes sent evenly over d ns, at the end of that time: the gain, and the octave to shift
// it by.
func (t *meter) gain(d lib.Value) (gain, octave lib.Value) {
	p, at, below := t.p, d.Stage, t.c.TimeShift
	n := below + lateShift
	whole := d.Signal.Fit(n).Named("since_whole")
	// Cells of d below T are the first; then those of each octave. The bits after the leading one are the position in
	// the octave.
	row, j := vgen.Const(3, 0), vgen.Const(3, 0)
	share := vgen.Cat(whole.Trunc(below), vgen.Const(lateShift-1, 0))
	for i := range lateShift {
		in := whole.Bit(below + i)
		place := whole.Trunc(below + i)
		if i < lateShift-1 {
			place = vgen.Cat(place, vgen.Const(lateShift-1-i, 0))
		}
		row, j = vgen.Mux(in, vgen.Const(3, uint64(1+i)), row), vgen.Mux(in, vgen.Const(3, uint64(i)), j)
		share = vgen.Mux(in, place, share)
	}
	position := p.Reg("gain_position", at, vgen.Cat(row, share))
	octave = p.Reg("octave", at, j)
	cells := position.Width() - 3 - cellBits
	part := p.Value("gain_share", position.Stage, position.Slice(cells-1, max(0, cells-shareBits)))
	return t.line("gain", gainCurve(), position.Slice(position.Width()-1, cells), part), octave
}
