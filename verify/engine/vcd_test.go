package engine

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vcdValues reads from a value change dump the values of the signals named, by
// their last name, at the given time.
func vcdValues(t *testing.T, path string, time int, names ...string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	code, value := map[string]string{}, map[string]string{}
	now := 0
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 5 && fields[0] == "$var":
			if _, ok := code[fields[4]]; !ok {
				code[fields[4]] = fields[3]
			}
		case strings.HasPrefix(line, "#"):
			_, err := fmt.Sscanf(line, "#%d", &now)
			require.NoError(t, err)
		case len(fields) == 2 && line[0] == 'b' && now <= time:
			value[fields[1]] = strings.TrimLeft(fields[0][1:], "0")
		case len(fields) == 1 && line != "" && strings.ContainsRune("01xz", rune(line[0])) && now <= time:
			value[line[1:]] = strings.TrimLeft(line[:1], "0")
		}
	}
	require.NoError(t, lines.Err())
	got := map[string]string{}
	for _, n := range names {
		require.Contains(t, code, n)
		got[n] = value[code[n]]
	}
	return got
}

// Every engine writes the same waveform: a cycle begins with the rising edge.
func TestWaveforms(t *testing.T) {
	const cycles = 40
	d := Design{Top: wideCounter(false), Taps: true}
	for _, name := range Simulators() {
		if !HasTaps(name, Hardware{}) {
			continue // internal signals have no names there
		}
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "wave form.vcd")
			e := openDesign(t, name, d, Options{VCD: path})
			l := e.Layout()
			in := stimulus(l, cycles, 1)
			out := make([]uint64, cycles*l.OutWords)
			require.NoError(t, e.Run(15, in, out))
			require.NoError(t, e.Run(cycles-15, in[15*l.InWords:], out[15*l.OutWords:]))
			plain := openDesign(t, name, d, Options{})
			same := make([]uint64, len(out))
			require.NoError(t, plain.Run(cycles, in, same))
			require.Equal(t, same, out, "the waveform changes nothing")
			require.NoError(t, e.Close())

			for _, c := range []int{3, 14, 15, 39} {
				record := out[c*l.OutWords:]
				want := map[string]string{
					"count_q": fmt.Sprintf("%b", record[0]),
					"s_addr":  strings.TrimLeft(fmt.Sprintf("%b", in[c*l.InWords+2]&7), "0"),
					"clk":     "1",
				}
				assert.Equal(t, want, vcdValues(t, path, 10*c, "count_q", "s_addr", "clk"), "cycle %d", c)
				want["clk"] = ""
				assert.Equal(t, want, vcdValues(t, path, 10*c+5, "count_q", "s_addr", "clk"), "cycle %d", c)
				assert.Equal(t, want, vcdValues(t, path, 10*c+9, "count_q", "s_addr", "clk"), "cycle %d", c)
			}

			// One scope has the name of the design, whatever the simulator has around it. Of a window nothing else is there,
			// and it begins with the values of everything.
			window := filepath.Join(t.TempDir(), "window.vcd")
			e = openDesign(t, name, d, Options{VCD: window, Wave: Wave{From: 10, To: 13, Expected: &Expected{Name: "count",
				Width: 70, At: map[int64][]uint64{11: {5, 1}}}}})
			require.NoError(t, e.Run(cycles, in, out))
			require.NoError(t, e.Close())
			text, err := os.ReadFile(window)
			require.NoError(t, err)
			assert.Equal(t, 1, strings.Count(string(text), "\n$scope module "+d.Top.Name()+" $end\n"))
			assert.Regexp(t, `^\$timescale 1ns \$end\n\$scope module `+d.Top.Name()+` \$end\n`, string(text))
			assert.Equal(t, strings.Count(string(text), "$scope"), strings.Count(string(text), "$upscope"))
			_, body, _ := strings.Cut(string(text), "$enddefinitions $end\n")
			assert.True(t, strings.HasPrefix(body, "#100\n"), body[:min(40, len(body))])
			assert.True(t, strings.HasSuffix(body, "\n#130\n"))
			assert.Equal(t, 1, strings.Count(body, "#130\n"), "the end of the last cycle")
			for _, c := range []int{10, 12} {
				got := vcdValues(t, window, 10*c+9, "count_q", "count")
				assert.Equal(t, map[string]string{"count_q": fmt.Sprintf("%b", out[c*l.OutWords]), "count": "x"}, got)
			}
			assert.Equal(t, "1"+strings.Repeat("0", 61)+"101", vcdValues(t, window, 119, "count")["count"])

			_, err = Open(name, d, Options{VCD: filepath.Join(path, "no", "x.vcd"), CacheDir: sharedCache})
			require.ErrorContains(t, err, "cannot write the waveform")
		})
	}
}
