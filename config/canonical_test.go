package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHashIgnoresOrderCommentsAndSpelling(t *testing.T) {
	a, err := Parse("a", []byte("design: nic\nflows: 64\nbase_rtt: {min: 2us, max: 50us}\nrates: [100G, 25G]\n"))
	require.NoError(t, err)
	b, err := Parse("b", []byte(`# the same
rates:
  - 25000000000
  - 0.1T   # 100G
  - 25G    # again
base_rtt:
  max: 0.05ms
  min: 2000ns
flows: 64
hops: {max: 5}   # the default
design: "nic"
`))
	require.NoError(t, err)
	assert.Equal(t, a.Hash, b.Hash)
	assert.Equal(t, string(a.Canonical()), string(b.Canonical()))
	assert.Regexp(t, `^[0-9a-f]{16}$`, a.Hash)
}

// Every key counts: a change of any one gives another hash.
func TestHashSeesEveryKey(t *testing.T) {
	preset, err := PresetYAML("nic-line")
	require.NoError(t, err)
	seen := map[string]string{}
	base, err := Parse("base", preset)
	require.NoError(t, err)
	seen[base.Hash] = "nothing"
	for _, change := range [][2]string{
		{"name: nic_line", "name: other"}, {"max: 5 ", "max: 4 "}, {"order: parallel", "order: serial"},
		{"flows: 1024", "flows: 1023"}, {"flows: 1024", "flows: 1024\nmultiplier: 24x17"},
		{"profiles: 8", "profiles: 4"}, {"timestamp_bits: 24", "timestamp_bits: 25"}, {"tick: 1ns", "tick: 2ns"},
		{"rate: UQ8.24", "rate: UQ9.24"}, {"tx_bits: 20", "tx_bits: 21"},
		{"tx_unit: 128B", "tx_unit: 127B"}, {"qlen_bits: 17", "qlen_bits: 18"}, {"qlen_unit: 80B", "qlen_unit: 81B"},
		{"rate_code_bits: 4", "rate_code_bits: 5"},
		{"link_id_bits: 0", "link_id_bits: 1"}, {"path_id_bits: 12", "path_id_bits: 0"},
		{"qlen_unit: 80B", "qlen_unit: 80ns"}, {"mode: sender", "mode: receiver"},
		{"sequence_bits: 32", "sequence_bits: 24"}, {"clock_bits: 64", "clock_bits: 63"},
		{"stage_bits: 4", "stage_bits: 5"}, {"counter_bits: 32", "counter_bits: 33"},
		{"generation_bits: 2", "generation_bits: 3"}, {"tag_bits: 0", "tag_bits: 1"},
		{"reset: sync", "reset: async_low"}, {"rates: [10G,", "rates: [11G,"}, {"min: 1us", "min: 2us"},
		{"max: 100us", "max: 99us"}, {"min: 32B", "min: 33B"},
		{"max: 16MB", "max: 15MB"}, {"min: 0.004", "min: 0.005"}, {"max: 1023", "max: 1022"},
		{"hop:\n    kind: restoring_pipelined", "hop:\n    kind: restoring_serial"},
		{"quotient:\n    kind: restoring_pipelined", "quotient:\n    kind: newton_raphson"},
		{"inv_b: UQ7.20", "inv_b: UQ7.21"}, {"inv_bt: UQ-2.36", "inv_bt: UQ-2.37"}, {"u: UQ10.24", "u: UQ10.25"},
		{"inv_t: UQ-9.45", "inv_t: UQ-9.46"},
		{"alpha: UQ1.34", "alpha: UQ1.35"}, {"quotient: UQ8.27", "quotient: UQ8.28"},
		{"window: UQ24.12", "window: UQ24.13"}, {"rate: UQ8.24", "rate: UQ8.25"},
	} {
		text := strings.Replace(string(preset), change[0], change[1], 1)
		require.NotEqual(t, string(preset), text, change[0])
		if change[1] == "qlen_unit: 80ns" {
			text = strings.Replace(text, "queue: length", "queue: sojourn", 1)
		}
		if change[1] == "tick: 2ns" { // twice the bytes a tick, and 1/T
			text = strings.NewReplacer("rate: UQ8.24", "rate: UQ9.24", "inv_t: UQ-9.45", "inv_t: UQ-8.45").Replace(text)
		}
		c, err := Parse("changed", []byte(text))
		require.NoError(t, err, change[1])
		assert.NotContains(t, seen, c.Hash, "%s and %s", change[1], seen[c.Hash])
		seen[c.Hash] = change[1]
	}
}

// Golden figures: a change of a preset or of the search for formats must be meant.
func TestPresets(t *testing.T) {
	for _, want := range []struct {
		name    string
		formats string
		flows   int
		serial  bool
		kind    DividerKind
	}{
		{"nic-line", "UQ7.20 UQ-2.36 UQ10.24 UQ-9.45 UQ1.34 UQ8.27 UQ24.12 UQ8.24", 1024, false, RestoringPipelined},
		{"nic-serial", "UQ7.9 UQ-3.25 UQ6.21 UQ-9.40 UQ1.25 UQ6.20 UQ20.9 UQ4.23", 32, true, RestoringPipelined},
		{"nic-table", "UQ7.20 UQ-2.36 UQ10.24 UQ-9.45 UQ1.34 UQ8.27 UQ24.12 UQ8.24", 1024, false, ReciprocalTable},
	} {
		c, err := Load(want.name)
		require.NoError(t, err)
		var formats []string
		for _, g := range c.Formats.given() {
			formats = append(formats, g.format.String())
		}
		assert.Equal(t, want.formats, strings.Join(formats, " "), want.name)
		assert.Equal(t, want.flows, c.Flows)
		assert.Equal(t, want.serial, c.Serial)
		assert.Equal(t, want.kind, c.HopDivider.Kind)
		assert.Equal(t, strings.ReplaceAll(want.name, "-", "_"), c.Name)
		assert.Equal(t, 1, c.Formats.Eta.Int)
		assert.Equal(t, c.Formats.U.Frac, c.Formats.Eta.Frac)
	}
}

func TestLoadErrors(t *testing.T) {
	_, err := Load("nic-lien")
	assert.EqualError(t, err,
		`no file and no preset is called "nic-lien"; presets: nic-line, nic-serial, nic-table, nic-aimd, csig-64p, csig-4p, int-switch; nearest: nic-line`)
	_, err = Load("missing.yaml")
	assert.EqualError(t, err,
		`no file and no preset is called "missing.yaml"; presets: nic-line, nic-serial, nic-table, nic-aimd, csig-64p, csig-4p, int-switch`)
	_, err = Load(t.TempDir())
	assert.ErrorContains(t, err, "configuration: read ")
	_, err = PresetYAML("nic_table")
	assert.EqualError(t, err,
		`no preset is called "nic_table"; presets: nic-line, nic-serial, nic-table, nic-aimd, csig-64p, csig-4p, int-switch; nearest: nic-table`)
}
