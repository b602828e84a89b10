package csig

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
	"github.com/hdlpkg/hpccgen/verify/directed"
	"github.com/hdlpkg/hpccgen/verify/stimulus/transit"
)

// Directed is a short test of a switch with what the golden model says: a packet without a tag, one with each signal in
// each size of tags, as its sender makes it, and one whose value is not to be replaced.
func Directed(cfg *config.CSIG) (*directed.Test, error) {
	program, err := registers.Program(cfg)
	if err != nil {
		return nil, err
	}
	m, err := csig.New(csig.FromConfig(cfg))
	if err != nil {
		return nil, err
	}
	s := &sender{cfg: cfg, device: m}
	s.from = max(0, slices.IndexFunc(cfg.Port, func(p config.CSIGPort) bool { return p.Trusted }))
	for i, p := range cfg.Port {
		if slices.Contains(p.Actions[:], config.CSIGUpdate) {
			s.to = i
		}
	}
	if cfg.UEC {
		s.split = telemetry.CSIGUEC
	}
	if err := s.all(); err != nil {
		return nil, err
	}
	sizes := transit.Sizes{Ports: cfg.Ports, DataBits: cfg.DataBits, TimeBits: cfg.TimeBits, QlenBits: cfg.QlenBits}
	return sizes.Directed(registers.New(cfg), transit.WritesOf(program, registers.PortCommit, s.from, s.to), s.sent), nil
}

// sender makes the packets of a directed test.
type sender struct {
	cfg      *config.CSIG
	device   *csig.Device
	split    telemetry.CSIGSplit
	from, to int // ports
	sent     []transit.Sent
}

func (s *sender) all() error {
	if err := s.send("A packet without a tag passes.", nil, 0); err != nil {
		return err
	}
	for _, size := range []telemetry.CSIGSize{telemetry.CSIGCompact, telemetry.CSIGExpanded} {
		if s.tpid(size) == 0 {
			continue
		}
		l := s.split.Layout(size)
		for t := range uint8(csig.Types) {
			tag := telemetry.CSIG{Type: t}
			if csig.IsMin(t) {
				tag.Value = 1<<l.Value - 1
			}
			about := fmt.Sprintf("Type %d, %s, in %s tag with the value of its sender, %d.", t, signals[t], a(size), tag.Value)
			if err := s.send(about, &tag, size); err != nil {
				return err
			}
		}
		least := fmt.Sprintf("Type 0 in %s tag with the least value: nothing is below it.", a(size))
		if err := s.send(least, &telemetry.CSIG{}, size); err != nil {
			return err
		}
	}
	return nil
}

var signals = [csig.Types]string{"minimum available bandwidth", "minimum available bandwidth relative to capacity",
	"maximum delay of a hop", "maximum queue depth"}

func a(size telemetry.CSIGSize) string {
	if size == telemetry.CSIGCompact {
		return "a compact"
	}
	return "an expanded"
}

func (s *sender) tpid(size telemetry.CSIGSize) uint16 {
	if size == telemetry.CSIGCompact {
		return s.cfg.CompactTPID
	}
	return s.cfg.ExpandedTPID
}

// send sends a packet through the golden model, 20 us after the one before.
func (s *sender) send(about string, tag *telemetry.CSIG, size telemetry.CSIGSize) error {
	came := []directed.Piece{
		{Name: "destination address", Bytes: []byte{2, 0, 0, 0, 0, 1}}, {Name: "source address", Bytes: []byte{2, 0, 0, 0, 0, 2}},
	}
	if tag != nil {
		fields, err := tag.Append(nil, size, s.split)
		if err != nil {
			return err
		}
		came = append(came, directed.Piece{Name: "TPID of the CSIG tag", Bytes: binary.BigEndian.AppendUint16(nil, s.tpid(size))},
			directed.Piece{Name: "CSIG tag", Bytes: fields})
	}
	payload := make([]byte, 300)
	for i := range payload {
		payload[i] = byte(i)
	}
	came = append(came, directed.Piece{Name: "EtherType", Bytes: []byte{8, 0}}, directed.Piece{Name: "payload", Bytes: payload})

	n := uint64(len(s.sent) + 1)
	meta := csig.Meta{IngressPort: s.from, EgressPort: s.to, IngressNs: 20_000*n - 2000 - 500*n, EgressNs: 20_000 * n,
		QlenBytes: min(1500*n, 1<<s.cfg.QlenBits-1)}
	left, ev := s.device.Process(directed.Packet(came), meta)
	if ev.Status == csig.Dropped {
		return fmt.Errorf("a packet of the directed test is dropped: %s", about)
	}
	pieces := directed.Left(came, slices.Clone(left), ev.Place.Offset, "")
	about += fmt.Sprintf(" From port %d to port %d: %s", s.from, s.to, ev.Status)
	if ev.Status == csig.Updated {
		var is telemetry.CSIG
		if _, err := is.Decode(left[ev.Place.Offset+telemetry.CSIGTPIDLen:], size, s.split); err != nil {
			return err
		}
		about += fmt.Sprintf(", to value %d and locator %d", is.Value, is.Locator)
	}
	s.sent = append(s.sent, transit.Sent{About: about + ".", Meta: meta, Came: came, Left: pieces,
		Status: uint8(ev.Status), Means: ev.Status.String()})
	return nil
}
