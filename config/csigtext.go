package config

import (
	"fmt"
	"slices"
	"strings"
)

// Texts of the canonical form of a CSIG switch where a field does not say what the file does.

func (c *CSIG) boundsText(signal int) string {
	list := make([]string, len(c.Bounds[signal]))
	for i, b := range c.Bounds[signal] {
		list[i] = c.measured(signal, b)
	}
	if len(list) == 0 {
		return wordNone
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// quantizerText is a base or a step; none is written for a type without a quantizer.
func (c *CSIG) quantizerText(signal int, raw uint64, none string) string {
	if c.Quantizer[signal].Step == 0 {
		return none
	}
	return c.measured(signal, raw)
}

// measured is a value of a signal in its measure.
func (c *CSIG) measured(signal int, raw uint64) string {
	return csigSignals[signal].measure.canonical(raw, c.RatioBits)
}

func (c *CSIG) compactText(port int) string {
	width, _ := c.LocatorBits()
	return locatorText(c.Port[port].Compact, port, width)
}

func (c *CSIG) expandedText(port int) string {
	_, width := c.LocatorBits()
	return locatorText(c.Port[port].Expanded, port, width)
}

func locatorText(of [CSIGTypes]uint16, port, width int) string {
	if !slices.ContainsFunc(of[:], func(l uint16) bool { return int(l) != port&(1<<width-1) }) {
		return wordLowBits
	}
	return fmt.Sprintf("[%d, %d, %d, %d]", of[0], of[1], of[2], of[3])
}
