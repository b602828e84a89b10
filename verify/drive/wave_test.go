package drive_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/law"
)

// dump is a value change dump: the code of each signal by its path, and the values of each code by time.
type dump struct {
	codes  map[string]string
	values map[string]map[int64]string
	from   int64
	to     int64
	roots  []string
}

func readDump(t *testing.T, path string) dump {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	d := dump{codes: map[string]string{}, values: map[string]map[int64]string{}, from: -1}
	var scopes []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Fields(line)
		switch {
		case fields[0] == "$scope":
			if len(scopes) == 0 {
				d.roots = append(d.roots, fields[2])
			}
			scopes = append(scopes, fields[2])
		case fields[0] == "$upscope":
			scopes = scopes[:len(scopes)-1]
		case fields[0] == "$var":
			d.codes[strings.Join(scopes, ".")+"."+strings.Join(fields[4:len(fields)-1], "")] = fields[3]
		case line[0] == '#':
			_, err := fmt.Sscanf(line, "#%d", &d.to)
			require.NoError(t, err)
			if d.from < 0 {
				d.from = d.to
			}
		case line[0] != '$':
			value, code := line[:1], line[1:]
			if line[0] == 'b' {
				value, code, _ = strings.Cut(line[1:], " ")
			}
			if d.values[code] == nil {
				d.values[code] = map[int64]string{}
			}
			d.values[code][d.to] = value
		}
	}
	return d
}

// at is the value of a signal at a time, as hexadecimal.
func (d *dump) at(path string, time int64) string {
	last, text := int64(-1), ""
	for t, v := range d.values[d.codes[path]] {
		if t <= time && t > last {
			last, text = t, v
		}
	}
	var n uint64
	if _, err := fmt.Sscanf(text, "%b", &n); err != nil {
		return text
	}
	return fmt.Sprintf("%#x", n)
}

var savedSignal = regexp.MustCompile(`(?m)^[a-z_]\w*\.[\w.]+(\[\d+:0\])?$`)

// The waveform of a mismatch is one scope, has what was expected beside what came, and keeps to its window; the save
// file names signals that are there.
func TestWaveformOfAMismatch(t *testing.T) {
	cfg, err := config.LoadDesign("nic-serial")
	require.NoError(t, err)
	e, err := law.Of(cfg)
	require.NoError(t, err)
	s, err := e.Subject(true)
	require.NoError(t, err)
	f := vgen.Fault{Name: "rounding dropped", Module: "hpcc_average", At: "step_sum",
		Change: vgen.Operand(1, vgen.StuckAt(0))}
	const window = 30
	dir := t.TempDir()
	vcd, save := filepath.Join(dir, "my.vcd"), filepath.Join(dir, "my.gtkw")
	o := drive.Options{Engine: "go", Cycles: 60_000, Seed: 5, VCD: vcd, Window: window,
		Open: engine.Faulty([]vgen.Fault{f}, 1)}
	rep, err := drive.Compare(s, "nic_serial", cfg.DesignHash(), o)
	require.NoError(t, err)
	require.NotNil(t, rep.Divergence)
	assert.Equal(t, save, rep.GTKW)
	d := readDump(t, vcd)
	const top = "nic_serial_hpcc_nic"
	assert.Equal(t, []string{top}, d.roots)
	cycle := rep.Divergence.ShrunkCycle
	assert.Equal(t, 10*(cycle-window), d.from)
	assert.Equal(t, 10*(cycle+window+1), d.to)

	require.Equal(t, "u_new", rep.Divergence.ShrunkSignal)
	want := d.at(top+".expected.u_new[26:0]", 10*cycle)
	got := d.at(top+"."+rep.Divergence.Path+"[26:0]", 10*cycle)
	assert.NotEqual(t, want, got)
	assert.Regexp(t, "^0x", want)
	assert.Equal(t, "x", d.at(top+".expected.u_new[26:0]", 10*cycle-1), "nothing is expected in other cycles")

	text, err := os.ReadFile(save)
	require.NoError(t, err)
	assert.Contains(t, string(text), "[dumpfile] \"my.vcd\"\n")
	assert.Contains(t, string(text), fmt.Sprintf("\n-first mismatch: u_new in cycle %d\n@22\n%s.%s[26:0]\n@22\n%s.expected.u_new[26:0]\n",
		cycle, top, rep.Divergence.Path, top))
	signals := savedSignal.FindAllString(string(text), -1)
	assert.Greater(t, len(signals), 40)
	for _, name := range signals {
		assert.Contains(t, d.codes, name)
	}
	for _, group := range []string{"s", "cw", "m", "others"} {
		assert.Contains(t, string(text), "\n@800200\n-"+group+"\n")
	}

	// A save file of the user's is left alone.
	require.NoError(t, os.WriteFile(save, []byte("[*] GTKWave Analyzer\n"), 0o644))
	o.NoShrink = true
	rep, err = drive.Compare(s, "nic_serial", cfg.DesignHash(), o)
	require.NoError(t, err)
	assert.Empty(t, rep.GTKW)
	text, err = os.ReadFile(save)
	require.NoError(t, err)
	assert.Equal(t, "[*] GTKWave Analyzer\n", string(text))
}
