package engine

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/hdlpkg/hpccgen/model/wide"
)

// Config is what the frame needs to know of a design besides its timing.
type Config struct {
	Flows      int  // contexts, 1 to 65536; the ports have the bits of the largest index
	GenBits    int  // width of a generation, 0 to 8
	TagBits    int  // width of a tag, 0 to 64
	CountBits  int  // width of a counter, 1 to 64
	AsyncReset bool // reset acts at once, not at the clock edge
}

func (c Config) check() error {
	return cmp.Or(
		Within("counter bits", c.CountBits, 1, 64),
		Within("generation bits", c.GenBits, 0, 8),
		Within("tag bits", c.TagBits, 0, 64),
		Within("flows", c.Flows, 1, 1<<16),
	)
}

// Within returns an error if a number of a configuration is out of the range in which a model can compute.
func Within(name string, got, low, high int) error {
	if got < low || got > high {
		return fmt.Errorf("golden model: %s: %d; must lie between %d and %d", name, got, low, high)
	}
	return nil
}

// masks cut values to the widths of their ports.
type masks struct {
	flow       uint32
	generation uint8
	tag, count uint64
}

func (c Config) masks() masks {
	return masks{
		flow: uint32(wide.Mask(bits.Len(uint(c.Flows - 1)))), generation: uint8(wide.Mask(c.GenBits)),
		tag: wide.Mask(c.TagBits), count: wide.Mask(c.CountBits),
	}
}
