package csig_test

import (
	"fmt"
	"testing"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

func BenchmarkProcess(b *testing.B) {
	for name, pkt := range map[string][]byte{
		"untagged": packet("81000064", 1500),
		"compact":  tagged(b, packet("81000064", 1500), telemetry.CSIG{Type: 2}, telemetry.CSIGCompact, telemetry.CSIGIETF),
		"expanded": tagged(b, packet("81000064", 1500), telemetry.CSIG{Type: 2}, telemetry.CSIGExpanded, telemetry.CSIGIETF),
	} {
		b.Run(name, func(b *testing.B) {
			d := newDevice(b, csig.DefaultConfig(64, 100e6))
			b.ReportAllocs()
			b.SetBytes(int64(len(pkt)))
			now := uint64(1 << 20)
			for b.Loop() {
				now += 120
				d.Process(pkt, csig.Meta{EgressPort: 7, IngressNs: now - 50_000, EgressNs: now})
			}
		})
	}
}

// BenchmarkClocked is a line of packets without gaps.
func BenchmarkClocked(b *testing.B) {
	for _, dataBits := range []int{64, 512} {
		for name, pkt := range map[string][]byte{
			"64 bytes, compact":      compactPacket(b, 2, 46),
			"1500 bytes, compact":    compactPacket(b, 2, 1482),
			"1500 bytes, untagged":   packet("81000064", 1482),
			"64 bytes, no-VLAN, raw": packet("", 50),
		} {
			b.Run(fmt.Sprintf("%d bits, %s", dataBits, name), func(b *testing.B) {
				r := newRig(b, design(64, dataBits), timing).program()
				r.send(pkt, csig.Meta{EgressPort: 7})
				r.in.Valid, r.in.MReady = true, true
				at, now := 0, uint64(1<<20)
				b.ReportAllocs()
				cycles := 0
				for b.Loop() {
					r.in.Beat = r.source[at].beat
					if at == 0 {
						r.in.Meta = csig.Meta{EgressPort: int(now & 63), IngressNs: now - 50_000, EgressNs: now}
					}
					r.m.Cycle(&r.in, &r.out)
					if r.out.Ready {
						at = (at + 1) % len(r.source)
						now += 5
					}
					cycles++
				}
				b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
			})
		}
	}
}
