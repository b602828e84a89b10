package synth

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// A top may have cells of the family in it, a PLL from its pad, beside products for multipliers.
func TestCellsOfTheFamily(t *testing.T) {
	needs(t, ICE40)
	b, err := BoardByName("icebreaker")
	require.NoError(t, err)
	rep, err := Run(context.Background(), Job{Design: "product", Top: "product", Part: b.Part, ClockMHz: 24,
		CacheDir: t.TempDir(), Until: StageRoute,
		Constraints: []byte("set_io clk_osc 35\nset_io led 37\nset_io uart_rx 6\n"),
		Files: []vgen.File{{Name: "product.v", Text: []byte(`
module product (input wire clk_osc, input wire uart_rx, output reg led);
    wire clk;
    SB_PLL40_PAD #(
        .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(7'd63), .DIVQ(3'd5), .FILTER_RANGE(3'd1)
    ) u_pll (.PACKAGEPIN(clk_osc), .PLLOUTGLOBAL(clk), .RESETB(1'b1), .BYPASS(1'b0));
    reg [11:0] a;
    reg [23:0] p;
    always @(posedge clk) begin
        a <= {a[10:0], uart_rx};
        p <= a * a;
        led <= ^p;
    end
endmodule
`)}}})
	require.NoError(t, err)
	assert.Equal(t, Use{1, 8}, rep.Cells.DSP)
	assert.Equal(t, 1, rep.Resources["ICESTORM_PLL"].Used)
	require.Len(t, rep.Fmax, 1)
	assert.True(t, rep.Met())
}

// What is only packed asks for no result of place and route: nextpnr-ecp5 ends with a failed assertion then.
func TestPackingAsksForNoResult(t *testing.T) {
	for _, f := range Families() {
		for until, wanted := range map[Stage]bool{StagePack: false, StageRoute: true} {
			j := Job{Part: Part{Family: f}, Until: until}
			args := j.fileArguments()
			assert.Equal(t, wanted, slices.Contains(args, familyTraits[f].routed), "%s: %v", f, args)
			assert.Equal(t, wanted, slices.Contains(args, "--report"), "%s: %v", f, args)
		}
	}
}
