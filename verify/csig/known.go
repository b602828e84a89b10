package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// knowledge is what software has written, where it is legal: it suggests values worth trying.
type knowledge struct {
	staged     map[uint16]uint32
	capacities []uint64 // by port; 0: not committed
	window     uint64
	begun      int // type of the bucket table that is being written
	table      []uint64
	bounds     [config.CSIGTypes][]uint64
	quantizer  [config.CSIGTypes]config.CSIGQuantizer
}

// unknownCapacity is the assumed capacity of a port that has not been committed, in kbit/s.
const unknownCapacity = 100_000_000

func (k *knowledge) reset(c *config.CSIG) {
	*k = knowledge{staged: k.staged, capacities: k.capacities, window: max(c.WindowNs, 1000), table: k.table[:0]}
	if k.staged == nil {
		k.staged, k.capacities = map[uint16]uint32{}, make([]uint64, c.Ports)
	}
	clear(k.staged)
	clear(k.capacities)
}

func (k *knowledge) capacity(port int) uint64 {
	if port < len(k.capacities) && k.capacities[port] > 0 {
		return k.capacities[port]
	}
	return unknownCapacity
}

// written records a write.
func (k *knowledge) written(w *transit.Write) {
	if w.Strb != transit.AllStrobes {
		return
	}
	v := uint64(w.Data)
	switch w.Addr {
	case registers.PortCommit:
		if c := uint64(k.staged[registers.PortCapacity]); v < uint64(len(k.capacities)) && c >= 1000 {
			k.capacities[v] = c
		}
	case registers.EstimateCommit:
		if n := uint64(k.staged[registers.EstimateWindow]); n >= 1000 && n <= 1_000_000_000 {
			k.window = n
		}
	case registers.BucketStart:
		k.begun, k.table = int(v), k.table[:0]
	case registers.BucketPush:
		k.table = append(k.table, v)
	case registers.BucketCommit:
		if k.begun < config.CSIGTypes && len(k.table) > 0 {
			k.bounds[k.begun] = append([]uint64(nil), k.table...)
		}
	case registers.QuantizerCommit:
		if step := k.staged[registers.QuantizerStep]; v < config.CSIGTypes && step > 0 {
			k.quantizer[v] = config.CSIGQuantizer{Base: uint64(k.staged[registers.QuantizerBase]), Step: uint64(step)}
		}
	default:
		k.staged[w.Addr] = w.Data
	}
}
