package stimulus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/directed"
)

// Story is what a directed test does to an engine: software writes tables and opens a flow, and events come.
type Story[E, W any] struct {
	Tables []Told[config.TableWrite]
	Open   Told[W]
	Events []Told[E]
}

// Told is an operation with what it is.
type Told[T any] struct {
	About string
	Op    T
}

// Directed is the test of the law's story: the golden model says what comes out.
func (l *Law[E, C, W, D, R, T, P]) Directed(t timing.Engine) (*directed.Test, error) {
	story, err := l.Story()
	if err != nil {
		return nil, err
	}
	m, err := engine.New(l.Engine, l.Model)
	if err != nil {
		return nil, err
	}
	layout := l.AllPorts().Layout()
	ports, err := l.Bind(layout)
	if err != nil {
		return nil, err
	}
	r := &teller[E, W, D, R]{Test: directed.Test{Streams: []string{"tw", "cw", "cr", "cd", "s", "m"}, Wait: "init_done"},
		Binding: ports, in: make([]uint64, layout.InWords), out: make([]uint64, layout.OutWords),
		last: map[string]uint64{}, says: l.Says}

	if l.Engine.AXILite {
		r.Streams, r.Wait = []string{"s", "m"}, ""
	}
	s := r.Step("tables", "Software writes the tables.")
	if l.Engine.AXILite {
		s.Call("until memories are initialised", "cycles", directed.Number(t.Clearing()+8))
	}
	for _, w := range story.Tables {
		m.WriteTable(w.Op)
		if l.Engine.AXILite {
			write(s, w.About, registers.WriteTable(l.software(), w.Op)...)
			continue
		}
		r.send(s, "tw", w.About, &engine.Inputs[E, W]{TW: engine.Stream[config.TableWrite]{Payload: w.Op}})
	}
	m.WriteContext(story.Open.Op)
	s = r.Step("opening", story.Open.About)
	if l.Engine.AXILite {
		write(s, "", l.contextAccesses(&story.Open.Op)...)
	} else {
		r.send(s, "cw", "", &engine.Inputs[E, W]{CW: engine.Stream[W]{Payload: story.Open.Op}})
	}
	s.Call("until the context is written", "cycles", directed.Number(t.Write()))
	for i, e := range story.Events {
		s := r.Step(fmt.Sprint("ACK ", i+1), e.About)
		r.send(s, "s", "", &engine.Inputs[E, W]{S: engine.Stream[E]{Payload: e.Op}})
		r.receive(s, "m", &engine.Outputs[D, R]{M: engine.Stream[R]{Valid: true, Payload: m.Event(e.Op)}})
	}
	if l.Engine.AXILite {
		return &r.Test, nil
	}
	s = r.Step("context", "Software reads the context back.")
	flow := l.Model.Scope(&story.Open.Op).Flow
	r.send(s, "cr", "", &engine.Inputs[E, W]{CR: engine.Stream[uint32]{Payload: flow}})
	r.receive(s, "cd", &engine.Outputs[D, R]{CD: engine.Stream[D]{Valid: true, Payload: m.ReadContext(flow)}})
	s = r.Step("counters", "What was counted.")
	r.check(s, "n", &engine.Outputs[D, R]{Counters: m.Counters()})
	return &r.Test, nil
}

// write is accesses of software, the note at the last one.
func write(s *directed.Step, note string, list ...registers.Write) {
	for i, w := range list {
		about := ""
		if i == len(list)-1 {
			about = note
		}
		s.Call(about, "write_register", directed.Digits(16, uint64(w.Offset)), directed.Digits(32, uint64(w.Data)))
	}
}

// contextAccesses is the accesses of a context write.
func (l *Law[E, C, W, D, R, T, P]) contextAccesses(w *W) (list []registers.Write) {
	m := newMaster(l)
	m.context(w)
	for _, a := range m.queue {
		list = append(list, registers.Write{Offset: a.address, Data: a.data})
	}
	return list
}

// teller writes operations down as what is at the ports.
type teller[E, W, D, R any] struct {
	directed.Test
	*Binding[E, W, D, R]
	in, out []uint64
	last    map[string]uint64 // of inputs
	says    func(port string, v uint64) string
}

// send offers an element. Of an event, what a port has from before is not said again.
func (r *teller[E, W, D, R]) send(s *directed.Step, stream, note string, in *engine.Inputs[E, W]) {
	r.PutInputs(r.in, in)
	var line []directed.Statement
	family, said := "", 0
	for _, f := range fields(r.Layout.Inputs, r.in, stream) {
		if last, known := r.last[f.Port]; known && last == f.Of && stream == "s" {
			continue
		}
		r.last[f.Port] = f.Of
		if now := familyOf(f.Port); now != family {
			if said > 0 && note == "" {
				s.Add("", line...)
				line = nil
			}
			family = now
		}
		said++
		f.Hex = strings.HasSuffix(f.Port, "_data") || strings.HasSuffix(f.Port, "_mask")
		line = append(line, directed.Set{Field: f})
	}
	send := directed.Call{Task: "send_" + stream}
	if note != "" {
		s.Add(note, append(line, send)...)
		return
	}
	if len(line) > 0 {
		s.Add("", line...)
	}
	s.Add("", send)
}

// familyOf is what a port begins with that has a number, as s_hop0 of s_hop0_ts.
func familyOf(port string) string {
	if i := strings.IndexAny(port, "0123456789"); i >= 0 {
		return port[:i+1]
	}
	return ""
}

// receive waits for an element and checks its fields.
func (r *teller[E, W, D, R]) receive(s *directed.Step, stream string, out *engine.Outputs[D, R]) {
	s.Call("", "receive_"+stream)
	r.check(s, stream, out)
	s.Call("", "accept_"+stream)
}

func (r *teller[E, W, D, R]) check(s *directed.Step, stream string, out *engine.Outputs[D, R]) {
	r.PutOutputs(r.out, out)
	for _, f := range fields(r.Layout.Outputs, r.out, stream) {
		s.Add(r.says(f.Port, f.Of), directed.Check{Field: f})
	}
}

// fields are the ports of a stream, but those of the handshake, with what is at them.
func fields(slots []vgen.Slot, words []uint64, stream string) (list []directed.Field) {
	for _, s := range slots {
		name, is := strings.CutPrefix(s.Name, stream+"_")
		if is && !strings.HasPrefix(name, "axil_") && !slices.Contains([]string{"valid", "ready"}, name) {
			list = append(list, directed.Field{Port: s.Name, Value: directed.Value{Bits: s.Width, Of: words[s.Offset]}})
		}
	}
	return list
}
