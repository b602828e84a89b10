package formal

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// order holds a buffer to its order: of all words that come in it marks any one, and this word must leave after as many
// as were there before it, as it came. So no word is lost, repeated, changed or overtaken. in and out are the two
// transfers, word_in and word_out what is transferred; held counts the words between them, offers says that a word is
// there to be taken.
const order = `
    (* anyseq *) wire choose;
    reg started = 0;
    reg [A:0] held;
    reg marked;
    reg [A:0] ahead; // words that leave before the marked one
    reg [W-1:0] mark;
    reg stalled; // a word was offered and not taken
    reg [W-1:0] word_waits;
    always @(posedge clk) begin
        started <= 1;
        if (!started) assume (rst);
        held <= rst ? 0 : held + in - out;
        stalled <= offers && !out && !rst;
        word_waits <= word_out;
        if (rst) marked <= 0;
        else if (!marked) begin
            marked <= in && choose;
            ahead <= held - out;
            mark <= word_in;
        end else if (out) begin
            marked <= ahead != 0;
            ahead <= ahead - 1;
        end
    end
    always @(posedge clk) if (started) begin
        if (offers) assert (held != 0);
        if (stalled) assert (offers && word_out == word_waits);
        assert (held <= FULL);
        if (marked) assert (ahead < held);
        if (marked && offers && ahead == 0) assert (word_out == mark);
        cover (marked && ahead == 0 && out && held == FULL);
    end
`

// fifoProof is what CreditFIFO promises to who takes a credit for each word before it comes, and no more than there
// are. sent counts credits taken whose word is to come.
const fifoProof = `
    wire in = s_valid, out = m_valid && m_ready, offers = m_valid;
    wire [W-1:0] word_in = s_data, word_out = m_data;
` + order + `
    reg [A:0] sent;
    reg idle; // words were held, none was offered
    wire [A:0] tail = TAIL; // of the word in memory that leaves first
    wire [A:0] stored = write_ptr - tail;
    wire [A:0] behind = ahead - (valid_q + READ_VALID); // words in memory before the marked one
    wire [A-1:0] place = read_ptr + behind;
    always @(posedge clk) begin
        sent <= rst ? 0 : sent + credit_take - s_valid;
        idle <= held != 0 && !m_valid && !rst;
        if (credit_take) assume (credit);
        if (s_valid) assume (sent != 0 || credit_take);
    end
    always @(posedge clk) if (started) begin
        assert (credit == (sent + held < FULL));
        assert (held + sent <= FULL);
        if (s_valid) assert (stored < FULL); // nothing stored is overwritten
        if (s_valid && load) assert (write_ptr[A-1:0] != read_ptr[A-1:0]); // nor read while it is written
        if (idle) assert (m_valid || READ_VALID);

        // So that the rest is inductive.
        assert (credits_taken == sent + held && held == stored + valid_q + READ_VALID && stored <= FULL);
        if (marked && !(valid_q && ahead == 0) && !(READ_VALID && ahead == valid_q)) assert (words[place] == mark);
    end
`

// fastFIFOProof is the addition for the memory's output register.
const fastFIFOProof = `
    reg late; // they were held for two cycles
    always @(posedge clk) late <= idle && held != 0 && !m_valid && !rst;
    always @(posedge clk) if (started) begin
        if (late) assert (m_valid);
        assert (read_ptr == tail[A-1:0] && not_empty == (stored != 0) && both_valid == (read_valid && valid_q));
        if (marked && read_valid && ahead == valid_q) assert (word_q == mark);
    end
`

func fifoTask(t *testing.T, depth, width int, fast bool, faults ...vgen.Fault) Task {
	a := bits.Len(uint(depth - 1))
	m, proof, tail, read := lib.CreditFIFO(depth, width), fifoProof, "read_ptr", "1'b0"
	if fast {
		m, proof, tail, read = lib.FastCreditFIFO(depth, width), fifoProof+fastFIFOProof, "second_ptr - 1'b1", "read_valid"
	}
	task := inside(t, m, faults, localparams("A", a, "W", width, "FULL", depth)+
		replaced(proof, "READ_VALID", read, "TAIL", tail))
	task.Depth, task.Induction, task.Cover = depth+5, true, true
	return task
}

