package stimulus

import "github.com/hdlpkg/hpccgen/model/law/hpcc"

// Scenario names what an ACK was made to be. Whether it had that effect is what Coverage counts: a write
// to the flow's context may come between.
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
	UnknownRate                   // a rate code that the table does not know
	BadFlow                       // a flow that is not open, or does not exist
	FormerLife                    // another generation than that of its flow
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
	"plain", "long_gap", "exactly_t", "some_hops_still", "all_hops_still", "one_tick", "last_forward", "first_stale", "stale", "tie",
	"empty_queues", "full_queues", "flood", "silence", "no_records", "too_many_hops", "unknown_rate", "bad_flow", "former_life",
	"path_change", "link_change", "hops_change", "idle_edge", "idle", "ack_at_mark", "ack_past_mark", "ack_far_past",
	"ack_too_far", "noise",
}

// String is the name in coverage reports.
func (s Scenario) String() string { return scenarioNames[s] }

// want lists, per scenario, the statuses that show it had its effect; any of them will do.
// Scenarios that are not listed are covered by their reactions.
var want = map[Scenario][]hpcc.Status{
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
}

var reactions = []hpcc.Status{hpcc.StatusOK, hpcc.StatusClampedMin, hpcc.StatusClampedMax}
