package formal

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// wrap is a task: a module under proof inside a wrapper of text, whose %s is the instance. The wrapper sees the inner
// signals named, NAME or NAME:WIDTH: invariants that make a property inductive speak of them.
func wrap(t *testing.T, m *vgen.Module, faults []vgen.Fault, wrapper string, inner ...string) Task {
	t.Helper()
	files := emitted(t, m, faults)
	instance := fmt.Sprintf("    %s u_dut (.clk(clk), .rst(rst)", m.Name())
	for _, p := range m.Ports() {
		instance += fmt.Sprintf(", .%s(%s)", p.Name, p.Name)
	}
	for i, f := range files {
		if f.Name == m.Name()+".v" {
			for _, name := range inner {
				name, width := parseInner(name)
				files[i].Text = expose(t, files[i].Text, name, width)
				instance += fmt.Sprintf(", .proof_%s(%s)", name, name)
			}
		}
	}
	text := fmt.Sprintf(wrapper, instance+");")
	return Task{Sources: append(files, vgen.File{Name: "proof.v", Text: []byte(text)}), Top: "proof"}
}

func parseInner(inner string) (name string, width int) {
	name, digits, ok := strings.Cut(inner, ":")
	if !ok {
		return name, 1
	}
	width, _ = strconv.Atoi(digits)
	return name, width
}

// expose adds an output proof_NAME to the text of a module.
func expose(t *testing.T, text []byte, name string, width int) []byte {
	t.Helper()
	require.Contains(t, string(text), " "+name+";")
	text = bytes.Replace(text, []byte("\n);"), fmt.Appendf(nil, ",\n    output wire [%d:0] proof_%s\n);", width-1,
		name), 1)
	return bytes.Replace(text, []byte("endmodule"), []byte("    assign proof_"+name+" = "+name+";\nendmodule"), 1)
}

// emitted is the text of a module with faults; one that names no module is in this one.
func emitted(t *testing.T, m *vgen.Module, faults []vgen.Fault) []vgen.File {
	t.Helper()
	for _, f := range faults {
		if f.Module == "" {
			f.Module = m.Name()
		}
		var err error
		m, err = vgen.Broken(m, f)
		require.NoError(t, err)
	}
	files, err := vgen.Emit(m, vgen.EmitOptions{})
	require.NoError(t, err)
	return files
}

// registerDevice is a small device with all registers that there are.
func registerDevice(ports int) *config.CSIG {
	return &config.CSIG{
		Name: "device", Ports: ports, DataBits: 64, TimeBits: 40, ByteBits: 24, RecipBits: 18, RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, ExpandedTPID: 0x88b6, VLANTPIDs: []uint16{0x8100}, Method: config.CSIGRaw,
	}
}
