package block

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// SignalType is a type of signal: its value is a base less the product of a source and a factor, at least 0. Without a
// base it is the product (docs/csig.md, Signals). Of two codes the smaller one stays, or the larger one of a maximum.
type SignalType struct {
	Name    string
	maximum bool
	source  Source
	base    Base
	factor  Factor
	Unit    string
	doc     string
}

// Source is what is measured of the egress port or its packet.
type Source int

// The sources.
const (
	NoSource Source = iota
	Metered         // bytes that the port has sent lately
	Queued          // bytes in its queue
)

// Base is what the product is taken from.
type Base int

// The bases.
const (
	NoBase   Base = iota
	Capacity      // of the egress port, kbit/s
	One           // in units of RatioBits
	Delay         // of the packet in the switch, ns
)

// Factor is where the factor is written.
type Factor int

// The factors.
const (
	NoFactor       Factor = iota
	EstimateFactor        // of all ports
	PortRatio             // of the port, for its share
	PortDepth             // of the port, for its queue
)

// SignalTypes are the types, in the order of their numbers. A new one is a row, and what it measures a source or a
// base.
var SignalTypes = [config.CSIGTypes]SignalType{
	{"min ABW", false, Metered, Capacity, EstimateFactor, "kbit/s", "capacity less the bandwidth in use"},
	{"min ABW/C", false, Metered, One, PortRatio, "2^-n of the capacity", "one less its share"},
	{"max delay", true, NoSource, Delay, NoFactor, "ns", "the delay, less nothing"},
	{"max queue", true, Queued, NoBase, PortDepth, "ns", "the time that the queue takes to leave"},
}

// KindBits is the width of the number of a type with a signal.
var KindBits = bits.Len(config.CSIGTypes - 1)

// byType tells that the type kind is one for which is holds. Only types for which matters holds occur.
func byType(kind vgen.Signal, is, matters func(t SignalType) bool) vgen.Signal {
	for b := range KindBits {
		tells := true
		for n, t := range SignalTypes {
			tells = tells && (!matters(t) || is(t) == (n>>b&1 == 1))
		}
		if tells {
			return kind.Bit(b)
		}
	}
	var list []vgen.Signal
	for n, t := range SignalTypes {
		if is(t) {
			list = append(list, kind.Is(uint64(n)))
		}
	}
	return or(list...)
}

func always(SignalType) bool { return true }

// isMaximum tells that of the codes of a type the larger one stays.
func isMaximum(kind vgen.Signal) vgen.Signal {
	return byType(kind, func(t SignalType) bool { return t.maximum }, always)
}

// HasSource tells that a type has a source.
func HasSource(kind vgen.Signal, s Source) vgen.Signal {
	return byType(kind, func(t SignalType) bool { return t.source == s }, always)
}

// HasFactor tells that a type has a factor.
func HasFactor(kind vgen.Signal, f Factor) vgen.Signal {
	return byType(kind, func(t SignalType) bool { return t.factor == f }, always)
}

// HasBase tells that a type has a base.
func HasBase(kind vgen.Signal, b Base) vgen.Signal {
	return byType(kind, func(t SignalType) bool { return t.base == b }, always)
}

// OfDepth tells of a type whose factor is one of the port which of both it is.
func OfDepth(kind vgen.Signal) vgen.Signal {
	return byType(kind, func(t SignalType) bool { return t.factor == PortDepth },
		func(t SignalType) bool { return t.factor == PortRatio || t.factor == PortDepth })
}

// OfType are the parts of a number that each type has one of, of the type kind.
func OfType(kind vgen.Signal, width int, number func(t int) uint64) []vgen.Signal {
	list, inRow := make([]vgen.Signal, len(SignalTypes)), true
	for t := range SignalTypes {
		list[t] = vgen.Const(width, number(t))
		inRow = inRow && number(t) == number(0)>>KindBits<<KindBits+uint64(t)
	}
	if inRow {
		return []vgen.Signal{vgen.Const(width-KindBits, number(0)>>KindBits), kind}
	}
	return []vgen.Signal{vgen.Select(kind, list, list[0])}
}

// Bases lists the bases of all types. Those at the end for which there is none are left out; elsewhere the one before
// stands for it.
func Bases(values map[Base]vgen.Signal) []vgen.Signal {
	var list []vgen.Signal
	n, last := 0, values[SignalTypes[0].base]
	for i, t := range SignalTypes {
		if v, ok := values[t.base]; ok {
			last, n = v, i+1
		}
		list = append(list, last)
	}
	return list[:n]
}

// TypesDoc says what the values are, in lines for the header of a module.
func TypesDoc(more string) []string {
	var list []string
	for n, t := range SignalTypes {
		list = append(list, fmt.Sprintf("Type %d: %s", n, t.doc))
	}
	lines := []string{""}
	for _, word := range strings.Fields(strings.Join(list, ". ") + more) {
		last := &lines[len(lines)-1]
		if len(*last)+len(word) >= docColumns {
			lines = append(lines, word)
			continue
		}
		*last = strings.TrimSpace(*last + " " + word)
	}
	return lines
}

// docColumns is the width of the lines in the header of a module that is made from a table.
const docColumns = 135

// numbers lists the types for which is holds: "0 and 1".
func numbers(is func(t SignalType) bool) string {
	var list []string
	for n, t := range SignalTypes {
		if is(t) {
			list = append(list, fmt.Sprint(n))
		}
	}
	if n := len(list); n > 1 {
		list = append(list[:n-2], list[n-2]+" and "+list[n-1])
	}
	return strings.Join(list, ", ")
}
