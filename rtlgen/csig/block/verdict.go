package block

import (
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Verdicts are the ports in which csig_lookup tells what happens to a packet.
type Verdicts struct {
	Status  vgen.Signal `port:"m_status" dir:"out" width:"status" doc:"status, as far as it does not depend on the code"`
	Compare vgen.Signal `port:"m_compare" dir:"out" width:"1" doc:"it does: the code decides between updated and kept"`
	Remove  vgen.Signal `port:"m_remove" dir:"out" width:"1" doc:"the tag is removed"`
	Drop    vgen.Signal `port:"m_drop" dir:"out" width:"1" doc:"the packet is dropped"`
	NoPort  vgen.Signal `port:"m_no_port" dir:"out" width:"1" doc:"from or to a port that does not exist"`
	Type    vgen.Signal `port:"m_type" dir:"out" width:"kind" doc:"signal type, when compared"`
}

// Standing is what the table of docs/csig.md, What happens to it, says before the action is known.
type Standing struct {
	Acts       vgen.Signal // the action counts: there is a tag, from a port that is trusted
	Distrusted vgen.Signal // there is one from a port that is not
	Drops      vgen.Signal // the packet is dropped whatever the action
	Crooked    vgen.Signal // it is where the action takes a tag off
	Status     vgen.Signal // where the action does not count
}

// Stand goes through the rows of the table that ask for no action.
func Stand(whole, crooked, noPort, trust, find vgen.Signal) Standing {
	present, crookedHere := whole.And(noPort.Not()).Named("tag_present"), crooked.And(noPort.Not()).Named("crooked_here")
	code := func(s uint64) vgen.Signal { return vgen.Const(transit.StatusBits, s) }
	status := vgen.Mux(whole, code(statusDistrusted), find.Zext(transit.StatusBits))
	return Standing{
		Acts: present.And(trust), Distrusted: present.And(trust.Not()),
		Drops: crookedHere.And(trust.Not()), Crooked: crookedHere.And(trust),
		Status: vgen.Mux(noPort, code(StatusNoPort), status),
	}
}

// DecideBy goes through the others. Port and type are left to the caller. Of a type's action each bit is one: commits
// refuse both together.
func DecideBy(c *Shape, s Standing, action, stripsAny, ok, whole, hold vgen.Signal) Verdicts {
	strip, update := action.Bit(stripBit).Named("strip"), action.Bit(updateBit).And(ok).Named("update")
	v := Verdicts{
		Compare: s.Acts.And(update), Remove: s.Distrusted.Or(s.Acts.And(strip)),
		Drop: s.Drops.Or(s.Crooked.And(vgen.Mux(whole, strip, stripsAny))),
	}
	if c.UEC {
		v.Compare = v.Compare.And(hold.Not())
	}
	code := func(s uint64) vgen.Signal { return vgen.Const(transit.StatusBits, s) }
	byAction := vgen.Mux(strip, code(statusStripped), vgen.Mux(update, code(statusHeld), code(statusPassed)))
	v.Status = vgen.Mux(v.Drop, code(statusDropped), vgen.Mux(s.Acts, byAction.Named("status_of_action"), s.Status))
	return v
}

// AnyStrip reports whether one of some actions is strip.
func AnyStrip(actions []vgen.Signal) vgen.Signal {
	var list []vgen.Signal
	for _, action := range actions {
		list = append(list, action.Bit(stripBit))
	}
	return or(list...)
}
