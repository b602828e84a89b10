package csig

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
)

// A register may stand at each place or not, whatever the others do: signals of different stages never meet.
func TestPlaces(t *testing.T) {
	of := reflect.TypeFor[block.Places]()
	for _, bits := range []int{64, 512} {
		c := &config.CSIG{
			Name: "places", Ports: 5, DataBits: bits, TimeBits: 48, ByteBits: 32, RecipBits: 18, RatioBits: 16, QlenBits: 24,
			Deep:        bits > 64,
			CompactTPID: 0x9100, ExpandedTPID: 0x9200, VLANTPIDs: []uint16{0x8100}, Method: config.CSIGRaw,
		}
		for i := range of.NumField() {
			s := block.NewShape(c)
			place := reflect.ValueOf(&s.At).Elem().Field(i)
			place.SetBool(!place.Bool())
			_, err := build(s)
			assert.NoError(t, err, fmt.Sprintf("%d bits, %s", bits, of.Field(i).Name))
		}
	}
}
