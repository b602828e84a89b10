package formal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// walkSpec is the walk as docs/csig.md has it, over the bytes of a header and the length of its packet. Byte i of
// header is header[8*i +: 8]; a length above 54 is as good as 54. Nothing of it is shared with the generator: it goes
// from tag to tag, the hardware from word to word.
const walkSpec = `
    // What a word would be if a tag began there.
    wire [15:0] w_compact, w_expanded, w_vlan, w_macsec, w_hides, w_sci, w_half;
    wire [511:0] w_word;
    genvar g;
    generate for (g = 0; g < 16; g = g + 1) begin : tpids
        if (g < 14) begin
            wire [15:0] tpid = {header[32*g +: 8], header[32*g + 8 +: 8]};
            wire [7:0] tci = header[32*g + 16 +: 8];
            assign w_word[32*g +: 32] = {tpid, tci, header[32*g + 24 +: 8]};
            assign w_compact[g] = COMPACT != 0 && tpid == COMPACT;
            assign w_expanded[g] = EXPANDED != 0 && tpid == EXPANDED;
            assign w_vlan[g] = tpid == 16'h8100 || tpid == 16'h88a8;
            assign w_macsec[g] = tpid == 16'h88e5;
            // Its first byte, were it the packet's last, and the MAC's padding are a TPID.
            assign w_half[g] = COMPACT != 0 && {tpid[15:8], 8'd0} == COMPACT ||
                EXPANDED != 0 && {tpid[15:8], 8'd0} == EXPANDED;
            assign w_hides[g] = tci[7] || !DECRYPTED && (tci[3] || tci[2]); // V; E, C
            assign w_sci[g] = tci[5]; // SC
        end else begin
            assign w_word[32*g +: 32] = 0;
            assign {w_compact[g], w_expanded[g], w_vlan[g], w_macsec[g], w_hides[g], w_sci[g], w_half[g]} = 0;
        end
    end endgenerate

    // Entry k of a list of 16.
    function pick(input [15:0] v, input [3:0] k);
        reg [7:0] a; reg [3:0] b; reg [1:0] c;
        begin
            a = k[3] ? v[15:8] : v[7:0];
            b = k[2] ? a[7:4] : a[3:0];
            c = k[1] ? b[3:2] : b[1:0];
            pick = k[0] ? c[1] : c[0];
        end
    endfunction
    function [31:0] pick_word(input [511:0] v, input [3:0] k);
        reg [255:0] a; reg [127:0] b; reg [63:0] c;
        begin
            a = k[3] ? v[511:256] : v[255:0];
            b = k[2] ? a[255:128] : a[127:0];
            c = k[1] ? b[127:64] : b[63:0];
            pick_word = k[0] ? c[63:32] : c[31:0];
        end
    endfunction

    // The walk.
    reg w_tag, w_size, w_end, w_sectag;
    reg [1:0] w_status;
    reg [3:0] at; // in words
    reg [2:0] w_vlans;
    integer i;
    always @* begin
        at = 3; w_vlans = 0; w_sectag = 0; w_end = 0; w_tag = 0; w_size = 0; w_status = 0;
        for (i = 0; i < 6; i = i + 1) if (!w_end) begin
            if (length < {at, 2'd0} + 2) begin
                w_end = 1; w_status = 1;
            end else if (pick(w_compact, at) || pick(w_expanded, at)) begin
                w_end = 1;
                w_size = pick(w_expanded, at);
                if (length >= {at, 2'd0} + (w_size ? 8 : 4)) w_tag = 1; else w_status = 3;
            end else if (pick(w_vlan, at) && w_vlans < 4) begin
                w_vlans = w_vlans + 1;
                at = at + 1;
            end else if (pick(w_macsec, at) && !w_sectag) begin
                if (length < {at, 2'd0} + 3) begin
                    w_end = 1; w_status = 1;
                end else if (pick(w_hides, at)) begin
                    w_end = 1; w_status = 2;
                end else begin
                    w_sectag = 1;
                    at = at + (pick(w_sci, at) ? 4 : 2);
                end
            end else w_end = 1;
        end
    end
    wire [3:0] w_after = at + (w_size ? 2 : 1);
    wire w_stacked = w_tag && length >= {w_after, 2'd0} + 2 && (pick(w_compact, w_after) || pick(w_expanded, w_after));
    // A layer-2 tag follows the tag or the end of the walk, or the packet ends inside the tag, or its TPID.
    wire [15:0] w_layer2 = w_compact | w_expanded | w_vlan | w_macsec;
    wire [3:0] w_end_at = w_tag ? w_after : at;
    wire w_padded = (w_tag || w_status == 1) && length == {w_end_at, 2'd0} + 1 && pick(w_half, w_end_at);
    wire w_ambiguous = w_padded || (w_tag ? length >= {w_after, 2'd0} + 2 && pick(w_layer2, w_after)
        : w_status == 3 || w_status == 0 && (pick(w_vlan, at) || pick(w_macsec, at)));
    wire [15:0] w_low = pick_word(w_word, at);
    wire [31:0] w_high = pick_word(w_word, at + 4'd1);
    always @(posedge clk) if (check) begin
        assert (w_end); // six tags are the most that there can be
        assert (m_tag == w_tag);
        if (!w_tag) assert (m_status == w_status);
        assert (m_stacked == w_stacked);
        assert (m_ambiguous == w_ambiguous);
        if (w_tag) begin
            assert (m_place == at);
            assert (m_low == w_low);
            SIZED
        end
    end
`

