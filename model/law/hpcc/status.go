package hpcc

import "fmt"

// Kind says what an ACK did to its flow. The values are those of the port m_kind.
type Kind uint8

// The kinds.
const (
	KindNone   Kind = iota // nothing
	KindFirst              // telemetry stored, nothing to compare it with
	KindUpdate             // reaction and commit: Wc and stage changed
	KindFast               // reaction without commit
)

var kindNames = [...]string{"none", "first", "update", "fast"}

// String is the kind's name in traces and replays.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Reacts reports whether the ACK changed U and W.
func (k Kind) Reacts() bool { return k == KindUpdate || k == KindFast }

// Status says why an ACK did what it did: the row of the classification table of docs/numeric.md, and
// for a reaction whether the window was clamped. The values are those of the port m_status.
type Status uint8

// The statuses.
const (
	StatusOK           Status = iota // reaction
	StatusFirst                      // no stored telemetry
	StatusNoTelemetry                // nhop is 0
	StatusRejectedHops               // more hops than the engine has
	StatusRejectedRate               // a rate code that the rate table does not know
	StatusRejectedFlow               // no such flow, or not open, or another life of it
	StatusPathChanged                // path_id, nhop or a link_id differs
	StatusStale                      // older than the stored telemetry
	StatusIdle                       // timestamps may have wrapped since the last ACK
	StatusNoTime                     // no hop's timestamp has advanced
	StatusNoCommit                   // between commits, and the profile does not react fast
	StatusClampedMin                 // reaction, window raised to W_min
	StatusClampedMax                 // reaction, window lowered to W_max
)

var statusNames = [...]string{
	"ok", "first", "no_telemetry", "rejected_hops", "rejected_rate", "rejected_flow", "path_changed",
	"stale", "idle", "no_time", "no_commit", "clamped_min", "clamped_max",
}

// String is the status's name in traces and replays.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}
