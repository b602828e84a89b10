package packets_test

import (
	"math/rand/v2"

	"github.com/hdlpkg/hpccgen/verify/packets"
)

// corpusTraffic is how packets pass through a switch.
type corpusTraffic struct {
	Seed   uint64
	Ports  int    // of the switch; now and then a packet has to do with one that it does not have
	Start  uint64 // ns since 1970
	Window uint64 // of the bandwidth measurement, in ns: gaps are around it
}

// Pass gives each packet a place and a time: bursts and pauses, so that bandwidths vary, delays and queues of all
// sizes, packets that leave in another order than they came in. Packets are numbered as they are in the list.
func (t corpusTraffic) Pass(data [][]byte) []packets.Packet {
	rng := rand.New(rand.NewPCG(t.Seed, 0x74726166))
	now, busy := t.Start, 0
	list := make([]packets.Packet, len(data))
	for i := range data {
		if busy == 0 { // a burst begins after a pause
			busy = 1 + rng.IntN(40)
			now += []uint64{0, 1, t.Window / 3, t.Window - 1, t.Window, t.Window + 1, 2*t.Window - 1, 2 * t.Window,
				5 * t.Window}[rng.IntN(9)]
		}
		busy--
		now += rng.Uint64N(uint64(len(data[i])) + 24) // at about 8 Gbit/s and more
		p := packets.Packet{Number: i + 1, Data: data[i]}
		p.IngressPort, p.EgressPort = t.port(rng), t.port(rng)
		// Every fourth packet waits for later ones.
		p.EgressNs = now
		if rng.IntN(4) == 0 {
			p.EgressNs += rng.Uint64N(3000)
		}
		p.IngressNs = p.EgressNs - rng.Uint64N(uint64(1)<<(1+rng.IntN(26)))
		if rng.IntN(200) == 0 {
			p.IngressNs = p.EgressNs + 1 + rng.Uint64N(1000) // clocks that differ
		}
		p.QlenBytes = rng.Uint64N(uint64(1) << (1 + rng.IntN(30)))
		if rng.IntN(200) == 0 {
			p.QlenBytes = 1<<60 + rng.Uint64N(1<<60)
		}
		list[i] = p
	}
	return list
}

// port picks a port: low numbers more often, so that they are busy.
func (t corpusTraffic) port(rng *rand.Rand) int {
	switch rng.IntN(100) {
	case 0:
		return t.Ports
	case 1:
		return t.Ports + rng.IntN(1<<20)
	}
	if rng.IntN(2) == 0 {
		return rng.IntN(min(t.Ports, 4))
	}
	return rng.IntN(t.Ports)
}
