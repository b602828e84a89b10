package stimulus

import (
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/bind"
)

// AnyBits is the part of Draw that needs no knowledge of a law: payloads of any bits. A law's Draw embeds it.
type AnyBits[E, W any] struct {
	g           *Generator[E, W]
	event       *bind.Record[E]
	write       *bind.Record[W]
	index, data int // bits of a table write
}

// NewAnyBits makes the part for a generator of the law.
func (l *Law[E, C, W, D, R, T, P]) NewAnyBits(g *Generator[E, W]) AnyBits[E, W] {
	ports := l.streamPorts()
	return AnyBits[E, W]{
		g: g, event: record[E](ports, "s_"), write: record[W](ports, "cw_"),
		index: ports.Input("tw_index"), data: ports.Input("tw_data"),
	}
}

// record connects the fields of a payload with the ports of its stream.
func record[T any](ports *bind.Table, stream string) *bind.Record[T] {
	var slots []vgen.Slot
	for _, s := range ports.Layout().Inputs {
		if name, ok := strings.CutPrefix(s.Name, stream); ok && name != "valid" {
			s.Name = name
			slots = append(slots, s)
		}
	}
	return bind.New[T](slots, false, nil)
}

// Noise fills all fields of an event with random bits.
func (w AnyBits[E, W]) Noise(e *E) { w.event.Fill(e, w.g.R.Bits) }

// Scribble is Noise.
func (w AnyBits[E, W]) Scribble(e *E) { w.Noise(e) }

// ScribbleWrite fills all fields of a context write with random bits.
func (w AnyBits[E, W]) ScribbleWrite(to *W) { w.write.Fill(to, w.g.R.Bits) }

// AnyWrite is a context write of any bits.
func (w AnyBits[E, W]) AnyWrite() (any W) {
	w.ScribbleWrite(&any)
	return any
}

// WildWrite is a table write of any bits.
func (w AnyBits[E, W]) WildWrite() config.TableWrite {
	r := &w.g.R
	return config.TableWrite{
		Table: config.Table(r.Bits(tableBits)), Index: int(r.Bits(w.index)), Data: r.Bits(w.data),
	}
}

// Written has nothing to note.
func (w AnyBits[E, W]) Written(*Flow, *W) {}

// TableWritten has nothing to note.
func (w AnyBits[E, W]) TableWritten(config.TableWrite) {}
