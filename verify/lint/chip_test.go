package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/output"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// chip puts designs side by side: a module with an instance of each and all ports of all, and the files of all.
func chip(t *testing.T, texts ...string) (files []vgen.File) {
	t.Helper()
	var ports []string
	instances := ""
	for i, text := range texts {
		c, err := config.ParseDesign("chip.yaml", []byte(text))
		require.NoError(t, err)
		d, err := output.Build(c)
		require.NoError(t, err)
		var pins []string
		for _, p := range d.Modules[len(d.Modules)-1].Ports {
			ports = append(ports, fmt.Sprintf("    %sput wire [%d:0] d%d_%s", p.Dir, p.Width-1, i, p.Name))
			pins = append(pins, fmt.Sprintf(".%s(d%d_%s)", p.Name, i, p.Name))
		}
		instances += fmt.Sprintf("    %s u_d%d (%s);\n", d.Top, i, strings.Join(pins, ", "))
		for _, f := range d.Files {
			if name, verilog := strings.CutPrefix(f.Path, "rtl/"); verilog {
				files = append(files, vgen.File{Name: name, Text: f.Data})
			}
		}
	}
	text := "module chip (\n" + strings.Join(ports, ",\n") + "\n);\n" + instances + "endmodule\n"
	return append(files, vgen.File{Name: "chip.v", Text: []byte(text)})
}

// Designs of different names, or with different prefixes, can be in one chip. Without prefixes they cannot: their
// modules have the same names, and all checkers report it.
func TestDesignsInOneChip(t *testing.T) {
	names := checkers(t)
	serial, err := config.PresetYAML("nic-serial")
	require.NoError(t, err)
	nic := string(serial)
	edited := func(edits ...string) string {
		for i := 0; i < len(edits); i += 2 {
			require.Contains(t, nic, edits[i])
		}
		return strings.NewReplacer(edits...).Replace(nic)
	}
	other := edited("name: nic_serial", "name: other", "mode: sender", "mode: receiver")
	const source = "design: int\nports: 2\nstream_bits: 64\n"
	const meter = "design: csig\nports: 2\nstream_bits: 64\n"
	files := chip(t, nic, other, "module_prefix: a_\n"+nic, "module_prefix: b_\n"+nic, source, meter)
	messages, err := Check("chip", files, names...)
	require.NoError(t, err)
	assert.Empty(t, messages)

	for _, pair := range [][2]string{{nic, other}, {nic, nic}, {source, meter}} {
		files := chip(t, "module_prefix: none\n"+pair[0], "module_prefix: none\n"+pair[1])
		seen := map[string]bool{}
		for i, f := range files {
			if seen[f.Name] { // from another folder
				files[i].Name = "again_" + f.Name
			}
			seen[f.Name] = true
		}
		messages, err := Check("chip", files, names...)
		require.NoError(t, err)
		assert.Len(t, messages, len(names))
		for _, m := range messages {
			assert.Regexp(t, `(?i)duplicate|already|re-definition`, m.Text, m.Tool)
		}
	}
}

// A module with parameters is also clean on its own, with the smallest legal values.
func TestSmallestVariants(t *testing.T) {
	names, seen := checkers(t), map[string]bool{}
	for _, p := range config.Presets() {
		c, err := config.LoadDesign(p.Name)
		require.NoError(t, err)
		d, err := output.Build(c)
		require.NoError(t, err)
		for _, m := range d.Modules {
			if len(m.Parameters) == 0 || seen[m.Module] {
				continue
			}
			seen[m.Module] = true
			for _, f := range d.Files {
				if f.Path == m.File {
					messages, err := Check(m.Module, []vgen.File{{Name: m.Module + ".v", Text: f.Data}}, names...)
					require.NoError(t, err)
					assert.Empty(t, messages, m.Module)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, len(seen), 10)
}
