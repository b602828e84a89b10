package synth

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/constraints"
)

// Every board has its pins, in the language of its family, and a clock that its PLL can make.
func TestBoards(t *testing.T) {
	button := regexp.MustCompile(`(?m)^(set_io|LOCATE|IO_LOC).*\bbutton\b.* \S*\d`)
	assert.ElementsMatch(t, constraints.Boards(), BoardNames())
	for _, b := range Boards() {
		name, text, err := constraints.Of(b.Name)
		require.NoError(t, err)
		assert.Equal(t, b.Name+familyTraits[b.Part.Family].constraints, name)
		for _, port := range []string{"clk_osc", "uart_rx", "uart_tx", "led"} {
			assert.Contains(t, string(text), port, b.Name)
		}
		assert.Equal(t, b.Button != "", button.Match(text), "%s: a button", b.Name)
		p, err := b.PLL(b.ClockMHz)
		require.NoError(t, err, b.Name)
		assert.InEpsilon(t, b.ClockMHz*1e6, p.OutHz, 0.01, b.Name)
	}
	_, err := BoardByName("arty")
	assert.EqualError(t, err,
		`no board is called "arty"; boards: hx8k, icebreaker, tinyfpga-bx, ulx3s, orangecrab, colorlight-i5, tangnano9k`)
	_, _, err = constraints.Of("arty")
	assert.EqualError(t, err, `no constraint file for the board "arty"`)

	b, err := BoardByName("hx8k")
	require.NoError(t, err)
	p, err := b.PLL(12)
	require.NoError(t, err)
	assert.Equal(t, PLL{OutHz: 12e6}, p)
	_, err = b.PLL(10)
	assert.EqualError(t, err,
		"a clock of 10 MHz on the board hx8k: the iCE40 PLL gives 16 MHz to 275 MHz, not 10 MHz; without its PLL it has 12 MHz")
}
