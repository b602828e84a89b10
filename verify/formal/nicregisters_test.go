package formal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/law/aimd"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// nicRegistersProof asks the registers of an engine for anything, one access at a time, before an engine that takes and
// answers whenever it likes, and holds them to the handshakes of the streams: docs/architecture.md, Registers. %%s is
// the instance, %[1]s its outputs as wires, %[2]s the inputs that are free.
const nicRegistersProof = `
module proof(
    input wire clk, input wire rst,
    input wire bus_write, input wire bus_read, input wire [15:0] bus_addr, input wire [31:0] bus_wdata, input wire bus_strobes_full,
    input wire tw_ready, input wire cw_ready, input wire cr_ready, input wire init_done,
%[2]s
);
%[1]s
    wire [1:0] event_q;
    wire [1:0] event_enable_q;
%%s
    reg started = 0;
    reg acting, asked, before_rst, before_strobe, before_write, before_read, before_full, before_init, before_acting;
    reg before_tw, before_cw, before_cr, before_twr, before_cwr, before_crr, before_cd, before_irq;
    reg [15:0] before_addr;
    reg [31:0] before_wdata;
    reg [1:0] before_event, before_enable;
    reg [7:0] count1, count2;
    reg [63:0] before_payload;
    wire [63:0] payload = {tw_table, tw_index, tw_data, cw_flow, cw_mask, cw_profile, cw_w, cw_seq, cw_generation, cr_flow};
    wire strobe = bus_write || bus_read;
    wire offered = tw_valid || cw_valid || cr_valid;
    always @(posedge clk) begin
        started <= 1;
        before_rst <= rst;
        before_strobe <= strobe; before_write <= bus_write; before_read <= bus_read; before_full <= bus_strobes_full;
        before_addr <= bus_addr; before_wdata <= bus_wdata; before_init <= init_done; before_acting <= acting;
        before_tw <= tw_valid; before_cw <= cw_valid; before_cr <= cr_valid;
        before_twr <= tw_ready; before_cwr <= cw_ready; before_crr <= cr_ready; before_cd <= cd_valid;
        before_event <= event_q; before_enable <= event_enable_q; before_payload <= payload;
        acting <= !rst && (strobe || acting && !bus_done);
        asked <= !rst && (cr_valid && cr_ready || asked && !cd_valid);
    end

    // One access at a time, held until it is answered. The engine shows a context when it was asked for one.
    always @(posedge clk) begin
        if (!started) assume (rst);
        assume (!(bus_write && bus_read));
        if (started && acting) assume (!strobe && bus_addr == before_addr && bus_wdata == before_wdata);
        if (started && !asked) assume (!cd_valid);
    end

    always @(posedge clk) if (started && before_rst)
        assert (!offered && !bus_done && !irq && event_q == 0 && event_enable_q == 0);

    wire ordered = before_write && before_full && before_init;
    always @(posedge clk) if (started && !before_rst) begin
        // What is offered stays, as it is, until it is taken, and is offered once.
        if (before_tw) assert (tw_valid == !before_twr);
        if (before_cw) assert (cw_valid == !before_cwr);
        if (before_cr) assert (cr_valid == !before_crr);
        if (offered && (before_tw || before_cw || before_cr)) assert (payload == before_payload);
        // It begins with a command that is in order, in the cycle after.
        if (!before_tw) assert (tw_valid == (ordered && before_addr == 16'h0038 && before_wdata[19:16] < 4 && before_wdata[15:0] < 2));
        if (!before_cw) assert (cw_valid == (ordered && before_addr == 16'h003c && before_wdata[15:0] < 3));
        if (!before_cr) assert (cr_valid == (ordered && before_addr == 16'h0040 && before_wdata[15:0] < 3));
        assert (tw_valid + cw_valid + cr_valid <= 1);
        // An access is answered once: a command in the cycle after it is done, any other, refused ones included, after it acts.
        assert (bus_done == (before_tw && before_twr || before_cw && before_cwr || before_cd || before_strobe && !offered));
        if (bus_done) assert (acting && !offered && !asked);
        // What is refused: strobes, and what cannot be.
        if (before_write && !before_full) assert (bus_error);
        if (before_strobe && offered) assert (!bus_error);
        if (before_write && (before_addr == 16'h0038 || before_addr == 16'h003c || before_addr == 16'h0040)) assert (bus_error == !offered);
        if (before_read && before_addr == 16'h0018) assert (!bus_error && bus_rdata == {31'd0, before_init});
        if (before_read && before_addr == 16'h0020) assert (!bus_error && bus_rdata == {30'd0, before_event});
        if (before_read && bus_error) assert (bus_rdata == 0);
        // Events stay until they are cleared. irq is whether one that is enabled was set.
        if (before_event & ~event_q) assert (before_write && before_full && before_addr == 16'h0020 && ((before_event & ~event_q & ~before_wdata[1:0]) == 0));
        assert (irq == |(before_event & before_enable));
        // So that the rest is inductive.
        assert (acting == (offered || asked || bus_done));
        assert (!(offered && asked));
    end

    always @(posedge clk) if (started && !rst) begin
        cover (bus_done && before_tw);
        cover (bus_done && before_cd && bus_rdata == 0);
        cover (bus_done && bus_error && before_init && before_addr == 16'h003c);
        cover (irq && event_q == 2'd2);
        cover (cw_valid && cw_mask == 5'd9 && cw_w == 6'd33);
    end
endmodule
`

