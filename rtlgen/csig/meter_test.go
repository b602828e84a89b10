package csig

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
)

// An update is done before its port stops to be recent: so the next one finds its Value in the memory. Widest operands take longest.
func TestUpdatesEndWhilePortsAreRecent(t *testing.T) {
	for _, data := range []int{64, 512} {
		for _, ports := range []int{1, 256} {
			c := &config.CSIG{Ports: ports, DataBits: data, TimeBits: 64, ByteBits: 40, FracBits: 16, RecipBits: 32, TimeShift: 30, TickShift: 30, DecayShift: 6}
			const read = 2 // stage in which Value is read for the update
			c.Method = config.CSIGEWMA
			assert.LessOrEqual(t, ewmaMeter("ewma", c).Latency()-1-read, recentPackets, "%d bits, %d ports", data, ports)
			c.Method = config.CSIGDRE
			assert.LessOrEqual(t, dreMeter("dre", c).Latency()-3-read, recentPackets, "%d bits, %d ports", data, ports)
		}
	}
}
