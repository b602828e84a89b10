package inband

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/model/inband"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

// Source is the traffic of a seed in the form of stimulus, as a co-simulation takes it. It counts what it sees.
type Source struct {
	traffic *traffic
	timing  inband.Timing
	in      inband.Inputs
	out     inband.Outputs

	cycle, settled      int64 // settled: since when idle and stall have been as they are, and resets over
	idle, stall         int
	rows                cover.Throughput
	beatsIn, beatsOut   int64
	statuses            [inband.NoPort + 1]uint64
	written, read       [2]uint64 // answers, without and with error
	refused, waits, rst uint64
	head                []byte // of the packet that leaves
	records             records
}

// NewSource starts the traffic of a seed, with a reset.
func NewSource(c *config.INT, timing inband.Timing, seed uint64) *Source {
	return &Source{traffic: newTraffic(c, seed, true), timing: timing}
}

// Next sets the inputs of the next cycle.
func (s *Source) Next(in *csig.Inputs) {
	if s.cycle == 0 {
		s.in.Rst = true
	} else {
		s.traffic.inputs(&s.in, &s.out)
	}
	*in = s.in
}

// Seen goes on where the device took something.
func (s *Source) Seen(in *csig.Inputs, out *csig.Outputs) {
	s.out = *out
	s.count(in, out)
	s.cycle++
}

func (s *Source) count(in *csig.Inputs, out *csig.Outputs) {
	if in.Rst {
		s.rst++
		s.head = s.head[:0]
		s.settled = s.cycle + int64(s.timing.Sweep)
		return
	}
	if t := s.traffic; t.idle != s.idle || t.stall != s.stall {
		s.idle, s.stall, s.settled = t.idle, t.stall, max(s.settled, s.cycle)
	}
	accepted, left := in.Valid && out.Ready, out.Valid && in.MReady
	if in.Valid && !out.Ready {
		s.refused++
	}
	if out.Valid && !in.MReady {
		s.waits++
	}
	if accepted {
		s.beatsIn++
	}
	if left {
		s.beatsOut++
		if len(s.head) < headLength {
			s.head = append(s.head, out.Beat.Data[:out.Beat.Len]...)
		}
		if out.Beat.Last {
			s.statuses[out.Status]++
			if inband.Status(out.Status) == inband.Inserted {
				s.records.add(s.traffic.c, s.head)
			}
			s.head = s.head[:0]
		}
	}
	answer := func(rows *[2]uint64, taken, refused bool) {
		switch {
		case taken && refused:
			rows[1]++
		case taken:
			rows[0]++
		}
	}
	answer(&s.written, out.Bus.BValid && in.Bus.BReady, out.Bus.BError)
	answer(&s.read, out.Bus.RValid && in.Bus.RReady, out.Bus.RError)
	if s.cycle < s.settled+int64(s.timing.Decision+s.timing.Credits) {
		return
	}
	f := &s.rows.Blocked
	switch {
	case s.stall == 0 && s.idle == 0:
		f = &s.rows.Free
	case s.stall == 0:
		f = &s.rows.Idle
	}
	f.Cycles++
	add := func(n *int64, when bool) {
		if when {
			*n++
		}
	}
	add(&f.Offered, in.Valid)
	add(&f.In, accepted)
	add(&f.Ready, in.MReady)
	add(&f.Out, left)
}

// Counts is what sources have seen together.
type Counts struct {
	BeatsIn, BeatsOut int64
	Throughput        []cover.Throughput
	Coverage          []cover.Row
}

// has tells whether a device can give a packet a status (docs/int.md, Packets).
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

// Count adds up what sources of a design have seen.
func Count(cfg *config.INT, sources []*Source) Counts {
	c := Counts{Throughput: []cover.Throughput{{Mix: "mixed"}}}
	t := &c.Throughput[0]
	var statuses [inband.NoPort + 1]uint64
	var written, read [2]uint64
	var refused, waits, rst uint64
	var with records
	for _, s := range sources {
		c.BeatsIn += s.beatsIn
		c.BeatsOut += s.beatsOut
		for st, n := range s.statuses {
			statuses[st] += n
			t.Packets += int64(n)
		}
		for i := range written {
			written[i] += s.written[i]
			read[i] += s.read[i]
		}
		refused, waits, rst = refused+s.refused, waits+s.waits, rst+s.rst
		with.merge(&s.records)
		t.Add(&s.rows)
	}
	row := func(n uint64, format string, args ...any) {
		c.Coverage = append(c.Coverage, cover.Row{Name: fmt.Sprintf(format, args...), Count: n})
	}
	for st, n := range statuses {
		if has(cfg, inband.Status(st)) {
			row(n, "status %s", inband.Status(st))
		}
	}
	c.Coverage = append(c.Coverage, with.rows(cfg)...)
	row(written[0], "write")
	row(written[1], "write refused")
	row(read[0], "read")
	row(read[1], "read refused")
	row(refused, "event beat_refused")
	row(waits, "event output_waits")
	row(rst, "event reset")
	return c
}