// walkTask is csig_walk with the names of walkSpec bound to the arguments.
func walkTask(t *testing.T, c *config.CSIG, bind string, faults ...vgen.Fault) Task {
	var sized []string
	if c.ExpandedTPID != 0 {
		high := "assert (m_high == w_high);"
		if c.CompactTPID != 0 {
			sized = append(sized, "assert (m_expanded == w_size);")
			high = "if (w_size) " + high
		}
		sized = append(sized, high)
	}
	constants := localparams("COMPACT", int(c.CompactTPID), "EXPANDED", int(c.ExpandedTPID), "DECRYPTED", b2i(c.Decrypted))
	return inside(t, block.Walk(block.NewShape(c)), faults, constants+bind+replaced(walkSpec, "SIZED",
		strings.Join(sized, "\n            ")))
}

// walkCases are devices whose walks differ.
func walkCases(dataBits int) map[string]*config.CSIG {
	list := map[string]*config.CSIG{}
	for _, s := range tagSizes {
		list[s.name] = device(dataBits, s.compact, s.expanded, false)
	}
	decrypted := device(dataBits, true, true, false)
	decrypted.Decrypted = true
	list["decrypted"] = decrypted
	padded := device(dataBits, true, true, false)
	padded.CompactTPID, padded.ExpandedTPID = 0x9900, 0x8a00
	list["padded"] = padded
	return list
}

// gatheredTask is the walk over words that have been gathered: a header may come every cycle, and is in the words of
// that one cycle. The result depends on them alone: the only loops are the pointers of delay lines, which hold what
// they got for as many cycles as they delay, so that a reset and as many cycles as the walk takes are all there is.
func gatheredTask(t *testing.T, c *config.CSIG, faults ...vgen.Fault) Task {
	const words = 11
	latency := block.Walk(block.NewShape(c)).Latency()
	bind := "    (* anyconst *) wire [7:0] length;\n    reg [447:0] header;\n    reg [3:0] age = 0;\n    reg ready = 0;\n"
	// The pointers of delay lines agree after a cycle of reset.
	bind += "    always @(posedge clk) ready <= 1;\n    always @* assume (rst == !ready);\n"
	bind += fmt.Sprintf("    wire check = age == %d;\n    always @(posedge clk) if (ready) age <= age + (age <= %d);\n",
		latency, latency)
	bind += "    always @(posedge clk) if (ready && age == 0) begin\n"
	for i := range words {
		at := 4 * (i + 3)
		bind += fmt.Sprintf(
			"        header[%d +: 32] <= {s_word%d_data[7:0], s_word%d_data[15:8], s_word%d_data[23:16], s_word%d_data[31:24]};\n", 8*at, i, i, i, i)
		bind += fmt.Sprintf(
			"        assume ({s_word%d_has2, s_word%d_has3, s_word%d_has4} == {length >= %d, length >= %d, length >= %d});\n", i, i, i, at+2, at+3, at+4)
		if c.CompactTPID&0xff == 0 && c.CompactTPID != 0 || c.ExpandedTPID&0xff == 0 && c.ExpandedTPID != 0 {
			bind += fmt.Sprintf("        assume (s_word%d_has1 == (length >= %d));\n", i, at+1)
		}
	}
	bind += "    end\n"
	task := walkTask(t, c, bind, faults...)
	task.Depth, task.Solver = latency+3, Builtin // a clocked assertion is evaluated a cycle later
	return task
}

// The walk over a gathered header is that of the contract, for all headers of all lengths.
func TestWalkGathered(t *testing.T) {
	for name, c := range walkCases(128) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "both" && name != "padded" {
				long(t)
			}
			assert.Equal(t, Passed, prove(t, gatheredTask(t, c)).Verdict)
		})
	}
}

