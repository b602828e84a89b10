package cosim

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// number is a number of a record of config/timing.
type number struct {
	name string
	v    reflect.Value
}

func numbers(record reflect.Value) (list []number) {
	for i := range record.NumField() {
		f := record.Field(i)
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				continue
			}
			f = f.Elem()
		}
		if f.Kind() == reflect.Struct {
			list = append(list, numbers(f)...)
		} else {
			list = append(list, number{record.Type().Field(i).Name, f})
		}
	}
	return list
}

// published is the record of a subject, which its golden model is given.
func published(t *testing.T, s drive.Subject) reflect.Value {
	t.Helper()
	var record any
	switch s := s.(type) {
	case *hpcc.Subject:
		record = &s.Target.Timing
	case *transit.Subject:
		record = s.Timing
	}
	require.NotNil(t, record)
	return reflect.ValueOf(record).Elem()
}

// A model with one number of the record changed differs from the design, or is rejected as impossible.
func TestEveryNumberOfTimingIsHeld(t *testing.T) {
	needs(t, "verilator", "g++")
	narrow := []string{"bytes: 20", "bytes: 16"}
	folded := []string{"expanded: 0x88b6", "expanded: none", "stream_bits: 64", "stream_bits: 64\npipeline: folded"}
	source := intDesign(config.INTHPCC, 128, 4)
	const factor, order = "what is used then is what was in force in e + Meter", "reads and counts stay in order"
	for _, c := range []struct {
		name   string
		design config.Design
		free   map[string]string // numbers with which another one does the same, and why
	}{
		{"nic", smallConfig(t), nil},
		{"nic, serial", smallConfig(t, "hops: {max: 2}", "hops: {max: 2, order: serial}"),
			map[string]string{"Hazard": "below the interval nothing waits"}},
		{"nic with registers", smallConfig(t, "hops: {max: 2}", "hops: {max: 2}\nbus: axi_lite"), nil},
		{"csig", switchConfig(t, narrow...), map[string]string{"Scale": factor}},
		{"csig, deep", switchConfig(t, append(narrow, "stream_bits: 64", "stream_bits: 128")...),
			map[string]string{"Scale": factor}},
		{"csig, folded", switchConfig(t, append(narrow, folded...)...), map[string]string{"Scale": factor}},
		{"int", &source, map[string]string{"Tx": order}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := newSubject(c.design, false)
			require.NoError(t, err)
			mismatches := 0
			for _, n := range numbers(published(t, s)) {
				if c.free[n.name] != "" {
					continue
				}
				right := n.v.Int()
				for _, wrong := range []int64{right - 1, right + 1} {
					n.v.SetInt(wrong)
					what := fmt.Sprintf("%s is %d, not %d", n.name, right, wrong)
					rep, err := drive.Compare(s, c.design.DesignName(), c.design.DesignHash(),
						Options{Engine: "verilator", Cycles: 8_000_000, Seed: 3, NoShrink: true})
					if err != nil {
						assert.ErrorContains(t, err, "timing: ", what) // no design has it
						continue
					}
					assert.NotZero(t, rep.Mismatches, "nobody noticed: %s", what)
					mismatches += rep.Mismatches
				}
				n.v.SetInt(right)
			}
			require.NotZero(t, mismatches)
			rep, err := drive.Compare(s, c.design.DesignName(), c.design.DesignHash(),
				Options{Engine: "verilator", Cycles: 100_000, Seed: 3, NoShrink: true})
			require.NoError(t, err)
			assert.Zero(t, rep.Mismatches, "with all numbers as they are")
		})
	}
}
