package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// Status is the outcome of a packet in a device, with its reason.
type Status uint8

// The statuses. Only Updated, Stripped and Distrusted change the packet.
const (
	Untagged   Status = iota // no tag
	Short                    // ends before a tag could be: a runt
	Hidden                   // after a SecTAG that hides it
	Truncated                // ends inside its tag
	Updated                  // value and locator replaced
	Kept                     // compared, and the packet's value stays
	Held                     // d of UEC: not to be updated
	Passed                   // by the port's action
	Stripped                 // by the port's action
	Distrusted               // stripped: it came from an ingress port without trust
	NoPort                   // from or to a port that the device does not have
	Dropped                  // does not leave: a tag could be left in it that is not to leave
	statuses
)

var statusNames = [...]string{
	"untagged", "short", "hidden", "truncated", "updated", "kept", "held", "passed", "stripped", "distrusted",
	"no_port", "dropped",
}

// String is the status's name in replays.
func (s Status) String() string { return nameOf("status", statusNames[:], uint8(s)) }

// Event is what happened to a packet.
type Event struct {
	Status  Status
	Place   telemetry.Place
	Tag     telemetry.CSIG // as it arrived, when there is a whole one
	Signals Signals        // of the egress port; not with NoPort
	Value   uint64         // the local signal of the tag's type: Updated, Kept
	Code    uint32         // Value's code, which the packet's was compared with: Updated, Kept
}

// decode reads the tag, if there is a whole one.
func (ev *Event) decode(pkt []byte, split telemetry.CSIGSplit) {
	if ev.Place.Find != telemetry.FindTag {
		return
	}
	if _, err := ev.Tag.Decode(pkt[ev.Place.Offset+telemetry.CSIGTPIDLen:], ev.Place.Size, split); err != nil {
		panic("csig: a whole tag does not decode: " + err.Error())
	}
}

// compare decides between the local code and that of the packet.
func (ev *Event) compare(code uint32) {
	ev.Value, ev.Code = ev.Signals.Of(ev.Tag.Type), code
	ev.Status = Kept
	if Replaces(ev.Tag.Type, code, ev.Tag.Value) {
		ev.Status = Updated
	}
}

// replaced is the tag of an updated packet; reserved bits stay.
func (ev *Event) replaced(l Locator) telemetry.CSIG {
	tag := ev.Tag
	tag.Value, tag.Locator = ev.Code, l.Of(ev.Place.Size)
	return tag
}

// Counters count the packets of one egress port by status. Stacked counts, besides, those with a second CSIG tag
// after the first.
type Counters struct {
	By      [statuses]uint64
	Stacked uint64
}
