package formal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	rtl "github.com/hdlpkg/hpccgen/rtlgen/csig/wide"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// registersProof asks the register block for anything, one access at a time, and holds it to what the pipeline relies
// on. %[1]s is the instance, %[2]s its outputs as wires, %[3]s those of them that are staged or committed, of %[4]d + 1
// bits.
const registersProof = `
module proof(
    input wire clk, input wire rst,
    input wire bus_write, input wire bus_read, input wire [15:0] bus_addr, input wire [31:0] bus_wdata, input wire bus_strobes_full,
    input wire [31:0] count_data, input wire no_port_count
);
    localparam PORTS = 5;
%[2]s
    wire [31:0] port_ratio_q, port_depth_q, estimate_factor_q, bound_before_q;
    wire [6:0] bound_count;
    wire acted_s1, table_open_q, committing_q, port_fits_q, estimate_fits_q, quantizer_fits_q;
%[1]s
    reg started = 0;
    reg acting, before_rst, before_strobe, before_write, before_full, before_acts;
    reg before_port_write, before_estimate_commit, before_w_valid;
    reg [3:0] before_bank, before_ok;
    reg [31:0] before_wdata;
    reg [15:0] before_addr;
    reg [%[4]d:0] before_state;
    wire [%[4]d:0] state = {%[3]s};
    wire strobe = bus_write || bus_read;
    wire busy = acting && !bus_done;

    // The table begun: how many bounds it has, and the last of them.
    reg [6:0] bounds;
    reg [31:0] last;
    wire push = bus_write && bus_addr == 16'h00a4 && bus_strobes_full;
    always @(posedge clk) begin
        started <= 1;
        before_rst <= rst;
        acting <= !rst && (strobe || busy);
        before_strobe <= strobe; before_write <= bus_write; before_full <= bus_strobes_full;
        before_acts <= strobe || busy;
        before_addr <= bus_addr; before_wdata <= bus_wdata;
        before_port_write <= port_write; before_estimate_commit <= estimate_commit; before_w_valid <= w_valid;
        before_bank <= bucket_bank; before_ok <= bucket_ok;
        before_state <= state;
        if (rst || bus_write && bus_addr == 16'h00a0 && bus_strobes_full) bounds <= 0;
        else if (push && !bus_error_next) bounds <= bounds + 1;
        else if (w_valid && !w_present) bounds <= bounds + 1;
        if (push) last <= bus_wdata;
    end
    // Whether the push that acts is in order, as the specification has it.
    wire bus_error_next = !table_open_q || bounds >= 32 || (bounds == 0 ? bus_wdata != 0 : bus_wdata < last);

    // One access at a time, held until it is answered.
    always @(posedge clk) begin
        if (!started) assume (rst);
        assume (!(bus_write && bus_read));
        if (started && acting) assume (!strobe);
        if (started && before_acts && busy) assume (bus_addr == before_addr && bus_wdata == before_wdata && bus_strobes_full == before_full);
    end

    always @(posedge clk) if (started && before_rst) begin
        assert (!acting && !acted_s1 && !bus_done && !committing_q && !table_open_q);
        assert (!port_fits_q && !estimate_fits_q && !quantizer_fits_q && !estimate_ok && quantizer_ok == 0 && bucket_ok == 0 && bucket_bank == 0);
    end

    always @(posedge clk) if (started && !before_rst) begin
        // An access that fails changes nothing but the table begun; nor does a read. A write without all of its bytes fails.
        if (before_strobe && (bus_error || !before_write)) begin
            assert (state == before_state);
            assert (!before_port_write && !before_estimate_commit && !before_w_valid);
        end
        if (before_write && !before_full) assert (bus_error);
        // Without an access nothing but a bank changes.
        if (!before_strobe && before_bank == bucket_bank) assert (state == before_state);

        // What a port is given is in order.
        if (port_write && !rst) begin
            assert (bus_wdata < PORTS && port_capacity >= 1000);
            assert (port_ratio_q[31:17] == 1 && port_depth_q[31:17] == 1);
            assert (port_actions[1:0] != 3 && port_actions[3:2] != 3 && port_actions[5:4] != 3 && port_actions[7:6] != 3);
            assert ((port_actions & 32'haaaaaa00) == 0);
        end
        // What has been committed is in order.
        if (estimate_ok) assert (estimate_window >= 1000 && estimate_window <= 1000000000 && estimate_mantissa[17]);
        if (quantizer_ok[0]) assert (quantizer0_step != 0);
        if (quantizer_ok[1]) assert (quantizer1_step != 0);
        if (quantizer_ok[2]) assert (quantizer2_step != 0);
        if (quantizer_ok[3]) assert (quantizer3_step != 0);

        // Bounds go into the bank that is not in use, each once, from 1 on, none below the one before it.
        if (w_valid && !rst) begin
            assert (w_bank != bucket_bank[w_type]);
            assert (w_index == bounds && bounds >= 1 && bounds <= 31);
            if (w_present) assert (w_bound >= last);
        end
        // A bank comes into use when all of it has been written, and one at a time.
        if (before_bank != bucket_bank) begin
            assert (bounds == 32);
            assert (((before_bank ^ bucket_bank) & ((before_bank ^ bucket_bank) - 4'd1)) == 0);
            assert ((bucket_ok & (before_bank ^ bucket_bank)) != 0);
        end
        assert ((before_ok & ~bucket_ok) == 0);

        // So that the rest is inductive.
        if (bounds != 0) assert (last == bound_before_q);
        assert (acting == (acted_s1 || bus_done || committing_q) && acted_s1 + bus_done + committing_q <= 1);
        if (table_open_q || committing_q && bounds < 32) assert (bounds == bound_count && bounds <= 32);
        if (committing_q) assert (acting && bound_count >= 1 && bound_count <= 65 && bounds <= 32);
        if (committing_q) assert (bounds == (bound_count < 32 ? bound_count : 32));
        if (committing_q) assert (!table_open_q);
        if (!before_strobe || !before_write) begin
            if (port_fits_q) assert (port_capacity >= 1000 && port_ratio_q[31:17] == 1 && port_depth_q[31:17] == 1 && (port_actions & 32'haaaaaa00) == 0);
            if (port_fits_q) assert (port_actions[1:0] != 3 && port_actions[3:2] != 3 && port_actions[5:4] != 3 && port_actions[7:6] != 3);
            if (estimate_fits_q) assert (estimate_factor_q[31:17] == 1);
        end
    end
endmodule
`

