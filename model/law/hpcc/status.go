package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/model/engine"
)

// Kind is the effect of an ACK on its flow. The values are those of the port m_kind.
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

// Status is the reason for the kind of an ACK: the row of the classification table of docs/numeric.md, and
// for a reaction whether the window was clamped.
type Status = engine.Status

// The statuses.
const (
	StatusOK           = engine.StatusOK
	StatusFirst        = engine.StatusFirst
	StatusNoTelemetry  = engine.StatusNoTelemetry
	StatusRejectedHops = engine.StatusRejectedHops
	StatusRejectedRate = engine.StatusRejectedRate
	StatusRejectedFlow = engine.StatusRejectedFlow
	StatusPathChanged  = engine.StatusPathChanged
	StatusStale        = engine.StatusStale
	StatusIdle         = engine.StatusIdle
	StatusNoTime       = engine.StatusNoTime
	StatusNoCommit     = engine.StatusNoCommit
	StatusClampedMin   = engine.StatusClampedMin
	StatusClampedMax   = engine.StatusClampedMax
)
