package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/engine"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

// Scenario names the intended effect of an ACK. Coverage counts whether it had that effect: a write to the flow's
// context may come between.
type Scenario uint8

// The scenarios.
const (
	Plain         Scenario = iota // telemetry as a network would produce it
	LongGap                       // more than T since the last ACK
	ExactlyT                      // T since the last ACK
	SomeHopsStill                 // some hops' time did not advance
	AllHopsStill                  // no hop's time advanced
	OneTick                       // dts = 1
	LastForward                   // dts = half the range - 1, the largest that is not stale
	FirstStale                    // dts = half the range
	Stale                         // an older record than the stored one
	Tie                           // hops with equal u'
	EmptyQueues                   // qlen 0
	FullQueues                    // qlen at its largest
	Flood                         // as many bytes in as little time as can be: u' saturates
	Silence                       // no bytes, no queue: u' = 0 at every hop
	NoRecords                     // nhop 0
	TooManyHops                   // nhop above the maximum
	UnknownRate                   // a rate code that is not in the table
	BadFlow                       // a flow that is not open, or does not exist
	FormerLife                    // a generation other than the flow's
	PathChange                    // another path_id
	LinkChange                    // another link_id at a hop
	HopsChange                    // another nhop
	IdleEdge                      // exactly half the timestamp range since the last ACK: not idle yet
	Idle                          // more than that
	AckAtMark                     // ack_seq = lastUpdateSeq: no commit
	AckPastMark                   // ack_seq = lastUpdateSeq + 1: commit
	AckFarPast                    // the largest difference that commits
	AckTooFar                     // the smallest difference that wraps to "before"
	Noise                         // every field random
	scenarios
)

var scenarioNames = [...]string{
	stimulus.Plain, "long_gap", "exactly_t", "some_hops_still", "all_hops_still", "one_tick", "last_forward",
	"first_stale", "stale", "tie", "empty_queues", "full_queues", "flood", "silence", "no_records", "too_many_hops",
	"unknown_rate", stimulus.BadFlow, stimulus.FormerLife, "path_change", "link_change", "hops_change", "idle_edge",
	"idle", "ack_at_mark", "ack_past_mark", "ack_far_past", "ack_too_far", stimulus.Noise,
}

// want lists, per scenario, the statuses that show that it took effect; any of them suffices. Other scenarios are
// covered by their reactions.
var want = map[Scenario][]engine.Status{
	AllHopsStill: {hpcc.StatusNoTime},
	FirstStale:   {hpcc.StatusStale},
	Stale:        {hpcc.StatusStale},
	NoRecords:    {hpcc.StatusNoTelemetry},
	TooManyHops:  {hpcc.StatusRejectedHops},
	UnknownRate:  {hpcc.StatusRejectedRate},
	FormerLife:   {hpcc.StatusRejectedFlow},
	BadFlow:      {hpcc.StatusRejectedFlow},
	PathChange:   {hpcc.StatusPathChanged},
	LinkChange:   {hpcc.StatusPathChanged},
	HopsChange:   {hpcc.StatusPathChanged},
	Idle:         {hpcc.StatusIdle},
	Noise: {hpcc.StatusRejectedHops, hpcc.StatusPathChanged, hpcc.StatusStale,
		hpcc.StatusIdle, hpcc.StatusRejectedRate, hpcc.StatusFirst},
}

var reactions = []engine.Status{hpcc.StatusOK, hpcc.StatusClampedMin, hpcc.StatusClampedMax}

// scenariosOf are the scenarios of a configuration.
func scenariosOf(cfg *config.NIC) (list []stimulus.Scenario) {
	tel := &cfg.Telemetry
	impossible := map[Scenario]bool{
		FormerLife: cfg.GenBits == 0, PathChange: tel.PathIDBits == 0, LinkChange: tel.LinkIDBits == 0,
		HopsChange: cfg.MaxHops < 2, SomeHopsStill: cfg.MaxHops < 2, Tie: cfg.MaxHops < 2,
	}
	for s := range scenarios {
		effects := want[s]
		if effects == nil {
			effects = reactions
		}
		list = append(list, stimulus.Scenario{Name: scenarioNames[s], Impossible: impossible[s], Want: effects})
	}
	return list
}
