package formal

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// countersProof follows one counter, whichever it is, and reads it all the time: two cycles later, or five on wide
// streams, it is what had counted.
const countersProof = `
module proof(
    input wire clk, input wire rst,
    input wire c_valid, input wire [%[2]d:0] c_port, input wire [3:0] c_status, input wire c_stacked,
    output wire [31:0] count_data, output wire sweeping
);
    (* anyconst *) wire [%[3]d:0] count_addr;
    wire [%[2]d:0] port = count_addr[%[3]d:4];
    wire stacked = count_addr[3:0] == 15;
    wire [%[3]d:0] sweep_addr;
%[1]s
    wire mine = c_valid && c_port == port && (stacked ? c_stacked : c_status == count_addr[3:0]);
    wire clears = sweeping && (stacked ? sweep_addr[%[2]d:0] == port : sweep_addr == count_addr);
    wire passed = !sweeping || sweep_addr > (stacked ? {4'd0, port} : count_addr);

    reg started = 0;
    reg [31:0] count, count1, count2, count3, count4, count5; // packets before this cycle, and before the cycles before it
    reg [2:0] cleared;                // cycles since the counter was cleared
    always @(posedge clk) begin
        started <= 1;
        cleared <= rst ? 0 : cleared == 0 ? clears : cleared == 7 ? 7 : cleared + 1;
        count <= rst || sweeping ? 0 : count + mine;
        count1 <= count; count2 <= count1; count3 <= count2; count4 <= count3; count5 <= count4;
        if (!started) assume (rst);
        if (started && (rst || sweeping)) assume (!c_valid);
        assume (c_status < 10);
        if (started) begin
            if (passed) assert (cleared != 0);
            if (cleared >= %[4]d) assert (count_data == %[5]s);
        end
    end
endmodule
`

func countersTask(t *testing.T, ports, dataBits int, faults ...vgen.Fault) Task {
	c := registerDevice(ports)
	c.DataBits, c.Deep = dataBits, dataBits > 64
	known, counted := 3, "count2"
	if dataBits > 64 {
		known, counted = 7, "count5"
	}
	index := 1
	for ports > 1<<index {
		index++
	}
	task := wrap(t, rtl.Counters("counters", block.NewShape(c)), faults, fmt.Sprintf(countersProof, "%s", index-1,
		index+3, known, counted), fmt.Sprintf("sweep_addr:%d", index+4))
	task.Depth, task.Induction = 8, true
	if dataBits > 64 {
		task.Depth = 14
	}
	return task
}

// Every counter counts each of its packets, whatever comes before, between and with them, and wraps; with the stacked
// ones in registers and in a memory.
func TestCounters(t *testing.T) {
	for _, s := range []struct{ ports, dataBits int }{{4, 64}, {8, 64}, {8, 512}} {
		t.Run(fmt.Sprintf("%d ports, %d bits", s.ports, s.dataBits), func(t *testing.T) {
			if s.dataBits > 64 {
				long(t)
			}
			assert.Equal(t, Passed, prove(t, countersTask(t, s.ports, s.dataBits)).Verdict)
		})
	}
}

// Without what packets close together need, the proof fails.
func TestCountersFaults(t *testing.T) {
	for _, f := range []fault{
		says("an inverted assertion", "assert (count_data == count2)", "assert (count_data != count2)"),
		wrong("the packet before is forgotten", "status_before", vgen.With("status_first_s*", vgen.StuckAt(0))),
		wrong("the packet before the last is forgotten", "stacked_word_s2",
			vgen.With("stacked_second_s*", vgen.StuckAt(0))),
		wrong("a read misses the packet before it", "status_read", vgen.With("status_read_hit", vgen.StuckAt(0))),
		wrong("a counter is not cleared", "status_counters.address", vgen.With("sweep_addr",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(was.Like(1)) })),
	} {
		t.Run(f.name, func(t *testing.T) {
			task := f.of(t, func(faults ...vgen.Fault) Task { return countersTask(t, 8, 64, faults...) })
			assert.NotEqual(t, Passed, prove(t, task).Verdict)
		})
	}
}
