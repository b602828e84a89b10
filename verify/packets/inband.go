package packets

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/inband"
	verify "github.com/hdlpkg/hpccgen/verify/inband"
)

func openINT(c *config.INT, o *Options) (Device, error) {
	statuses := registers.INTStatusList()
	if o.Engine == "model" {
		m, err := inband.New(c)
		return &golden{statuses, c.Ports, func(p *Packet) Result {
			out, ev := m.Process(p.Data, inband.Meta(p.Meta))
			return Result{Data: out, Status: int(ev.Status)}
		}, func(port int, s registers.Status) uint64 {
			if port < 0 {
				return m.NoPort()
			}
			return m.Counters(port)[s]
		}}, err
	}
	t, err := verify.Generate(c, false)
	if err != nil {
		return nil, err
	}
	d := &design{Target: t, statuses: statuses, program: registers.ProgramINT(c)}
	if c.Format != config.INTIOAM && !c.Reserved {
		d.growth = (c.Format.Shape().RecordBytes + d.Width() - 1) / d.Width()
	}
	return newHardware(d, o)
}
