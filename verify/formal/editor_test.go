package formal

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// editorProof holds csig_editor to what packets must look like when they leave. It marks any one packet and any byte of
// it, number J as the packet leaves, and follows them: the packet has the bytes that it came with, but those of its
// tag, in their order, and as many of them. Nothing leaves of a packet that is dropped, which does not count as one.
// What is decided about the packet is any decision; what comes before and after it is anything. Packets have up to 2^N
// beats.
//
// B bytes a beat, LB their logarithm; muser the width of the output's tuser.
const editorProof = `
    (* anyconst *) wire [N+LB-1:0] J;
    (* anyseq *) wire choose;
    function [LB:0] count(input [B-1:0] keep); // bytes of a last beat
        integer i;
        begin
            count = 0;
            for (i = 0; i < B; i = i + 1) if (keep[i]) count = i + 1;
        end
    endfunction
    function [7:0] byte_of(input [8*B-1:0] data, input [LB-1:0] k);
        integer i;
        begin
            byte_of = 0;
            for (i = 0; i < B; i = i + 1) if (k == i) byte_of = byte_of | data[8*i +: 8];
        end
    endfunction
    wire beat_in = s_beat_valid && s_beat_ready;
    wire decision_in = s_decision_valid && s_decision_ready;
    wire beat_out = m_axis_tvalid && m_axis_tready;

    // Where packets are, as seen from outside: number of packet, and of the beat in it, that comes or leaves next.
    reg started = 0;
    reg [2:0] in_pkt, out_pkt;
    reg [N-1:0] in_no, out_no;
    reg drop_was; // the decision of the packet's first beat
    wire dropping = in_no != 0 && drop_was;
    wire drops_now = in_no == 0 ? s_decision_drop : drop_was;
    wire [N-1:0] kept_no = dropping ? 0 : in_no; // number of the next beat that is to leave
    always @(posedge clk) begin
        started <= 1;
        if (!started) assume (rst);
        if (rst) begin
            in_pkt <= 0; out_pkt <= 0; in_no <= 0; out_no <= 0;
        end else begin
            if (beat_in) begin
                in_no <= s_beat_last ? 0 : in_no + 1;
                in_pkt <= in_pkt + (s_beat_last && !drops_now);
                drop_was <= drops_now;
            end
            if (beat_out) begin
                out_no <= m_axis_tlast ? 0 : out_no + 1;
                out_pkt <= out_pkt + m_axis_tlast;
            end
        end
        // A last beat has its bytes from the first one on; the number of beats is limited.
        if (s_beat_valid && s_beat_last) assume (s_beat_keep[0] && (s_beat_keep & (s_beat_keep + 1)) == 0);
        if (s_beat_valid && in_no == (1 << N) - 1) assume (s_beat_last);
    end

    // The packet marked: its number, its decision, its length once it is known, and the byte that is to leave as number
    // J.
    reg marked, whole, have;
    reg [2:0] pkt;
    reg m_strip, m_update, m_wide;
    reg [5:0] m_tag; // first byte of the tag
    reg [15:0] m_low;
    reg [31:0] m_high;
    reg [U-1:0] m_user;
    reg [N+LB:0] bytes;
    reg [7:0] source;
    wire begins = beat_in && in_no == 0 && !marked && choose && !s_decision_drop;
    wire mine_in = begins || marked && in_pkt == pkt && !whole;
    wire now_strip = begins ? s_decision_strip : m_strip;
    wire now_wide = begins ? WIDE : m_wide;
    wire [5:0] now_tag = begins ? {s_decision_place, 2'd0} : m_tag;
    wire [3:0] now_size = now_wide ? 8 : 4;
    // The byte that leaves as number J comes as number I.
    wire [N+LB:0] I = now_strip && J >= now_tag ? J + now_size : J;
    wire [N+LB:0] now_bytes = {in_no, {LB{1'b0}}} + count(s_beat_keep);
    wire mine_out = marked && out_pkt == pkt;
    always @(posedge clk) begin
        if (rst) begin
            marked <= 0; whole <= 0; have <= 0;
        end else if (beat_in && mine_in) begin
            marked <= 1;
            pkt <= in_pkt;
            if (begins) begin
                m_strip <= s_decision_strip; m_update <= s_decision_update; m_wide <= WIDE; m_tag <= {s_decision_place, 2'd0};
                m_low <= s_decision_low; m_high <= HIGH; m_user <= s_decision_user;
            end
            whole <= s_beat_last;
            if (s_beat_last) bytes <= now_bytes;
            if (I >> LB == in_no && (!s_beat_last || I < now_bytes)) begin
                have <= 1;
                source <= byte_of(s_beat_data, I[LB-1:0]);
            end
        end else if (beat_out && mine_out && m_axis_tlast) begin
            marked <= 0; whole <= 0; have <= 0;
        end
        if (beat_in && mine_in) begin
            if (begins) begin
                assume (!(s_decision_strip && s_decision_update)); // decided by different rows of docs/csig.md, What happens to it
                if (s_decision_strip || s_decision_update) assume (s_decision_place >= 3 && s_decision_place <= 11);
            end
            // A packet that is changed has its whole tag.
            if (s_beat_last && (begins ? s_decision_strip || s_decision_update : m_strip || m_update)) assume (now_bytes >= now_tag + now_size);
        end
    end
    wire [3:0] size = m_wide ? 8 : 4;
    wire [N+LB:0] left = m_strip ? bytes - size : bytes; // length of what leaves
    wire [N+LB:0] into = J - m_tag;                      // where J is in the tag
    reg [7:0] expected;
    always @* begin
        expected = source;
        if (m_update && J >= m_tag) case (into)
            2: expected = m_low[15:8];
            3: expected = m_low[7:0];
            4: if (m_wide) expected = m_high[31:24];
            5: if (m_wide) expected = m_high[23:16];
            6: if (m_wide) expected = m_high[15:8];
            7: if (m_wide) expected = m_high[7:0];
            default:;
        endcase
    end

    // What must hold.
    wire [LB-1:0] Jb = J[LB-1:0];
    wire out_has_J = J >> LB == out_no && (!m_axis_tlast || Jb < count(m_axis_tkeep));
    reg out_waits, in_ready_was, ended; // the last beat of a packet is inside
    reg [8*B+B+U:0] out_was;
    reg [1:0] idle;
    always @(posedge clk) begin
        out_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        out_was <= {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser};
        idle <= rst || m_axis_tvalid || in_pkt == out_pkt ? 0 : idle + 1;
    end
    always @(posedge clk) if (started && !rst) begin
        // The output's handshake.
        if (out_waits) assert (m_axis_tvalid && out_was == {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser});
        // The decision is taken with a packet's first beat, and with no other.
        assert (decision_in == (beat_in && in_no == 0));
        // A packet of which all has come leaves without a stop: two cycles without a beat are the most.
        assert (idle < 3);
        // The packet marked leaves with all its bytes.
        if (m_axis_tvalid && mine_out) begin
            assert (m_axis_tuser == m_user);
            if (!m_axis_tlast) assert (&m_axis_tkeep);
            if (m_axis_tlast) assert (whole && m_axis_tkeep[0] && (m_axis_tkeep & (m_axis_tkeep + 1)) == 0);
            if (m_axis_tlast) assert ({out_no, {LB{1'b0}}} + count(m_axis_tkeep) == left);
            if (out_has_J) assert (have && byte_of(m_axis_tdata, Jb) == expected);
        end
        if (m_axis_tvalid) assert (in_pkt != out_pkt || kept_no > out_no); // nothing leaves that has not come
    end
`

