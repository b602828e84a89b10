package output

// code is one value of m_kind or m_status: the position in its list.
type code struct{ name, doc string }

var kinds = []code{
	{"none", "nothing changed"},
	{"first", "the telemetry was stored; there was nothing to compare it with"},
	{"update", "reaction and commit: U, W, Wc and stage changed"},
	{"fast", "reaction between commits: U and W changed"},
}

var statuses = []code{
	{"ok", "reaction"},
	{"first", "the flow's first ACK with telemetry"},
	{"no_telemetry", "nhop is 0; counted"},
	{"rejected_hops", "more hops than the engine has; counted"},
	{"rejected_rate", "a rate code that the rate table does not know; counted"},
	{"rejected_flow", "no such flow, or not open, or another life of it; counted"},
	{"path_changed", "path identifier, nhop or a link identifier differs from the stored; counted"},
	{"stale", "older than the stored telemetry; counted"},
	{"idle", "so long after the stored telemetry that timestamps may have wrapped"},
	{"no_time", "no hop's timestamp has advanced"},
	{"no_commit", "between commits, and the profile reacts at commits only"},
	{"clamped_min", "reaction, the window raised to W_min"},
	{"clamped_max", "reaction, the window lowered to W_max"},
}
