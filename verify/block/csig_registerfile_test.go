package block

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// registerFile is the content of the registers of a CSIG switch, and their rules, as in docs/csig.md.
type registerFile struct {
	c        *config.CSIG
	staged   map[uint32]uint32
	noPort   uint32
	counters map[[2]uint32]uint32 // by port and status

	ports, estimates int // commits so far
	estimate         map[uint32]uint32
	quantizers       [config.CSIGTypes]struct{ base, step uint32 }

	begun         bool // a table is, and it is not void
	kind          int
	bounds        []uint32
	swap          *tableSwap // by the access that acts
	banks, tables uint64     // bank in use, and whether there is a table, by type
}

func newRegisterFile(c *config.CSIG) *registerFile {
	return &registerFile{
		c: c, staged: map[uint32]uint32{registers.EstimateOverhead: 24},
		counters: map[[2]uint32]uint32{}, estimate: map[uint32]uint32{},
	}
}

// Rules by which an access fails.
const (
	noRegister  = "no such register"
	readOnly    = "read-only"
	writeOnly   = "write-only"
	badStrobes  = "strobes"
	badPort     = "no such port"
	badCapacity = "capacity"
	badMantissa = "mantissa"
	badAction   = "action"
	badWindow   = "window"
	badType     = "no such type"
	badStep     = "step"
	noTable     = "no table begun"
	notZero     = "first bound not 0"
	decreases   = "bounds decrease"
	tooMany     = "more than 32 bounds"
	emptyTable  = "empty table"
)

// kept is the mask of the bits of a read-write register; 0 if there is no such register.
func (f *registerFile) kept(addr uint32) uint32 {
	compact, expanded := f.c.CompactTPID != 0, f.c.ExpandedTPID != 0
	switch addr {
	case registers.PortTrust:
		return 1
	case registers.PortCapacity, registers.PortRatio, registers.PortDepth, registers.PortActions, registers.EstimateFactor:
		return 0xffffffff
	case registers.PortRatioShift, registers.PortDepthShift, registers.EstimateShift:
		return 0x3f
	case registers.EstimateOverhead:
		return 0xff
	case registers.EstimateWindow:
		if f.c.Method == config.CSIGRaw {
			return 0xffffffff
		}
	case registers.QuantizerBase, registers.QuantizerStep:
		if expanded {
			return 0xffffffff
		}
	case registers.PortLocator(0), registers.PortLocator(1), registers.PortLocator(2), registers.PortLocator(3):
		low, high := uint32(0x7f), uint32(0xffff)
		if f.c.UEC {
			low, high = 0x3f, 0x7fff
		}
		if !compact {
			low = 0
		}
		if !expanded {
			high = 0
		}
		return low | high<<16
	}
	return 0
}

// command reports whether a write to the address triggers a single action.
func (f *registerFile) command(addr uint32) bool {
	switch addr {
	case registers.PortCommit, registers.EstimateCommit:
		return true
	case registers.BucketStart, registers.BucketPush, registers.BucketCommit:
		return f.c.CompactTPID != 0
	case registers.QuantizerCommit:
		return f.c.ExpandedTPID != 0
	}
	return false
}

// read returns the word, or the rule by which the read fails.
func (f *registerFile) read(addr uint32) (word uint32, rule string) {
	switch addr {
	case registers.ID:
		return 0x43534947, ""
	case registers.Version:
		return 1, ""
	case registers.Shape:
		return uint32(f.c.DataBits/8)<<16 | uint32(f.c.Ports), ""
	case registers.HashLo:
		return hexadecimal(f.c.Hash[8:]), ""
	case registers.HashHi:
		return hexadecimal(f.c.Hash[:8]), ""
	case registers.NoPort:
		return f.noPort, ""
	}
	if f.kept(addr) != 0 {
		return f.staged[addr], ""
	}
	if f.command(addr) {
		return 0, writeOnly
	}
	if port, status, ok := f.counter(addr); ok {
		return f.counters[[2]uint32{port, status}], ""
	}
	return 0, noRegister
}

