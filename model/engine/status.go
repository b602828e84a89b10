package engine

import "fmt"

// Status is the outcome of an event. The values are those of the port m_status. A status has the same code with
// every law; a law has those that it needs.
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
	StatusNoCommit                   // between commits, and the law does not react
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
