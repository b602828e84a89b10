package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// recentPackets is for how many packets after an update a port is recent (docs/csig.md, Recent).
const recentPackets = 16

// recent keeps the ports of the last packets, and which of them updated the meter of their port.
type recent struct {
	t  *meter
	is vgen.Signal // at timeStage: the operation's port is recent
}

func (t *meter) recent() *recent {
	return &recent{t: t, is: t.m.Reg(fmt.Sprintf("recent_s%d", t.timeStage), 1, vgen.Reset(0), vgen.Control())}
}

// follow takes in, at timeStage, whether an operation updates. What the operation behind it finds in the list as it is, and as it will
// be, is worked out beside that, so that the decision only chooses.
func (r *recent) follow(updates vgen.Signal) {
	t := r.t
	advances := t.controlAt(t.advance, t.timeStage)
	port, next := t.p.At(t.port, t.timeStage), t.p.At(t.port, t.timeStage-1)
	w := port.Width()
	ports := t.m.Reg("recent_ports_q", recentPackets*w, vgen.Enable(advances))
	t.m.Next(ports, vgen.Cat(ports.Slice((recentPackets-1)*w-1, 0), port))
	updated := t.m.Reg("recent_updated_q", recentPackets, vgen.Enable(advances), vgen.Reset(0), vgen.Control())
	t.m.Next(updated, vgen.Cat(updated.Slice(recentPackets-2, 0), updates))

	hits := make([]vgen.Signal, recentPackets)
	for i := range hits {
		hits[recentPackets-1-i] = updated.Bit(i).And(ports.Slice((i+1)*w-1, i*w).Eq(next)).Named(fmt.Sprintf("listed%d", i))
	}
	listed := vgen.Cat(hits...).Named("listed")
	younger := listed.Trunc(recentPackets - 1).AnyBit().Named("listed_younger")
	t.m.Next(r.is, vgen.Mux(advances, younger.Or(updates.And(t.p.At(t.near(1), t.timeStage-1))), listed.AnyBit()))
}
