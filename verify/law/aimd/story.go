package aimd

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/aimd"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// story has a flow whose window grows, and is halved after marks.
func story(cfg *config.AIMD) (*stimulus.Story[aimd.Event, aimd.Write], error) {
	// T is such that 1/T fits its format with some bits to spare.
	ticks := new(big.Rat).Mul(big.NewRat(64, 1), new(big.Rat).Inv(cfg.InvT.Max()))
	rtt := new(big.Int).Add(new(big.Int).Quo(ticks.Num(), ticks.Denom()), big.NewInt(1)).Uint64()
	top := new(big.Rat).Mul(cfg.Window.Max(), big.NewRat(1, 2))
	part := func(d int64) *big.Rat { return new(big.Rat).Mul(top, big.NewRat(1, d)) }
	profile := config.Profile{BaseRTTNs: rtt * cfg.TickNs, WMax: top, WMin: part(8), WAI: part(16)}
	entries, err := cfg.ProfileEntries(0, profile)
	if err != nil {
		return nil, err
	}
	bytes := func(v *big.Rat) string {
		f, _ := v.Float64()
		return fixed.SI(f, "B", 5)
	}
	about := map[config.Table]string{
		aimd.TableWAI: "profile 0: W_ai is " + bytes(profile.WAI), aimd.TableWMin: "W_min is " + bytes(profile.WMin),
		aimd.TableWMax: "W_max is " + bytes(profile.WMax),
		aimd.TableInvT: fmt.Sprintf("1/T; T is %s", fixed.SI(float64(profile.BaseRTTNs)*1e-9, "s", 5)),
	}
	s := &stimulus.Story[aimd.Event, aimd.Write]{}
	for _, w := range entries {
		s.Tables = append(s.Tables, stimulus.Told[config.TableWrite]{About: about[w.Table], Op: w})
	}
	half, _ := cfg.Window.Raw(part(2))
	generation, flow := uint8(random.Mask(cfg.GenBits)&1), uint32(min(3, cfg.Flows-1))
	s.Open.About = fmt.Sprintf("Flow %d begins with half of the largest window.", flow)
	s.Open.Op = aimd.Write{Flow: flow, Mask: ^aimd.MaskClose & 31, Generation: generation, W: half.Uint64()}

	e := aimd.Event{Flow: flow, Generation: generation, Now: 1000, AckSeq: 1000, SndNxt: 11_000}
	for _, a := range []struct {
		about string
		acked uint32 // bytes since the ACK before
		mark  bool
	}{
		{"The first ACK of the flow: the first round trip begins.", 0, false},
		{"Within the round trip: nothing to do.", 5_000, false},
		{"The round trip is over without a mark: the window grows.", 5_001, false},
		{"Another one.", 10_001, false},
		{"A switch has marked the packet: it is kept in mind.", 5_000, true},
		{"No further mark.", 4_000, false},
		{"The round trip is over: the window is halved.", 1_001, false},
		{"A mark that comes with the end of a round trip: halved again.", 10_001, true},
		{"The window grows again.", 10_001, false},
	} {
		e.Now += rtt / 4
		e.AckSeq = (e.AckSeq + a.acked) & uint32(random.Mask(cfg.SeqBits))
		e.SndNxt = (e.AckSeq + 10_000) & uint32(random.Mask(cfg.SeqBits))
		e.Mark = a.mark
		e.Tag++
		s.Events = append(s.Events, stimulus.Told[aimd.Event]{About: a.about, Op: e})
	}
	e.Flow = (e.Flow + 1) % uint32(cfg.Flows)
	e.Tag++
	s.Events = append(s.Events, stimulus.Told[aimd.Event]{About: "An ACK of a flow that is not open.", Op: e})
	return s, nil
}

// says is what the value of an output port means.
func says(cfg *config.AIMD) func(port string, v uint64) string {
	return func(port string, v uint64) string {
		_, name, _ := strings.Cut(port, "_")
		switch name {
		case "kind":
			if v <= uint64(aimd.KindUpdate) {
				return aimd.Kind(v).String()
			}
		case "status":
			return engine.Status(v).String()
		}
		if q, ok := units(cfg)(name); ok {
			return q.Text(v, 5)
		}
		return ""
	}
}
