package engine

import (
	"cmp"
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// check reports a violation of what the frame relies on.
func check(c *config.Engine) error {
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

func masksOf(c *config.Engine) masks {
	return masks{
		flow: uint32(wide.Mask(c.FlowBits())), generation: uint8(wide.Mask(c.GenBits)),
		tag: wide.Mask(c.TagBits), count: wide.Mask(c.CountBits),
	}
}
