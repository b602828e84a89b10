package explore

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
)

// small has six points: the base, four that can be measured, and one that cannot be.
func small(t *testing.T) Space {
	s := Space{Base: load(t, "nic-serial"), Orders: []Order{Serial}, Precisions: []float64{1e-2, 1e-3}}
	for _, text := range []string{"restoring_serial", "reciprocal_table"} {
		d, err := ParseDividers(text, s.Base)
		require.NoError(t, err)
		s.Dividers = append(s.Dividers, d)
	}
	d, err := ParseDividers("newton_raphson", s.Base)
	require.NoError(t, err)
	s.Dividers = append(s.Dividers, d)
	return s
}

func states(r *Result) map[State]int {
	n := map[State]int{}
	for _, p := range r.Points {
		n[p.State]++
	}
	return n
}

func TestRunWritesTheResult(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	f := &fake{routed: true, before: nil}
	var progress []string
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1, Seeds: []int{1, 2},
		Command: "hpccgen explore", Progress: func(p Progress) {
			progress = append(progress, fmt.Sprintf("%s %d/%d %s", p.Stage, p.Done, p.Total, p.Running))
		}})
	require.NoError(t, err)
	assert.Equal(t, map[State]int{Measured: 6, Illegal: 1}, states(r))
	require.Len(t, progress, 2*(6+12), "each run of the tools, when it begins and when it ends")
	assert.Regexp(t, `^cells 0/6 point [1-7]: packing$`, progress[0])
	assert.Regexp(t, `^place and route 12/12 point [1-7], seed 2: placing$`, progress[35])
	assert.Equal(t, "7 points: 6 measured, 1 not possible. Pareto front: ", r.Summary()[:52])
	assert.NotEmpty(t, r.Best())

	var read Result
	text, err := os.ReadFile(filepath.Join(dir, "points.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &read))
	require.Len(t, read.Points, 7)
	assert.Equal(t, "fake part", read.Part)
	assert.Equal(t, r.Points[1].Cells, read.Points[1].Cells)

	file, err := os.Open(filepath.Join(dir, "points.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 8)
	for i, row := range rows[1:] {
		assert.Len(t, row, len(csvColumns), "row %d", i)
	}

	// Every point that can be built is a configuration that gives the design again.
	for _, p := range r.Points {
		c, err := config.Load(filepath.Join(dir, ConfigsDir, p.Name+".yaml"))
		if p.State == Illegal {
			assert.Error(t, err)
			continue
		}
		require.NoError(t, err, p.Name)
		assert.Equal(t, p.Hash, c.Hash, p.Name)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.new"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A run that is stopped in the middle is gone on with: what was measured is not measured again, and the result is that
// of one run.
func TestRunGoesOn(t *testing.T) {
	whole, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: t.TempDir(),
		Jobs: 1, Seeds: []int{1}})
	require.NoError(t, err)

	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	first := &fake{routed: true, before: func(ctx context.Context, n int, _ *output.Design) error {
		if n == 3 {
			stop()
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}}
	r, err := Run(ctx, Options{Space: small(t), Measurer: first, Dir: dir, Jobs: 1, Seeds: []int{1}})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, map[State]int{Illegal: 1, Open: 4, Sized: 2}, states(r))
	assert.NotEmpty(t, r.Best(), "cells and intervals are compared until clocks are known")
	assert.Empty(t, first.placed, "all cells are counted first")
	page, err := os.ReadFile(filepath.Join(dir, PageFile))
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), "2 not placed yet, 4 not measured yet"))

	// The process was killed while it wrote a line.
	f, err := os.OpenFile(filepath.Join(dir, StoreFile), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"key":"0123","name":"cut o`)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	second := &fake{routed: true}
	r, err = Run(context.Background(), Options{Space: small(t), Measurer: second, Dir: dir, Jobs: 1, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Len(t, second.measured, 4)
	assert.NotContains(t, second.measured, first.measured[0])
	for i, p := range r.Points {
		assert.Equal(t, whole.Points[i].Measurement, p.Measurement, p.Name)
		assert.Equal(t, whole.Points[i].Front, p.Front, p.Name)
	}

	third := &fake{routed: true}
	assert.Len(t, second.placed, 6)
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: third, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Empty(t, third.measured, "all is known")
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: third, Dir: dir, Fresh: true, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Len(t, third.measured, 6, "all is measured again")
	newer := &fake{routed: true, tools: "2.0"}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: newer, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Len(t, newer.measured, 6, "another version of the tool")
}

// A figure that no part has, in the file of measurements or from a tool, is not believed. A picture of it took for
// ever.
func TestRunBelievesNoNonsense(t *testing.T) {
	dir := t.TempDir()
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	file := filepath.Join(dir, StoreFile)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, value := range []string{"1e305", "-1", "1e-320"} {
		spoilt := regexp.MustCompile(`"fmax_mhz":[^,}]*`).ReplaceAll(text, []byte(`"fmax_mhz":`+value))
		require.NoError(t, os.WriteFile(file, spoilt, 0o666))
		again := &fake{routed: true}
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		r, err := Run(ctx, Options{Space: small(t), Measurer: again, Dir: dir, Seeds: []int{1}})
		stop()
		require.NoError(t, err)
		if value != "1e-320" { // small, and yet a frequency
			assert.Empty(t, again.measured)
			assert.Len(t, again.placed, 6)
			assert.Less(t, r.Points[0].FmaxMHz, 1000.0)
		}
	}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true, mhz: 1e305},
		Dir: t.TempDir(), Seeds: []int{1}})
	require.ErrorContains(t, err, "the measurement says 1e+305 MHz; plausible are 0 to 100000")
	assert.Equal(t, 6, states(r)[Failed])
}

