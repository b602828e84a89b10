package block

// Timing is what a co-simulation must know of a generated switch, in cycles (docs/csig.md, Cycles of a packet).
type Timing struct {
	Lookup, Meter, Scale, Code, Count, Decision int // after a packet's header cycle
	Offer                                       int // from a beat's acceptance until the editor can take it
	Credits                                     int // beats that the pipeline holds
	// beats between the taking of one and m_axis; 0: m_axis stops the editor
	Room   int
	Act    int // from the cycle in which an access is chosen to that in which it acts
	Answer int // from there to its answer
	Sweep  int // cycles after reset in which nothing is accepted
}
