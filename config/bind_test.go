package config

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// held lists the keys of a table that neither a field of v nor a text holds, and marks those that fields hold.
func unheld(keys []key, path, rel string, v reflect.Value, held map[string]bool) (list []string) {
	for i := range keys {
		k, full, below := &keys[i], join(path, keys[i].name), join(rel, keys[i].name)
		f, ok := member(v, i, below)
		if ok && v.Kind() == reflect.Struct {
			held[v.Type().Name()+" "+below] = true
		}
		switch {
		case k.kind == kindList:
			list = append(list, unheld(k.keys[1:], full, "", reflect.New(f.Type().Elem()).Elem(), held)...)
		case k.kind == kindObject && ok:
			list = append(list, unheld(k.keys, full, "", f, held)...)
		case k.kind == kindObject && !k.defaults:
			list = append(list, unheld(k.keys, full, below, v, held)...)
		case !ok && !k.defaults && k.text == nil:
			list = append(list, full)
		}
	}
	return list
}

// tags lists those of a struct and of what it holds.
func tags(t reflect.Type) (list []string) {
	for path, index := range fieldsOf(t) {
		list = append(list, t.Name()+" "+path)
		f := t.FieldByIndex(index).Type
		if f.Kind() == reflect.Slice {
			f = f.Elem()
		}
		if f.Kind() == reflect.Struct {
			list = append(list, tags(f)...)
		}
	}
	return list
}

// Each key has a field or a text, so that it is read and is in the canonical form, and each tag names a key.
func TestKeysHaveFields(t *testing.T) {
	for _, g := range registry {
		v := reflect.ValueOf(g.start()).Elem()
		held := map[string]bool{}
		lost := unheld(g.keys, "", "", v, held)
		if g == &hpccEngine {
			assert.Equal(t, []string{"precision.max_error"}, lost, "the formats tell")
		} else {
			assert.Empty(t, lost, g.kind)
		}
		for _, tag := range tags(v.Type()) {
			assert.True(t, held[tag], "%s: no key for the tag %s", g.kind, tag)
		}
	}
}

// What the test above is to find.
func TestKeysWithoutFields(t *testing.T) {
	type design struct {
		Flows int `key:"flows"`
		Other int `key:"other"`
	}
	held := map[string]bool{}
	v := reflect.ValueOf(design{})
	assert.Equal(t, []string{"tag_bits"}, unheld([]key{flowsKey, tagKey}, "", "", v, held))
	assert.Equal(t, map[string]bool{"design flows": true}, held)
	assert.ElementsMatch(t, []string{"design flows", "design other"}, tags(v.Type()))
}

// A need and an ask name keys of the table that a word can be read of.
func TestConditionsNameKeys(t *testing.T) {
	for _, g := range registry {
		var walk func(keys []key, path string)
		walk = func(keys []key, path string) {
			for i := range keys {
				k, full := &keys[i], join(path, keys[i].name)
				for _, n := range k.needs {
					other := find(g.keys, n.of(full))
					if assert.NotNil(t, other, "%s needs %s", full, n.path) && n.words != nil {
						assert.Subset(t, other.choices, n.words, full)
					}
				}
				for _, a := range k.asks {
					assert.Contains(t, k.choices, a.word, full)
					assert.NotNil(t, find(g.keys, a.path), "%s asks for %s", full, a.path)
				}
				walk(k.keys, full)
			}
		}
		walk(g.keys, "")
	}
}
