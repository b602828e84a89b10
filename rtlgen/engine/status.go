package engine

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// StatusBits is the width of m_status.
const StatusBits = 4

// Statuses of a decision, docs/architecture.md. A status has the same code with every law.
const (
	StatusOK = iota
	StatusFirst
	StatusNoTelemetry
	StatusRejectedHops
	StatusRejectedRate
	StatusRejectedFlow
	StatusPathChanged
	StatusStale
	StatusIdle
	StatusNoTime
	StatusNoCommit
	StatusClampedMin
	StatusClampedMax
)

// Status is a status as a signal.
func Status(code uint64) vgen.Signal { return vgen.Const(StatusBits, code) }
