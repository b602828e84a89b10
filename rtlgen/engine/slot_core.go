package engine

import (
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Slotted is the smallest engine there is: one operation an interval, whose blocks take turns that a counter gives;
// input elements are read where they are offered. Stages count from the issue.
type Slotted struct {
	Interval  int
	Verdict   int // stage of the kind and the status: the ACK is transferred
	Latency   int // stage at which the decision is complete
	ClearBits int // width of the addresses that are cleared after reset, in all memories at once

	// Parts is a pointer to a struct of the ports of the decision's parts, which leave one after the other, after
	// the verdict; List lists those of such a struct.
	Parts any
	List  func(parts any) []Part
	// Choices of the status by later parts, and the decision's fields, from parts as the output FIFO has kept them.
	Choices func(parts any) []vgen.Choice
	Decide  func(m *vgen.Module, parts, decision any)
	// Taps are observation points among the parts.
	Taps func(parts any) []PartTap

	// Build builds the law's part of the core.
	Build func(k *SlotCore)
}

// Part is a part of a decision.
type Part struct {
	Name, Doc string
	Valid     vgen.Signal // it is out
	Fields    any
}

// PartTap is a signal of a part as an observation point, there at stage.
type PartTap struct {
	Name  string
	Sig   vgen.Signal
	Stage int
	Doc   string
}

// SlotOp is the operation issued last, from the cycle after its issue until the next cycle of issue.
type SlotOp struct {
	Ack   vgen.Signal `port:"op_ack" width:"1" doc:"an ACK was issued, and has not been withdrawn"`
	Taken vgen.Signal `port:"op_taken" width:"1" doc:"the ACK is transferred"`
	Read  vgen.Signal `port:"op_read" width:"1" doc:"a context read was issued, and has not been withdrawn"`
	Write vgen.Signal `port:"op_write" width:"1" doc:"a context write was issued"`
	Table vgen.Signal `port:"op_table" width:"1" doc:"a table write was issued"`
	Index vgen.Signal `port:"op_index" width:"flow" doc:"its flow"`
}

// verdict is the first part of a decision.
type verdict struct {
	Flow       vgen.Signal `port:"flow" width:"flow" doc:"flow index"`
	Generation vgen.Signal `port:"generation" width:"generation" doc:"generation of the ACK"`
	Tag        vgen.Signal `port:"tag" width:"tag" doc:"tag of the ACK"`
	Kind       vgen.Signal `port:"kind" width:"kind"`
	Status     vgen.Signal `port:"status" width:"status" doc:"status of the result before clamping"`
}

// slotCorePorts is the port list of the core. Stage 0 is the cycle of issue; the payloads are those of the input
// ports, whose elements stay there until the last look at them.
type slotCorePorts struct {
	Phase      vgen.Signal `port:"phase" dir:"in" width:"phase" doc:"one-hot: cycles since the last cycle of issue"`
	Clear      Clearing
	Op         SlotOp      `port:"" dir:"in"`
	Tag        vgen.Signal `port:"s_tag" dir:"in" width:"tag" doc:"goes to the decision unchanged"`
	Generation vgen.Signal `port:"s_generation" dir:"in" width:"generation" doc:"generation of the flow that the ACK belongs to"`
	Event      any         `port:"s_" dir:"in"`
	TW         HeldTable   `port:"tw_" dir:"in"`
	CW         heldWrite   `port:"cw_" dir:"in"`

	VerdictOut vgen.Signal `port:"verdict_valid" dir:"out" width:"1" role:"valid" doc:"the verdict on an ACK is valid"`
	Verdict    verdict     `port:"verdict_" dir:"out"`
	Parts      any         `dir:"out"`
	WroteCW    vgen.Signal `port:"cw_done" dir:"out" width:"1" doc:"a context write passes its last stage but one"`
	WroteTW    vgen.Signal `port:"tw_done" dir:"out" width:"1" doc:"a table write passes its last stage but one"`
	Read       vgen.Signal `port:"cd_valid" dir:"out" width:"1" role:"valid" doc:"a context read has passed; its answer is in the cd registers from the next cycle on"`
	Context    contextData `port:"cd_" dir:"out"`
}

// SlotCore is the core of a slotted engine under construction. The memories are inside: their words are shared by
// stages that the law's plan keeps apart.
type SlotCore struct {
	*Slots
	M *vgen.Module

	// Ports of the types that the law gave, and the generation of the event, which need not exist.
	Event, Write, Parts, Context any
	Generation                   vgen.Signal
	Phase                        vgen.Signal
	Clear                        *Clearing
	Op                           *SlotOp
	Table                        *HeldTable // a table write, held
	Life                         LifeWrite

	// The operation, for all stages.
	IsAck, IsRead, IsWrite, IsTable, Index *Held

	mask         vgen.Signal
	form         Slotted
	ports        *slotCorePorts
	flowAnswered bool
}

func (b Slotted) core(f Frame, l *Law) *vgen.Module {
	m := vgen.NewModule(l.Name+"_core", l.Title+" "+l.Core)
	like := slotCorePorts{Event: l.Event, Parts: b.Parts}
	like.CW.Law, like.Context.Law = l.held(), l.Context
	ports := vgen.PortsLike(m, &like, b.widths(f, l))
	m.Describe(ports.CW.Mask, "fields written, held: "+l.maskNames()+" from bit 0")
	m.Describe(ports.Verdict.Kind, l.kinds())
	slots := NewSlots(m, ports.Phase)
	m.SetTiming(b.Latency, b.Interval)
	k := &SlotCore{
		Slots: slots, M: m, form: b, ports: ports, mask: ports.CW.Mask,
		Event: ports.Event, Write: ports.CW.Law, Parts: ports.Parts, Context: ports.Context.Law, Generation: ports.Generation,
		Phase: ports.Phase, Clear: &ports.Clear, Op: &ports.Op, Table: &ports.TW,
		Life: LifeWrite{ports.CW.Mask.Bit(l.Software.Start()), ports.CW.Mask.Bit(l.Software.Close()), ports.CW.Generation},
	}
	n := b.Interval
	k.IsAck, k.IsRead = slots.Control("is_ack", ports.Op.Ack, 1, n), slots.Control("is_read", ports.Op.Read, 1, n)
	k.IsWrite, k.IsTable = slots.Control("is_write", ports.Op.Write, 1, n), slots.Control("is_table", ports.Op.Table, 1, n)
	k.Index = slots.Value("op_index", ports.Op.Index, 1, n)
	b.Build(k)
	return m
}

// widths are the width keys of the ports of the engine's blocks.
func (b Slotted) widths(f Frame, l *Law) vgen.Widths {
	w := l.widths(f)
	w["phase"], w["clear"] = b.Interval, b.ClearBits
	return w
}

// Sets is 1 when a context write sets the field of number i ([Law.Writable]), held.
func (k *SlotCore) Sets(i int) vgen.Signal { return k.mask.Bit(i) }

// Tables is the table write, to be led to the copies of tables that blocks have.
func (k *SlotCore) Tables() TableWrite { return decodeTable(k.M, k.ports.TW, false) }

// Decide gives out the first part of a decision, the verdict.
func (k *SlotCore) Decide(kind, status vgen.Signal) {
	m, p := k.M, k.ports
	m.Assign(p.VerdictOut, p.Op.Taken)
	m.Assign(p.Verdict.Flow, k.Get(k.Index, k.form.Verdict))
	m.AssignIf(p.Verdict.Generation, p.Generation)
	m.AssignIf(p.Verdict.Tag, p.Tag)
	m.Assign(p.Verdict.Kind, kind)
	m.Assign(p.Verdict.Status, status)
}

// End reports that an operation has passed.
func (k *SlotCore) End() {
	m, p, end := k.M, k.ports, k.form.Latency
	m.Assign(p.WroteCW, k.At(end-1).And(k.Get(k.IsWrite, end-1)))
	m.Assign(p.WroteTW, k.At(end-1).And(k.Get(k.IsTable, end-1)))
	m.Assign(p.Read, k.At(end).And(k.Get(k.IsRead, end)))
}

// Catch is a value that a context read leaves in a register as it passes stage.
func (k *SlotCore) Catch(name string, s vgen.Signal, stage int) vgen.Signal {
	if !k.flowAnswered {
		k.flowAnswered = true
		k.M.Assign(k.ports.Context.Flow, k.Catch("flow", k.Get(k.Index, stage), stage))
	}
	return k.M.RegNext("read_"+name, s, vgen.Enable(k.At(stage).And(k.Get(k.IsRead, stage))))
}

// Answer leads a value to a field of Context. A field that does not exist takes nothing.
func (k *SlotCore) Answer(port, s vgen.Signal, stage int) {
	if port.Exists() {
		k.M.Assign(port, k.Catch(strings.TrimPrefix(port.Name(), "cd_"), s, stage))
	}
}