// A line without end among the measurements is passed over, and the last line may lack its end; a pipe is refused.
func TestStoreOfAnySize(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, StoreFile)
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	first, rest, _ := strings.Cut(string(text), "\n")
	long := strings.Repeat(" ", 10*maxLine) + first + strings.Repeat(" ", maxLine)
	require.NoError(t, os.WriteFile(file, []byte(long+"\n"+strings.TrimSuffix(rest, "\n")), 0o666))
	again := &fake{routed: true}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: again, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Len(t, again.measured, 1)
	assert.Empty(t, again.placed)
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, 13, strings.Count(string(text), "\n"))

	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Mkdir(file, 0o777))
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: again, Dir: dir, Seeds: []int{1}})
	assert.ErrorContains(t, err, "is a directory")
}

// A folder in the output that is a link leads nowhere else, and two runs do not write into one folder.
func TestRunStaysInItsFolder(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, ConfigsDir)))
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{}, Dir: dir})
	assert.ErrorContains(t, err, "escapes")
	left, err := os.ReadDir(elsewhere)
	require.NoError(t, err)
	assert.Empty(t, left)

	dir = t.TempDir()
	var second error
	f := &fake{before: func(context.Context, int, *output.Design) error {
		_, second = Run(context.Background(), Options{Space: small(t), Measurer: &fake{}, Dir: dir})
		return nil
	}}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Limit: 1})
	require.NoError(t, err)
	assert.ErrorContains(t, second, "another run is writing to "+dir)
}

func TestRunTakesAFewPoints(t *testing.T) {
	dir := t.TempDir()
	f := &fake{}
	for _, want := range []int{2, 4, 6, 6} {
		_, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Limit: 2, Seeds: []int{1}})
		require.NoError(t, err)
		assert.Len(t, f.measured, want)
	}
}

// Points are measured at the same time, as many as there are jobs, and it makes no difference to the result.
func TestRunInParallel(t *testing.T) {
	together := make(chan struct{})
	f := &fake{routed: true, before: func(_ context.Context, n int, _ *output.Design) error {
		if n == 3 {
			close(together)
		}
		select {
		case <-together: // three at once
			return nil
		case <-time.After(10 * time.Second):
			return errors.New("alone")
		}
	}}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: t.TempDir(), Jobs: 3, Seeds: []int{1}})
	require.NoError(t, err)
	one, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: t.TempDir(),
		Jobs: 1, Seeds: []int{1}})
	require.NoError(t, err)
	for i, p := range r.Points {
		assert.Equal(t, one.Points[i].Measurement, p.Measurement)
	}
}

// Small designs come first, in counting cells by their Verilog, in placing by their cells. More seeds later place again
// with the new ones alone, and what does not fit the part is not placed.
func TestRunCheapestFirst(t *testing.T) {
	dir := t.TempDir()
	f := &fake{routed: true}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1, Seeds: []int{1, 2}})
	require.NoError(t, err)
	require.Len(t, f.placed, 12)
	byHash := map[string]*Point{}
	for _, p := range r.Points {
		byHash[p.Hash] = p
	}
	for i := 1; i < len(f.measured); i++ {
		assert.LessOrEqual(t, byHash[f.measured[i-1]].verilog(), byHash[f.measured[i]].verilog())
	}
	for i := 1; i < len(f.placed); i++ {
		assert.LessOrEqual(t, byHash[f.placed[i-1]].Cells, byHash[f.placed[i]].Cells)
	}
	more := &fake{routed: true}
	r, err = Run(context.Background(), Options{Space: small(t), Measurer: more, Dir: dir, Seeds: []int{1, 2, 3}})
	require.NoError(t, err)
	assert.Empty(t, more.measured)
	assert.Len(t, more.placed, 6)
	for _, p := range r.Points {
		if p.State == Measured {
			assert.Len(t, p.Placements, 3)
			assert.LessOrEqual(t, p.FmaxMin, p.FmaxMHz)
			assert.LessOrEqual(t, p.FmaxMHz, p.FmaxMax)
		}
	}
	l := &large{fake: fake{routed: true}}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: l, Dir: t.TempDir(), Seeds: []int{1}})
	require.NoError(t, err)
	assert.Empty(t, l.placed)
}