// storeProof is what Store promises to who stores no word without room and takes none that is not there.
const storeProof = `
    wire in = s_valid, out = m_take, offers = m_some;
    wire [W-1:0] word_in = s_data, word_out = words[read_ptr];
` + order + `
    reg taken1, taken2;
    reg [W-1:0] word1, word2;
    wire [A-1:0] place = read_ptr + ahead[A-1:0];
    always @(posedge clk) begin
        taken1 <= m_take && !rst; taken2 <= taken1 && !rst;
        word1 <= word_out; word2 <= word1;
        if (m_take) assume (m_some);
        if (s_valid) assume (held < FULL);
    end
    always @(posedge clk) if (started) begin
        assert (m_some == (held != 0));
        if (taken2) assert (m_data == word2);
        if (marked && ahead == 0) assert (m_top == mark[W-1]);

        // So that the rest is inductive.
        assert (count == held + taken_q && taken_q == taken1 && held[A-1:0] == write_ptr - read_ptr);
        if (taken1) assert (word_q == word1);
        assert (read_top == -read_ptr && write_top == -write_ptr);
        if (marked) assert (words[place] == mark && tops[-place] == mark[W-1]);
    end
`

func storeTask(t *testing.T, faults ...vgen.Fault) Task {
	task := inside(t, lib.TopStore(4, 4), faults, localparams("A", 2, "W", 4, "FULL", 4)+storeProof)
	task.Depth, task.Induction, task.Cover = 9, true, true
	return task
}

// Store keeps every word, in order, and has it two cycles after it is taken.
func TestStore(t *testing.T) {
	assert.Equal(t, Passed, prove(t, storeTask(t)).Verdict)
}

// whenOneComes is the bit, or that a word comes.
func whenOneComes(n *vgen.Nets, was vgen.Signal) vgen.Signal { return was.Or(n.Net("s_valid")) }

// notWhenOneComes is the bit, but not when a word comes.
func notWhenOneComes(n *vgen.Nets, was vgen.Signal) vgen.Signal {
	return was.And(n.Net("s_valid").Not())
}

func TestStoreFaults(t *testing.T) {
	refuted(t, func(faults ...vgen.Fault) Task { return storeTask(t, faults...) },
		says("an inverted assertion", "assert (m_some == (held != 0));", "assert (m_some != (held != 0));"),
		wrong("the last word is there twice", "some_q", vgen.With("m_take", vgen.StuckAt(0))),
		wrong("a word is read twice", "read_ptr.enable", notWhenOneComes),
		wrong("the word before it", "word_q.address", vgen.Without(0)),
	)
}

// queueProof is what Queue promises to who stores no word without room.
const queueProof = `
    wire in = s_valid, out = m_valid && m_ready, offers = m_valid;
    wire [W-1:0] word_in = s_data, word_out = m_data;
` + order + `
    reg idle; // words were held, none was offered
    wire [A:0] stored = held - valid_q;
    wire [A:0] behind = ahead - valid_q; // words in memory before the marked one
    wire [A-1:0] place = read_ptr + behind[A-1:0];
    always @(posedge clk) begin
        idle <= held != 0 && !m_valid && !rst;
        if (s_valid) assume (held < FULL);
    end
    always @(posedge clk) if (started) begin
        if (idle) assert (m_valid);

        // So that the rest is inductive.
        assert (count == stored + taken_q && some_q == (stored != 0) && stored[A-1:0] == write_ptr - read_ptr);
        if (marked && !(valid_q && ahead == 0)) assert (words[place] == mark);
    end
`

func queueTask(t *testing.T, faults ...vgen.Fault) Task {
	task := inside(t, lib.Queue(4, 4), faults, localparams("A", 2, "W", 4, "FULL", 4)+queueProof)
	task.Depth, task.Induction, task.Cover = 9, true, true
	return task
}

// Queue keeps every word, in order, and offers one as soon as there is one.
func TestQueue(t *testing.T) {
	assert.Equal(t, Passed, prove(t, queueTask(t)).Verdict)
}

func TestQueueFaults(t *testing.T) {
	refuted(t, func(faults ...vgen.Fault) Task { return queueTask(t, faults...) },
		says("an inverted assertion", "if (idle) assert (m_valid);", "if (idle) assert (!m_valid);"),
		wrong("the last word is there twice", "some_q", vgen.With("load", vgen.StuckAt(0))),
		wrong("a word offered is dropped", "valid_q", vgen.With("m_ready", vgen.StuckAt(1))),
		wrong("a word is read twice", "read_ptr.enable", notWhenOneComes),
		wrong("a word offered is overwritten", "load", vgen.With("m_ready", whenOneComes)),
	)
}

