package engine

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// icarusBench returns the testbench for Icarus Verilog. It reads batches from
// file descriptor 3 and writes records to file descriptor 4: a batch is a line
// with the number of cycles in decimal and a line with the input record in
// hexadecimal for each cycle; the answer is a line for each cycle, "h" and the
// output record in hexadecimal, or, when a bit is X or Z, "b" and the record in
// binary. A record is one number, its first word the least significant.
func icarusBench(s *Source) string {
	l := s.Layout
	var conns, decls []string
	if s.Clock {
		conns = append(conns, fmt.Sprintf("    .%s(clk)", s.clockPin()))
	}
	for i, slot := range l.Inputs {
		decls = append(decls, fmt.Sprintf("  wire %sin%d = record[%d:%d]; // %s",
			vectorRange(slot.Width), i, 64*slot.Offset+slot.Width-1, 64*slot.Offset, slot.Name))
		name, expr := s.port(slot, fmt.Sprintf("in%d", i))
		conns = append(conns, fmt.Sprintf("    .%s(%s)", name, expr))
	}
	words := make([]string, 0, l.OutWords)
	place := func(prefix string, i int, slot vgen.Slot) {
		value := fmt.Sprintf("%s%d", prefix, i)
		if pad := 64*slot.Words - slot.Width; pad > 0 {
			value = fmt.Sprintf("%d'd0, %s", pad, value)
		}
		words = append(words, value)
	}
	for i, slot := range l.Outputs {
		decls = append(decls, fmt.Sprintf("  wire %sout%d; // %s", vectorRange(slot.Width), i, slot.Name))
		conns = append(conns, fmt.Sprintf("    .%s(out%d)", slot.Name, i))
		place("out", i, slot)
	}
	for i, slot := range l.Taps {
		decls = append(decls, fmt.Sprintf("  wire %stap%d = u_dut.%s; // %s", vectorRange(slot.Width), i, s.TapPaths[i],
			slot.Name))
		place("tap", i, slot)
	}
	if len(words) == 0 {
		words = []string{"64'd0"}
	}
	// Slots lie one after the other, so the concatenation is the record.
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
	r := strings.NewReplacer(
		"@top@", s.Top,
		"@bench@", benchModule,
		"@in@", fmt.Sprint(64*max(1, l.InWords)-1),
		"@out@", fmt.Sprint(64*max(1, l.OutWords)-1),
		"@decls@", strings.Join(decls, "\n"),
		"@conns@", strings.Join(conns, ",\n"),
		"@words@", strings.Join(words, ",\n    "),
	)
	return r.Replace(icarusBenchText)
}

const icarusBenchText = `// Simulation only: runs @top@ in batches of cycles.
` + "`timescale 1ns / 1ns" + `
module @bench@;
  reg clk;
  reg [@in@:0] record;
@decls@

  @top@ u_dut (
@conns@
  );

  wire [@out@:0] sampled = {
    @words@
  };

  reg [@in@:0] next;
  integer source, sink, cycles, got;
  reg [8*4096-1:0] path;

  initial begin
    source = $fopen("/dev/fd/3", "r");
    sink = $fopen("/dev/fd/4", "w");
    clk = 1'b0;
    record = 0;
    if ($value$plusargs("vcd=%s", path)) begin
      $dumpfile(path);
      $dumpvars(0, @bench@);
    end
    while ($fscanf(source, " %d", cycles) == 1) begin
      while (cycles > 0) begin
        // The clock has just risen: clocked blocks see the inputs as they were.
        got = $fscanf(source, " %h", next);
        record <= next;
        #4;
        if (^sampled === 1'bx) $fwrite(sink, "b%b\n", sampled);
        else $fwrite(sink, "h%h\n", sampled);
        #1 clk = 1'b0;
        #5 clk = 1'b1;
        cycles = cycles - 1;
      end
      $fflush(sink);
    end
    #1 $finish(0);
  end
endmodule
`
