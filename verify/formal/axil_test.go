package formal

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// axiLiteProof holds an AXI4-Lite slave in front of the register bus to the protocol, for every master that obeys it,
// or withdraws a valid, and every register block that answers each access once, at any time.
const axiLiteProof = `
module proof(
    input wire clk, input wire rst,
    input wire [15:0] s_axil_awaddr, input wire [2:0] s_axil_awprot, input wire s_axil_awvalid, output wire s_axil_awready,
    input wire [31:0] s_axil_wdata, input wire [3:0] s_axil_wstrb, input wire s_axil_wvalid, output wire s_axil_wready,
    output wire [1:0] s_axil_bresp, output wire s_axil_bvalid, input wire s_axil_bready,
    input wire [15:0] s_axil_araddr, input wire [2:0] s_axil_arprot, input wire s_axil_arvalid, output wire s_axil_arready,
    output wire [31:0] s_axil_rdata, output wire [1:0] s_axil_rresp, output wire s_axil_rvalid, input wire s_axil_rready,
    input wire hold,
    output wire bus_write, output wire bus_read, output wire [15:0] bus_addr, output wire [31:0] bus_wdata, output wire bus_strobes_full,
    input wire bus_done, input wire bus_error, input wire [31:0] bus_rdata
);
    wire idle_q, reading_q;
%s
    // Transfers without their answer, and where the access is. Of a write and a read that wait, the one that the last access was not goes first.
    reg started = 0;
    reg write_open, read_open, acting, answered, last_read, write_passed, read_passed;
    wire aw = s_axil_awvalid && s_axil_wvalid && s_axil_awready && s_axil_wready;
    wire ar = s_axil_arvalid && s_axil_arready;
    wire b  = s_axil_bvalid && s_axil_bready;
    wire r  = s_axil_rvalid && s_axil_rready;
    wire strobe = bus_write || bus_read;
    always @(posedge clk) begin
        started <= 1;
        if (rst) begin
            write_open <= 0; read_open <= 0; acting <= 0; answered <= 0; last_read <= 1; write_passed <= 0; read_passed <= 0;
        end else begin
            write_open <= aw || write_open && !b;
            read_open <= ar || read_open && !r;
            last_read <= ar || last_read && !aw;
            write_passed <= (write_passed || ar) && s_axil_awvalid && s_axil_wvalid && !aw;
            read_passed <= (read_passed || aw) && s_axil_arvalid && !ar;
            acting <= strobe || acting && !bus_done;
            answered <= bus_done || answered && !strobe;
        end
    end

    // The cycle before.
    reg before_rst, before_hold, before_aw_w, before_ar, before_idle;
    reg [15:0] before_awaddr, before_araddr;
    reg [31:0] before_wdata;
    reg [3:0] before_wstrb;
    reg aw_waits, w_waits, ar_waits, b_waits, r_waits, write_begins, read_begins, done_write, done_read;
    reg [1:0] before_bresp, before_rresp;
    reg [31:0] before_rdata;
    reg held_answer, before_error;
    reg [31:0] before_bus_rdata;
    reg held_access, before_full;
    reg [15:0] before_bus_addr;
    reg [31:0] before_bus_wdata;
    always @(posedge clk) begin
        before_rst <= rst;
        before_hold <= hold;
        before_aw_w <= s_axil_awvalid && s_axil_wvalid;
        before_ar <= s_axil_arvalid;
        before_idle <= !write_open && !read_open && !s_axil_awready && !s_axil_arready && !hold && !rst;
        before_awaddr <= s_axil_awaddr; before_araddr <= s_axil_araddr; before_wdata <= s_axil_wdata; before_wstrb <= s_axil_wstrb;
        aw_waits <= s_axil_awvalid && !s_axil_awready && !rst;
        w_waits <= s_axil_wvalid && !s_axil_wready && !rst;
        ar_waits <= s_axil_arvalid && !s_axil_arready && !rst;
        b_waits <= s_axil_bvalid && !s_axil_bready && !rst;
        r_waits <= s_axil_rvalid && !s_axil_rready && !rst;
        write_begins <= aw && !rst; read_begins <= ar && !rst;
        done_write <= bus_done && write_open && !rst; done_read <= bus_done && read_open && !rst;
        before_bresp <= s_axil_bresp; before_rresp <= s_axil_rresp; before_rdata <= s_axil_rdata;
        held_answer <= answered && !strobe && !rst; before_error <= bus_error; before_bus_rdata <= bus_rdata;
        held_access <= (aw || ar || write_open || read_open) && !rst;
        before_full <= bus_strobes_full; before_bus_addr <= bus_addr; before_bus_wdata <= bus_wdata;
    end

    // A master does not change what it goes on offering, but may withdraw it, which AXI forbids. The register block answers what it was asked and holds the answer.
    always @(posedge clk) begin
        if (!started) assume (rst);
        if (started && !before_rst) begin
            if (aw_waits && s_axil_awvalid) assume (s_axil_awaddr == before_awaddr);
            if (w_waits && s_axil_wvalid) assume (s_axil_wdata == before_wdata && s_axil_wstrb == before_wstrb);
            if (ar_waits && s_axil_arvalid) assume (s_axil_araddr == before_araddr);
            if (held_answer) assume (bus_error == before_error && bus_rdata == before_bus_rdata);
        end
        if (started && !acting) assume (!bus_done);
    end

    always @(posedge clk) if (started) begin
        // After reset nothing is offered and nothing acts.
        if (before_rst) assert (!s_axil_awready && !s_axil_wready && !s_axil_arready && !s_axil_bvalid && !s_axil_rvalid && !strobe);

        // Answers stay until they are taken, and there is one for each access, on its channel.
        if (b_waits) assert (s_axil_bvalid && s_axil_bresp == before_bresp);
        if (r_waits) assert (s_axil_rvalid && s_axil_rresp == before_rresp && s_axil_rdata == before_rdata);
        if (s_axil_bvalid) assert (write_open && !acting && !s_axil_bresp[0]);
        if (s_axil_rvalid) assert (read_open && !acting && !s_axil_rresp[0]);
        if (done_write) assert (s_axil_bvalid && s_axil_bresp == {bus_error, 1'b0});
        if (done_read) assert (s_axil_rvalid && s_axil_rresp == {bus_error, 1'b0} && s_axil_rdata == bus_rdata);

        // While one waits, one access of the other kind is taken at most.
        if (write_passed) assert (!s_axil_arready && last_read);
        if (read_passed) assert (!s_axil_awready && !last_read);

        // Address and word of a write are taken together, one access at a time.
        assert (s_axil_awready == s_axil_wready);
        if (s_axil_awready) assert (before_aw_w && !(before_ar && !last_read));
        if (s_axil_arready) assert (before_ar && !(before_aw_w && last_read));
        assert (!(s_axil_awready && s_axil_arready));
        if (write_open || read_open || before_hold) assert (!s_axil_awready && !s_axil_arready);
        assert (!(write_open && read_open));

        // The access acts in the cycle after its transfer, once, with what was transferred, which is on the bus from the transfer on until the answer has been taken.
        assert (bus_write == (write_begins && !before_rst));
        assert (bus_read == (read_begins && !before_rst));
        if (bus_write) assert (bus_addr == before_awaddr && bus_wdata == before_wdata && bus_strobes_full == (before_wstrb == 15));
        if (bus_read) assert (bus_addr == before_araddr);
        if (aw) assert (bus_addr == s_axil_awaddr && bus_wdata == s_axil_wdata && bus_strobes_full == (s_axil_wstrb == 15));
        if (ar) assert (bus_addr == s_axil_araddr);
        if (held_access && !before_rst) assert (bus_addr == before_bus_addr && bus_wdata == before_bus_wdata && bus_strobes_full == before_full);

        // Where the slave is, so that the rest is inductive.
        assert (idle_q == !(write_open || read_open || s_axil_awready || s_axil_arready));
        assert (reading_q == last_read);
        if (write_open) assert (!last_read);
        if (read_open) assert (last_read);
        if (write_open || read_open) assert (strobe + acting + (s_axil_bvalid || s_axil_rvalid) == 1);
        else assert (!strobe && !acting && !s_axil_bvalid && !s_axil_rvalid);
        if (s_axil_bvalid || s_axil_rvalid) assert (answered);

        // An idle slave chooses at once.
        if (before_idle && (before_aw_w || before_ar)) assert (s_axil_awready || s_axil_arready);
    end

    // Each of this happens.
    always @(posedge clk) if (started && !rst) begin
        cover (b && s_axil_bresp == 2 && s_axil_arvalid);
        cover (r && s_axil_rresp == 0 && s_axil_rdata == 32'h12345678);
        cover (s_axil_bvalid && b_waits && !s_axil_bready);
        cover (write_passed && read_open);
        cover (read_passed && write_open);
        cover (s_axil_awready && s_axil_awvalid && !s_axil_wvalid);
        cover (s_axil_arready && !s_axil_arvalid);
    end
endmodule
`

