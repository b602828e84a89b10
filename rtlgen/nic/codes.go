package nic

// kindBits and statusBits are the widths of the codes in a result. The kinds, docs/architecture.md, are 0 none, 1 first,
// 2 update, 3 fast: bit 1 says that the flow reacts, so that flowBlock forms them from two signals.
const (
	kindBits   = 2
	statusBits = 4
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
