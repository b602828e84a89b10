package meter

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// meterPorts are the ports of csig_meter. An operation advances the meter of a port, or counts a packet, or both: first
// the one, then the other. There may be one in each cycle, of any port.
type meterPorts struct {
	Valid   vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"an operation"`
	Advance vgen.Signal `port:"s_advance" dir:"in" width:"1" doc:"the port's meter advances to s_now"`
	Count   vgen.Signal `port:"s_count" dir:"in" width:"1" doc:"s_bytes are counted"`
	Port    vgen.Signal `port:"s_port" dir:"in" width:"index" doc:"egress port, one that exists"`
	Now     vgen.Signal `port:"s_now" dir:"in" width:"time" doc:"egress time, ns"`
	Bytes   vgen.Signal `port:"s_bytes" dir:"in" width:"length" doc:"bytes of the packet on the wire"`
	Window  vgen.Signal `port:"window" dir:"in" width:"window" doc:"delta_t, ns, up to 10^9; changes only together with clear"`
	Clear   vgen.Signal `port:"clear" dir:"in" width:"1" doc:"all meters restart, with this cycle's operation"`
	Value   vgen.Signal `port:"m_value" dir:"out" width:"measured" doc:"estimate of the port's meter, without this operation"`
}

// New is how much each port has sent lately, as a module (docs/csig.md, Meters). m_value belongs to the operation that
// entered the module's latency ago, and speaks of operations that advance.
func New(name string, c *block.Shape) *vgen.Module {
	switch c.Method {
	case config.CSIGEWMA:
		return ewmaMeter(name, c)
	case config.CSIGDRE:
		return dreMeter(name, c)
	default:
		return rawMeter(name, c)
	}
}

// meter is what the meters of all methods have in common.
type meter struct {
	c     *block.Shape
	m     *vgen.Module
	p     *lib.Pipe
	ports *meterPorts

	// Stages at which the state of an operation's port is at hand, as the operations before left it: Seen and Time; a
	// stage later Pending and, of the raw meter, Value.
	timeStage, pendingStage int

	valid, advance, count lib.Value
	port                  lib.Value
	nearby                map[int]lib.Value
}

func newMeter(name, purpose string, c *block.Shape) *meter {
	m := vgen.NewModule(name, purpose)
	w := vgen.Widths{"index": c.IndexBits(), "time": c.TimeBits, "length": block.LengthBits, "measured": c.MeasuredBits(),
		"window": 0}
	if c.Method == config.CSIGRaw {
		w["window"] = block.WindowBits
	}
	ports := vgen.Ports[meterPorts](m, w)
	p := lib.NewPipe(m)
	ahead := c.ReadAhead()
	t := &meter{c: c, m: m, p: p, ports: ports, timeStage: ahead, pendingStage: ahead + 1,
		port: p.Value("port", 0, ports.Port), nearby: map[int]lib.Value{}}
	m.Section("Operations")
	t.valid = t.control("valid", 0, ports.Valid)
	t.advance = t.control("advance", 0, ports.Valid.And(ports.Advance))
	t.count = p.Reg("count", 0, ports.Valid.And(ports.Count))
	return t
}

// control registers a bit that must be 0 after reset.
func (t *meter) control(name string, stage int, bit vgen.Signal) lib.Value {
	return t.p.Reg(name, stage, bit, vgen.Reset(0), vgen.Control())
}

// controlAt is a control bit at a later stage.
func (t *meter) controlAt(v lib.Value, stage int) vgen.Signal {
	return t.p.At(v, stage, vgen.Reset(0), vgen.Control())
}

// near tells, at stage 1, that the operation so many cycles before is of the same port.
func (t *meter) near(distance int) lib.Value {
	if v, ok := t.nearby[distance]; ok {
		return v
	}
	same := t.controlAt(t.valid, distance).And(t.p.At(t.port, distance).Eq(t.ports.Port))
	t.nearby[distance] = t.p.Reg(fmt.Sprintf("near%d", distance), 0, same)
	return t.nearby[distance]
}

// unseen tells, at a stage, that the operation is the first since reset, since clear, or since its port was forgotten,
// that advances the port's meter.
func (t *meter) unseen(stage int) vgen.Signal {
	p, port := t.p, t.p.Later(t.port, 1)
	a := ages(t.m, t.ports.Valid.And(t.ports.Advance).Named("advances_now"), t.ports.Now, t.ports.Clear)
	fresh, before := seenPorts(t.m, t.c.Ports, a, t.advance.Signal, port.Signal)
	if t.c.At.Meters {
		drops, forgets := p.Value("seen_drops", 1, a.drops), p.Value("seen_forgets", 1, a.forgets)
		chosen := func(name string, flags vgen.Signal) vgen.Signal {
			return p.At(block.Selected(p, name, (port.Width()+1)/2, port, flags, flag(false)), stage)
		}
		return aging{p.At(drops, stage), p.At(forgets, stage)}.unseen(chosen("seen", fresh), chosen("seen_before", before))
	}
	one := func(name string, flags vgen.Signal) vgen.Signal {
		return lib.Flag(flags, port.Signal, flags.Top()).Named(name)
	}
	return p.At(p.Reg("unseen", 1, a.unseen(one("port_seen", fresh), one("port_seen_before", before))), stage)
}

// pending is Pending with what did not fit: the bytes, and a bit on top that says that they saturate. It stays set
// until the count starts again; the bytes below it then mean nothing.
type pending struct{ word vgen.Signal }

// add is the pending count after an operation: what the packet adds, to 0 where the count starts again.
func (p pending) add(restarts, bytes vgen.Signal) vgen.Signal {
	n := p.word.Width() - 1
	sum := p.sum(bytes)
	alone := vgen.Const(1, 0)
	if n < block.LengthBits {
		alone = bytes.Slice(block.LengthBits-1, n).AnyBit()
	}
	return vgen.Mux(restarts, vgen.Cat(alone, bytes.Fit(n)), sum)
}

// sum is the pending count with what the packet adds.
func (p pending) sum(bytes vgen.Signal) vgen.Signal {
	n := p.word.Width() - 1
	w := max(n, block.LengthBits) + 1
	sum := p.word.Trunc(n).Zext(w).Add(bytes.Zext(w)).Named("pending_sum")
	return vgen.Cat(p.word.Top().Or(sum.Slice(w-1, n).AnyBit()), sum.Trunc(n))
}

// saturated is the count: all ones where it did not fit.
func saturated(word vgen.Signal) vgen.Signal {
	n := word.Width() - 1
	return word.Trunc(n).Or(word.Top().Repeat(n))
}

// counted is what the packet of an operation adds, at a stage.
func (t *meter) counted(stage int) vgen.Signal {
	bytes := t.p.Value("bytes", 0, t.ports.Bytes)
	adds := t.p.Reg("added", stage-1, t.p.At(bytes, stage-1).And(t.p.At(t.count, stage-1).Repeat(block.LengthBits)))
	return adds.Signal
}