func axiLiteTask(t *testing.T, faults ...vgen.Fault) Task {
	task := wrap(t, axil.Slave("axil"), faults, axiLiteProof, "idle_q", "reading_q")
	task.Depth = 14
	return task
}

// The AXI4-Lite slave obeys the protocol for ever.
func TestAXILite(t *testing.T) {
	task := axiLiteTask(t)
	task.Induction, task.Cover = true, true
	r := prove(t, task)
	assert.Equal(t, Passed, r.Verdict)
}

// Faults of the slave, and the assertions turned round, are found.
func TestAXILiteFaults(t *testing.T) {
	for _, f := range []fault{
		says("an inverted assertion", "assert (s_axil_awready == s_axil_wready);",
			"assert (!(s_axil_awready == s_axil_wready));"),
		wrong("a write is chosen without its word", "s_axil_wready", func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
			return was.And(n.Net("s_axil_wvalid")).And(n.Net("write_q"))
		}),
		wrong("bvalid falls by itself", "bvalid_q", vgen.With("s_axil_bready", vgen.StuckAt(1))),
		wrong("an answer to a read goes to the write", "bvalid_q", vgen.With("reading_q", vgen.StuckAt(0))),
		wrong("a second access begins", "idle_q", vgen.StuckAt(1)),
		wrong("the sweep is not waited for", "free", vgen.With("hold", vgen.StuckAt(0))),
		wrong("the address of the other channel", "addr_q", vgen.With("read_first", vgen.Is("s_axil_arvalid"))),
		wrong("one strobe does not matter", "strobes_full_q", vgen.With("s_axil_wstrb",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(was.Like(8)) })),
		wrong("a write goes first", "read_first", vgen.With("reading_q", vgen.StuckAt(1))),
		wrong("a read goes first", "read_first", vgen.With("write_waits", vgen.StuckAt(0))),
		wrong("a withdrawn write acts", "write_q", vgen.Is("take_write_q")),
		wrong("a withdrawn read acts", "read_q", vgen.Is("take_read_q")),
		wrong("busy for ever after what was withdrawn", "idle_q", vgen.With("withdrawn", vgen.StuckAt(0))),
		wrong("what was withdrawn counts as the last access", "reading_q", vgen.With("write_taken", vgen.Is("take_write_q"))),
		wrong("not idle after reset", "idle_q.reset", vgen.StuckAt(0)),
	} {
		t.Run(f.name, func(t *testing.T) {
			r := prove(t, f.of(t, func(faults ...vgen.Fault) Task { return axiLiteTask(t, faults...) }))
			assert.Equal(t, Refuted, r.Verdict)
		})
	}
}