// nicRegistersTask is the proof for the registers of an AIMD engine of three flows.
func nicRegistersTask(t *testing.T, faults ...vgen.Fault) Task {
	c := &config.AIMD{Engine: config.Engine{Name: "small", Flows: 3, Profiles: 2, SeqBits: 5, ClockBits: 8, CountBits: 8,
		GenBits: 1, AXILite: true}, Window: fixed.UQ(5, 1), InvT: fixed.UQ(-1, 6), Rate: fixed.UQ(2, 3)}
	m := engine.Registers(c.Engine, aimd.New(c))
	known := " bus_write bus_read bus_addr bus_wdata bus_strobes_full tw_ready cw_ready cr_ready init_done clk rst "
	var wires, free []string
	for _, p := range m.Ports() {
		text := fmt.Sprintf("wire [%d:0] %s", p.Width-1, p.Name)
		switch {
		case p.Dir == "out":
			wires = append(wires, "    "+text+";")
		case !strings.Contains(known, " "+p.Name+" "):
			free = append(free, "    input "+text)
		}
	}
	proof := fmt.Sprintf(nicRegistersProof, strings.Join(wires, "\n"), strings.Join(free, ",\n"))
	task := wrap(t, m, faults, proof, "event_q:2", "event_enable_q:2")
	task.Depth = 8
	return task
}

// The registers of an engine keep the handshakes for ever.
func TestNICRegisters(t *testing.T) {
	task := nicRegistersTask(t)
	task.Induction, task.Cover = true, true
	r := prove(t, task)
	assert.Equal(t, Passed, r.Verdict)
}

// Faults of the registers, and an assertion turned round, are found.
func TestNICRegistersFaults(t *testing.T) {
	for _, f := range []fault{
		says("an inverted assertion", "assert (tw_valid + cw_valid + cr_valid <= 1);",
			"assert (tw_valid + cw_valid + cr_valid > 1);"),
		wrong("a table write is withdrawn", "table_write_q", vgen.With("tw_ready", vgen.StuckAt(1))),
		wrong("a context write is offered again", "context_write_q", vgen.With("cw_ready", vgen.StuckAt(0))),
		wrong("before the memories are cleared", "context_read", vgen.With("init_done", vgen.StuckAt(1))),
		wrong("any flow", "flow_exists", vgen.StuckAt(1)),
		wrong("any entry", "entry_exists", vgen.StuckAt(1)),
		wrong("a command is answered at once", "done_q", vgen.With("commands", vgen.StuckAt(0))),
		wrong("a read is answered when it is taken", "done_q", vgen.With("cd_valid", vgen.Is("cr_ready"))),
		wrong("an event is lost when another is cleared", "event_q", vgen.With("bus_wdata", vgen.StuckAt(3))),
		wrong("events that are not enabled", "irq_q", vgen.With("event_enable_q", vgen.StuckAt(3))),
	} {
		t.Run(f.name, func(t *testing.T) {
			r := prove(t, f.of(t, func(faults ...vgen.Fault) Task { return nicRegistersTask(t, faults...) }))
			assert.Equal(t, Refuted, r.Verdict)
		})
	}
}