// A point whose hardware is that of another is there once: here the base, asked for again by its own precision.
func TestRunSameHardwareOnce(t *testing.T) {
	s := Space{Base: load(t, "nic-serial"), Orders: []Order{Serial}, Precisions: []float64{0}}
	d, err := ParseDividers("reciprocal_table:eps=0.001", s.Base)
	require.NoError(t, err)
	s.Dividers = []Dividers{d}
	first, err := Run(context.Background(), Options{Space: s, Measurer: &fake{}, Dir: t.TempDir()})
	require.NoError(t, err)
	s.Base, s.Precisions = first.Points[1].design.Config.(*config.NIC), []float64{0}
	s.Dividers = append(s.Dividers, Of(s.Base))
	f := &fake{}
	again, err := Run(context.Background(), Options{Space: s, Measurer: f, Dir: t.TempDir()})
	require.NoError(t, err)
	for _, p := range again.Points[1:] {
		assert.Equal(t, Same, p.State, p.Name)
		assert.Equal(t, "the hardware of point 1", p.Why)
	}
	assert.Len(t, f.measured, 1)
}

// A tool that fails on a point does not end the run; the point is tried again by the next.
func TestRunWithAFailure(t *testing.T) {
	dir := t.TempDir()
	f := &fake{before: func(_ context.Context, n int, _ *output.Design) error {
		if n == 2 {
			return errors.New("the router crashed")
		}
		return nil
	}}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1, Seeds: []int{1}})
	var failed *FailedPoints
	require.ErrorAs(t, err, &failed)
	assert.ErrorContains(t, err, "1 of 7 points failed; the first: ")
	assert.ErrorContains(t, err, "the router crashed")
	assert.Equal(t, map[State]int{Measured: 5, Illegal: 1, Failed: 1}, states(r))
	again := &fake{}
	r, err = Run(context.Background(), Options{Space: small(t), Measurer: again, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Len(t, again.measured, 1)
	assert.Equal(t, 6, r.In(Measured))
}

func TestRunWithoutATool(t *testing.T) {
	f := &fake{before: func(context.Context, int, *output.Design) error {
		return toolchain.Missing{Tool: "yosys", Needed: "all", Install: "somehow"}
	}}
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: t.TempDir(), Jobs: 1, Seeds: []int{1}})
	require.ErrorAs(t, err, &toolchain.Missing{})
	assert.Len(t, f.measured, 1, "no point would get any further")
}

// What does not fit the part is kept as well: it would not fit the next time either. It is not on the front.
func TestRunWithTooLarge(t *testing.T) {
	dir := t.TempDir()
	f := &large{}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Equal(t, map[State]int{TooLarge: 6, Illegal: 1}, states(r))
	assert.Empty(t, r.Best())
	page, err := os.ReadFile(filepath.Join(dir, PageFile))
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), "takes 9 of 8"))
	n := len(f.measured)
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Seeds: []int{1}})
	require.NoError(t, err)
	assert.Len(t, f.measured, n)
}

type large struct{ fake }

func (l *large) Size(ctx context.Context, d *output.Design, step func(string)) (Size, error) {
	m, err := l.fake.Size(ctx, d, step)
	m.TooLarge = "takes 9 of 8"
	return m, err
}

// The key of a measurement follows the Verilog and what it is measured with, and nothing else.
func TestKey(t *testing.T) {
	d, err := output.Build(load(t, "nic-serial"))
	require.NoError(t, err)
	id := Identity{Part: "p", Tools: map[string]string{"a": "1", "b": "2"}}
	key, err := keyOf(d, id)
	require.NoError(t, err)
	for name, change := range map[string]func(){
		"part": func() { id.Part = "q" }, "tool": func() { id.Tools = map[string]string{"a": "1", "b": "3"} },
		"Verilog": func() {
			for i, f := range d.Files {
				if strings.HasSuffix(f.Path, ".v") {
					d.Files[i].Data = append(slices.Clip(f.Data), "// newer\n"...)
					return
				}
			}
		},
	} {
		before, err := keyOf(d, id)
		require.NoError(t, err)
		change()
		after, err := keyOf(d, id)
		require.NoError(t, err)
		assert.NotEqual(t, before, after, name)
		assert.NotEqual(t, key, after, name)
	}
	other, err := output.Build(load(t, "nic-serial"))
	require.NoError(t, err)
	same, err := keyOf(other, Identity{Part: "p", Tools: map[string]string{"b": "2", "a": "1"}})
	require.NoError(t, err)
	assert.Equal(t, key, same)
}
