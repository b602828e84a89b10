package transit

import (
	"strings"

	model "github.com/hdlpkg/hpccgen/model/transit"
	"github.com/hdlpkg/hpccgen/verify/drive"
)

// Explain replays the model's side of the episode that holds the first difference.
func (c *Subject) Explain(d *drive.Divergence, seed uint64, first *drive.Difference) error {
	s, start, err := c.generated(seed, first.Cycle, 0)
	if err != nil {
		return err
	}
	log := &packetInputs{Source: s.source, Inputs: drive.Inputs{Cycle: start}, header: c.Header, until: first.Cycle}
	s.source = log
	s.decided = func(dropped bool, result func() string) {
		if log.decided < len(log.packets) {
			p := &log.packets[log.decided]
			p.dropped, p.result = dropped, result()
			log.decided++
		}
	}
	l := drive.NewLeg(&c.frame, s, "").From(start)
	l.RunTo(first.Cycle+1, nil)
	left := log.left
	d.Inputs = log.Lines
	// Somewhat longer, so that packets in flight are decided.
	begun := log.begun
	for l.Cycle() <= first.Cycle+int64(c.Decision)+8 && log.begun == begun {
		l.RunTo(l.Cycle()+1, nil)
	}
	of := -1
	switch {
	case first.Tap >= 0:
		for i := range log.packets {
			if log.packets[i].header == first.Issue {
				of = i
			}
		}
	case strings.HasPrefix(first.Name, "m_axis"):
		for of = 0; of < len(log.packets) && (left > 0 || log.packets[of].dropped); of++ {
			if !log.packets[of].dropped {
				left--
			}
		}
	}
	if of >= 0 && of < len(log.packets) {
		p := &log.packets[of]
		d.PacketHeader, d.Packet, d.Result = p.header, p.packet.String(), p.result
	}
	return nil
}

// packetInputs is a source that keeps the last transfers into the device, and the packets since the last reset.
type packetInputs struct {
	Source
	drive.Inputs
	header  int // bytes with which a packet's header ends
	begun   int // resets
	packets []packetLog
	decided int
	until   int64 // the cycle of the difference
	left    int   // packets that left before
	open    bool  // the last packet is not whole
}

type packetLog struct {
	packet  Packet
	header  int64  // its header cycle
	dropped bool   // it does not leave
	result  string // the model's result
}

// Seen notes the transfers of the cycle.
func (l *packetInputs) Seen(in *model.Inputs, out *model.Outputs) {
	u, v := &in.Bus, &out.Bus
	switch {
	case in.Rst:
		l.Add("rst")
		l.packets, l.decided, l.left, l.open = l.packets[:0], 0, 0, false
		l.begun++
	default:
		if v.AWReady {
			l.Add("write %s", &Write{Addr: u.AWAddr, Data: u.WData, Strb: u.WStrb})
		}
		if v.ARReady {
			l.Add("read %#04x", u.ARAddr)
		}
		if in.Valid && out.Ready {
			l.beat(in)
		}
		if out.Valid && in.MReady && out.Beat.Last && l.Cycle < l.until {
			l.left++
		}
	}
	l.Cycle++
	l.Source.Seen(in, out)
}

// beat takes down a beat that was accepted.
func (l *packetInputs) beat(in *model.Inputs) {
	if !l.open {
		l.packets = append(l.packets, packetLog{packet: Packet{Meta: in.Meta}})
	}
	p := &l.packets[len(l.packets)-1]
	before := len(p.packet.Bytes)
	p.packet.Bytes = append(p.packet.Bytes, in.Beat.Data[:in.Beat.Len]...)
	l.open = !in.Beat.Last
	if n := len(p.packet.Bytes); before < l.header && (n >= l.header || in.Beat.Last) {
		p.header = l.Cycle
		l.Add("packet %s", &p.packet)
	}
}
