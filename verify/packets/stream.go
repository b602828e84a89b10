package packets

import (
	"fmt"
	"io"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
	"github.com/hdlpkg/hpccgen/verify/stimulus/random"
)

// stream is a run of packets through a device.
type stream struct {
	*hardware
	next func() (*Packet, error)
	done func(*Packet, Result) error
	pace *pace

	packet    *Packet // the packet that enters; nil after the last one
	at        int     // the byte of it that goes in next
	cycle     int64   // when
	scheduled bool    // cycle is known
	offered   []int   // cycles of the batch in which a beat is offered

	inside  []*Packet // of which a beat went in, and not yet all came out, oldest first
	current []byte    // of the packet that leaves
}

// take takes the next packet.
func (s *stream) take() (err error) {
	s.at = 0
	if s.packet, err = s.next(); err == io.EOF {
		return nil
	}
	return err
}

// Fill puts the beats of the next batch into the inputs. The last batch is shorter.
func (s *stream) Fill(b *drive.Batch) error {
	if s.packet == nil && s.hardware.cycle > s.pace.prev+slack {
		if err := s.drop(); err != nil {
			return err
		}
		if len(s.inside) > 0 {
			return fmt.Errorf("%d packets are missing after cycle %d; the first is packet %d", len(s.inside),
				s.hardware.cycle, s.inside[0].Number)
		}
	}
	b.Cycles = 0
	if s.packet == nil && len(s.inside) == 0 {
		return nil
	}
	s.begin(b, batchCycles)
	s.offered = s.offered[:0]
	for c := range batchCycles {
		in := s.idle()
		if s.packet == nil {
			s.Binding.PutInputs(b.Input(c), in)
			if b.Start+int64(c) > s.pace.prev+slack {
				b.Size(s.eng.Layout(), c+1)
				return nil
			}
			continue
		}
		if !s.scheduled {
			data := s.packet.Data
			s.cycle = s.pace.next(s.at/s.Width(), (len(data)+s.Width()-1)/s.Width())
			s.scheduled = true
		}
		if s.cycle == b.Start+int64(c) {
			if err := s.offer(in); err != nil {
				return err
			}
			s.offered = append(s.offered, c)
			s.scheduled = false
		}
		s.Binding.PutInputs(b.Input(c), in)
	}
	return nil
}

// offer puts the next beat into the inputs of a cycle. Ports that the device does not have become the largest number,
// which is always one of them; times go modulo their range, a longer queue saturates.
func (s *stream) offer(in *csig.Inputs) error {
	p := s.packet
	in.Valid = true
	in.Beat.Len = copy(in.Beat.Data[:s.Width()], p.Data[s.at:])
	clear(in.Beat.Data[in.Beat.Len:s.Width()])
	if in.Meta = (csig.Meta{}); s.at == 0 {
		in.Meta = csig.Meta(p.Meta)
		in.Meta.IngressPort, in.Meta.EgressPort = s.portNumber(p.IngressPort), s.portNumber(p.EgressPort)
		in.Meta.QlenBytes = min(p.QlenBytes, random.Mask(s.QlenBits))
		s.inside = append(s.inside, p)
	}
	s.at += in.Beat.Len
	if in.Beat.Last = s.at == len(p.Data); in.Beat.Last {
		return s.take()
	}
	return nil
}

func (s *stream) portNumber(port int) int {
	if port >= s.Ports {
		return 1<<s.PortBits() - 1
	}
	return port
}

// Judge checks that every beat offered was taken, and reassembles the packets that leave.
func (s *stream) Judge(b *drive.Batch) error {
	s.hardware.cycle += int64(b.Cycles)
	for _, c := range s.offered {
		if s.Binding.Outputs(b.Output(c), &s.out); !s.out.Ready {
			return fmt.Errorf("s_axis_tready is low in cycle %d, where the timing of the design says that it is high",
				b.Start+int64(c))
		}
	}
	for c := range b.Cycles {
		if s.Binding.Outputs(b.Output(c), &s.out); !s.out.Valid {
			continue
		}
		if err := s.beat(s.Binding.Keep(b.Output(c))); err != nil {
			return fmt.Errorf("%w (cycle %d)", err, b.Start+int64(c))
		}
	}
	return nil
}

// drop passes over the packets that do not leave.
func (s *stream) drop() error {
	for s.drops != nil && len(s.inside) > 0 {
		p := s.inside[0]
		status, dropped := s.drops(p)
		if !dropped {
			return nil
		}
		s.inside = s.inside[1:]
		if err := s.done(p, Result{Status: status, Dropped: true}); err != nil {
			return err
		}
	}
	return nil
}

// beat takes one beat from m_axis.
func (s *stream) beat(keep uint64) error {
	if len(s.current) == 0 {
		if err := s.drop(); err != nil {
			return err
		}
	}
	if len(s.inside) == 0 {
		return fmt.Errorf("a beat comes out after the last packet")
	}
	p, out := s.inside[0], &s.out
	if out.Beat.Last && (keep == 0 || keep&(keep+1) != 0) {
		return fmt.Errorf("packet %d: m_axis_tkeep of its last beat is %#x: not ones from bit 0 on", p.Number, keep)
	}
	s.current = append(s.current, out.Beat.Data[:out.Beat.Len]...)
	if most := len(p.Data) + s.growth*s.Width(); len(s.current) > most {
		return fmt.Errorf("packet %d: more than %d bytes come out; it has %d", p.Number, most, len(p.Data))
	}
	if !out.Beat.Last {
		return nil
	}
	if want := s.portNumber(p.EgressPort); out.EgressPort != want {
		return fmt.Errorf("packet %d: it comes out for port %d, not %d", p.Number, out.EgressPort, want)
	}
	if int(out.Status) >= len(s.Statuses()) {
		return fmt.Errorf("packet %d: there is no status %d", p.Number, out.Status)
	}
	r := Result{Data: s.current, Status: int(out.Status)}
	s.inside, s.current = s.inside[1:], nil
	return s.done(p, r)
}
