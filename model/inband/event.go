package inband

import "fmt"

// Status is the outcome of a packet in a device, with its reason. Only Inserted adds a record.
type Status uint8

// The statuses; the values are those of m_axis_tuser.
const (
	Plain     Status = iota // carries no telemetry of the device's format
	Short                   // ends inside the headers that are to be read
	Malformed               // its headers contradict one another
	Fragment                // of an IPv4 packet
	Foreign                 // telemetry, but not of the profile
	Off                     // the egress port is not enabled, or the node not committed
	Hops                    // the hop limit is used up
	Full                    // no space left in the header
	MTU                     // with a record it would exceed the MTU of the egress port
	Inserted                // has a new record
	NoPort                  // from or to a port that the device does not have
	statuses
)

// found is not a status of a packet: the walk has found where the record goes.
const found = statuses

var statusNames = [...]string{
	"plain", "short", "malformed", "fragment", "foreign", "off", "hops", "full", "mtu", "inserted", "no_port",
}

// String is the status's name in replays.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// Snapshot is the telemetry of a port as a packet leaves, in the units and widths of the record.
type Snapshot struct {
	TxBytes uint64 // units of TxUnit
	Qlen    uint64 // units of QlenUnit, saturated
	Rate    uint8
}

// Event is what happened to a packet.
type Event struct {
	Status   Status
	At       int      // where the record is: Inserted
	Snapshot Snapshot // not with NoPort
}

// Taps are values inside a device as it has decided on a packet and taken its snapshot.
type Taps struct {
	*Event
	Stamp  uint64 // egress time as the record has it, ns; ifa: residence time
	Record []byte // Inserted
}

// Counters count the packets of one egress port by status.
type Counters [statuses]uint64
