package inband

// format holds the differences between the formats of records.
type format interface {
	protocol(Node) uint8 // of IP
	ipv4() bool          // carried in IPv4, too
	transport() bool     // part of the UDP datagram: its length and checksum speak of records
	find(pkt []byte, p place, node Node) (place, Status)
	// room reports whether the header, read from pkt, lets one more record in: found, Hops or Full.
	room(pkt []byte, p place) Status
	// change gives the 16-bit words of the headers that are others with that status, but for lengths and checksums of
	// IP and UDP.
	change(pkt []byte, p place, node Node, st Status) []word
	stamp(m Meta) uint64 // the time in a record of which HPCC takes differences
	record(pkt []byte, p place, node Node, snap Snapshot, m Meta) ([]byte, error)
}

// word is a 16-bit word that replaces the one at a byte of the packet.
type word struct {
	at    int
	value uint16
}
