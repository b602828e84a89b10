package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// coverage counts the situations that packets have exercised. Rows that the configuration cannot reach are omitted.
type coverage struct {
	statuses, places, moments, events, paces    cover.Counts
	status, compared, types, truncated, removed sized
}

// sized has a count for each size of a tag.
type sized [2]cover.Counts

const (
	eventStacked = iota
	eventBytesSaturated
	eventManyVLANs
	eventTagEnds
)

// Outcomes of a comparison.
const (
	replaced = iota
	kept
	equal
	outcomes
)

func newCoverage(cfg *config.CSIG, b *cover.Bins) (c coverage) {
	tpids := [2]uint16{telemetry.CSIGCompact: cfg.CompactTPID, telemetry.CSIGExpanded: cfg.ExpandedTPID}
	// bySize has n rows for each size that the device supports.
	bySize := func(kind string, n int, name func(i int, s telemetry.CSIGSize) string) (rows sized) {
		for s := range rows {
			names := make([]string, n)
			for i := range names {
				if tpids[s] != 0 {
					names[i] = name(i, telemetry.CSIGSize(s))
				}
			}
			rows[s] = b.Group(kind, names...)
		}
		return rows
	}
	plain := make([]string, csig.Dropped+1) // of packets without a whole tag
	for _, st := range []csig.Status{csig.Untagged, csig.Short, csig.Hidden, csig.NoPort} {
		plain[st] = st.String()
	}
	c.statuses = b.Group("status", plain...)
	c.status = bySize("status", len(plain), func(i int, s telemetry.CSIGSize) string {
		st := csig.Status(i)
		if plain[i] != "" || st == csig.Held && !cfg.UEC {
			return ""
		}
		return fmt.Sprintf("%s %s", st, s)
	})
	var places []string
	for v := range telemetry.MaxVLANTags + 1 {
		for _, name := range [...]string{"no SecTAG", "SecTAG", "SecTAG with SCI"} {
			places = append(places, fmt.Sprintf("%d VLAN tags, %s", v, name))
		}
	}
	c.places = b.Group("place", places...)
	c.compared = bySize("type", csig.Types*outcomes, func(i int, s telemetry.CSIGSize) string {
		return fmt.Sprintf("%d %s %s", i/outcomes, s, [...]string{"replaced", "kept", "equal"}[i%outcomes])
	})
	c.types = bySize("tag", config.CSIGTagTypes, func(t int, s telemetry.CSIGSize) string {
		if t >= 1<<telemetry.CSIGIETF.Layout(s).Type {
			return ""
		}
		return fmt.Sprintf("%s of type %d", s, t)
	})
	c.truncated = bySize("truncated", telemetry.CSIGExpanded.Len(), func(n int, s telemetry.CSIGSize) string {
		if n < telemetry.CSIGTPIDLen || n >= s.Len() {
			return ""
		}
		return fmt.Sprintf("%s of %d bytes", s, n)
	})
	c.removed = bySize("removed", cfg.DataBits/8, func(n int, s telemetry.CSIGSize) string {
		return fmt.Sprintf("%s, last beat of %d bytes", s, n+1)
	})
	c.moments = b.Group("moment", momentNames...)
	events := []string{"stacked", "bytes_saturated", "fifth_vlan_tag", "ends_with_tag"}
	if cfg.Method != config.CSIGRaw || cfg.ByteBits >= 20 {
		events[eventBytesSaturated] = "" // 2^20 bytes and more do not pass in a window of an episode
	}
	c.events = b.Group("event", events...)
	c.paces = b.Group("pace", paceNames...)
	return c
}

// count counts a packet.
func (c *coverage) count(d *device, f *transit.Flight, ev *csig.Event) {
	p := &ev.Place
	c.statuses[ev.Status]++
	c.status[p.Size][ev.Status]++
	c.moments[f.Moment]++
	c.events.Hit(eventStacked, p.Stacked)
	c.events.Hit(eventManyVLANs, ev.Status == csig.Untagged && p.VLANs == telemetry.MaxVLANTags)
	if ev.Status == csig.Truncated {
		c.truncated[p.Size][f.Length-p.Offset]++
	}
	if ev.Status == csig.NoPort {
		return
	}
	c.events.Hit(eventBytesSaturated, d.Meter(f.Meta.EgressPort).Value == random.Mask(d.cfg.ByteBits))
	if p.Find != telemetry.FindTag {
		return
	}
	sec := 0
	if p.SecTAG > 0 {
		sec = 1
		if p.Offset == telemetry.MACsLen+telemetry.VLANTagLen*p.VLANs+telemetry.SecTAGLen+telemetry.SCILen {
			sec = 2
		}
	}
	c.places[3*p.VLANs+sec]++
	c.types[p.Size][ev.Tag.Type]++
	c.events.Hit(eventTagEnds, f.Length == p.Offset+p.Size.Len())
	switch ev.Status {
	case csig.Updated, csig.Kept:
		outcome := replaced
		if ev.Status == csig.Kept {
			outcome = kept
			if ev.Code == ev.Tag.Value {
				outcome = equal
			}
		}
		c.compared[p.Size][outcomes*int(ev.Tag.Type)+outcome]++
	case csig.Stripped, csig.Distrusted:
		c.removed[p.Size][(f.Length-1)%d.Width()]++
	}
}
