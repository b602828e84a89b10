package main

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/synth"
)

// The reference dividers do less than those of the generator: quotients are truncated, not rounded, and there is neither
// saturation nor reset.

func ports(bits int, more ...vgen.PortInfo) []vgen.PortInfo {
	return append([]vgen.PortInfo{
		{Name: "clk", Dir: "in", Width: 1, Role: "clock"}, {Name: "s_num", Dir: "in", Width: bits},
		{Name: "s_den", Dir: "in", Width: bits}, {Name: "m_quot", Dir: "out", Width: bits},
	}, more...)
}

// textbook is the textbook's serial restoring divider: one subtraction a cycle, the quotient shifted into the register
// from which the numerator is shifted out.
func textbook(bits int) candidate {
	text := fmt.Sprintf(`
module textbook (input clk, input s_valid, input [%[1]d:0] s_num, input [%[1]d:0] s_den, output [%[1]d:0] m_quot);
  reg [%[1]d:0] shift_q, den_q, rem_q;
  wire [%[2]d:0] diff = {rem_q, shift_q[%[1]d]} - {1'b0, den_q};
  wire fits = ~diff[%[2]d];
  always @(posedge clk) begin
    shift_q <= {shift_q[%[3]d:0], fits};
    rem_q   <= fits ? diff[%[1]d:0] : {rem_q[%[3]d:0], shift_q[%[1]d]};
    if (s_valid) begin
      shift_q <= s_num;
      den_q   <= s_den;
      rem_q   <= 0;
    end
  end
  assign m_quot = shift_q;
endmodule
`, bits-1, bits, bits-2)
	return candidate{name: "— textbook, serial", latency: bits + 1, interval: bits + 1, errors: "1 ulp",
		module: synth.Module{
			Top: "textbook", Ports: ports(bits, vgen.PortInfo{Name: "s_valid", Dir: "in", Width: 1}),
			Files: []vgen.File{{Name: "textbook.v", Text: []byte(text)}},
		}}
}

// operator is Verilog's division operator as Yosys maps it, between registers: all in one cycle.
func operator(bits int) candidate {
	text := fmt.Sprintf(`
module operator (input clk, input [%[1]d:0] s_num, input [%[1]d:0] s_den, output reg [%[1]d:0] m_quot);
  reg [%[1]d:0] num_q, den_q;
  always @(posedge clk) begin
    num_q  <= s_num;
    den_q  <= s_den;
    m_quot <= num_q / den_q;
  end
endmodule
`, bits-1)
	return candidate{name: "— `/` of Verilog by Yosys", latency: 2, interval: 1, errors: "1 ulp", module: synth.Module{
		Top: "operator", Ports: ports(bits), Files: []vgen.File{{Name: "operator.v", Text: []byte(text)}},
	}}
}