// CreditFIFO keeps every word, in order, and never overflows: for ever, whatever the rhythm of both sides.
func TestCreditFIFO(t *testing.T) {
	for _, s := range []struct{ depth, width int }{{2, 8}, {4, 4}, {8, 4}} {
		t.Run(fmt.Sprintf("%d words", s.depth), func(t *testing.T) {
			if s.depth > 4 {
				long(t)
			}
			assert.Equal(t, Passed, prove(t, fifoTask(t, s.depth, s.width, false)).Verdict)
			assert.Equal(t, Passed, prove(t, fifoTask(t, s.depth, s.width, true)).Verdict)
		})
	}
}

func TestCreditFIFOFaults(t *testing.T) {
	refuted(t, func(faults ...vgen.Fault) Task { return fifoTask(t, 4, 4, true, faults...) },
		wrong("a word is read over the one before it", "load", vgen.With("m_ready", whenOneComes)),
		wrong("the output is overwritten", "data_q.enable", whenOneComes),
		wrong("the second word is the first", "second_ptr.enable",
			func(n *vgen.Nets, was vgen.Signal) vgen.Signal { return was.And(n.Net("s_valid")) }),
	)
	refuted(t, func(faults ...vgen.Fault) Task { return fifoTask(t, 4, 4, false, faults...) },
		says("an inverted assertion", "assert (held + sent <= FULL);", "assert (!(held + sent <= FULL));"),
		wrong("one credit too many", "credit", whenOneComes),
		wrong("a word is read twice", "read_ptr.enable", notWhenOneComes),
		wrong("a word is dropped when one comes", "load", vgen.With("m_ready", whenOneComes)),
		wrong("the word before it", "data_q.address", vgen.Without(0)),
		wrong("two words are not offered", "not_empty", vgen.With("read_ptr",
			func(n *vgen.Nets, was vgen.Signal) vgen.Signal {
				return vgen.Cat(n.Net("write_ptr").Slice(2, 1), was.Bit(0))
			})),
	)
}

// sliceProof holds the properties of a register slice: order, and that ready and valid are registers, so no path leads
// through it.
const sliceProof = `
    wire in = s_valid && s_ready, out = m_valid && m_ready, offers = m_valid;
    wire [W-1:0] word_in = s_data, word_out = m_data;
` + order + `
    reg ran; // a cycle has passed since reset
    always @(posedge clk) ran <= !rst;
    always @(posedge clk) if (started) begin
        assert (m_valid == (held != 0)); // a word is offered in the cycle after it came
        assert (s_ready == (ran && held != FULL)); // and taken whenever there is room
    end
`

func sliceTask(t *testing.T, skid bool, faults ...vgen.Fault) Task {
	const width = 8
	m, full, more := lib.HoldBuffer(width), 1, ""
	if skid {
		m, full = lib.SkidBuffer(width), 2
		more = `
    always @(posedge clk) if (started) begin
        assert (held == valid_q + spare_valid_q);
        if (spare_valid_q) assert (valid_q);
        if (marked && ahead == 1) assert (spare_q == mark);
    end
`
	}
	task := inside(t, m, faults, localparams("A", 2, "W", width, "FULL", full)+sliceProof+more)
	task.Depth, task.Induction, task.Cover = 10, true, true
	return task
}

func TestRegisterSlicesFaults(t *testing.T) {
	refuted(t, func(faults ...vgen.Fault) Task { return sliceTask(t, true, faults...) },
		says("an inverted assertion", "assert (m_valid == (held != 0));", "assert (m_valid != (held != 0));"),
		wrong("the spare word is overwritten", "ready_q", vgen.StuckAt(1)),
		wrong("the new word goes first", "data_q", vgen.With("spare_valid_q", vgen.StuckAt(0))),
	)
	refuted(t, func(faults ...vgen.Fault) Task { return sliceTask(t, false, faults...) },
		wrong("a word held is overwritten", "ready_q", vgen.StuckAt(1)),
	)
}

// Register slices keep every word, in order, for ever, and take one whenever they have room for it.
func TestRegisterSlices(t *testing.T) {
	assert.Equal(t, Passed, prove(t, sliceTask(t, true)).Verdict)
	assert.Equal(t, Passed, prove(t, sliceTask(t, false)).Verdict)
}
