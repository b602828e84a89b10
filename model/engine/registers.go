package engine

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/model/axil"
)

// file is the registers of an engine, docs/integration.md, cycle by cycle. It stands before the streams of software.
type file struct {
	bus      axil.Bus
	timing   timing.EngineBus
	software *config.Software
	flows    uint32
	written  []config.ContextField // fields of SET registers
	statuses []Status              // of the counters

	command  command  // offered to the engine
	asked    bool     // a context read is under way
	got      []uint64 // the context that was read last
	initDone bool     // in this cycle
	counters Counters // in this cycle

	snapshot   Counters
	events     uint32
	irq        bool
	before     Counters // in the cycle before
	doneBefore bool
}

// command is what software has commanded, from the cycle after on until the engine has taken it.
type command struct {
	offset uint32 // of the register that was written; 0: none
	data   uint32
}

// newFile makes the registers of an engine.
func newFile(f *config.Engine, s *config.Software, t *timing.EngineBus) (*file, error) {
	switch {
	case t == nil:
		return nil, fmt.Errorf("golden model: timing: the design has registers and the timing none")
	case t.Act < 2 || t.Answer < 1 || t.Taken < 1:
		return nil, fmt.Errorf("golden model: timing: act %d, answer %d, taken %d; must be at least 2, 1, 1",
			t.Act, t.Answer, t.Taken)
	}
	r := &file{timing: *t, software: s, flows: uint32(f.Flows), written: registers.WrittenFields(f, s),
		got: make([]uint64, len(s.Read))}
	for _, c := range s.Counters {
		status := Status(0)
		for status < Statuses && status.String() != c.Name {
			status++
		}
		if status == Statuses {
			return nil, fmt.Errorf("golden model: no status for the counter %s", c.Name)
		}
		r.statuses = append(r.statuses, status)
	}
	r.bus = axil.New(t.Act, t.Answer, registers.NewNIC(f, s), r)
	return r, nil
}

// Reset is the state after reset.
func (r *file) Reset() {
	r.bus.Reset()
	r.command, r.asked, r.events, r.irq, r.doneBefore = command{}, false, 0, false, false
	r.snapshot, r.before = Counters{}, Counters{}
	clear(r.got)
}

// number is a number that software has staged in one or two registers.
func (r *file) number(offset uint32, bits int) uint64 {
	v := uint64(r.bus.Staged().At(offset))
	if bits > 32 {
		v |= uint64(r.bus.Staged().At(offset+4)) << 32
	}
	return v
}

// table is the table write that is offered.
func (r *file) table() config.TableWrite {
	return config.TableWrite{Table: config.Table(r.command.data >> registers.TableWriteTable & 15),
		Index: int(r.command.data & 0xffff), Data: r.number(registers.TableData, r.software.TableDataBits())}
}

// fields are those of the context write that is offered.
func (r *file) fields() []uint64 {
	list := make([]uint64, len(r.written))
	for i, f := range r.written {
		if f.Bits > 0 {
			list[i] = r.number(registers.WriteField(i), f.Bits)
		}
	}
	return list
}

// end is the clock edge at the end of cycle now without reset: the engine shows its counters and init_done.
func (r *file) end(now int64, in *axil.Inputs, initDone bool, counters *Counters) {
	r.initDone, r.counters = initDone, *counters
	r.irq = r.events&r.bus.Staged().At(registers.EventEnable) != 0
	r.bus.ActRead(now)
	r.bus.ActWrite(now)
	if initDone && !r.doneBefore {
		r.events |= 1 << registers.EventInitDone
	}
	for i, s := range r.statuses {
		if counters[s] != r.before[s] {
			r.events |= 1 << registers.EventCounter(i)
		}
	}
	r.before, r.doneBefore = *counters, initDone
	r.bus.Edge(now, in)
}

// taken is the engine taking what it was offered, in cycle now.
func (r *file) taken(now int64) {
	if r.command.offset == registers.ContextRead {
		r.asked = true
	} else {
		r.bus.End(now + int64(r.timing.Taken))
	}
	r.command = command{}
}

// show is the context that was asked for, in cycle now.
func (r *file) show(now int64, fields []uint64) {
	r.got, r.asked = fields, false
	r.bus.End(now + int64(r.timing.Taken))
}

// Read is the value of a register that the engine changes.
func (r *file) Read(of *registers.Register, _ int) uint32 {
	half := func(v uint64) uint32 { return uint32(v >> (of.Offset % 8 / 4 * 32)) }
	switch {
	case of.Offset == registers.NICStatus:
		if r.initDone {
			return 1
		}
		return 0
	case of.Offset == registers.Event:
		return r.events
	case of.Offset >= registers.NICCount(0):
		return half(r.snapshot[r.statuses[(of.Offset-registers.NICCount(0))/8]])
	default:
		return half(r.got[(of.Offset-registers.ReadField(0))/8])
	}
}

// Command is a write to a register that does something.
func (r *file) Command(_ int64, offset, data uint32) (ok bool, answer int) {
	switch offset {
	case registers.Event:
		r.events &^= data
		return true, 0
	case registers.Snapshot:
		r.snapshot = r.counters
		return true, 0
	case registers.TableWrite:
		table, index := int(data>>registers.TableWriteTable&15), int(data&0xffff)
		ok = table < len(r.software.Tables) && index < r.software.Tables[table].Entries
	default: // a context
		ok = data&0xffff < r.flows
	}
	if !ok || !r.initDone {
		return false, 0
	}
	r.command = command{offset, data}
	return true, axil.Open
}
