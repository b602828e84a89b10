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

// DecideBy goes through the table of docs/csig.md, What happens to it. Port and type are left to the caller.
func DecideBy(c *Shape, action, stripsAny, ok, whole, crooked, noPort, trust, hold, find vgen.Signal) Verdicts {
	strip := action.Is(actionStrip).Named("strip")
	update := action.Is(actionUpdate).And(ok).Named("update")
	present := whole.And(noPort.Not()).Named("tag_present")
	v := Verdicts{Compare: present.And(trust).And(update), Remove: present.And(trust.Not().Or(strip))}
	if c.UEC {
		v.Compare = v.Compare.And(hold.Not())
	}
	v.Drop = and(crooked, noPort.Not(), or(trust.Not(), vgen.Mux(whole, strip, stripsAny)))
	code := func(s uint64) vgen.Signal { return vgen.Const(transit.StatusBits, s) }
	status := vgen.Mux(update, code(statusHeld), code(statusPassed))
	status = vgen.Mux(strip, code(statusStripped), status)
	status = vgen.Mux(trust, status, code(statusDistrusted))
	status = vgen.Mux(whole, status, find.Zext(transit.StatusBits))
	status = vgen.Mux(v.Drop, code(statusDropped), status)
	v.Status = vgen.Mux(noPort, code(StatusNoPort), status)
	return v
}

// AnyStrip reports whether one of some actions is strip.
func AnyStrip(actions []vgen.Signal) vgen.Signal {
	var list []vgen.Signal
	for _, action := range actions {
		list = append(list, action.Is(actionStrip))
	}
	return or(list...)
}
