package formal

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// tagSizes are the tags that devices know.
var tagSizes = []struct {
	name              string
	compact, expanded bool
}{{"compact", true, false}, {"expanded", false, true}, {"both", true, true}}

// TPIDs of the devices under proof.
const (
	compactTPID  = 0x9999
	expandedTPID = 0x9a9a
)

// device is a small device, whose blocks are those of a large one but for the widths of ports and times.
func device(dataBits int, compact, expanded, uec bool) *config.CSIG {
	c := &config.CSIG{
		Name: "device", Ports: 2, DataBits: dataBits, Deep: dataBits > 64,
		TimeBits: 32, ByteBits: 16, RecipBits: 16, RatioBits: 12, QlenBits: 8,
		UEC: uec, VLANTPIDs: []uint16{0x8100, 0x88a8}, Method: config.CSIGRaw, WindowNs: 1000,
	}
	if compact {
		c.CompactTPID = compactTPID
	}
	if expanded {
		c.ExpandedTPID = expandedTPID
	}
	return c
}

// compareProof writes compare and replace down a second time, from draft-ravi-ippm-csig-00 sections 4.1 and 5.2 and
// docs/csig.md, field by field of each tag. expanded, tag, locator, bucket and quantum are the inputs; what they ask
// for is there a cycle later.
//
//	compact  IETF: T 3, R 1, S 5, LM 7      expanded  IETF: LM 16, T 4, S 20, R 8
//	         UEC:  T 3, R 1, S 5, LM 6, d 1           UEC:  LM 15, d 1, T 4, S 20, R 8
//
// The locator comes with d in its place.
const compareProof = `
    wire [2:0] ct = low[15:13];
    wire       cr = low[12];
    wire [4:0] cs = low[11:7];
    wire [3:0] xt = high[31:28];
    wire [19:0] xs = high[27:8];
    wire [7:0] xr = high[7:0];
    wire [3:0] t = expanded ? xt : {1'b0, ct};
    wire [19:0] theirs = expanded ? xs : cs;
    wire [19:0] ours = expanded ? quantum : bucket;
    reg replaced;
    always @* case (t)
        0, 1: replaced = ours < theirs; // minimum: of ABW, of ABW/C
        2, 3: replaced = ours > theirs; // maximum: of the delay, of the queue's depth
        default: replaced = 0;          // never compared
    endcase

    reg was = 0;
    reg compare1, expanded1, replaced1;
    reg [3:0] status1;
    reg [15:0] low1;
    reg [31:0] high1;
    always @(posedge clk) begin
        was <= 1;
        compare1 <= s_compare; expanded1 <= expanded; replaced1 <= replaced; status1 <= s_status;
        low1 <= expanded ? s_locator : {ct, cr, bucket, lm};
        high1 <= {xt, quantum, xr};
        // Tags of other types are never compared (docs/csig.md, What happens to it).
        if (s_compare) assume (t < 4);
        // What is where d is comes from the tag.
        if (UEC) assume (s_locator[0] == low[0]);
        if (was) begin
            assert (m_update == (compare1 && replaced1));
            assert (m_status == (!compare1 ? status1 : replaced1 ? 4 : 5));
            if (m_update) begin
                assert (m_low == low1);
                HIGH
            end
            cover (m_update && SIZE);
        end
    end
`

// compareTask binds the names of compareProof to the ports that the device has.
func compareTask(t *testing.T, compact, expanded, uec bool, faults ...vgen.Fault) Task {
	c := device(64, compact, expanded, uec)
	bind := "    wire [15:0] low = s_low;\n    wire [6:0] lm = s_locator[6:0];\n"
	size := "1"
	switch {
	case compact && expanded:
		bind += "    wire expanded = s_expanded;\n"
		size = "expanded1"
	default:
		bind += fmt.Sprintf("    wire expanded = %d;\n", b2i(expanded))
	}
	high := ""
	if expanded {
		bind += "    wire [31:0] high = s_high;\n    wire [19:0] quantum = s_quantum;\n"
		high = "if (expanded1) assert (m_high == high1);"
	} else {
		bind += "    wire [31:0] high = 0;\n    wire [19:0] quantum = 0;\n"
	}
	if compact {
		bind += "    wire [4:0] bucket = s_bucket;\n"
	} else {
		bind += "    wire [4:0] bucket = 0;\n"
	}
	text := replaced(compareProof, "HIGH", high, "SIZE", size)
	task := inside(t, block.Compare(block.NewShape(c)), faults, localparams("UEC", b2i(uec))+bind+text)
	// Outputs are functions of the inputs one cycle before: there is no other state, so that two cycles from any state
	// are all there is.
	task.Depth, task.Induction, task.Cover = 3, true, true
	return task
}

// Compare and replace follows the draft, for all inputs, in all six formats.
func TestCompare(t *testing.T) {
	for _, uec := range []bool{false, true} {
		for _, s := range tagSizes {
			t.Run(fmt.Sprintf("uec %v, %s", uec, s.name), func(t *testing.T) {
				assert.Equal(t, Passed, prove(t, compareTask(t, s.compact, s.expanded, uec)).Verdict)
			})
		}
	}
}

func TestCompareFaults(t *testing.T) {
	refuted(t, func(faults ...vgen.Fault) Task { return compareTask(t, true, true, true, faults...) },
		says("an inverted assertion", "assert (m_update == (compare1 && replaced1));",
			"assert (!(m_update == (compare1 && replaced1)));"),
		wrong("equal codes are replaced", "replaces", vgen.Inside("Lt", vgen.Operator(vgen.Signal.Le))),
		wrong("minimum for maximum", "replaces", vgen.Inside("Gt", vgen.Operator(vgen.Signal.Lt))),
		wrong("the minimum of the delay, as one sentence of the draft has it", "is_max", vgen.With("s_low",
			func(_ *vgen.Nets, was vgen.Signal) vgen.Signal { return was.And(was.Shl(1)) })),
		wrong("a code by one bit too short", "packet_code", vgen.With("s_high", vgen.Without(27))),
		wrong("R is cleared", "low_s*", vgen.With("s_low", vgen.Without(12))),
		wrong("R of expanded tags is cleared", "high_s*", vgen.With("s_high", vgen.Only(31, 8))),
		wrong("compared without leave", "update_s*", vgen.With("s_compare", vgen.StuckAt(1))),
		wrong("status of the other outcome", "status_s*", vgen.With("replaces", vgen.Inverted)),
	)
}
