package nic

// kindBits and statusBits are the widths of the codes in a result.
const (
	kindBits   = 2
	statusBits = 4
)

// Kinds of a result, docs/architecture.md.
const (
	kindNone = iota
	kindFirst
	kindUpdate
	kindFast
)

// Statuses of a result, docs/architecture.md.
const (
	statusOK = iota
	statusFirst
	statusNoTelemetry
	statusRejectedHops
	statusRejectedRate
	statusRejectedFlow
	statusPathChanged
	statusStale
	statusIdle
	statusNoTime
	statusNoCommit
	statusClampedMin
	statusClampedMax
)