// registersTask is the proof for a device of 5 ports.
func registersTask(t *testing.T, faults ...vgen.Fault) Task {
	m := rtl.Registers("registers", block.NewShape(registerDevice(5)))
	var wires, state []string
	width := 0
	for _, p := range m.Ports() {
		if p.Dir != "out" {
			continue
		}
		wires = append(wires, fmt.Sprintf("    wire [%d:0] %s;", p.Width-1, p.Name))
		kept := strings.HasPrefix(p.Name, "port_") || strings.HasPrefix(p.Name, "estimate_") ||
			strings.HasPrefix(p.Name, "quantizer") || strings.HasPrefix(p.Name, "bucket_")
		if kept && p.Name != "port_write" && p.Name != "port_index" && p.Name != "estimate_commit" {
			state = append(state, p.Name)
			width += p.Width
		}
	}
	text := fmt.Sprintf(registersProof, "%s", strings.Join(wires, "\n"), strings.Join(state, ", "), width-1)
	task := wrap(t, m, faults, text, "port_ratio_q:32", "port_depth_q:32", "estimate_factor_q:32", "bound_before_q:32",
		"bound_count:7",
		"acted_s1", "table_open_q", "committing_q", "port_fits_q", "estimate_fits_q", "quantizer_fits_q")
	task.Depth, task.Induction = 4, true
	return task
}

// Whatever software does, the pipeline gets legal values, and refused accesses change nothing.
func TestRegisters(t *testing.T) {
	assert.Equal(t, Passed, prove(t, registersTask(t)).Verdict)
}

// With a check left out, or turned round, the proof fails.
func TestRegistersFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of proofs that fail")
	}
	for _, f := range []fault{
		says("an inverted assertion", "assert (w_bank != bucket_bank[w_type]);", "assert (w_bank == bucket_bank[w_type]);"),
		wrong("a bound below the one before it", "bound_rises", vgen.With("bound_before_q", vgen.Without(31))),
		wrong("a step of 0", "quantizer_fits_q", vgen.With("quantizer_step_q",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Xor(was.Like(1)) })),
		wrong("a bank half written", "change_bank", vgen.With("bound_count", vgen.Off(1))),
	} {
		t.Run(f.name, func(t *testing.T) {
			task := f.of(t, func(faults ...vgen.Fault) Task { return registersTask(t, faults...) })
			assert.NotEqual(t, Passed, prove(t, task).Verdict)
		})
	}
}
