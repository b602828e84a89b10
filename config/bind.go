package config

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hdlpkg/hpccgen/fixed"
)

// A field of a design says with a tag which key it holds:
//
//	MaxHops int `key:"hops.max"`
//
// A field may hold one of several keys, of which a file has one at most: `key:"udp_port,protocol"`. A struct under a
// tag holds the keys below; an array under a tag has an element for each of them, and what is beyond the last key holds
// the same as the last. The rows of a table need no more than this to be read into a design and to be written in its
// canonical form. Where a field does not hold what the file says, such as ticks for a duration, it has no tag: code
// reads it, and the row has a text.

// member finds the field of v that holds a key, the i-th of its table. Rel is the path of the key below v.
func member(v reflect.Value, i int, rel string) (field reflect.Value, ok bool) {
	if v.Kind() == reflect.Array {
		return v.Index(i), true
	}
	index, ok := fieldsOf(v.Type())[rel]
	if !ok {
		return field, false
	}
	return v.FieldByIndex(index), true
}

// fields are those of each type that has been asked for, as fieldsOf gives them.
var fields sync.Map

// fieldsOf gives the fields of a struct that have tags, by the paths of their keys.
func fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := fields.Load(t); ok {
		return known.(map[string][]int)
	}
	list := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		for _, path := range strings.Split(f.Tag.Get("key"), ",") {
			list[path] = f.Index
		}
	}
	delete(list, "")
	fields.Store(t, list)
	return list
}

// fill puts the values of a table's keys into designs, or into ports of one. Path is that of the table in the file,
// rel the part of it below the designs.
func (d *decoder) fill(keys []key, path, rel string, to ...reflect.Value) {
	for i := range keys {
		k, full, below := &keys[i], join(path, keys[i].name), join(rel, keys[i].name)
		v, there := d.values[full]
		if k.kind != kindObject && !there {
			continue
		}
		var held []reflect.Value
		for _, v := range to {
			if f, ok := member(v, i, below); ok {
				held = append(held, f)
			}
			if v.Kind() == reflect.Array && i == len(keys)-1 {
				for rest := i + 1; rest < v.Len(); rest++ {
					held = append(held, v.Index(rest))
				}
			}
		}
		switch {
		case k.kind == kindObject && held == nil:
			d.fill(k.keys, full, below, to...)
		case k.kind == kindObject:
			d.fill(k.keys, full, "", held...)
		default:
			for _, f := range held {
				if !d.bad[full] {
					d.set(k, full, v, f)
				}
			}
		}
	}
}

// set puts the value of a key into a field.
func (d *decoder) set(k *key, path string, v value, to reflect.Value) {
	choice := slices.Index(k.choices, v.word)
	switch to.Kind() {
	case reflect.String:
		if !k.none || v.word != wordNone {
			to.SetString(v.word)
		}
	case reflect.Bool:
		to.SetBool(v.word == "true" || choice == 1)
	case reflect.Float64:
		f, _ := v.number.Float64()
		to.SetFloat(f)
	case reflect.Struct:
		to.Set(reflect.ValueOf(v.format))
	case reflect.Slice:
		k.setList(v, to)
	default:
		n := uint64(max(choice, 0))
		if v.number != nil {
			n = d.units(k, path, v.number)
		}
		if to.CanInt() {
			to.SetInt(int64(n))
		} else {
			to.SetUint(n)
		}
	}
}

// setList puts TPIDs, or rates, which have no order and none twice, into a field.
func (k *key) setList(v value, to reflect.Value) {
	var numbers []uint64
	for _, i := range v.items {
		if i.number != nil { // not refused
			numbers = append(numbers, i.number.Num().Uint64())
		}
	}
	if k.kind == kindRates {
		slices.Sort(numbers)
		numbers = slices.Compact(numbers)
	}
	for _, n := range numbers {
		to.Set(reflect.Append(to, reflect.ValueOf(n).Convert(to.Type().Elem())))
	}
}

// units is the number of units, of which there must be a whole one, that a design counts a key in.
func (d *decoder) units(k *key, path string, v *big.Rat) uint64 {
	switch k.kind {
	case kindDuration:
		return d.whole(path, "nanoseconds")
	case kindSize:
		return d.whole(path, "bytes")
	case kindRate:
		kbps := new(big.Rat).Quo(v, ratUint(1000))
		if !kbps.IsInt() {
			d.refuse(path, Problem{What: fmt.Sprintf("%s is %s", path, rateString(v)), Legal: "a whole number of kbit/s",
				Reason:  "it is written in kbit/s",
				Nearest: rateString(new(big.Rat).Mul(nearestWhole(kbps), ratUint(1000)))})
		}
		return floor(kbps)
	}
	return v.Num().Uint64()
}

// textOf writes what a field holds of a key, as the canonical form has it. It is empty where the field holds nothing:
// no name, or a number below the legal ones.
func (k *key) textOf(from reflect.Value) string {
	var n int64
	switch from.Kind() {
	case reflect.String:
		if k.kind == kindIdentifier && from.String() != "" {
			return strconv.Quote(from.String())
		}
		return from.String()
	case reflect.Bool:
		if k.kind == kindBool {
			return strconv.FormatBool(from.Bool())
		}
		return pick(from.Bool(), k.choices...)
	case reflect.Float64:
		if from.Float() == 0 { // no number may be 0
			return ""
		}
		return plainNumber(from.Float())
	case reflect.Struct:
		return from.Interface().(fixed.Format).String()
	case reflect.Slice:
		items := make([]string, from.Len())
		for i := range items {
			items[i] = k.number(int64(from.Index(i).Uint()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case reflect.Int:
		n = from.Int()
	default:
		n = int64(from.Uint())
	}
	if k.kind == kindChoice {
		return k.choices[n]
	}
	if k.kind == kindInteger && n < k.low64() {
		return ""
	}
	return k.number(n)
}

// number writes a number of the units that a design counts a key in.
func (k *key) number(n int64) string {
	switch k.kind {
	case kindTPID, kindTPIDs:
		return tpidString(uint16(n))
	}
	unit := map[*form]string{kindDuration: "ns", kindSize: "B", kindRate: "k"}[k.kind]
	return strconv.FormatInt(n, 10) + unit
}
