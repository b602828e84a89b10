package synth

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// scanTop is the module around a bare one.
const scanTop = "scan_top"

// scan writes a module around another whose ports are too many for the pins of a part. Its inputs are a shift register;
// its outputs go into a register that folds them into one bit: q[i] <= out[i] ^ q[i-1]. So every path of the module
// goes from a register to a register, nothing of it is optimized away, and the wrapper takes a logic cell a port bit.
func scan(m Module) (file vgen.File, cells Cells) {
	var in, out int
	var connections, values strings.Builder
	for _, p := range m.Set {
		fmt.Fprintf(&values, ", .%s(%d)", p.Name, p.Value)
	}
	top := m.Top
	if len(m.Set) > 0 {
		top += " #(" + strings.TrimPrefix(values.String(), ", ") + ")"
	}
	for _, p := range m.Ports {
		var signal string
		switch {
		case p.Role == "clock" || p.Name == "clk":
			signal = "clk"
		case p.Dir == "in":
			signal = fmt.Sprintf("s[%d:%d]", in+p.Width-1, in)
			in += p.Width
		default:
			signal = fmt.Sprintf("d[%d:%d]", out+p.Width-1, out)
			out += p.Width
		}
		fmt.Fprintf(&connections, ",\n        .%s(%s)", p.Name, signal)
	}
	ins, outs := max(in, 1), max(out, 1)
	var b strings.Builder
	fmt.Fprintf(&b, "module %s (input wire clk, input wire si, output wire so);\n", scanTop)
	fmt.Fprintf(&b, "    reg  [%d:0] s;\n    reg  [%d:0] q;\n    wire [%d:0] d;\n", ins-1, outs-1, outs-1)
	if out == 0 {
		b.WriteString("    assign d = 1'b0;\n")
	}
	b.WriteString("    assign so = q[" + fmt.Sprint(outs-1) + "];\n    always @(posedge clk) begin\n")
	fmt.Fprintf(&b, "        s <= %s;\n        q <= d ^ %s;\n    end\n", shifted("s", ins, "si"),
		shifted("q", outs, "1'b0"))
	fmt.Fprintf(&b, "    %s u_module (%s);\nendmodule\n", top, strings.TrimPrefix(connections.String(), ","))
	// The first bit of q is the output itself: no LUT.
	return vgen.File{Name: scanTop + ".v", Text: []byte(b.String())}, Cells{LUT: Use{Used: outs - 1},
		FF: Use{Used: in + outs}, Logic: Use{Used: in + outs}}
}

func shifted(name string, width int, first string) string {
	if width == 1 {
		return first
	}
	return fmt.Sprintf("{%s[%d:0], %s}", name, width-2, first)
}
