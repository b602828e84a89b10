package inband

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

const (
	vlanTags   = 4   // that a record can be behind
	mostHops   = 5   // that are told apart where the format sets no limit
	headLength = 330 // bytes of a packet in which all is that is counted
)

// records counts the packets that got one by what they are, as they leave.
type records struct {
	tags      [vlanTags + 1]uint64
	ip        [3]uint64 // IPv4, IPv4 with options, IPv6
	hops      [16]uint64
	transport [2]uint64 // ifa: UDP, TCP
	checksum  [3]uint64 // of UDP: none, any, 0 written as ffff
}

// hopRows is the number of rows for hops; the last one is for more, but with hpcc.
func hopRows(c *config.INT) int {
	if c.Format == config.INTHPCC {
		return c.MaxHops
	}
	return mostHops + 1
}

// add counts a packet by its first bytes. They are those of a packet with a record, so headers are there.
func (r *records) add(c *config.INT, head []byte) {
	u16 := func(at int) int { return int(binary.BigEndian.Uint16(head[at:])) }
	at, tags := 12, 0
	for tags < vlanTags && slices.Contains(c.VLANTPIDs, uint16(u16(at))) {
		at, tags = at+4, tags+1
	}
	r.tags[tags]++
	ip := at + 2
	l4 := ip + 40
	switch words := int(head[ip] & 15); {
	case head[ip]>>4 == 6:
		r.ip[2]++
	case words > 5:
		r.ip[1]++
		l4 = ip + 4*words
	default:
		r.ip[0]++
		l4 = ip + 20
	}
	hops := 0 // before this one
	switch c.Format {
	case config.INTHPCC:
		hops = int(head[l4+8]>>4) - 1
	case config.INTMD:
		hops = (int(head[l4+9])-3)/6 - 1
	case config.INTIFA:
		b := l4 + 12
		if tcp := head[l4+1] == 6; tcp {
			b = l4 + 4 + int(head[l4+16]>>4)*4
			r.transport[1]++
		} else {
			r.transport[0]++
		}
		hops = int(head[b+3])/8 - 1
	case config.INTIOAM: // those that there is still room for
		hops = u16(l4+10) & 0x7f / 5
	}
	r.hops[max(min(hops, hopRows(c)-1), 0)]++
	if c.Format == config.INTHPCC || c.Format == config.INTMD {
		switch u16(l4 + 6) {
		case 0:
			r.checksum[0]++
		case 0xffff: // no sum of words has the complement ffff unless all are 0
			r.checksum[2]++
		default:
			r.checksum[1]++
		}
	}
}

// merge adds what another source has counted.
func (r *records) merge(o *records) {
	for _, x := range []struct{ to, from []uint64 }{
		{r.tags[:], o.tags[:]}, {r.ip[:], o.ip[:]}, {r.hops[:], o.hops[:]}, {r.transport[:], o.transport[:]},
		{r.checksum[:], o.checksum[:]},
	} {
		for i, n := range x.from {
			x.to[i] += n
		}
	}
}

// rows are those that the configuration can reach.
func (r *records) rows(c *config.INT) (list []cover.Row) {
	row := func(n uint64, format string, args ...any) {
		list = append(list, cover.Row{Name: "record " + string(c.Format) + " " + fmt.Sprintf(format, args...), Count: n})
	}
	for i, n := range r.tags {
		row(n, "vlan_tags %d", i)
	}
	if c.Format != config.INTIOAM {
		row(r.ip[0], "ipv4")
		row(r.ip[1], "ipv4 options")
	}
	row(r.ip[2], "ipv6")
	what := "hops before"
	if c.Format == config.INTIOAM {
		what = "room left"
	}
	for i := range hopRows(c) {
		if i == mostHops && c.Format != config.INTHPCC {
			row(r.hops[i], "%s %d or more", what, i)
		} else {
			row(r.hops[i], "%s %d", what, i)
		}
	}
	switch c.Format {
	case config.INTIFA:
		row(r.transport[0], "udp")
		row(r.transport[1], "tcp")
	case config.INTHPCC, config.INTMD:
		row(r.checksum[0], "udp_checksum none")
		row(r.checksum[1], "udp_checksum any")
		row(r.checksum[2], "udp_checksum 0 written as ffff")
	}
	return list
}