// editorState states the contents of the editor's registers, so that the rest is inductive. a, b and c hold beats that
// follow each other.
const editorState = `
    reg [N-1:0] a_no, b_no, c_no;
    reg [2:0] a_pkt, b_pkt, c_pkt;
    always @(posedge clk) begin
        if (take) begin a_no <= in_no; a_pkt <= in_pkt; end
        if (a_to_b) begin b_no <= a_no; b_pkt <= a_pkt; end
        if (b_leaves) begin c_no <= b_no; c_pkt <= b_pkt; end
    end
    wire [N-1:0] no_a = a_valid ? a_no : kept_no, no_b = b_valid ? b_no : no_a, no_c = c_valid ? c_no : no_b;
    wire [2:0] pkt_a = a_valid ? a_pkt : in_pkt, pkt_b = b_valid ? b_pkt : pkt_a, pkt_c = c_valid ? c_pkt : pkt_b;
    wire a_mine = marked && a_valid && a_pkt == pkt;
    wire b_mine = marked && b_valid && b_pkt == pkt;
    wire c_mine = marked && c_valid && c_pkt == pkt;
    wire in_mine = marked && in_packet && in_pkt == pkt;
    wire [N+LB:0] S = m_strip && J >= m_tag ? J + size : J; // I of the packet marked
    wire [LB-1:0] Sb = S[LB-1:0];
    wire [N+LB:0] a_end = {a_no, {LB{1'b0}}} + count(a_keep), b_end = {b_no, {LB{1'b0}}} + count(b_keep), c_end = {c_no, {LB{1'b0}}} + count(c_keep);
    function [L-1:0] lanes_from(input [N-1:0] no, input [5:0] first); // lanes of beat no that begin at byte first or after
        integer i;
        for (i = 0; i < L; i = i + 1) lanes_from[i] = {no, {LB{1'b0}}} + 4*i >= first;
    endfunction
    function [L-1:0] lane_at(input [N-1:0] no, input [6:0] at); // that begins there
        integer i;
        for (i = 0; i < L; i = i + 1) lane_at[i] = {no, {LB{1'b0}}} + 4*i == at;
    endfunction
    function good(input last, input [B-1:0] keep);
        good = last ? keep[0] && (keep & (keep + 1)) == 0 : &keep;
    endfunction
    always @(posedge clk) if (started && !rst) begin
        assert (in_packet == (in_no != 0));
        if (in_packet) assert (a_drop == drop_was);
        if (in_packet) assert (beats_taken == (in_no > FULL ? FULL : in_no));
        if (a_valid) assert (kept_no == (a_last ? 0 : a_no + 1) && in_pkt == (a_last ? a_pkt + 3'd1 : a_pkt));
        if (b_valid) assert (no_a == (b_last ? 0 : b_no + 1) && pkt_a == (b_last ? b_pkt + 3'd1 : b_pkt));
        if (c_valid) assert (no_b == (c_last ? 0 : c_no + 1) && pkt_b == (c_last ? c_pkt + 3'd1 : c_pkt));
        if (a_valid && !a_last) assert (a_no != (1 << N) - 1);
        if (b_valid && !b_last) assert (b_no != (1 << N) - 1);
        if (c_valid && !c_last) assert (c_no != (1 << N) - 1);
        assert (out_no == no_c && out_pkt == pkt_c);
        if (a_valid && a_short) assert (a_last);
        if (a_valid && b_valid && !b_last) assert (a_strip == b_strip);
        if (in_packet && !a_valid && b_valid && !b_last) assert (a_strip == b_strip);
        // A packet that is stripped keeps a beat here until the next one has come.
        if (a_valid && a_strip && a_no != 0) assert (b_valid);
        if (in_packet && !dropping && !a_valid && a_strip) assert (b_valid);
        if (idle == 1 && in_pkt != out_pkt) assert (b_valid || c_valid);
        if (idle == 2) assert (c_valid);

        // The packet marked.
        if (whole) assert (marked);
        if (marked) begin
            assert (pkt - out_pkt <= in_pkt - out_pkt);
            assert (whole == (pkt != in_pkt));
            if (!whole) assert (in_packet && !dropping);
            assert (!(m_strip && m_update));
            if (m_strip || m_update) assert (m_tag >= 12 && m_tag <= 44 && m_tag[1:0] == 0);
            if (whole && (m_strip || m_update)) assert (bytes >= m_tag + size);
            if (whole) assert (bytes != 0);
            if (!whole && S >> LB < in_no) assert (have);
            if (whole && S < bytes) assert (have);
        end
        if (a_mine || in_mine) assert (a_strip == m_strip && a_update == m_update && A_WIDE == m_wide && {a_place, 2'd0} == m_tag
            && a_low == m_low && A_HIGH == m_high && a_user == m_user);
        if (b_mine) assert (b_strip == m_strip && b_update == m_update && B_WIDE == m_wide && b_low == m_low && B_HIGH == m_high && b_user == m_user);
        if (c_mine) assert (c_user == m_user);
        if (a_mine) begin
            assert (good(a_last, a_keep));
            if (a_last) assert (a_end == bytes);
            assert (a_short == (a_last && count(a_keep) <= size));
            if (m_strip || m_update) assert (a_is_tag == lane_at(a_no, m_tag) && a_is_moved == lanes_from(a_no, m_tag));
            A_NEXT
            if (S >> LB == a_no && Sb < count(a_keep)) assert (have && byte_of(a_data, Sb) == source);
        end
        if (b_mine) begin
            assert (good(b_last, b_keep));
            if (b_last) assert (b_end == bytes);
            if (m_strip || m_update) assert (b_is_tag == lane_at(b_no, m_tag) && b_is_moved == lanes_from(b_no, m_tag));
            B_NEXT
            if (S >> LB == b_no && Sb < count(b_keep)) assert (have && byte_of(b_data, Sb) == source);
            if (b_last && b_strip && b_no != 0) assert (count(b_keep) > size); // or b had been absorbed
        end
        if (c_mine) begin
            assert (good(c_last, c_keep));
            if (c_last) assert (whole && c_end == left);
            if (J >> LB == c_no && Jb < count(c_keep)) assert (have && byte_of(c_data, Jb) == expected);
        end
    end
`