// alongTask is the walk that goes along with the beats of a 64-bit stream, two words in each. It begins between two
// packets, with registers that hold anything, follows any one packet to the end of its header, up to so many idle
// cycles in between, and looks two cycles later.
func alongTask(t *testing.T, c *config.CSIG, idle int, faults ...vgen.Fault) Task {
	bind := `
    reg [447:0] header;
    reg [7:0] length;
    reg [2:0] beats = 0; // of the header so far
    reg started = 0, over = 0, over1 = 0;
    function [3:0] count(input [7:0] keep);
        integer i;
        begin
            count = 0;
            for (i = 0; i < 8; i = i + 1) if (keep[i]) count = i + 1;
        end
    endfunction
    wire complete = s_valid && !over && (s_last || beats == 6);
    reg check = 0;
    integer b;
    always @(posedge clk) begin
        started <= 1;
        if (!started) assume (beat == 0 && !valid_s1);
        assume (!rst);
        if (IDLE == 0 && !over) assume (s_valid);
        if (s_valid && s_last) assume (s_keep[0] && (s_keep & (s_keep + 1)) == 0);
        if (s_valid && !over) begin
            for (b = 0; b < 7; b = b + 1) if (b == beats) header[64*b +: 64] <= s_data;
            beats <= beats + 1;
            length <= {beats, 3'd0} + (s_last ? count(s_keep) : 8);
        end
        over <= over || complete;
        over1 <= complete;
        check <= over1;
    end
`
	task := walkTask(t, c, localparams("IDLE", idle)+bind, faults...)
	task.Depth, task.Solver = 10+idle, Builtin // seven beats, two cycles, and one in which the assertion is judged
	return task
}

// The walk along with the beats is that of the contract, for all packets, whatever came before them.
func TestWalkAlong(t *testing.T) {
	for name, c := range walkCases(64) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "both" && name != "padded" {
				long(t)
			}
			assert.Equal(t, Passed, prove(t, alongTask(t, c, 0)).Verdict)
		})
	}
}

// Idle cycles in a packet change nothing: neither earlier nor later results of the walk depend on them.
func TestWalkAlongIdle(t *testing.T) {
	const held = `
    reg was = 0, idle;
    reg [96:0] before;
    wire [96:0] now = {beat, searching, skip, vlans, sectag_seen, hidden, found, whole, place, low, age, stacked, ambiguous, high, expanded};
    always @(posedge clk) begin
        was <= 1;
        idle <= !valid_s1 && !rst;
        before <= now;
        if (was && idle) assert (now == before);
        if (was) cover (was && !idle && now != before);
    end
`
	c := walkCases(64)["both"]
	task := inside(t, block.Walk(block.NewShape(c)), nil, held)
	task.Depth, task.Induction, task.Cover = 4, true, true
	assert.Equal(t, Passed, prove(t, task).Verdict)

	if !longRun() {
		return
	}
	for name, c := range walkCases(64) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, Passed, prove(t, alongTask(t, c, 2)).Verdict)
		})
	}
}

// Faults of both walks, and an assertion turned round, are found; and the far ends of the walk occur: to say that they
// do not is wrong.
func TestWalkFaults(t *testing.T) {
	const first = "assert (w_end); // six tags"
	gathered := func(faults ...vgen.Fault) Task {
		return gatheredTask(t, walkCases(128)["both"], faults...)
	}
	along := func(faults ...vgen.Fault) Task { return alongTask(t, walkCases(64)["both"], 0, faults...) }
	refuted(t, gathered,
		says("an inverted assertion", "assert (m_tag == w_tag);", "assert (m_tag != w_tag);"),
		wrong("five VLAN tags", "word9_is_vlan", vgen.With("vlans4_before9_s*", vgen.StuckAt(0))),
		says("a VLAN tag too many at the last place is none", first, "assert (!(!m_tag && m_ambiguous && at == 11)); // "),
	)
	refuted(t, along,
		says("the last place of a tag", first, "assert (!(m_tag && m_place == 11 && m_stacked)); // "),
		wrong("what the packet before left", "sectag_seen_now", vgen.With("first", vgen.StuckAt(0))),
		wrong("every SecTAG is short", "lane0_skip", vgen.With("lane0_sci_s*", vgen.StuckAt(0))),
	)
	if !longRun() {
		return
	}
	refuted(t, gathered,
		says("the last place of a tag", first, "assert (!(m_tag && m_place == 11 && m_stacked)); // "),
		says("short", first, "assert (!(!m_tag && m_status == 1 && length > 40)); // "),
		says("hidden", first, "assert (!(!m_tag && m_status == 2)); // "),
		says("truncated", first, "assert (!(!m_tag && m_status == 3)); // "),
	)
}
