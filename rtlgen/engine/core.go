package engine

import (
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Pipelined is one pipeline of fixed latency, which operations enter in order.
type Pipelined struct {
	Interval int // least distance of two operations, in cycles

	// Groups is a pointer to a struct of ports to the memories of the context groups, [GroupPorts] for most; Memories
	// lists those of such a struct.
	Groups   any
	Memories func(groups any) []Memory

	// Build builds the law's part of the core: from the event to the decision.
	Build func(k *Core)
}

// heldWrite holds the payload of a context write while it passes the pipeline.
type heldWrite struct {
	Mask       vgen.Signal `port:"mask" width:"mask"`
	Law        any
	Generation vgen.Signal `port:"generation" width:"generation" doc:"generation that a start begins, held"`
}

// corePorts is the port list of the core. Stage 0 is the cycle in which op_valid is high; the fields of an ACK come
// at [Pipelined.EventStage].
type corePorts struct {
	Op         OpPorts
	Tag        vgen.Signal `port:"s_tag" dir:"in" width:"tag" doc:"goes to the decision unchanged"`
	Generation vgen.Signal `port:"s_generation" dir:"in" width:"generation" doc:"generation of the flow that the ACK belongs to"`
	Event      any         `port:"s_" dir:"in"`
	TW         HeldTable   `port:"tw_" dir:"in"`
	CW         heldWrite   `port:"cw_" dir:"in"`
	Groups     any

	Valid   vgen.Signal `port:"m_valid" dir:"out" width:"1" role:"valid" doc:"the decision on an ACK is valid"`
	Result  result      `port:"m_" dir:"out"`
	WroteCW vgen.Signal `port:"cw_done" dir:"out" width:"1" doc:"a context write has passed"`
	WroteTW vgen.Signal `port:"tw_done" dir:"out" width:"1" doc:"a table write has passed"`
	Read    vgen.Signal `port:"cd_valid" dir:"out" width:"1" role:"valid" doc:"a context read has passed; its answer is in the cd registers from the next cycle on"`
	Context contextData `port:"cd_" dir:"out"`
}

// Core is a core under construction, as the law's pipeline sees it.
type Core struct {
	M  *vgen.Module
	P  *lib.Pipe
	Op Op

	// Ports of the types that the law gave, and the generation of the event, which need not exist.
	Event, Groups, Decision, Context any
	Generation                       vgen.Signal
	EventStage                       int // at which the event is there

	Tables TableWrite // to be led to the copies of tables that blocks have
	Write  any        // fields of a context write, held, as the law gave them
	Life   LifeWrite

	mask            vgen.Signal
	generation, tag lib.Value
	ports           *corePorts
	flowAnswered    bool
	hazard          int
	end             int
}

// hasFront reports whether operations pass a front on their way to the core: where one can come every cycle.
func hasFront(interval int) bool { return interval == 1 }

// EventStage is the stage at which the fields of an ACK are there.
func (b Pipelined) EventStage() int {
	if hasFront(b.Interval) {
		return 1
	}
	return 0
}

// core builds NAME_core. hazard is the distance, in cycles, that two operations of a flow must exceed: the longest
// way from the reading of a context group to its writing.
func (b Pipelined) core(f Frame, l *Law) (m *vgen.Module, hazard int) {
	m = vgen.NewModule(l.Name+"_core", l.Title+" "+l.Core)
	like := corePorts{Event: l.Event, Groups: b.Groups}
	like.CW.Law, like.Result.Law, like.Context.Law = l.held(), l.Decision, l.Context
	ports := vgen.PortsLike(m, &like, l.widths(f))
	m.Describe(ports.CW.Mask, "fields written, held: "+l.maskNames()+" from bit 0")
	m.Describe(ports.Result.Kind, l.kinds())
	p := lib.NewPipe(m)
	k := &Core{
		M: m, P: p, Op: NewOp(p, ports.Op, b.Interval, f.Flows), ports: ports,
		Event: ports.Event, Groups: ports.Groups, Decision: ports.Result.Law, Context: ports.Context.Law,
		Generation: ports.Generation, EventStage: b.EventStage(),
	}
	k.Tables = decodeTable(m, ports.TW, k.Op.Dense)
	cw := ports.CW
	if k.Op.Dense {
		cw = *vgen.Clone(&cw)
		for _, s := range vgen.Leaves(&cw) {
			*s = m.RegNext(s.Name()+"_held", *s)
		}
	}
	k.Write, k.mask = cw.Law, cw.Mask
	k.Life = LifeWrite{cw.Mask.Bit(l.Software.Start()), cw.Mask.Bit(l.Software.Close()), cw.Generation}
	k.generation = p.Value("generation", k.EventStage, ports.Generation)
	k.tag = p.Value("tag", k.EventStage, ports.Tag)
	b.Build(k)
	m.Doc("The payloads of context and table writes are held outside until cw_done or tw_done.")
	m.SetTiming(k.end, b.Interval)
	return m, k.hazard
}

// Sets is 1 when a context write sets the field of number i ([Law.Writable]), held.
func (k *Core) Sets(i int) vgen.Signal { return k.mask.Bit(i) }

// Loop is the read-modify-write of a context group: the stages in which its memory is read and written.
type Loop struct{ Read, Write int }

// Loops states the loops of all context groups: operations of a flow are kept so far apart that each sees what
// those before it have written.
func (k *Core) Loops(list ...Loop) {
	for _, l := range list {
		k.hazard = max(k.hazard, l.Write-l.Read)
	}
}

// Hold delays the operation to stage, and values with it, and what goes from the event to the decision unchanged,
// all through one delay line.
func (k *Core) Hold(name string, stage int, values ...lib.Value) {
	k.P.Hold(name, stage, slices.Concat(k.Op.Values(), values, []lib.Value{k.generation, k.tag})...)
}

// Decide ends the pipeline: the decision is out at stage end. The kind is that of the ACK; the status is the first of
// the choices that holds, of stage end-1, or else the one given. The law then leads its fields to Decision.
func (k *Core) Decide(end int, kind, status lib.Value, choices ...vgen.Choice) {
	m, p, o, out := k.M, k.P, k.Op, k.ports
	k.end = end
	p.Hint(end, "the decision")
	m.Assign(out.Valid, o.Is(Ack, end))
	m.Assign(out.WroteCW, o.Is(Write, end))
	m.Assign(out.WroteTW, o.Is(Table, end))
	m.Assign(out.Read, o.Is(Read, end))
	m.Assign(out.Result.Status, p.Reg("final_status", end-1, vgen.FirstOf(p.At(status, end-1), choices...)).Signal)
	m.Assign(out.Result.Flow, o.Flow(end))
	m.AssignIf(out.Result.Generation, p.At(k.generation, end))
	m.AssignIf(out.Result.Tag, p.At(k.tag, end))
	m.Assign(out.Result.Kind, p.At(kind, end))
}

// Answer leads a value to a field of Context: a context read leaves it in a register as it passes the value's
// stage. A field that does not exist takes nothing.
func (k *Core) Answer(port vgen.Signal, v vgen.Signal, stage int) {
	if !k.flowAnswered {
		k.flowAnswered = true
		seen := k.Op.Is(Read, stage)
		k.M.Assign(k.ports.Context.Flow, k.M.RegNext("read_flow", k.Op.Flow(stage), vgen.Enable(seen)))
	}
	if port.Exists() {
		name := "read_" + strings.TrimPrefix(port.Name(), "cd_")
		k.M.Assign(port, k.M.RegNext(name, v, vgen.Enable(k.Op.Is(Read, stage))))
	}
}
