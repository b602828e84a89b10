package nic

import (
	"reflect"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// leaves lists the signals of a port struct in the order of its fields, those of absent ports left out.
func leaves(ports any) []*vgen.Signal {
	var out []*vgen.Signal
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			if s, ok := v.Addr().Interface().(*vgen.Signal); ok {
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
		}
	}
	walk(reflect.ValueOf(ports).Elem())
	return out
}

// pack joins the signals of a port struct into one word, the first field on top.
func pack(ports any) vgen.Signal {
	var parts []vgen.Signal
	for _, s := range leaves(ports) {
		parts = append(parts, *s)
	}
	return vgen.Cat(parts...)
}

// unpack cuts a word made by pack of the struct like into a struct of the same shape.
func unpack[T any](like *T, word vgen.Signal) *T {
	out := clone(like)
	high := word.Width() - 1
	for _, s := range leaves(out) {
		w := s.Width()
		*s = word.Slice(high, high-w+1)
		high -= w
	}
	return out
}

// packAfterFlow is pack without the first field, the flow.
func packAfterFlow(a *Ack) vgen.Signal {
	var parts []vgen.Signal
	for _, s := range leaves(a)[1:] {
		parts = append(parts, *s)
	}
	return vgen.Cat(parts...)
}

// unpackAfterFlow joins a flow and a word made by packAfterFlow.
func unpackAfterFlow(like *Ack, flow, word vgen.Signal) *Ack {
	return unpack(like, vgen.Cat(flow, word))
}

// assignAll drives each signal of a port struct with its counterpart.
func assignAll[T any](m *vgen.Module, to, from *T) {
	src := leaves(from)
	for i, s := range leaves(to) {
		m.Assign(*s, *src[i])
	}
}

// clone copies a port struct with its slices.
func clone[T any](like *T) *T {
	out := new(T)
	var walk func(to, from reflect.Value)
	walk = func(to, from reflect.Value) {
		switch from.Kind() {
		case reflect.Slice:
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				walk(to.Index(i), from.Index(i))
			}
		case reflect.Struct:
			if from.Type() == reflect.TypeFor[vgen.Signal]() {
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
