package timing

// Transit is what every packet pipeline publishes. A beat that is accepted waits until the editor takes it, passes its
// registers A and B, and shows on m_axis. An access of software is chosen, acts and is answered.
type Transit struct {
	Spacing int `json:"spacing"`        // from a packet's first beat to that of the next, at least
	Offer   int `json:"offer"`          // from a beat's acceptance until it can be taken
	Credits int `json:"credits"`        // beats that the pipeline holds
	Return  int `json:"return"`         // from the taking of a beat until its place is free
	Room    int `json:"room"`           // beats between the taking of one and m_axis; 0: m_axis stops the editor
	Enter   int `json:"enter"`          // from the taking of a beat to register A
	Leave   int `json:"leave"`          // from register B to m_axis
	Gone    int `json:"gone,omitempty"` // with Room: from a beat's leaving until there is room for another
	Act     int `json:"act"`            // from the cycle in which an access is chosen to that in which it acts
	Answer  int `json:"answer"`         // from there to its answer
	Sweep   int `json:"sweep"`          // after reset, in which nothing is accepted
}

// Edit is from the taking of a beat until m_axis shows it, when nothing holds it up: through registers A and B.
func (t Transit) Edit() int { return t.Enter + 1 + t.Leave }

// Through is the same from the beat's acceptance.
func (t Transit) Through() int { return t.Offer + t.Edit() }

// CSIG is the timing of a csig_switch (docs/csig.md, Cycles of a packet).
type CSIG struct {
	// After a packet's header cycle.
	Lookup   int `json:"lookup"`
	Meter    int `json:"meter"`
	Scale    int `json:"scale"`
	Code     int `json:"code"`
	Count    int `json:"count"`
	Stacked  int `json:"stacked"` // the counter of stacked tags
	Decision int `json:"decision"`

	Transit

	// From the cycle in which a PORT_COMMIT or an ESTIMATE_COMMIT acts to that as of which it is in force, and to its
	// answer; likewise of a BUCKET_COMMIT of a whole table. Each bound that a table lacks takes both Absent longer.
	Commit        int `json:"commit"`
	CommitAnswer  int `json:"commit_answer"`
	Buckets       int `json:"buckets,omitempty"`
	BucketsAnswer int `json:"buckets_answer,omitempty"`
	Absent        int `json:"absent,omitempty"`
}

// INT is the timing of an int_source (docs/int.md, Cycles of a packet).
type INT struct {
	// After a packet's header cycle.
	Lookup   int `json:"lookup"`
	Tx       int `json:"tx"`
	Count    int `json:"count"`
	Decision int `json:"decision"`

	Transit
}
