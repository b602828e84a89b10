package formal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// apartProof follows one flow, whichever it is: an operation of it is issued no sooner than the loops of its contexts
// allow after the one before, so that it reads what that one has written, and no word is read and written at once.
const apartProof = `
    (* anyconst *) wire [1:0] flow;
    wire mine = op_valid && op_code != 3 && op_index[1:0] == flow; // a table write is of no flow
    reg [7:0] age = HAZARD + 1; // cycles since the last one, HAZARD + 1 for as many or more
    reg started = 0;
    always @(posedge clk) begin
        started <= 1;
        if (!started) assume (rst);
        age <= rst ? HAZARD + 1 : mine ? 1 : age + (age <= HAZARD);
        if (started && !rst && mine && op_code != 4) assert (age > HAZARD);
        if (started && !rst) cover (mine && op_code == 0 && age == HAZARD + 1 && $past(age) == HAZARD);
    end
`

// orderProof follows one ACK, whichever it is: it is issued in its turn among all ACKs, with its flow.
const orderProof = `
    (* anyseq *) wire pick;
    reg [3:0] inside; // ACKs taken and not issued
    reg [3:0] ahead;  // of them before the one that is followed
    reg [1:0] flow;
    reg started = 0, follows, done;
    wire turn = s_issue && follows && !done && ahead == 0;
    always @(posedge clk) begin
        started <= 1;
        if (!started) assume (rst);
        assume (!rst || !started);
        inside <= rst ? 0 : inside + s_take - s_issue;
        if (rst) {follows, done} <= 0;
        else if (s_take && pick && !follows) begin
            follows <= 1;
            flow <= s_flow;
            ahead <= inside - s_issue;
        end else if (turn) done <= 1;
        else if (s_issue && follows && !done) ahead <= ahead - 1;
        if (started && !rst) begin
            assert (!s_take || s_valid && credit);
            assert (!s_issue || inside != 0 && op_valid && op_code == 0);
            if (turn) assert (op_index[1:0] == flow);
            cover (turn && inside > 3);
        end
    end
`

// issueTask is a proof of the issue of a small engine with a law.
func issueTask(t *testing.T, l, properties string, faults ...vgen.Fault) Task {
	d, err := config.ParseDesign("small", []byte("design: nic\nlaw: "+l+"\nflows: 4\nprofiles: 1\n"))
	require.NoError(t, err)
	e, err := law.Build(d.(config.EngineDesign))
	require.NoError(t, err)
	var ports, pins []string
	name := ""
	for _, m := range vgen.Manifest(e.Top) {
		if !strings.HasSuffix(m.Module, "_issue") {
			continue
		}
		name = m.Module
		for _, p := range m.Ports {
			ports = append(ports, fmt.Sprintf("%sput wire [%d:0] %s", p.Dir, p.Width-1, p.Name))
			pins = append(pins, fmt.Sprintf(".%s(%s)", p.Name, p.Name))
		}
	}
	require.NotEmpty(t, name)
	for i := range faults {
		faults[i].Module = name
	}
	files := emitted(t, e.Top, faults)
	text := fmt.Sprintf("module proof(%s);\n    %s u_dut (%s);\n%s%sendmodule\n", strings.Join(ports, ", "), name,
		strings.Join(pins, ", "), localparams("HAZARD", e.Timing.Hazard), properties)
	return Task{Sources: append(files, vgen.File{Name: "proof.v", Text: []byte(text)}), Top: "proof", Solver: Builtin,
		Depth: e.Timing.Sweep + e.Timing.Hazard + 8}
}

// Operations of a flow are as far apart as the engine of each law needs them to be.
func TestOperationsOfAFlowAreApart(t *testing.T) {
	for _, l := range config.Laws() {
		t.Run(l, func(t *testing.T) {
			t.Parallel()
			task := func(faults ...vgen.Fault) Task {
				task := issueTask(t, l, apartProof, faults...)
				task.Cover = true
				return task
			}
			if task().Depth > 24 { // large tables to clear
				long(t)
			}
			assert.Equal(t, Passed, prove(t, task()).Verdict)
			refuted(t, task,
				wrong("a wait ends early", "goes", vgen.With("third_sees", vgen.StuckAt(0))),
				wrong("one issued is forgotten", "issued3_valid", vgen.StuckAt(0)),
				wrong("the one before is not seen", "second_sees", vgen.With("second_follows", vgen.StuckAt(0))))
		})
	}
}

// ACKs are issued in the order in which they were taken, each once and with its flow.
func TestAcksAreIssuedInOrder(t *testing.T) {
	for _, l := range config.Laws() {
		t.Run(l, func(t *testing.T) {
			t.Parallel()
			task := func(faults ...vgen.Fault) Task {
				task := issueTask(t, l, orderProof, faults...)
				task.Cover = true
				return task
			}
			if task().Depth > 24 { // large tables to clear
				long(t)
			}
			assert.Equal(t, Passed, prove(t, task()).Verdict)
			refuted(t, task, wrong("a register keeps its flow", "third_index.enable", vgen.StuckAt(0)))
		})
	}
}
