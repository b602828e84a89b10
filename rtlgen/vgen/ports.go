package vgen

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Widths gives the width keys and count keys of a port struct their values. A width
// of 0 means that the port does not exist.
type Widths map[string]int

// Stream is a handshaken stream as one field of a port struct. The tag stream:"s"
// makes the ports s_valid, s_ready and s_FIELD for every field of the payload; a tag
// with a %s in it says where the names go ("s_axis_t%s" makes s_axis_tvalid). The
// tag dir is the direction of valid and payload; ready has the other one.
type Stream[P any] struct {
	Valid, Ready Signal
	Payload      P
}

func (Stream[P]) isStream() {}

type streamer interface{ isStream() }

// bundle remembers what Ports declared.
type bundle struct {
	typ    reflect.Type
	like   reflect.Value // of the type, with the fields of type any filled in
	widths Widths
}

// Ports declares the ports described by the struct type T, in the order of its
// fields, and returns them filled in. Fields are
//
//   - Signal, with tags port (name), dir (in, out), width (a key of the Widths, or a
//     number), and optionally role and doc;
//   - a struct, whose port names get the prefix in its port tag, whose dir tag holds for the
//     fields that have none, and whose doc tag is appended to theirs;
//   - any, for a struct that only [PortsLike] knows;
//   - a slice of structs, Signals or Streams, whose port or stream tag has a %d for
//     the index and whose count tag is a key of the Widths or a number;
//   - [Stream].
//
// Handshakes belong into a Stream. A port named *_valid outside of one must say
// role:"valid": it belongs to a pipeline that cannot be stopped.
func Ports[T any](m *Module, w Widths) *T { return PortsLike(m, new(T), w) }

// PortsLike is [Ports] for a struct with parts that its author does not know: in its fields of type any, like
// holds pointers to structs, whose ports are declared in the place of the field. In the struct returned, as in
// that of [Instantiate], such a field holds a pointer to a struct of the same type, filled in.
func PortsLike[T any](m *Module, like *T, w Widths) *T {
	p := new(T)
	site := here()
	if m.bundle != nil {
		m.fail(site, "Ports: called a second time on this module", "put all ports in one struct")
		return p
	}
	m.bundle = &bundle{typ: reflect.TypeFor[T](), like: reflect.ValueOf(like).Elem(), widths: maps.Clone(w)}
	b := binder{
		widths: w,
		fail:   func(msg, hint string) { m.fail(site, "Ports: "+msg, hint) },
		leaf: func(l leaf) Signal {
			return m.declarePort(l.name, l.dir, l.width, l.role, l.doc, site)
		},
	}
	b.root(reflect.ValueOf(p).Elem(), m.bundle.like)
	return p
}

// Instantiate puts sub into m and returns its ports as the struct type that sub
// declared them with: inputs of sub are to be assigned, its outputs can be read. The
// widths are those sub was declared with; giving them again checks that they agree.
func Instantiate[T any](m *Module, name string, sub *Module, widths ...Widths) *T {
	p := new(T)
	site := here()
	inst := m.instance(name, sub, site)
	if inst.sub == nil {
		return p
	}
	if sub.bundle == nil || sub.bundle.typ != reflect.TypeFor[T]() {
		m.fail(site, fmt.Sprintf("Instantiate: module %s was not declared with Ports[%s]", sub.name, reflect.TypeFor[T]()),
			"use the same struct type, or Instance")
		return p
	}
	for _, w := range widths {
		for _, key := range slices.Sorted(maps.Keys(w)) {
			if have, ok := sub.bundle.widths[key]; ok && have != w[key] {
				m.fail(site, fmt.Sprintf("Instantiate: width %q is %d, module %s was declared with %d", key, w[key],
					sub.name, have), "")
			}
		}
	}
	b := binder{
		widths: sub.bundle.widths,
		fail:   func(string, string) {}, // reported when sub was declared
		leaf: func(l leaf) Signal {
			for _, n := range inst.pins {
				if n.port.name == l.name {
					return Signal{n}
				}
			}
			return Signal{&node{op: opAbsent, mod: m, name: name + "." + l.name, site: site}}
		},
	}
	b.root(reflect.ValueOf(p).Elem(), sub.bundle.like)
	return p
}

type leaf struct {
	name, dir, role, doc string
	width                int
}

// binder walks a port struct. The same walk declares a module's ports and finds an
// instance's.
type binder struct {
	widths Widths
	fail   func(message, hint string)
	leaf   func(leaf) Signal
}

// scope holds what a nested struct inherits from the fields around it.
type scope struct {
	pattern string // with one %s for the port's own name
	dir     string // of a stream's payload, or of the struct around; "" elsewhere
	doc     string // appended to the port's own
	stream  bool
}

var (
	signalType   = reflect.TypeFor[Signal]()
	streamerType = reflect.TypeFor[streamer]()
)

func (b *binder) root(v, like reflect.Value) {
	if v.Kind() != reflect.Struct {
		b.fail(fmt.Sprintf("%s is not a struct", v.Type()), "")
		return
	}
	b.fields(v, like, scope{pattern: "%s"})
}

func (b *binder) fields(v, like reflect.Value, s scope) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			b.fail(fmt.Sprintf("field %s.%s is not exported", t, f.Name), "")
			continue
		}
		b.field(v.Field(i), like.Field(i), f, f.Type, s)
	}
}

