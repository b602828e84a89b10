package vgen

import (
	"fmt"
	"reflect"
)

// Leaves lists the signals of a struct, such as that of a module's ports or a Stream's payload, in the order of its
// fields: those of nested structs and slices in their places, those that do not exist left out.
func Leaves(bundle any) []*Signal {
	var out []*Signal
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			if s, ok := v.Addr().Interface().(*Signal); ok {
				if s.Exists() {
					out = append(out, s)
				}
				return
			}
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Interface, reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		}
	}
	walk(reflect.ValueOf(bundle).Elem())
	return out
}

// Clone copies a struct of signals with its slices, so that the signals of one can be replaced and those of the other
// stay.
func Clone[T any](like *T) *T {
	out := new(T)
	var walk func(to, from reflect.Value)
	walk = func(to, from reflect.Value) {
		switch from.Kind() {
		case reflect.Interface:
			if part := from.Elem(); part.Kind() == reflect.Pointer {
				to.Set(reflect.New(part.Type().Elem()))
				walk(to.Elem().Elem(), part.Elem())
			}
		case reflect.Slice:
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				walk(to.Index(i), from.Index(i))
			}
		case reflect.Struct:
			if from.Type() == signalType {
				to.Set(from)
				return
			}
			for i := range from.NumField() {
				walk(to.Field(i), from.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(out).Elem(), reflect.ValueOf(like).Elem())
	return out
}

// Connect assigns each signal of from to its counterpart in to. Both have the same fields and the same ones absent.
func Connect[T any](m *Module, to, from *T) {
	targets, values := Leaves(to), Leaves(from)
	if len(targets) != len(values) {
		m.fail(here(), fmt.Sprintf("Connect: %d signals to %d", len(values), len(targets)),
			"declare both with the same Widths")
		return
	}
	for i, t := range targets {
		m.Assign(*t, *values[i])
	}
}

// Forward leads ports of an instance, inside, out through ports of m of the same directions, outside.
func Forward[T any](m *Module, outside, inside *T) {
	out, in := Leaves(outside), Leaves(inside)
	if len(out) != len(in) {
		m.fail(here(), fmt.Sprintf("Forward: %d ports through %d", len(in), len(out)), "declare both with the same Widths")
		return
	}
	for i, port := range out {
		if port.Dir() == "out" {
			m.Assign(*port, *in[i])
		} else {
			m.Assign(*in[i], *port)
		}
	}
}

// Pack joins the signals of a struct into one word, such as that of a FIFO, the first field on top.
func Pack(bundle any) Signal { return Join(Leaves(bundle)) }

// Unpack cuts a word that Pack made of a struct like this one, and returns the struct of its parts.
func Unpack[T any](like *T, word Signal) *T {
	out := Clone(like)
	Split(Leaves(out), word)
	return out
}

// Join puts signals side by side, the first one on top.
func Join(list []*Signal) Signal {
	parts := make([]Signal, len(list))
	for i, s := range list {
		parts[i] = *s
	}
	return Cat(parts...)
}

// Split replaces signals by the parts of a word that Join made of signals of their widths.
func Split(list []*Signal, word Signal) {
	total := 0
	for _, s := range list {
		total += s.Width()
	}
	if word.Exists() && total != word.Width() {
		word = mistake(opSlice, []Signal{word}, total, fmt.Sprintf("a word of %d bits into parts of %d together",
			word.Width(), total),
			"Join signals of the same widths")
	}
	high := total - 1
	for _, s := range list {
		w := s.Width()
		*s = word.Slice(high, high-w+1)
		high -= w
	}
}
