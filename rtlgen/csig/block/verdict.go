package block

import (
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Verdicts are the output ports of csig_lookup: what happens to a packet.
type Verdicts struct {
	Status  vgen.Signal `port:"m_status" dir:"out" width:"status" doc:"status; with m_compare the code decides it"`
	Compare vgen.Signal `port:"m_compare" dir:"out" width:"1" doc:"the code decides between updated and kept"`
	Remove  vgen.Signal `port:"m_remove" dir:"out" width:"1" doc:"the tag is removed"`
	Drop    vgen.Signal `port:"m_drop" dir:"out" width:"1" doc:"the packet is dropped"`
	NoPort  vgen.Signal `port:"m_no_port" dir:"out" width:"1" doc:"the ingress or egress port does not exist"`
	Type    vgen.Signal `port:"m_type" dir:"out" width:"kind" doc:"signal type, when compared"`
}

// Standing holds the rows of the table in docs/csig.md, What happens to it, that do not depend on the action.
type Standing struct {
	Acts       vgen.Signal // the action applies: a tag from a trusted port
	Distrusted vgen.Signal // a tag from a port that is not trusted
	Drops      vgen.Signal // the packet is dropped whatever the action
	Ambiguous  vgen.Signal // the packet is dropped where the action removes a tag
	Status     vgen.Signal // status where the action does not apply
}

// Stand evaluates the rows of the table that do not depend on the action.
func Stand(whole, ambiguous, noPort, trust, find vgen.Signal) Standing {
	present, ambiguousHere := whole.And(noPort.Not()).Named("tag_present"), ambiguous.And(noPort.Not()).Named("ambiguous_here")
	code := func(s uint64) vgen.Signal { return vgen.Const(transit.StatusBits, s) }
	status := vgen.Mux(whole, code(statusDistrusted), find.Zext(transit.StatusBits))
	return Standing{
		Acts: present.And(trust), Distrusted: present.And(trust.Not()),
		Drops: ambiguousHere.And(trust.Not()), Ambiguous: ambiguousHere.And(trust),
		Status: vgen.Mux(noPort, code(StatusNoPort), status),
	}
}

// DecideBy evaluates the other rows. The caller sets port and type. A type's action has at most one bit set: a commit
// refuses both together.
func DecideBy(c *Shape, s Standing, action, stripsAny, ok, whole, hold vgen.Signal) Verdicts {
	strip, update := action.Bit(stripBit).Named("strip"), action.Bit(updateBit).And(ok).Named("update")
	v := Verdicts{
		Compare: s.Acts.And(update), Remove: s.Distrusted.Or(s.Acts.And(strip)),
		Drop: s.Drops.Or(s.Ambiguous.And(vgen.Mux(whole, strip, stripsAny))),
	}
	if c.UEC {
		v.Compare = v.Compare.And(hold.Not())
	}
	code := func(s uint64) vgen.Signal { return vgen.Const(transit.StatusBits, s) }
	byAction := vgen.Mux(strip, code(statusStripped), vgen.Mux(update, code(statusHeld), code(statusPassed)))
	v.Status = vgen.Mux(v.Drop, code(statusDropped), vgen.Mux(s.Acts, byAction.Named("status_of_action"), s.Status))
	return v
}

// AnyStrip is set when one of the actions is strip.
func AnyStrip(actions []vgen.Signal) vgen.Signal {
	var list []vgen.Signal
	for _, action := range actions {
		list = append(list, action.Bit(stripBit))
	}
	return or(list...)
}
