package cosim

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// explain replays the model's side of the episode that holds the first difference.
func (c *csigSubject) explain(d *Divergence, seed uint64, first *difference) error {
	gen, start := c.generator(seed, first.cycle, 0)
	log := &transitInputs{Generator: gen, width: c.target.Config.DataBits / 8}
	log.cycle = start
	s, err := c.newSide(log)
	if err != nil {
		return err
	}
	s.decided = func(_ int64, ev *csig.Event) {
		if log.decided < len(log.packets) {
			log.packets[log.decided].event = *ev
			log.decided++
		}
	}
	left := 0 // packets that have left before the difference
	l := newLeg(&c.f, s)
	// Somewhat longer, so that what is under way is decided.
	runTo(l, start, first.cycle+1)
	left, d.Inputs = log.left(first.cycle), log.lines
	episodes := log.begun
	after := int64(c.target.Timing.Decision + 8)
	for l.cycle < first.cycle+1+after && log.begun == episodes {
		runTo(l, l.cycle, l.cycle+1)
	}
	of := -1
	switch {
	case first.tap >= 0:
		for i := range log.packets {
			if log.packets[i].header == first.issue {
				of = i
			}
		}
	case strings.HasPrefix(first.name, "m_axis"):
		of = left
	}
	if of >= 0 && of < len(log.packets) {
		p := &log.packets[of]
		d.PacketHeader, d.Packet, d.Result = p.header, p.packet.String(), eventString(&p.event)
	}
	return nil
}

func eventString(ev *csig.Event) string {
	text := fmt.Sprintf("status %s, find %s", ev.Status, ev.Place.Find)
	if ev.Status >= csig.Updated && ev.Status <= csig.Distrusted {
		t := &ev.Tag
		text += fmt.Sprintf(", %s tag at byte %d: type %d value %d locator %d reserved %d", ev.Place.Size, ev.Place.Offset, t.Type, t.Value, t.Locator, t.Reserved)
	}
	if ev.Status == csig.Updated || ev.Status == csig.Kept {
		text += fmt.Sprintf("; local value %d, code %d", ev.Value, ev.Code)
	}
	return text
}

// transitInputs is a generator that keeps the last transfers into the device, and the packets since the last reset.
type transitInputs struct {
	*transit.Generator
	inputLog
	width   int
	begun   int // resets
	packets []packetLog
	decided int
	ends    []int64 // cycles in which packets left
	open    bool    // the last packet is not whole
}

type packetLog struct {
	packet transit.Packet
	header int64 // its header cycle
	event  csig.Event
}

// left is the number of packets that have left before a cycle.
func (l *transitInputs) left(cycle int64) int {
	n := 0
	for _, c := range l.ends {
		if c < cycle {
			n++
		}
	}
	return n
}

// headerEnd is the number of bytes up to which a packet is looked at.
const headerEnd = 54

// Seen notes the transfers of the cycle.
func (l *transitInputs) Seen(in *csig.Inputs, out *csig.Outputs) {
	u, v := &in.Bus, &out.Bus
	switch {
	case in.Rst:
		l.add("rst")
		l.packets, l.decided, l.ends, l.open = l.packets[:0], 0, l.ends[:0], false
		l.begun++
	default:
		if v.AWReady {
			l.add("write %s", &transit.Write{Addr: u.AWAddr, Data: u.WData, Strb: u.WStrb})
		}
		if v.ARReady {
			l.add("read %#04x", u.ARAddr)
		}
		if in.Valid && out.Ready {
			l.beat(in)
		}
		if out.Valid && in.MReady && out.Beat.Last {
			l.ends = append(l.ends, l.cycle)
		}
	}
	l.cycle++
	l.Generator.Seen(in, out)
}

// beat takes down a beat that was accepted.
func (l *transitInputs) beat(in *csig.Inputs) {
	if !l.open {
		l.packets = append(l.packets, packetLog{packet: transit.Packet{Meta: in.Meta}})
	}
	p := &l.packets[len(l.packets)-1]
	before := len(p.packet.Bytes)
	p.packet.Bytes = append(p.packet.Bytes, in.Beat.Data[:in.Beat.Len]...)
	l.open = !in.Beat.Last
	if n := len(p.packet.Bytes); before < headerEnd && (n >= headerEnd || in.Beat.Last) {
		p.header = l.cycle
		l.add("packet %s", &p.packet)
	}
}
