package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Canonical is the configuration as YAML with every key resolved: defaults written out, tables and locators as numbers, ports in ranges of
// equal ones, no comments. Files that mean the same have the same canonical form; ParseDesign accepts it and gives the same
// configuration. Hash is taken over it.
func (c *CSIG) Canonical() []byte {
	w := &canonical{}
	w.line(0, "design", KindCSIG)
	w.line(0, "name", "%q", c.Name)
	if c.Prefix != "" {
		w.line(0, "module_prefix", "%q", c.Prefix)
	}
	w.line(0, "reset", "%s", pick(c.AsyncReset, "sync", "async_low"))
	w.line(0, "ports", "%d", c.Ports)
	w.line(0, "stream_bits", "%d", c.DataBits)
	if c.Folded { // a key of later versions: designs without it keep their hash
		w.line(0, "pipeline", "folded")
	}
	w.line(0, "widths", "")
	w.line(1, "time", "%d", c.TimeBits)
	w.line(1, "bytes", "%d", c.ByteBits)
	w.line(1, "fraction", "%d", c.FracBits)
	w.line(1, "reciprocal", "%d", c.RecipBits)
	w.line(1, "ratio", "%d", c.RatioBits)
	w.line(1, "queue", "%d", c.QlenBits)
	w.line(0, "tags", "")
	w.line(1, "split", "%s", pick(c.UEC, "ietf", "uec"))
	w.line(1, "compact", "%s", tpidString(c.CompactTPID))
	w.line(1, "expanded", "%s", tpidString(c.ExpandedTPID))
	vlans := make([]string, len(c.VLANTPIDs))
	for i, v := range c.VLANTPIDs {
		vlans[i] = tpidString(v)
	}
	w.line(1, "vlan", "[%s]", strings.Join(vlans, ", "))
	w.line(1, "decrypted", "%t", c.Decrypted)
	w.line(0, "bandwidth", "")
	w.line(1, "method", "%s", c.Method)
	switch c.Method {
	case CSIGRaw:
		w.line(1, "window", "%dns", c.WindowNs)
	case CSIGEWMA:
		w.line(1, "time_shift", "%d", c.TimeShift)
		w.line(1, "gap_shift", "%d", c.GapShift)
	case CSIGDRE:
		w.line(1, "tick_shift", "%d", c.TickShift)
		w.line(1, "decay_shift", "%d", c.DecayShift)
	}
	w.line(1, "overhead", "%dB", c.OverheadBytes)
	w.line(0, "bucketizer", "%s", pick(c.BucketSearch, "parallel", "search"))
	w.tables(c)
	texts := make([]string, len(c.Port))
	for i := range c.Port {
		texts[i] = c.portText(i)
	}
	w.overrides(texts)
	return w.Bytes()
}

// canonical writes YAML.
type canonical struct{ bytes.Buffer }

func (w *canonical) line(depth int, key, format string, args ...any) {
	w.WriteString(strings.Repeat("  ", depth) + key + ":")
	if format != "" {
		fmt.Fprintf(&w.Buffer, " "+format, args...)
	}
	w.WriteByte('\n')
}

func pick(second bool, words ...string) string {
	if second {
		return words[1]
	}
	return words[0]
}

func tpidString(v uint16) string {
	if v == 0 {
		return wordNone
	}
	return fmt.Sprintf("0x%04x", v)
}

func (w *canonical) tables(c *CSIG) {
	if c.CompactTPID != 0 {
		w.line(0, "buckets", "")
		for t, s := range csigSignals {
			list := make([]string, len(c.Bounds[t]))
			for i, b := range c.Bounds[t] {
				list[i] = s.measure.canonical(b, c.RatioBits)
			}
			text := wordNone
			if len(list) > 0 {
				text = "[" + strings.Join(list, ", ") + "]"
			}
			w.line(1, s.name, "%s", text)
		}
	}
	if c.ExpandedTPID != 0 {
		w.line(0, "quantizers", "")
		for t, s := range csigSignals {
			q := c.Quantizer[t]
			if q.Step == 0 {
				w.line(1, s.name, "{step: %s}", wordNone)
				continue
			}
			w.line(1, s.name, "{base: %s, step: %s}", s.measure.canonical(q.Base, c.RatioBits), s.measure.canonical(q.Step, c.RatioBits))
		}
	}
}

// overrides writes one for each range of equal ports.
func (w *canonical) overrides(texts []string) {
	w.line(0, "port_overrides", "")
	for first := 0; first < len(texts); {
		last := first
		for last+1 < len(texts) && texts[last+1] == texts[first] {
			last++
		}
		span := fmt.Sprint(first)
		if last > first {
			span = fmt.Sprintf("%d-%d", first, last)
		}
		fmt.Fprintf(w, "  - {ports: %s, %s}\n", span, texts[first])
		first = last + 1
	}
}

// portText is a port without its number.
func (c *CSIG) portText(n int) string {
	p := &c.Port[n]
	names := []string{"pass", "strip", "update"}
	actions := make([]string, 0, CSIGTypes+1)
	for t, s := range csigSignals {
		actions = append(actions, s.name+": "+names[p.Actions[t]])
	}
	actions = append(actions, "others: "+names[p.Actions[CSIGTypes]])
	compact, expanded := c.LocatorBits()
	var locators []string
	if c.CompactTPID != 0 {
		locators = append(locators, "compact: "+locatorText(p.Compact, n, compact))
	}
	if c.ExpandedTPID != 0 {
		locators = append(locators, "expanded: "+locatorText(p.Expanded, n, expanded))
	}
	return fmt.Sprintf("capacity: %dk, trusted: %t, actions: {%s}, locator: {%s}", p.CapacityKbps, p.Trusted, strings.Join(actions, ", "), strings.Join(locators, ", "))
}

func locatorText(of [CSIGTypes]uint16, port, width int) string {
	if !slices.ContainsFunc(of[:], func(l uint16) bool { return int(l) != port&(1<<width-1) }) {
		return wordLowBits
	}
	return fmt.Sprintf("[%d, %d, %d, %d]", of[0], of[1], of[2], of[3])
}
