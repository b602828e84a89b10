package packets

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	verify "github.com/hdlpkg/hpccgen/verify/csig"
)

func openCSIG(c *config.CSIG, o *Options) (Device, error) {
	rules, statuses := csig.FromConfig(c), registers.Statuses()
	if o.Engine == "model" {
		m, err := csig.New(rules)
		return &golden{statuses, c.Ports, func(p *Packet) Result {
			out, ev := m.Process(p.Data, csig.Meta(p.Meta))
			return Result{Data: out, Status: int(ev.Status), Dropped: ev.Status == csig.Dropped}
		}, func(port int, s registers.Status) uint64 {
			switch {
			case port < 0:
				return m.NoPort()
			case s == registers.StatusStacked:
				return m.Counters(port).Stacked
			}
			return m.Counters(port).By[s]
		}}, err
	}
	t, err := verify.Generate(c, false)
	if err != nil {
		return nil, err
	}
	program, err := registers.Program(c)
	if err != nil {
		return nil, err
	}
	return newHardware(&design{
		Target: t, statuses: statuses, program: program,
		drops: func(p *Packet) (int, bool) { return int(csig.Dropped), rules.Drops(p.Data, csig.Meta(p.Meta)) },
	}, o)
}
