package config

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/fixed"
)

// Settings are what software knows when it writes the tables of an engine: the links, one profile, and how many flows
// share a link. Quantities are texts with units, as in a configuration file; an empty one stands for its default.
type Settings struct {
	Profile  int
	RTT      string   // T; by default the longest that the configuration states
	Rates    []string // of the links, by rate code; by default those of the configuration
	Eta      string   // by default 0.95
	MaxStage int
	Fast     bool   // react to every ACK
	Flows    int    // N that share a link, for W_ai
	WAI      string // by default W_init (1 - eta) / N, where W_init = B T of the fastest rate
	WMin     string // by default the smallest that the configuration states
	WMax     string // by default W_init, or the largest that the configuration states if that is less
}

// Word is a table entry that software writes, with what it stands for.
type Word struct {
	TableWrite
	Field string // what the entry holds: "1/B"
	Of    string // the link or the profile
	Value string // of the raw value, with its unit
}

// settings reads Settings. Every value at fault is a problem.
type settings struct {
	Settings
	problems Problems
}

func (s *settings) refuse(name, what, legal, nearest string) {
	s.problems = append(s.problems, Problem{File: name, What: what, Legal: legal, Nearest: nearest})
}

// read is a quantity within a range, ends included; nil bounds bound nothing. An empty text is the fallback.
func (s *settings) read(name, text string, units []unit, fallback, low, high *big.Rat) *big.Rat {
	if text == "" {
		return fallback
	}
	show := func(v *big.Rat) string { return quantityString(v, units) }
	if units[0].suffix == "" && len(units) > 1 {
		show = rateString
	}
	v, ok := quantity(text, units)
	if !ok {
		s.refuse(name, fmt.Sprintf("%q is not understood", text), "a number with a unit, such as "+show(fallback), "")
		return fallback
	}
	legal := "from " + show(low)
	if high != nil {
		legal = show(low) + " to " + show(high)
	}
	switch {
	case v.Cmp(low) < 0:
		s.refuse(name, show(v)+" is too small", legal, show(low))
		return low
	case high != nil && v.Cmp(high) > 0:
		s.refuse(name, show(v)+" is too large", legal, show(high))
		return high
	}
	return v
}

// window is a window, which must not round to 0.
func (s *settings) window(name, text string, f fixed.Format, fallback, low, high *big.Rat) *big.Rat {
	v := s.read(name, text, sizeUnits, fallback, low, high)
	if raw, ok := f.Raw(v); ok && raw.Sign() == 0 && v.Sign() > 0 {
		s.refuse(name, fmt.Sprintf("%s bytes round to 0", approx(v)), fmt.Sprintf("from %s bytes (%s)", approx(f.Ulp()), f),
			approx(f.Ulp())+" bytes")
	}
	return v
}

// profile is the number of the profile, within the engine's.
func (s *settings) profile(e *Engine) int {
	if n := min(max(s.Profile, 0), e.Profiles-1); n != s.Profile {
		s.refuse("profile", fmt.Sprint(s.Profile), fmt.Sprintf("0 to %d", e.Profiles-1), fmt.Sprint(n))
		return n
	}
	return s.Profile
}

// flows is N.
func (s *settings) flows(e *Engine) int {
	if s.Flows < 0 {
		s.refuse("flows", fmt.Sprint(s.Flows), "1 or more", "1")
	}
	if s.Flows <= 0 {
		return e.Flows
	}
	return s.Flows
}

// eta is the target utilisation.
func (s *settings) eta() *big.Rat {
	low, high := big.NewRat(1, 1000), big.NewRat(1, 1)
	return s.read("eta", s.Eta, []unit{{"", 1}}, big.NewRat(95, 100), low, high)
}

// err is what was wrong; nil: nothing.
func (s *settings) err() error {
	if len(s.problems) == 0 {
		return nil
	}
	return errors.New(s.problems.Error())
}

