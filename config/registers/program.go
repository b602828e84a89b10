package registers

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
)

// Write is one write of a register.
type Write struct {
	Offset uint32
	Data   uint32
}

// Program is the writes that set a device up as its configuration says, each of them in order: ports, estimate, bucket
// tables, quantizers. It holds for a device in any state, not only after reset. An error says that a factor does not
// exist, which a validated configuration excludes.
func Program(c *config.CSIG) ([]Write, error) {
	p := &program{}
	for i := range c.Port {
		if err := p.port(c, i); err != nil {
			return nil, err
		}
	}
	if err := p.estimate(c); err != nil {
		return nil, err
	}
	for t, bounds := range c.Bounds {
		if c.CompactTPID != 0 && len(bounds) > 0 {
			p.write(BucketStart, uint64(t))
			for _, b := range bounds {
				p.write(BucketPush, b)
			}
			p.write(BucketCommit, 0)
		}
	}
	for t, q := range c.Quantizer {
		if c.ExpandedTPID != 0 && q.Step > 0 {
			p.write(QuantizerBase, q.Base)
			p.write(QuantizerStep, q.Step)
			p.write(QuantizerCommit, uint64(t))
		}
	}
	return p.writes, nil
}

type program struct{ writes []Write }

func (p *program) write(offset uint32, data uint64) {
	p.writes = append(p.writes, Write{offset, uint32(data)})
}

func (p *program) factor(mantissa, shift uint32, f config.Factor) {
	p.write(mantissa, f.Mantissa)
	p.write(shift, uint64(f.Shift))
}

func (p *program) port(c *config.CSIG, n int) error {
	port := &c.Port[n]
	ratio, err := c.RatioFactor(port.CapacityKbps)
	if err != nil {
		return fmt.Errorf("port %d, factor Ratio: %w", n, err)
	}
	depth, err := c.DepthFactor(port.CapacityKbps)
	if err != nil {
		return fmt.Errorf("port %d, factor Depth: %w", n, err)
	}
	trust := uint64(0)
	if port.Trusted {
		trust = 1
	}
	p.write(PortTrust, trust)
	p.write(PortCapacity, port.CapacityKbps)
	p.factor(PortRatio, PortRatioShift, ratio)
	p.factor(PortDepth, PortDepthShift, depth)
	p.write(PortActions, uint64(Actions(port.Actions)))
	for t := range config.CSIGTypes {
		p.write(PortLocator(t), uint64(port.Compact[t])|uint64(port.Expanded[t])<<16)
	}
	p.write(PortCommit, uint64(n))
	return nil
}

// Actions is the content of PORT_ACTIONS.
func Actions(of [config.CSIGTagTypes]config.CSIGAction) uint32 {
	v := uint32(0)
	for t, a := range of {
		v |= uint32(a) << (2 * t)
	}
	return v
}

func (p *program) estimate(c *config.CSIG) error {
	f, err := c.EstimateFactor()
	if err != nil {
		return fmt.Errorf("factor Estimate: %w", err)
	}
	if c.Method == config.CSIGRaw {
		p.write(EstimateWindow, c.WindowNs)
	}
	p.factor(EstimateFactor, EstimateShift, f)
	p.write(EstimateOverhead, c.OverheadBytes)
	p.write(EstimateCommit, 0)
	return nil
}
