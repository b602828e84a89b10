package explore

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
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
	var progress []int
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1,
		Command: "hpccgen explore", Progress: func(done, total int) {
			assert.Equal(t, 6, total)
			progress = append(progress, done)
		}})
	require.NoError(t, err)
	assert.Equal(t, map[State]int{Measured: 6, Illegal: 1}, states(r))
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, progress)
	assert.Equal(t, "7 points: 6 measured, 1 not possible. No other is better than ", r.Summary()[:62])
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
		Jobs: 1})
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
	r, err := Run(ctx, Options{Space: small(t), Measurer: first, Dir: dir, Jobs: 1})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, map[State]int{Measured: 2, Illegal: 1, Open: 4}, states(r))
	page, err := os.ReadFile(filepath.Join(dir, PageFile))
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), "4 not measured yet"))

	// The process was killed while it wrote a line.
	f, err := os.OpenFile(filepath.Join(dir, StoreFile), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"key":"0123","name":"cut o`)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	second := &fake{routed: true}
	r, err = Run(context.Background(), Options{Space: small(t), Measurer: second, Dir: dir, Jobs: 1})
	require.NoError(t, err)
	assert.Len(t, second.measured, 4)
	assert.NotContains(t, second.measured, first.measured[0])
	for i, p := range r.Points {
		assert.Equal(t, whole.Points[i].Measurement, p.Measurement, p.Name)
		assert.Equal(t, whole.Points[i].Front, p.Front, p.Name)
	}

	third := &fake{routed: true}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: third, Dir: dir})
	require.NoError(t, err)
	assert.Empty(t, third.measured, "all is known")
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: third, Dir: dir, Fresh: true})
	require.NoError(t, err)
	assert.Len(t, third.measured, 6, "all is measured again")
	newer := &fake{routed: true, tools: "2.0"}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: newer, Dir: dir})
	require.NoError(t, err)
	assert.Len(t, newer.measured, 6, "another version of the tool")
}

// A figure that no part has, in the file of measurements or from a tool, is not believed. A picture of it took for
// ever.
func TestRunBelievesNoNonsense(t *testing.T) {
	dir := t.TempDir()
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: dir})
	require.NoError(t, err)
	file := filepath.Join(dir, StoreFile)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, value := range []string{"1e305", "-1", "1e-320"} {
		spoilt := regexp.MustCompile(`"fmax_mhz":[^,}]*`).ReplaceAll(text, []byte(`"fmax_mhz":`+value))
		require.NoError(t, os.WriteFile(file, spoilt, 0o666))
		again := &fake{routed: true}
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		r, err := Run(ctx, Options{Space: small(t), Measurer: again, Dir: dir})
		stop()
		require.NoError(t, err)
		if value != "1e-320" { // small, and yet a frequency
			assert.Len(t, again.measured, 6)
			assert.Less(t, r.Points[0].FmaxMHz, 1000.0)
		}
	}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true, mhz: 1e305},
		Dir: t.TempDir()})
	require.ErrorContains(t, err, "the measurement says 1e+305 MHz; believed are 0 to 100000")
	assert.Equal(t, 6, states(r)[Failed])
}

// A line without end among the measurements is passed over, and the last line may lack its end; a pipe is refused.
func TestStoreOfAnySize(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, StoreFile)
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: dir})
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	first, rest, _ := strings.Cut(string(text), "\n")
	long := strings.Repeat(" ", 10*maxLine) + first + strings.Repeat(" ", maxLine)
	require.NoError(t, os.WriteFile(file, []byte(long+"\n"+strings.TrimSuffix(rest, "\n")), 0o666))
	again := &fake{routed: true}
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: again, Dir: dir})
	require.NoError(t, err)
	assert.Len(t, again.measured, 1)
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, 7, strings.Count(string(text), "\n"))

	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Mkdir(file, 0o777))
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: again, Dir: dir})
	assert.EqualError(t, err, file+" is no regular file")
}

func TestRunTakesAFewPoints(t *testing.T) {
	dir := t.TempDir()
	f := &fake{}
	for _, want := range []int{2, 4, 6, 6} {
		_, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Limit: 2})
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
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: t.TempDir(), Jobs: 3})
	require.NoError(t, err)
	one, err := Run(context.Background(), Options{Space: small(t), Measurer: &fake{routed: true}, Dir: t.TempDir(),
		Jobs: 1})
	require.NoError(t, err)
	for i, p := range r.Points {
		assert.Equal(t, one.Points[i].Measurement, p.Measurement)
	}
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
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1})
	var failed *FailedPoints
	require.ErrorAs(t, err, &failed)
	assert.ErrorContains(t, err, "1 of 7 points failed; the first: ")
	assert.ErrorContains(t, err, "the router crashed")
	assert.Equal(t, map[State]int{Measured: 5, Illegal: 1, Failed: 1}, states(r))
	again := &fake{}
	r, err = Run(context.Background(), Options{Space: small(t), Measurer: again, Dir: dir})
	require.NoError(t, err)
	assert.Len(t, again.measured, 1)
	assert.Equal(t, 6, r.In(Measured))
}

func TestRunWithoutATool(t *testing.T) {
	f := &fake{before: func(context.Context, int, *output.Design) error {
		return toolchain.Missing{Tool: "yosys", Needed: "all", Install: "somehow"}
	}}
	_, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: t.TempDir(), Jobs: 1})
	require.ErrorAs(t, err, &toolchain.Missing{})
	assert.Len(t, f.measured, 1, "no point would get any further")
}

// What does not fit the part is kept as well: it would not fit the next time either. It is not on the front.
func TestRunWithTooLarge(t *testing.T) {
	dir := t.TempDir()
	f := &large{}
	r, err := Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir, Jobs: 1})
	require.NoError(t, err)
	assert.Equal(t, map[State]int{TooLarge: 6, Illegal: 1}, states(r))
	assert.Empty(t, r.Best())
	page, err := os.ReadFile(filepath.Join(dir, PageFile))
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), "takes 9 of 8"))
	n := len(f.measured)
	_, err = Run(context.Background(), Options{Space: small(t), Measurer: f, Dir: dir})
	require.NoError(t, err)
	assert.Len(t, f.measured, n)
}

type large struct{ fake }

func (l *large) Measure(ctx context.Context, d *output.Design) (Measurement, error) {
	m, err := l.fake.Measure(ctx, d)
	m.TooLarge = "takes 9 of 8"
	return m, err
}

// The key of a measurement follows the Verilog and what it is measured with, and nothing else.
func TestKey(t *testing.T) {
	d, err := output.Build(load(t, "nic-serial"))
	require.NoError(t, err)
	id := Identity{Part: "p", Method: "m", Seed: 1, Tools: map[string]string{"a": "1", "b": "2"}}
	key, err := keyOf(d, id)
	require.NoError(t, err)
	for name, change := range map[string]func(){
		"part": func() { id.Part = "q" }, "method": func() { id.Method = "n" }, "seed": func() { id.Seed = 2 },
		"tool": func() { id.Tools = map[string]string{"a": "1", "b": "3"} },
		"Verilog": func() {
			for i, f := range d.Files {
				if strings.HasSuffix(f.Path, ".v") {
					d.Files[i].Data = append([]byte("// newer\n"), f.Data...)
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
	same, err := keyOf(other, Identity{Part: "p", Method: "m", Seed: 1, Tools: map[string]string{"b": "2", "a": "1"}})
	require.NoError(t, err)
	assert.Equal(t, key, same)
}
