package inband

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

const (
	vlanTags   = 4   // before a record
	mostHops   = 5   // distinct bins where the format sets no limit
	headLength = 330 // bytes of a packet in which all is that is counted
)

// records counts packets as they leave, and those that got a record by their properties. Rows that the configuration
// cannot reach are omitted.
type records struct {
	c                                           *config.INT
	head                                        []byte // of the packet at the output
	status, tags, ip, hops, transport, checksum cover.Counts
}

func newRecords(c *config.INT, b *cover.Bins) records {
	var status []string
	for s := inband.Plain; s <= inband.NoPort; s++ {
		status = append(status, "")
		if has(c, s) {
			status[s] = s.String()
		}
	}
	kind := "record " + string(c.Format)
	n := mostHops + 1
	if c.Format == config.INTHPCC {
		n = c.MaxHops
	}
	what, hops := "hops before", make([]string, n)
	if c.Format == config.INTIOAM {
		what = "room left"
	}
	for i := range hops {
		hops[i] = fmt.Sprintf("%s %d", what, i)
	}
	if c.Format != config.INTHPCC {
		hops[mostHops] += " or more"
	}
	only := func(when bool, names ...string) []string {
		if !when {
			clear(names)
		}
		return names
	}
	return records{
		c: c, status: b.Group("status", status...),
		tags:      b.Group(kind+" vlan_tags", "0", "1", "2", "3", "4"),
		ip:        b.Group(kind, append(only(c.Format != config.INTIOAM, "ipv4", "ipv4 options"), "ipv6")...),
		hops:      b.Group(kind, hops...),
		transport: b.Group(kind, only(c.Format == config.INTIFA, "udp", "tcp")...),
		checksum: b.Group(kind+" udp_checksum",
			only(c.Format == config.INTHPCC || c.Format == config.INTMD, "none", "any", "0 written as ffff")...),
	}
}

// has reports whether a device can give a packet a status (docs/int.md, Packets).
func has(c *config.INT, s inband.Status) bool {
	switch s {
	case inband.Foreign, inband.Full:
		return c.Format != config.INTHPCC
	case inband.Fragment, inband.Hops:
		return c.Format != config.INTIOAM
	case inband.MTU:
		return c.Format != config.INTIOAM && !c.Reserved
	}
	return true
}

// leaves counts the packets at the output in a cycle.
func (r *records) leaves(in *inband.Inputs, out *inband.Outputs) {
	switch {
	case in.Rst:
		r.head = r.head[:0]
	case out.Valid && in.MReady:
		if len(r.head) < headLength {
			r.head = append(r.head, out.Beat.Data[:out.Beat.Len]...)
		}
		if out.Beat.Last {
			r.status[out.Status]++
			if inband.Status(out.Status) == inband.Inserted {
				r.add()
			}
			r.head = r.head[:0]
		}
	}
}

// add counts a packet by its first bytes. The packet has a record, so its headers are complete.
func (r *records) add() {
	c, head := r.c, r.head
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
	case config.INTIOAM: // those that still fit
		hops = u16(l4+10) & 0x7f / 5
	}
	r.hops[max(min(hops, len(r.hops)-1), 0)]++
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