// editorFlows models the handshakes of an editor that never stalls: the decision is there with a packet's first
// beat, and who takes beats has promised to.
const editorFlows = `
    wire s_beat_ready = 1, s_decision_valid = s_first, m_axis_tready = 1;
    wire s_decision_ready = 1;
    wire take = s_beat_valid;
`

// editorFirst models where packets begin.
const editorFirst = `
    wire in_packet = in_no != 0;
    reg [2:0] inside; // beats that have come, and have neither left nor been given up
    always @(posedge clk) begin
        assume (s_first == (s_beat_valid && !in_packet));
        inside <= rst ? 0 : inside + s_beat_valid - m_axis_tvalid - m_absorbed;
        if (started && !rst) assert (a_empty == !a_valid && !(a_valid && a_dropped));
        if (started && !rst) assert (inside == a_valid + b_valid + c_valid + a_dropped);
    end
`

// editorTask is the proof for a width of stream and sizes of tag; beats is N.
func editorTask(t *testing.T, dataBits int, compact, expanded bool, beats int, faults ...vgen.Fault) Task {
	c := device(dataBits, compact, expanded, false)
	bytes := dataBits / 8
	log := 0
	for 1<<log < bytes {
		log++
	}
	wide := func(prefix string) string {
		if compact && expanded {
			return prefix + "expanded"
		}
		return fmt.Sprintf("1'd%d", b2i(expanded))
	}
	high := func(prefix string) string {
		if expanded {
			return prefix + "high"
		}
		return "m_high"
	}
	next := func(r string) string {
		if expanded {
			return fmt.Sprintf("if (m_strip || m_update) assert (%s_is_next == lane_at(%s_no, m_tag + 7'd4));", r, r)
		}
		return ""
	}
	nextA := next("a")
	inHigh := "32'd0"
	if expanded {
		inHigh = "s_decision_high"
	}
	text := replaced(editorProof+editorState, "A_WIDE", wide("a_"), "B_WIDE", wide("b_"), "WIDE", wide("s_decision_"),
		"A_HIGH", high("a_"), "B_HIGH", high("b_"), "HIGH", inHigh, "A_NEXT", nextA, "B_NEXT", next("b"))
	if dataBits > 64 { // it never stops, and has a register for each choice of each lane
		next := ""
		if expanded {
			next = "if (m_strip || m_update) assert (b_sets_high == (m_update && m_wide ? lane_at(b_no, m_tag + 7'd4) : 0));"
			if compact {
				next += "\n            if (m_strip) assert (b_moves_two == (m_wide ? lanes_from(b_no, m_tag) : 0));"
			}
		}
		text = editorFlows + replaced(editorProof+editorFirst+editorState, "A_WIDE", wide("a_"),
			"b_update == m_update && B_WIDE == m_wide && ", "", "WIDE", wide("s_decision_"),
			"A_HIGH", high("a_"), "B_HIGH", high("b_"), "HIGH", inHigh, "A_NEXT", nextA, "B_NEXT", next,
			"if (m_strip || m_update) assert (b_is_tag == lane_at(b_no, m_tag) && b_is_moved == lanes_from(b_no, m_tag));",
			"if (m_strip || m_update) assert (b_sets_low == (m_update ? lane_at(b_no, m_tag) : 0) && b_moves == (m_strip ? lanes_from(b_no, m_tag) : 0));")
	}
	if dataBits == 512 { // all of the tag is in the first beat, and nothing is kept of where it is
		text = replaced(text, "{a_place, 2'd0} == m_tag\n            && ", "",
			"        if (in_packet) assert (beats_taken == (in_no > FULL ? FULL : in_no));\n", "")
	}
	constants := localparams("B", bytes, "LB", log, "L", bytes/4, "N", beats, "U", 6, "FULL", 12/(bytes/4)+2)
	return inside(t, block.Editor(block.NewShape(c)), faults, constants+text)
}

