package registers

// Status is what became of a packet; docs/csig.md, What happens to it.
type Status uint8

// The statuses, and stacked, which has a counter like one.
const (
	StatusUntagged Status = iota
	StatusShort
	StatusHidden
	StatusTruncated
	StatusUpdated
	StatusKept
	StatusHeld
	StatusPassed
	StatusStripped
	StatusDistrusted
	StatusNoPort
	StatusDropped

	StatusStacked Status = 15
)

// StatusInfo describes a status.
type StatusInfo struct {
	Status Status
	Name   string
	Doc    string
}

// Statuses lists the statuses in order, stacked last.
func Statuses() []StatusInfo {
	return []StatusInfo{
		{StatusUntagged, "untagged", "without a tag; unchanged"},
		{StatusShort, "short", "that end before their first EtherType that is no tag's; unchanged"},
		{StatusHidden, "hidden", "whose SecTAG hides what follows; unchanged"},
		{StatusTruncated, "truncated", "that end inside of their tag; unchanged"},
		{StatusUpdated, "updated", "whose signal and locator were replaced"},
		{StatusKept, "kept", "whose signal stays, as it is the worse or equal; unchanged"},
		{StatusHeld, "held", "whose d bit forbids updates; unchanged"},
		{StatusPassed, "passed", "whose tag was to be passed; unchanged"},
		{StatusStripped, "stripped", "whose tag was removed on egress"},
		{StatusDistrusted, "distrusted", "whose tag was removed, as the ingress port is not trusted"},
		{StatusNoPort, "no_port", "with an ingress or egress port that does not exist; unchanged"},
		{StatusDropped, "dropped",
			"that were dropped: ambiguous, so that a tag may remain once the first is removed"},
		{StatusStacked, "stacked", "with a second tag after the first; also counted with their status"},
	}
}
