package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// ComparePorts are the ports of csig_compare.
type ComparePorts struct {
	Compare vgen.Signal `port:"s_compare" dir:"in" width:"1" doc:"the code decides; otherwise the tag is unchanged"`
	Status  vgen.Signal `port:"s_status" dir:"in" width:"status" doc:"status, when the code does not decide"`
	Size    vgen.Signal `port:"s_expanded" dir:"in" width:"size" doc:"the tag is an expanded one"`
	Low     vgen.Signal `port:"s_low" dir:"in" width:"low" doc:"bytes 2 and 3 of the tag"`
	High    vgen.Signal `port:"s_high" dir:"in" width:"high" doc:"bytes 4 to 7 of an expanded tag"`
	Locator vgen.Signal `port:"s_locator" dir:"in" width:"low" doc:"LM of the port, at its position in the tag"`
	Bucket  vgen.Signal `port:"s_bucket" dir:"in" width:"bucket" doc:"code of the port for compact tags"`
	Quantum vgen.Signal `port:"s_quantum" dir:"in" width:"quantum" doc:"code of the port for expanded tags"`

	Update    vgen.Signal `port:"m_update" dir:"out" width:"1" doc:"the port's code replaces that of the packet"`
	OutStatus vgen.Signal `port:"m_status" dir:"out" width:"status" doc:"status"`
	OutLow    vgen.Signal `port:"m_low" dir:"out" width:"low" doc:"bytes 2 and 3 of the tag, with code and locator of the port"`
	OutHigh   vgen.Signal `port:"m_high" dir:"out" width:"high" doc:"bytes 4 to 7 of an expanded tag, with the code of the port"`
}

// Compare builds csig_compare: compare and replace (draft-ravi-ippm-csig-00 sections 4.1 and 5.2). The port's code
// replaces that of the packet when it is smaller, types 0 and 1, or larger, types 2 and 3; never when both are equal.
func Compare(c *Shape) *vgen.Module {
	m := vgen.NewModule("csig_compare",
		"Compares the code of the port with that of the packet, and builds the updated tag")
	m.Doc(
		fmt.Sprintf(
			"Types %s keep the smaller code, types %s the larger one; on a tie the packet keeps its code and locator.",
			numbers(func(t SignalType) bool { return !t.maximum }), numbers(func(t SignalType) bool { return t.maximum })),
		"T, R and the d bit stay in any case.")
	w := c.PortWidths()
	w["bucket"], w["quantum"] = BucketBits*bit(c.Compact()), CodeBits*bit(c.Expanded())
	ports := vgen.Ports[ComparePorts](m, w)
	p := lib.NewPipe(m)
	size := SizeOf(c, ports.Size)

	// The tag's layout decides where type and value are.
	var local, theirs, isMax vgen.Signal
	low := ports.Low
	switch {
	case !c.Expanded():
		local, theirs, isMax = ports.Bucket, low.Slice(11, 7), isMaximum(low.Slice(15, 13))
	case !c.Compact():
		local, theirs, isMax = ports.Quantum, ports.High.Slice(27, 8), isMaximum(ports.High.Slice(31, 28))
	default:
		local = vgen.Mux(size, ports.Quantum, ports.Bucket.Zext(CodeBits))
		theirs = vgen.Mux(size, ports.High.Slice(27, 8), low.Slice(11, 7).Zext(CodeBits))
		isMax = vgen.Mux(size, isMaximum(ports.High.Slice(31, 28)), isMaximum(low.Slice(15, 13)))
	}
	local, theirs, isMax = local.Named("local_code"), theirs.Named("packet_code"), isMax.Named("is_max")
	if c.At.Codes {
		m.StageDoc(1, "the local code, the packet's and the direction, from where the tag's layout has them")
	}
	at := transit.Stage(p, c.At.Codes, 0, "local theirs is_max", &local, &theirs, &isMax)
	larger, smaller := local.Gt(theirs), local.Lt(theirs)
	if c.At.Order { // the borrow of a difference is what the register has
		n := local.Width() + 1
		below := func(name string, a, b vgen.Signal) vgen.Signal { return a.Zext(n).Sub(b.Zext(n)).Named(name).Top() }
		larger, smaller = below("packet_less_local", theirs, local), below("local_less_packet", local, theirs)
	}
	if c.At.Order {
		m.StageDoc(at+1, "is the local code larger, is it smaller? The registers hold the borrows of the differences")
	}
	at = transit.Stage(p, c.At.Order, at, "larger smaller is_max", &larger, &smaller, &isMax)
	m.StageDoc(at+1, "the local code replaces a larger one (minimum) or a smaller one (maximum), not an equal one")
	replaces := vgen.Mux(isMax, larger, smaller).Named("replaces")
	compares, status := p.At(p.Value("compare", 0, ports.Compare), at), p.At(p.Value("status_before", 0, ports.Status), at)
	m.Assign(ports.Update, p.Reg("update", at, compares.And(replaces)).Signal)
	decided := vgen.Mux(replaces, vgen.Const(transit.StatusBits, statusUpdated),
		vgen.Const(transit.StatusBits, statusKept))
	m.Assign(ports.OutStatus, p.Reg("status", at, vgen.Mux(compares, decided, status)).Signal)

	wide := ports.Locator
	if c.Compact() {
		small := vgen.Cat(low.Slice(15, 12), ports.Bucket, ports.Locator.Trunc(7))
		if c.Expanded() {
			wide = vgen.Mux(size, wide, small)
		} else {
			wide = small
		}
	}
	m.Assign(ports.OutLow, p.At(p.Reg("low", 0, wide), at+1))
	if c.Expanded() {
		m.Assign(ports.OutHigh, p.At(p.Reg("high", 0,
			vgen.Cat(ports.High.Slice(31, 28), ports.Quantum, ports.High.Slice(7, 0))), at+1))
	}
	m.Ignore(ports.Low, "only some of its fields decide")
	if !c.Expanded() {
		m.Ignore(ports.Locator, "a compact locator has fewer bits")
	}
	m.SetTiming(at+1, 1)
	return m
}