// editorDepth is twice as much as the induction takes: it holds from two cycles to the next.
const editorDepth = 4

// Packets leave the editor as decided, byte for byte, under any back-pressure, for ever.
func TestEditor(t *testing.T) {
	for _, s := range tagSizes {
		for _, width := range []int{64, 128, 256, 512} {
			t.Run(fmt.Sprintf("%s, %d bits", s.name, width), func(t *testing.T) {
				t.Parallel()
				if width > 64 {
					long(t)
				}
				task := editorTask(t, width, s.compact, s.expanded, 8)
				task.Depth, task.Induction, task.Solver = editorDepth, true, Builtin
				assert.Equal(t, Passed, prove(t, task).Verdict)
			})
		}
	}
}

// never is where to put an assertion.
const never = "if (out_waits) assert (m_axis_tvalid"

// editorFaultTask is bounded: the counterexample to a fault begins with a reset. In the last of its cycles the third
// beat of a packet leaves, which may hold the second word of a tag.
func editorFaultTask(t *testing.T, dataBits int, compact, expanded bool) func(...vgen.Fault) Task {
	return func(faults ...vgen.Fault) Task {
		task := editorTask(t, dataBits, compact, expanded, 8, faults...)
		task.Depth, task.Solver = 8, Builtin
		return task
	}
}

