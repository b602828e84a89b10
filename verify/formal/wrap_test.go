package formal

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// wrap is a task: a module under proof inside a wrapper of text, whose %s is the instance. The wrapper sees the inner
// signals named, NAME or NAME:WIDTH: invariants that make a property inductive speak of them.
func wrap(t *testing.T, m *vgen.Module, wrapper string, inner ...string) Task {
	t.Helper()
	files, err := vgen.Emit(m, vgen.EmitOptions{})
	require.NoError(t, err)
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

// change puts a fault into the one place of a task's sources that has the text old, whatever its line breaks.
func change(t *testing.T, task *Task, old, new string) {
	t.Helper()
	space := regexp.MustCompile(`\s+`)
	place := regexp.MustCompile(space.ReplaceAllString(regexp.QuoteMeta(old), `\s+`))
	changed := 0
	for i := range task.Sources {
		s := &task.Sources[i]
		changed += len(place.FindAllIndex(s.Text, -1))
		s.Text = place.ReplaceAllLiteral(s.Text, []byte(new))
	}
	require.Equal(t, 1, changed, "the fault must change one place")
}

// registerDevice is a small device with all registers that there are.
func registerDevice(ports int) *config.CSIG {
	return &config.CSIG{
		Name: "device", Ports: ports, DataBits: 64, TimeBits: 40, ByteBits: 24, RecipBits: 18, RatioBits: 16, QlenBits: 24,
		CompactTPID: 0x88b5, ExpandedTPID: 0x88b6, VLANTPIDs: []uint16{0x8100}, Method: config.CSIGRaw,
	}
}
