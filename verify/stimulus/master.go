package stimulus

import (
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// master is software at the registers of an engine: it turns what a source offers on tw, cw and cr into accesses, one
// operation at a time, and tells the source when each is done. Between them it makes accesses of its own, which depend
// on what went before and nothing else, so that a script plays as it was recorded.
type master[E, C, W, D, R, T, P any] struct {
	law     *Law[E, C, W, D, R, T, P]
	space   *registers.Map
	mask    func(w *W) uint64 // of a context write
	numbers []number[W]       // of it
	reads   []uint32          // addresses of a context that was read

	r     random.Rand
	up    bool     // init_done was read as 1
	of    stream   // operation under way
	queue []access // of it, the first one at the ports
	late  bool     // the word of a write is still to be offered
	asked bool     // the access was taken: its answer is awaited
	slow  bool     // answers wait for the source's cd_ready
}

type stream int

const (
	none stream = iota
	tables
	writes
	reads
	own
)

// number is a field of a context write with its registers.
type number[W any] struct {
	offset uint32
	bits   int
	set    int // bit of the mask
	get    func(w *W) uint64
}

// access is an access of software.
type access struct {
	write   bool
	address uint32
	data    uint32
	strobes uint8
}

func newMaster[E, C, W, D, R, T, P any](l *Law[E, C, W, D, R, T, P]) *master[E, C, W, D, R, T, P] {
	s := l.software()
	m := &master[E, C, W, D, R, T, P]{law: l, space: registers.NewNIC(l.Engine, s),
		mask: bind.Getter[W]("mask")}
	for i, f := range registers.WrittenFields(l.Engine, s) {
		if f.Bits > 0 {
			m.numbers = append(m.numbers, number[W]{registers.WriteField(i), f.Bits, i, bind.Getter[W](f.Name)})
		}
	}
	for i := range m.space.Registers {
		if r := &m.space.Registers[i]; strings.HasPrefix(r.Name, "GET_") {
			m.reads = append(m.reads, r.Offset)
		}
	}
	m.reset()
	return m
}

func (l *Law[E, C, W, D, R, T, P]) software() *config.Software {
	return l.Design.(config.EngineDesign).Software()
}

func (m *master[E, C, W, D, R, T, P]) reset() {
	m.r, m.up, m.of, m.queue, m.late, m.asked = random.New(0x5eed), false, none, m.queue[:0], false, false
}

func (m *master[E, C, W, D, R, T, P]) add(write bool, address uint32, data uint64) {
	m.queue = append(m.queue, access{write, address, uint32(data), 15})
}

// number queues the writes of a number.
func (m *master[E, C, W, D, R, T, P]) number(address uint32, bits int, v uint64) {
	m.add(true, address, v)
	if bits > 32 {
		m.add(true, address+4, v>>32)
	}
}

// begin begins the next operation.
func (m *master[E, C, W, D, R, T, P]) begin(in *engine.Inputs[E, W]) {
	m.queue, m.slow = m.queue[:0], false
	if in.TW.Valid { // as of a reset, what is offered first tells episodes apart
		m.mix(uint32(in.TW.Payload.Data))
	}
	switch {
	case m.r.OneIn(3):
		m.of, m.slow = own, true
		m.queue = append(m.queue, m.any())
	case !m.up:
		m.of = own
		m.add(false, registers.NICStatus, 0)
	case in.TW.Valid:
		m.of = tables
		w := in.TW.Payload
		m.number(registers.TableData, m.law.software().TableDataBits(), w.Data)
		m.add(true, registers.TableWrite, uint64(w.Table)<<registers.TableWriteTable|uint64(w.Index))
	case in.CW.Valid:
		m.of = writes
		m.context(&in.CW.Payload)
	case in.CR.Valid:
		m.of, m.slow = reads, true
		m.add(true, registers.ContextRead, uint64(in.CR.Payload))
		for _, address := range m.reads {
			m.add(false, address, 0)
		}
	}
	for i := range m.queue {
		m.mix(m.queue[i].data)
	}
	m.late = m.of != none && m.r.OneIn(4)
}

// context queues the accesses of a context write.
func (m *master[E, C, W, D, R, T, P]) context(w *W) {
	mask := m.mask(w)
	for _, n := range m.numbers {
		if mask>>n.set&1 == 1 {
			m.number(n.offset, n.bits, n.get(w))
		}
	}
	m.add(true, registers.ContextWrite, mask<<registers.ContextWriteMask|uint64(m.law.Model.Scope(w).Flow))
}

// mix makes what is drawn depend on a word.
func (m *master[E, C, W, D, R, T, P]) mix(word uint32) {
	m.r = random.New(random.DeriveSeed(m.r.Next(), int(word)))
}

// any is an access that changes nothing of tables and contexts, but for entries before the source's first ones.
func (m *master[E, C, W, D, R, T, P]) any() access {
	r := &m.r
	of := &m.space.Registers[r.N(len(m.space.Registers))]
	a := access{r.OneIn(2), of.Offset, uint32(r.Bits(32)), 15}
	switch {
	case !m.up && r.OneIn(2): // which refuses commands
		a.write, a.address = true, []uint32{registers.TableWrite, registers.ContextWrite, registers.ContextRead}[r.N(3)]
	case r.OneIn(8):
		a.address = uint32(r.Bits(16))
	case r.OneIn(8):
		a.address ^= 1 << r.N(16)
	case r.OneIn(8):
		a.strobes = uint8(r.N(15))
	}
	if a.write && a.strobes == 15 {
		switch a.address {
		case registers.TableWrite: // refused: no such entry, or at the start, as memories are being cleared
			a.data |= 0xffff
			if !m.up {
				a.data = uint32(r.N(len(m.law.software().Tables)+1)<<registers.TableWriteTable | r.N(2))
			}
		case registers.ContextWrite:
			a.data &= 0xffff // no field
		}
	}
	return a
}

// Next puts the access under way at the ports.
func (m *master[E, C, W, D, R, T, P]) Next(in *engine.Inputs[E, W]) {
	p := &in.SAXIL
	p.AWValid, p.WValid, p.ARValid, p.BReady, p.RReady = false, false, false, false, false
	if in.Rst {
		m.reset()
		return
	}
	if m.of == none {
		m.begin(in)
	}
	ready := in.CDReady || !m.slow
	p.BReady, p.RReady = ready, ready
	if m.of == none || m.asked {
		return
	}
	a := &m.queue[0]
	p.AWValid, p.WValid, p.ARValid = a.write, a.write && !m.late, !a.write
	p.AWAddr, p.ARAddr, p.WData, p.WStrb = uint16(a.address), uint16(a.address), a.data, a.strobes
	m.late = false
}

// Seen goes on with what the engine answered, and gives the answer as a source knows it.
func (m *master[E, C, W, D, R, T, P]) Seen(in *engine.Inputs[E, W], out *engine.Outputs[D, R]) Answer {
	p := &out.SAXIL
	answer := Answer{S: out.SReady, M: out.M.Valid, CD: p.BValid || p.RValid}
	if in.Rst || m.of == none {
		return answer
	}
	if in.SAXIL.AWValid && in.SAXIL.WValid && p.AWReady || in.SAXIL.ARValid && p.ARReady {
		m.asked = true
		return answer
	}
	if !(p.BValid && in.SAXIL.BReady || p.RValid && in.SAXIL.RReady) {
		return answer
	}
	if a := m.queue[0]; !a.write && a.address == registers.NICStatus {
		m.up = m.up || p.RData&1 == 1
	}
	m.asked, m.queue = false, m.queue[1:]
	if len(m.queue) > 0 {
		m.late = m.r.OneIn(4)
		return answer
	}
	answer.TW, answer.CW, answer.CR = m.of == tables, m.of == writes, m.of == reads
	m.of = none
	return answer
}

// axilPort is the port of a field of the AXI4-Lite interface: saxil_aw_ready is s_axil_awready.
func axilPort(path string) (port string, is bool) {
	name, is := strings.CutPrefix(path, "saxil_")
	name = strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "error", "resp")
	return "s_axil_" + name, is
}

// countPort is the port of a counter: counters3 is that of the status 3.
func countPort(path string) (port string, is bool) {
	number, is := strings.CutPrefix(path, "counters")
	status, _ := strconv.Atoi(number)
	return "n_" + engine.Status(status).String(), is
}
