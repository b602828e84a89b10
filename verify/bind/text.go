package bind

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Units says what a field stands for, by the name of its port without that of the stream. It is nil, or reports false,
// where there is nothing to say beyond the number.
type Units func(field string) (q fixed.Quantity, ok bool)

// Pair writes two values of a field in engineering units, or gives two empty texts.
func (u Units) Pair(field string, a, b uint64) (string, string) {
	if u != nil {
		if q, ok := u(field); ok {
			return q.Pair(a, b)
		}
	}
	return "", ""
}

// Text is a record on one line: the names of its fields' ports, and their values, in engineering units too where units
// knows them. Zeros of array elements are left out.
func Text[T any](of *T, units Units) string {
	var b strings.Builder
	v := reflect.ValueOf(of).Elem()
	fields(v, "", false, func(name string, f reflect.Value, element bool) {
		if element && f.IsZero() {
			return
		}
		value := f.Interface()
		if _, ok := value.(fmt.Stringer); !ok && f.CanUint() && f.Uint() > 999 {
			value = fmt.Sprintf("%#x", f.Uint())
		}
		fmt.Fprintf(&b, " %s %v", name, value)
		if units != nil && f.CanUint() && !f.IsZero() {
			if q, ok := units(name); ok {
				fmt.Fprintf(&b, " (%s)", q.Text(f.Uint(), 4))
			}
		}
	})
	return strings.TrimPrefix(b.String(), " ")
}

// Set sets the field of a record whose port has the given name; a record without such a field stays as it is.
func Set[T any](of *T, port string, n uint64) {
	fields(reflect.ValueOf(of).Elem(), "", false, func(name string, f reflect.Value, _ bool) {
		switch {
		case name != port:
		case f.CanUint():
			f.SetUint(n)
		case f.CanInt():
			f.SetInt(int64(n))
		default:
			f.SetBool(n != 0)
		}
	})
}

// fields visits the fields of a record that are numbers or bools, as walk does those of its type.
func fields(v reflect.Value, path string, element bool, visit func(name string, f reflect.Value, element bool)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Anonymous {
				fields(v.Field(i), path, element, visit)
			} else {
				fields(v.Field(i), strings.TrimPrefix(path+"_"+snake(f.Name), "_"), element, visit)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fields(v.Index(i), fmt.Sprint(path, i), true, visit)
		}
	default:
		visit(path, v, element)
	}
}