// Words are the entries that software writes for settings: those of the links, then those of the profile.
func (c *NIC) Words(of Settings) ([]Word, error) {
	s := &settings{Settings: of}
	tick := ratUint(c.Telemetry.TickNs)
	ticks := func(n uint64) *big.Rat { return new(big.Rat).Mul(ratUint(n), tick) }
	longest := ticks(c.MaxRTTTicks)
	t := s.read("rtt", s.RTT, durationUnits, longest, ticks(c.MinRTTTicks), longest)
	if !t.IsInt() {
		s.refuse("rtt", quantityString(t, durationUnits)+" is no whole number of nanoseconds", "", "")
	}
	slowest, fastest := ratUint(c.RatesBps[0]), ratUint(c.RatesBps[len(c.RatesBps)-1])
	var rates []*big.Rat
	for _, text := range s.Rates {
		rates = append(rates, s.read("rate", text, rateUnits, fastest, slowest, fastest))
	}
	if s.Rates == nil {
		for _, bps := range c.RatesBps {
			rates = append(rates, ratUint(bps))
		}
	}
	if n := len(rates); n > c.RateCodes() {
		s.refuse("rate", fmt.Sprintf("%d rates", n), fmt.Sprintf("at most %d (rate_code_bits is %d)", c.RateCodes(),
			c.Telemetry.RateCodeBits), "")
		rates = rates[:c.RateCodes()]
	}
	p := s.constants(c.Formats.Window, t, rates, ratUint(c.MinWindow), ratUint(c.MaxWindow), s.flows(&c.Engine))
	if most := 1<<c.StageBits - 1; s.MaxStage < 0 || s.MaxStage > most {
		s.refuse("max-stage", fmt.Sprint(s.MaxStage), fmt.Sprintf("0 to %d (stage_bits is %d)", most, c.StageBits),
			fmt.Sprint(min(max(s.MaxStage, 0), most)))
	}
	profile := s.profile(&c.Engine)
	if err := s.err(); err != nil {
		return nil, err
	}
	var list []Word
	add := func(w TableWrite, err error, field, of, value string) error {
		list = append(list, Word{w, field, of, value})
		return err
	}
	for code, rate := range rates {
		bps := rate.Num().Uint64()
		link := fmt.Sprintf("rate code %d, %s", code, rateString(rate))
		w, err := c.RateEntry(code, bps, 1)
		f := c.Formats.InvB
		value := approx(f.Value(new(big.Int).SetUint64(w.Data&(1<<f.Width()-1)))) + " ticks a unit of tx; known"
		if err := add(w, err, "1/B", link, value); err != nil {
			return nil, err
		}
		w, err = c.QueueEntry(code, profile, bps, 1, p)
		value = approx(c.Formats.InvBT.Value(new(big.Int).SetUint64(w.Data))) + " a unit of qlen"
		if err := add(w, err, "1/(B T)", fmt.Sprintf("%s, profile %d", link, profile), value); err != nil {
			return nil, err
		}
	}
	entries, err := c.ProfileEntries(profile, p)
	if err != nil {
		return nil, err
	}
	raw := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	reaction := "commits alone react"
	if p.Fast {
		reaction = "every ACK reacts"
	}
	for _, w := range entries {
		word := Word{w, c.tables()[w.Table].Name, fmt.Sprintf("profile %d", profile), ""}
		switch w.Table {
		case TableRTT:
			word.Value = fmt.Sprintf("%d ticks", w.Data)
		case TableInvRTT:
			word.Value = approx(c.Formats.InvT.Value(raw(w.Data))) + " a tick"
		case TableEta:
			word.Value = approx(c.Formats.Eta.Value(raw(w.Data)))
		case TableStage:
			word.Field, word.Value = "maxStage", fmt.Sprintf("%d; %s", p.MaxStage, reaction)
		default:
			word.Value = approx(c.Formats.Window.Value(raw(w.Data))) + " bytes"
		}
		list = append(list, word)
	}
	return list, nil
}

// constants are those of a profile.
func (s *settings) constants(f fixed.Format, t *big.Rat, rates []*big.Rat, least, most *big.Rat, flows int) Profile {
	p := Profile{BaseRTTNs: t.Num().Uint64(), Eta: s.eta(), MaxStage: s.MaxStage, Fast: s.Fast}
	fastest := new(big.Rat)
	for _, r := range rates {
		if r.Cmp(fastest) > 0 {
			fastest = r
		}
	}
	first := new(big.Rat).Mul(fastest, t) // W_init, in bits of 1e-9 s
	first.Quo(first, big.NewRat(8e9, 1))
	limit := most
	if first.Sign() > 0 && first.Cmp(most) < 0 {
		limit = first
	}
	p.WMax = s.window("w-max", s.WMax, f, limit, least, most)
	p.WMin = s.window("w-min", s.WMin, f, least, least, most)
	increase := least
	if first.Sign() > 0 {
		increase = FairIncrease(first, p.Eta, flows)
	}
	p.WAI = s.window("w-ai", s.WAI, f, increase, new(big.Rat), most)
	if p.WMin.Cmp(p.WMax) > 0 {
		s.refuse("w-min", decimalString(p.WMin)+" bytes are above W_max", "at most "+decimalString(p.WMax)+" bytes",
			decimalString(p.WMax)+" bytes")
	}
	return p
}

// Words are the entries that software writes for settings. Rates matter for the defaults of windows alone; without any,
// W_max is as large as it can be, and W_min and W_ai are 1500 bytes.
func (c *AIMD) Words(of Settings) ([]Word, error) {
	s := &settings{Settings: of}
	tick := ratUint(c.TickNs)
	// T such that tick/T is held, and does not round to 0.
	longest := new(big.Rat).Quo(new(big.Rat).Mul(tick, big.NewRat(2, 1)), c.InvT.Ulp())
	shortest := new(big.Rat).Quo(tick, c.InvT.Max())
	whole := func(v *big.Rat, up int64) *big.Rat {
		n := new(big.Int).Quo(v.Num(), v.Denom())
		if !v.IsInt() {
			n.Add(n, big.NewInt(up))
		}
		return new(big.Rat).SetInt(n)
	}
	longest, shortest = whole(longest, 0), whole(shortest, 1)
	if most := ratUint(1e9); longest.Cmp(most) > 0 {
		longest = most
	}
	t := s.read("rtt", s.RTT, durationUnits, longest, shortest, longest)
	var rates []*big.Rat
	for _, text := range s.Rates {
		rates = append(rates, s.read("rate", text, rateUnits, ratUint(1e11), ratUint(1e6), ratUint(1e14)))
	}
	most := c.Window.Max()
	least := big.NewRat(1500, 1)
	if least.Cmp(most) > 0 {
		least = most
	}
	p := s.constants(c.Window, t, rates, least, most, s.flows(&c.Engine))
	profile := s.profile(&c.Engine)
	if err := s.err(); err != nil {
		return nil, err
	}
	entries, err := c.ProfileEntries(profile, p)
	if err != nil {
		return nil, err
	}
	tables := c.Software().Tables
	var list []Word
	for i, w := range entries {
		f, unit := c.Window, " bytes"
		if i == len(entries)-1 {
			f, unit = c.InvT, " a tick"
		}
		list = append(list, Word{w, tables[w.Table].Name, fmt.Sprintf("profile %d", profile),
			approx(f.Value(new(big.Int).SetUint64(w.Data))) + unit})
	}
	return list, nil
}
