package config

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/fixed"
)

// AIMD is a validated configuration of an engine whose window grows by addition and shrinks by half. It is a result of
// LoadDesign or ParseDesign; a value made by hand is not checked. Docs/aimd.md has the numeric contract.
type AIMD struct {
	Engine
	TickNs uint64 `key:"tick"` // unit of T and of the local clock, nanoseconds

	Multiplier Multiplier `key:"multiplier"`

	Window fixed.Format `key:"formats.window"` // W, W_ai, W_min, W_max: bytes; 1 to 63 bits
	InvT   fixed.Format `key:"formats.inv_t"`  // 1/T, per tick
	Rate   fixed.Format `key:"formats.rate"`   // R: bytes a tick
}

// aimdEngine is the AIMD engine of a NIC.
var aimdEngine = grammar{
	kind: KindNIC, law: LawAIMD, title: "an AIMD engine", preset: "nic-aimd", keys: aimdKeys,
	start: func() Design { return &AIMD{} }, finish: finisher((*decoder).finishAIMD),
}

var aimdKeys = []key{
	designKey(KindNIC, "What to build: nic is the engine of a sender."),
	nameKey("nic"),
	prefixKey,
	lawKey(LawAIMD, "What computes the window and the rate: aimd halves the window on an ECN mark, or adds to it."),
	flowsKey,
	profilesKey,
	tickKey,
	sequenceKey,
	clockKey,
	counterKey,
	generationKey,
	tagKey,
	resetKey,
	busKey,
	multiplierKey(),
	{name: "formats", kind: kindObject, doc: "The fixed-point formats.", keys: []key{
		{name: "window", kind: kindFormat, fallback: "UQ24.12", doc: "W, W_ai, W_min and W_max, bytes; at most 63 bits."},
		{name: "inv_t", kind: kindFormat, fallback: "UQ-9.45", doc: "1/T, per tick; by default for T above 512 ticks."},
		{name: "rate", kind: kindFormat, fallback: "UQ8.24", doc: "R, bytes per tick; it saturates."},
	}},
}

// Canonical is the configuration as YAML with every key resolved, as that of a NIC is.
func (c *AIMD) Canonical() []byte { return canonicalForm(c, aimdKeys, nil) }

// finishAIMD refuses formats that the engine cannot line up.
func (d *decoder) finishAIMD(c *AIMD) {
	const window, invT, rate = "formats.window", "formats.inv_t", "formats.rate"
	if f := c.Window; d.sound(window) && f.Width() == maxWidth {
		fewer := min(1, f.Frac)
		d.refuse(window, Problem{What: fmt.Sprintf("%s is %s: %d bits", window, f, f.Width()),
			Legal: "UQi.f of 1 to 63 bits", Reason: "W + W_ai is one bit wider",
			Nearest: fixed.UQ(f.Int-1+fewer, f.Frac-fewer).String()})
	}
	if !d.sound(window, invT, rate) {
		return
	}
	// The bits of the exact product W InvT: R begins below its first one and ends no later than its last.
	least, most := max(0, 1-c.Window.Int-c.InvT.Int), c.Window.Frac+c.InvT.Frac
	if f := min(max(c.Rate.Frac, least), most); f != c.Rate.Frac {
		d.refuse(rate, Problem{
			What:    fmt.Sprintf("%s is %s, with window %s and inv_t %s", rate, c.Rate, c.Window, c.InvT),
			Legal:   fmt.Sprintf("%d to %d fraction bits", least, most),
			Reason:  "R is W times 1/T, rounded: with fewer it is always 0, and the product has no more",
			Nearest: fixed.UQ(max(1-f, min(c.Rate.Int, maxWidth-f)), f).String()}, window, invT)
	}
}

// ProfileEntries gives the entries of a profile, from its T, W_ai, W_min and W_max: 1/T is tick/T. It fails, naming
// every value at fault, when one is beyond its format.
func (c *AIMD) ProfileEntries(index int, p Profile) ([]TableWrite, error) {
	var f faults
	var invT uint64
	if p.BaseRTTNs == 0 {
		f.add("T is 0 ns: legal: above 0")
	} else {
		t := new(big.Rat).Quo(ratUint(c.TickNs), ratUint(p.BaseRTTNs))
		if v, err := positive("1/T", c.InvT, t); err != nil {
			f.add("T is %d ns: %v", p.BaseRTTNs, err)
		} else {
			invT = v
		}
	}
	wai, wmin, wmax := f.windows(c.Window, p)
	if err := f.of(&c.Engine, index); err != nil {
		return nil, err
	}
	return []TableWrite{{0, index, wai}, {1, index, wmin}, {2, index, wmax}, {3, index, invT}}, nil
}