// A fault in the editor, and an assertion turned round, are found.
func TestEditorFaults(t *testing.T) {
	refuted(t, editorFaultTask(t, 64, true, true),
		// What the proof is about happens: to say that it does not is wrong.
		says("a tag is updated", never,
			"assert (!(mine_out && beat_out && m_update && out_has_J && into == 3));\n        "+never),
		says("an inverted assertion", "assert (m_axis_tuser == m_user);", "assert (m_axis_tuser != m_user);"),
		wrong("tlast with the beat behind", "c_last", vgen.With("absorb", vgen.StuckAt(0))),
		wrong("a packet that is dropped leaves", "fills_a", vgen.With("drops", vgen.StuckAt(0))),
	)
}

func TestEditorFaultsMore(t *testing.T) {
	long(t)
	refuted(t, editorFaultTask(t, 64, true, true),
		wrong("b does not wait for what moves up", "b_leaves", vgen.With("a_valid", vgen.StuckAt(1))),
		wrong("a beat is overwritten", "c_free", vgen.StuckAt(1)),
		says("a tag is removed", never,
			"assert (!(mine_out && beat_out && m_axis_tlast && m_strip && out_no == 1));\n        "+never),
		wrong("a last beat that moved up as a whole is sent again", "a_to_b", vgen.With("absorb", vgen.StuckAt(0))),
		wrong("a beat is taken twice", "a_leaves", vgen.With("b_leaves", vgen.StuckAt(0))),
		wrong("the tag's second word in its first one's place", "c_data", vgen.With("b_is_next",
			func(n *vgen.Nets, was vgen.Signal) vgen.Signal { return vgen.Cat(was.Bit(1), n.Net("b_is_tag").Bit(0)) })),
		wrong("bytes of a new field exchanged", "c_data", vgen.With("b_high",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal {
				return vgen.Cat(was.Slice(31, 16), was.Slice(7, 0), was.Slice(15, 8))
			})),
		wrong("an update without leave", "c_data", vgen.With("b_update", vgen.StuckAt(1))),
		wrong("the decision of the packet before", "decision_known", vgen.StuckAt(1)),
		wrong("bytes of the packet behind are kept", "keep_behind", vgen.With("b_last", vgen.StuckAt(0))),
		wrong("the first beat of a packet that is dropped leaves", "drops",
			vgen.With("s_decision_drop", vgen.StuckAt(0))),
		wrong("the rest of a packet that is dropped leaves", "drops", vgen.With("a_drop", vgen.StuckAt(0))),
	)
}

// Wider streams have their faults found too.
func TestEditorFaultsWide(t *testing.T) {
	long(t)
	refuted(t, editorFaultTask(t, 128, true, false),
		wrong("tlast with the beat behind", "c_last", vgen.With("absorb", vgen.StuckAt(0))),
		wrong("the word of another lane", "c_data", vgen.With("a_data",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Shr(32) })),
		wrong("a beat of a packet that is dropped takes up room for ever", "m_absorbed",
			vgen.With("a_dropped", vgen.StuckAt(0))),
	)
}
