package wide

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
)

// The port that carries a signal's value determines its unit, whatever its type.
func TestUnits(t *testing.T) {
	s := block.NewShape(&config.CSIG{Ports: 4, DataBits: 512, Deep: true, TimeBits: 48, ByteBits: 32, RecipBits: 18, QlenBits: 24,
		CompactTPID: 0x9100})
	for _, p := range signalBlock(s).Ports() {
		if p.Name == "m_value" {
			for _, row := range block.SignalTypes {
				assert.Contains(t, p.Doc, row.Unit, row.Name)
			}
			return
		}
	}
	t.Fatal("no value")
}