func (f *registerFile) counter(addr uint32) (port, status uint32, ok bool) {
	if addr < 0x1000 || addr%4 != 0 {
		return 0, 0, false
	}
	port, status = (addr-0x1000)/64, addr%64/4
	return port, status, port < uint32(f.c.Ports) && (status < 10 || status == 11 || status == 15)
}

func hexadecimal(digits string) uint32 {
	v := uint32(0)
	for _, d := range digits {
		v <<= 4
		if d >= 'a' {
			v |= uint32(d-'a') + 10
		} else {
			v |= uint32(d - '0')
		}
	}
	return v
}

// write performs a write, or returns the rule by which it fails.
func (f *registerFile) write(addr, data, strobes uint32) (rule string) {
	if mask := f.kept(addr); mask != 0 {
		if strobes != 15 {
			return badStrobes
		}
		f.staged[addr] = data & mask
		return ""
	}
	if !f.command(addr) {
		if _, rule := f.read(addr); rule == "" {
			return readOnly
		}
		return noRegister
	}
	if strobes != 15 {
		return badStrobes
	}
	switch addr {
	case registers.PortCommit:
		return f.commitPort(data)
	case registers.EstimateCommit:
		return f.commitEstimate()
	case registers.QuantizerCommit:
		return f.commitQuantizer(data)
	case registers.BucketStart:
		f.begun, f.kind, f.bounds = data < 4, int(data&3), nil
		if !f.begun {
			return badType
		}
	case registers.BucketPush:
		rule = f.push(data)
		f.begun = f.begun && rule == ""
	case registers.BucketCommit:
		switch {
		case !f.begun:
			rule = noTable
		case len(f.bounds) == 0:
			rule = emptyTable
		default:
			f.swap = &tableSwap{kind: f.kind, bounds: f.bounds}
		}
		f.begun = false
	}
	return rule
}

func (f *registerFile) push(bound uint32) string {
	switch n := len(f.bounds); {
	case !f.begun:
		return noTable
	case n == 0 && bound != 0:
		return notZero
	case n == 32:
		return tooMany
	case n > 0 && bound < f.bounds[n-1]:
		return decreases
	}
	f.bounds = append(f.bounds, bound)
	return ""
}

// mantissa reports whether a staged mantissa is normalised.
func (f *registerFile) mantissa(addr uint32) bool {
	return uint64(f.staged[addr])>>(f.c.RecipBits-1) == 1
}

func (f *registerFile) commitPort(port uint32) string {
	switch {
	case port >= uint32(f.c.Ports):
		return badPort
	case f.staged[registers.PortCapacity] < 1000:
		return badCapacity
	case !f.mantissa(registers.PortRatio), !f.mantissa(registers.PortDepth):
		return badMantissa
	}
	for t := range 16 {
		if a := f.staged[registers.PortActions] >> (2 * t) & 3; a == 3 || a == 2 && t > 3 {
			return badAction
		}
	}
	f.ports++
	return ""
}

func (f *registerFile) commitEstimate() string {
	window := f.staged[registers.EstimateWindow]
	switch {
	case f.c.Method == config.CSIGRaw && (window < 1000 || window > 1e9):
		return badWindow
	case !f.mantissa(registers.EstimateFactor):
		return badMantissa
	}
	f.estimates++
	for _, a := range []uint32{registers.EstimateWindow, registers.EstimateFactor, registers.EstimateShift,
		registers.EstimateOverhead} {
		f.estimate[a] = f.staged[a]
	}
	return ""
}

func (f *registerFile) commitQuantizer(kind uint32) string {
	switch {
	case kind > 3:
		return badType
	case f.staged[registers.QuantizerStep] == 0:
		return badStep
	}
	f.quantizers[kind].base, f.quantizers[kind].step = f.staged[registers.QuantizerBase], f.staged[registers.QuantizerStep]
	return ""
}
