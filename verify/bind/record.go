package bind

import (
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"unicode"
	"unsafe"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Record connects the fields of a T with ports of at most 64 bits. The port of a field is its path in snake case:
// RateCode of Hop[0] of S is s_hop0_rate_code. An embedded struct and a field named Payload add nothing to the path.
type Record[T any] struct {
	always []move
	groups []group

	Unbound []string // ports that no field is at
}

// move connects a field with a port.
type move struct {
	offset uintptr // of the field
	kind   reflect.Kind
	word   int    // of the port
	mask   uint64 // the port's bits
}

// group is the fields that mean something while a word is not 0.
type group struct {
	valid int
	moves []move
}

// New connects the fields of a T with those slots that they have a port at; other fields are left alone. Port is the
// name of a field's port where that is not its path; it may be nil. With guarded set, the payload of a stream is put
// only while its valid is high.
func New[T any](slots []vgen.Slot, guarded bool, port func(path string) string) *Record[T] {
	r := &Record[T]{}
	groups, bound := map[int]int{}, map[string]bool{} // by word of the valid, by name
	if port == nil {
		port = func(path string) string { return path }
	}
	walk(reflect.TypeFor[T](), "", 0, func(path string, offset uintptr, kind reflect.Kind) {
		s := Find(slots, port(path))
		if s.Words == 0 {
			return
		}
		if s.Words > 1 {
			panic(fmt.Sprintf("bind: the port %s has %d bits, too many for a field", s.Name, s.Width))
		}
		bound[s.Name] = true
		m := move{offset, kind, s.Offset, ^uint64(0) >> (64 - s.Width)}
		valid, ok := Governor(slots, s.Name)
		if !guarded || !ok {
			r.always = append(r.always, m)
			return
		}
		if _, known := groups[valid.Offset]; !known {
			groups[valid.Offset] = len(r.groups)
			r.groups = append(r.groups, group{valid: valid.Offset})
		}
		g := &r.groups[groups[valid.Offset]]
		g.moves = append(g.moves, m)
	})
	for _, s := range slots {
		if !bound[s.Name] {
			r.Unbound = append(r.Unbound, s.Name)
		}
	}
	return r
}

// Governor is the port that says when another one means something: of those that end in "valid" the one whose name
// without that begins the other's, the longest.
func Governor(slots []vgen.Slot, name string) (valid vgen.Slot, ok bool) {
	for _, s := range slots {
		p, is := strings.CutSuffix(s.Name, "valid")
		if is && s.Width == 1 && s.Name != name && strings.HasPrefix(name, p) && len(s.Name) > len(valid.Name) {
			valid, ok = s, true
		}
	}
	return valid, ok
}

// walk visits the fields of a type that are numbers or bools.
func walk(t reflect.Type, path string, offset uintptr, visit func(path string, offset uintptr, kind reflect.Kind)) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			sub := path
			if !f.Anonymous && f.Name != "Payload" {
				sub = strings.TrimPrefix(path+"_"+snake(f.Name), "_")
			}
			walk(f.Type, sub, offset+f.Offset, visit)
		}
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 { // bytes are no fields
			return
		}
		for i := range t.Len() {
			walk(t.Elem(), fmt.Sprint(path, i), offset+uintptr(i)*t.Elem().Size(), visit)
		}
	case reflect.Bool, reflect.Int, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		visit(path, offset, t.Kind())
	default:
		panic(fmt.Sprintf("bind: the field %s is a %s", path, t))
	}
}

// snake is a field's name in snake case: RateCode is rate_code, TS ts, LinkID link_id, CDReady cd_ready.
func snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			before, last := rune(name[i-1]), i+1 == len(name)
			if unicode.IsLower(before) || !last && unicode.IsLower(rune(name[i+1])) {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// Getter reads the field of a T whose port has the given name; nil without such a field.
func Getter[T any](port string) (get func(from *T) uint64) {
	walk(reflect.TypeFor[T](), "", 0, func(path string, offset uintptr, kind reflect.Kind) {
		if path == port {
			m := move{offset, kind, 0, ^uint64(0)}
			get = func(from *T) uint64 {
				var word [1]uint64
				m.put(word[:], unsafe.Pointer(from))
				return word[0]
			}
		}
	})
	return get
}

// Fill draws a value of its port's width for each field that is at a port.
func (r *Record[T]) Fill(to *T, draw func(width int) uint64) {
	base := unsafe.Pointer(to)
	var word [1]uint64
	for _, m := range r.always {
		word[0] = draw(bits.Len64(m.mask))
		m.word = 0
		m.get(word[:], base)
	}
}

// Put writes the fields to the words of a cycle, cut to their ports.
func (r *Record[T]) Put(words []uint64, from *T) {
	base := unsafe.Pointer(from)
	for i := range r.always {
		r.always[i].put(words, base)
	}
	for i := range r.groups {
		if g := &r.groups[i]; words[g.valid] != 0 {
			for i := range g.moves {
				g.moves[i].put(words, base)
			}
		}
	}
}

// Get reads the fields from the words of a cycle. Fields without a port keep their value.
func (r *Record[T]) Get(words []uint64, to *T) {
	base := unsafe.Pointer(to)
	for i := range r.always {
		r.always[i].get(words, base)
	}
	for i := range r.groups {
		for j := range r.groups[i].moves {
			r.groups[i].moves[j].get(words, base)
		}
	}
}

func (m *move) put(words []uint64, base unsafe.Pointer) {
	var v uint64
	switch p := unsafe.Add(base, m.offset); m.kind {
	case reflect.Uint64, reflect.Int:
		v = *(*uint64)(p)
	case reflect.Uint32:
		v = uint64(*(*uint32)(p))
	case reflect.Uint8, reflect.Bool: // true is 1
		v = uint64(*(*uint8)(p))
	default:
		v = uint64(*(*uint16)(p))
	}
	words[m.word] = v & m.mask
}

func (m *move) get(words []uint64, base unsafe.Pointer) {
	v := words[m.word]
	switch p := unsafe.Add(base, m.offset); m.kind {
	case reflect.Uint64, reflect.Int:
		*(*uint64)(p) = v
	case reflect.Uint32:
		*(*uint32)(p) = uint32(v)
	case reflect.Bool:
		*(*bool)(p) = v != 0
	case reflect.Uint8:
		*(*uint8)(p) = uint8(v)
	default:
		*(*uint16)(p) = uint16(v)
	}
}
