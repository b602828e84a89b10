package csig

// Mixes: the distribution of packets in a phase.
const (
	Runts    = iota // of one beat each: a packet a cycle
	Minimum         // Ethernet frames of 64 bytes with FCS, some with tags
	IMIX            // 7 of 64, 4 of 594, 1 of 1518 bytes with FCS, some with tags
	Jumbo           // up to 9,600 bytes, some with tags
	Tagged          // with tags of every kind, in every place
	Stripped        // whose tags are all removed
	OnePort         // minimum frames with tags, all to one egress port
	AllPorts        // minimum frames with tags, to all egress ports in turn
	Edges           // as long as a number of beats, or one byte more or less; tags near and at the end
	Garbage         // random bytes after TPIDs, truncated, stacked, hidden tags
	Dense           // runts of one beat between minimum frames with tags: many bytes on the wire in few cycles
	// nothing after the tag and hardly anything before it: the highest possible rate of tags
	Shortest
)

var mixNames = []string{"runts", "minimum", "imix", "jumbo", "tagged", "stripped", "one_port", "all_ports",
	"edges", "garbage", "dense", "shortest"}

// length draws the number of bytes of a packet whose headers have so many, and whose tag ends at a byte (0: no tag).
func (d *device) length(headers, tagEnd int) int {
	r := &d.R
	switch d.Mix {
	case Runts:
		return 1 + r.N(d.Width())
	case Minimum, OnePort, AllPorts:
		return 60
	case Shortest:
		if tagEnd == 0 {
			return 1 + r.N(headers)
		}
		return tagEnd + max(0, r.N(8)-5)
	case Dense:
		if tagEnd == 0 {
			return 1 + r.N(d.Width())
		}
		return max(60, headers)
	case Stripped:
		if r.OneIn(4) { // a last beat that moves up as a whole, and its neighbours
			beats := (headers + d.Width()) / d.Width()
			return max(tagEnd, beats*d.Width()+r.N(14)-1)
		}
		return max(60, headers)
	case IMIX:
		switch n := r.N(12); {
		case n < 7:
			return 60
		case n < 11:
			return 590
		}
		return 1514
	case Jumbo:
		if r.OneIn(24) && d.huge > 0 {
			d.huge--
			return 65530 + r.N(12)
		}
		if r.OneIn(3) {
			return 9600
		}
		return 1514 + r.N(9600-1514)
	case Tagged:
		return max(60, headers) + r.N(200)
	case Edges:
		n := 1 + r.N(6)
		if r.OneIn(8) {
			n = 1 + r.N(40)
		}
		if tagEnd > 0 && r.OneIn(2) { // the tag is at the very end, or close to it
			return max(1, tagEnd+r.N(12)-1)
		}
		return max(1, n*d.Width()+r.N(11)-5)
	case Garbage:
		switch r.N(4) {
		case 0: // ends anywhere in the headers
			return 1 + r.N(headers)
		case 1:
			if tagEnd > 0 {
				return max(1, tagEnd-r.N(8))
			}
		}
		return headers + r.N(2*d.Width())
	}
	return max(60, headers)
}

// tagged draws whether a packet of the mix carries a tag.
func (d *device) tagged() bool {
	switch d.Mix {
	case Minimum, IMIX, Jumbo:
		return d.R.OneIn(3)
	case Runts, Edges, Garbage:
		return !d.R.OneIn(4)
	case Dense:
		return d.R.OneIn(8)
	case Shortest:
		return !d.R.OneIn(32)
	}
	return true
}
