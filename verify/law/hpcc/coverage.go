package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// Events of the law's own.
const (
	eventUHopSaturated = iota
	eventUZero
	eventTieForMax
	eventLaterHopWins
	eventTauBelowT
	eventAlphaOne
	eventQuotientSaturated
	eventStageKept
	eventStageReset
	eventStageAtLimit
	eventRateSaturated
	eventCommitWraps
	eventFormerLifeFirst
	eventNhop // and one for each number of hops
	events    = eventNhop + 16
)

// bins are the coverage bins of a configuration.
func bins(cfg *config.NIC) stimulus.Bins {
	b := stimulus.Bins{
		Scenarios: scenariosOf(cfg),
		Fields:    []string{"profile", "u", "wc", "w", "stage", "seq", "start", "close"},
		Events: []string{
			"u_hop_saturated", "u_zero", "tie_for_max", "later_hop_wins", "alpha_below_one", "alpha_one",
			"quotient_saturated", "stage_counts", "stage_returns_to_zero", "stage_at_limit", "rate_saturated",
			"sequence_wraps", "ack_of_a_former_life_before_the_first",
		},
	}
	for i := range events - eventNhop {
		b.Events = append(b.Events, fmt.Sprint("nhop_", i))
	}
	for s := range hpcc.StatusClampedMax + 1 {
		b.Statuses = append(b.Statuses, s)
	}
	for k := range hpcc.KindFast + 1 {
		b.Kinds = append(b.Kinds, k.String())
	}
	for t := range config.TableWMax + 1 {
		b.Tables = append(b.Tables, fmt.Sprint(int(t)))
	}
	tel := &cfg.Telemetry
	for row, lacks := range map[string]bool{
		"status path_changed": tel.PathIDBits == 0 && tel.LinkIDBits == 0 && cfg.MaxHops < 2,
		"event tie_for_max":   cfg.MaxHops < 2, "event later_hop_wins": cfg.MaxHops < 2,
		"event sequence_wraps":                        cfg.CommitByTime,
		"event ack_of_a_former_life_before_the_first": cfg.GenBits == 0,
		"context write profile":                       cfg.Profiles == 1,
	} {
		if lacks {
			b.Unreachable = append(b.Unreachable, row)
		}
	}
	return b
}

// observe counts an ACK. An ACK that was rejected has left its flow's context as it was.
func observe(c *stimulus.Coverage, a *hpcc.Ack, r *hpcc.Result, of *hpcc.Context) {
	c.Hit(eventFormerLifeFirst, r.Status == hpcc.StatusRejectedFlow && of.Open && !of.HasTelemetry)
	c.Hit(eventCommitWraps, r.Kind == hpcc.KindUpdate && a.SndNxt < a.AckSeq)
	c.Hit(eventNhop+a.Nhop&15, true)
}

// react counts a reaction.
func react(cfg *config.NIC, c *stimulus.Coverage, t *hpcc.Taps) {
	f := &cfg.Formats
	ties := 0
	for i, u := range t.UHop {
		if t.HopValid[i] {
			c.Hit(eventUHopSaturated, u == random.Mask(f.U.Width()))
			if u == t.UMax && u > 0 {
				ties++
			}
		}
	}
	one := uint64(1) << f.Alpha.Frac
	limit := uint32(random.Mask(cfg.StageBits))
	c.Hit(eventTieForMax, ties > 1)
	c.Hit(eventUZero, t.UMax == 0)
	c.Hit(eventLaterHopWins, t.ArgMax > 0)
	c.Hit(eventTauBelowT, t.Alpha > 0 && t.Alpha < one)
	c.Hit(eventAlphaOne, t.Alpha == one)
	c.Hit(eventQuotientSaturated, t.Quotient == random.Mask(f.Quot.Width()))
	c.Hit(eventRateSaturated, t.Rate == random.Mask(f.Rate.Width()))
	if t.Kind == hpcc.KindUpdate {
		c.Hit(eventStageKept, t.Stage > 0)
		c.Hit(eventStageReset, t.Stage == 0)
		c.Hit(eventStageAtLimit, t.Stage == limit)
	}
}
