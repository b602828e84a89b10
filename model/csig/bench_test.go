package csig_test

import (
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