func (b *binder) field(v, like reflect.Value, f reflect.StructField, t reflect.Type, s scope) {
	if t.Kind() == reflect.Slice {
		n, ok := b.number(f, "count")
		if !ok {
			return
		}
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			indexed := f
			indexed.Tag = reflect.StructTag(strings.ReplaceAll(string(f.Tag), "%d", strconv.Itoa(i)))
			if indexed.Tag == f.Tag {
				b.fail(fmt.Sprintf("field %s has no %%d in its name", f.Name), `such as port:"s_hop%d_"`)
				return
			}
			b.field(v.Index(i), reflect.Zero(t.Elem()), indexed, t.Elem(), s)
		}
		return
	}
	switch {
	case t == signalType:
		b.signal(v, f, s)
	case t.Implements(streamerType):
		b.stream(v, like, f, s)
	case t.Kind() == reflect.Interface:
		part := like.Elem()
		if part.Kind() != reflect.Pointer || part.IsNil() {
			b.fail(fmt.Sprintf("field %s holds no pointer to a struct", f.Name),
				"PortsLike, with a struct whose fields of type any are set")
			return
		}
		own := reflect.New(part.Type().Elem())
		v.Set(own)
		b.field(own.Elem(), part.Elem(), f, part.Type().Elem(), s)
	case t.Kind() == reflect.Struct:
		inner := s
		inner.pattern = b.nest(s, f.Tag.Get("port")+"%s")
		if d := f.Tag.Get("dir"); d != "" && !s.stream {
			inner.dir = d
		}
		inner.doc = f.Tag.Get("doc") + s.doc
		b.fields(v, like, inner)
	default:
		b.fail(fmt.Sprintf("field %s has type %s", f.Name, t), "Signal, Stream, a struct, or a slice of these")
	}
}

func (b *binder) nest(s scope, inner string) string {
	return strings.Replace(s.pattern, "%s", inner, 1)
}

func (b *binder) signal(v reflect.Value, f reflect.StructField, s scope) {
	own, ok := f.Tag.Lookup("port")
	if !ok || own == "" {
		b.fail(fmt.Sprintf("field %s has no port tag", f.Name), `such as port:"s_num"`)
		return
	}
	l := leaf{name: b.nest(s, own), dir: f.Tag.Get("dir"), role: f.Tag.Get("role"), doc: f.Tag.Get("doc") + s.doc}
	if s.stream {
		if l.dir != "" {
			b.fail(fmt.Sprintf("port %q is part of a stream and has a dir tag", l.name), "the stream's dir holds for all of it")
		}
		l.dir = s.dir
	}
	if l.dir == "" {
		l.dir = s.dir
	}
	if l.dir != "in" && l.dir != "out" {
		b.fail(fmt.Sprintf("port %q: dir %q", l.name, l.dir), `dir:"in" or dir:"out"`)
		return
	}
	if !s.stream {
		for _, role := range []string{"valid", "ready"} {
			if strings.HasSuffix(l.name, "_"+role) && l.role != role {
				b.fail(fmt.Sprintf("port %q is a handshake outside of a Stream", l.name),
					fmt.Sprintf("use a Stream, or say role:%q", role))
			}
		}
	}
	w, ok := b.number(f, "width")
	if !ok {
		return
	}
	l.width = w
	v.Set(reflect.ValueOf(b.leaf(l)))
}

func (b *binder) stream(v, like reflect.Value, f reflect.StructField, s scope) {
	own, ok := f.Tag.Lookup("stream")
	if !ok || own == "" {
		b.fail(fmt.Sprintf("field %s has no stream tag", f.Name), `such as stream:"s"`)
		return
	}
	if !strings.Contains(own, "%s") {
		own += "_%s"
	}
	dir, back := f.Tag.Get("dir"), ""
	switch dir {
	case "in":
		back = "out"
	case "out":
		back = "in"
	default:
		b.fail(fmt.Sprintf("stream %q: dir %q", f.Tag.Get("stream"), dir), `dir:"in" or dir:"out"`)
		return
	}
	inner := scope{pattern: b.nest(s, own), dir: dir, stream: true}
	doc := f.Tag.Get("doc")
	if doc != "" {
		doc += ": "
	}
	set := func(field string, l leaf) { v.FieldByName(field).Set(reflect.ValueOf(b.leaf(l))) }
	set("Valid", leaf{b.nest(inner, "valid"), dir, "valid", doc + "the payload is valid", 1})
	set("Ready", leaf{b.nest(inner, "ready"), back, "ready", doc + "ready to take the payload", 1})
	payload := v.FieldByName("Payload")
	switch {
	case payload.Kind() != reflect.Struct || payload.Type() == signalType:
		b.fail(fmt.Sprintf("stream %q: the payload is a %s", f.Tag.Get("stream"), payload.Type()), "use a struct of Signals")
	default:
		b.fields(payload, like.FieldByName("Payload"), inner)
	}
}

// number reads a width or count tag.
func (b *binder) number(f reflect.StructField, tag string) (int, bool) {
	text, ok := f.Tag.Lookup(tag)
	if !ok || text == "" {
		b.fail(fmt.Sprintf("field %s has no %s tag", f.Name, tag), "a key of the Widths, or a number")
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		if n, ok = b.widths[text]; !ok {
			known := strings.Join(slices.Sorted(maps.Keys(b.widths)), ", ")
			b.fail(fmt.Sprintf("field %s: %s key %q is not in the Widths", f.Name, tag, text), "known: "+known)
			return 0, false
		}
	}
	if n < 0 {
		b.fail(fmt.Sprintf("field %s: %s %d", f.Name, tag, n), "0 or more")
		return 0, false
	}
	return n, true
}
