package packets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// Limits of capture files.
const (
	MaxPacket  = 262_144                                // bytes of a packet: the largest that tcpdump and Wireshark read
	MaxSeconds = math.MaxUint32                         // since 1970: a pcap file has 32 bits for them
	MaxTime    = MaxSeconds*1_000_000_000 + 999_999_999 // in ns
)

// Error is a fault of an input file.
type Error = source.Error

// Captured is a packet of a capture file.
type Captured struct {
	Data    []byte
	Ns      uint64 // capture time, since 1970
	Untimed bool   // the file gives no time (pcapng's simple packets)
}

// openCapture begins to read a pcap or pcapng file. next returns io.EOF after the last packet.
func openCapture(f *source.File) (next func() (Captured, error), err error) {
	c := capture{name: f.Name}
	r, err := f.Reader()
	if err != nil {
		return nil, err
	}
	read, err := c.open(r.Reader)
	if err != nil {
		return nil, err
	}
	return func() (Captured, error) {
		p, err := read()
		switch {
		case err == io.EOF && c.packet == 0:
			return p, c.fault("no packets; at least one is expected")
		case err == nil:
			c.packet++
		}
		return p, err
	}, nil
}

// capture is a file being read.
type capture struct {
	name   string
	packet int // read so far
}

func (c *capture) fault(format string, args ...any) *Error {
	return &Error{File: c.name, Reason: fmt.Sprintf(format, args...)}
}

// faultHere is a fault of the packet that comes next.
func (c *capture) faultHere(format string, args ...any) *Error {
	return &Error{File: c.name, Where: fmt.Sprintf("packet %d", c.packet+1), Reason: fmt.Sprintf(format, args...)}
}

// Signatures of capture files, as the first four bytes read little-endian.
const (
	magicMicros    = 0xa1b2c3d4
	magicNanos     = 0xa1b23c4d
	magicNg        = 0x0a0d0d0a // the same in both byte orders
	pcapHeaderSize = 24
)

// open detects the format of the file and returns a function that reads its packets one by one.
func (c *capture) open(r *bufio.Reader) (func() (Captured, error), error) {
	head, err := r.Peek(4)
	if len(head) == 0 && err == io.EOF {
		return nil, c.fault("the file is empty; a pcap or pcapng file is expected")
	}
	if err != nil && err != io.EOF {
		return nil, c.fault("%v", err)
	}
	if len(head) == 4 {
		switch binary.LittleEndian.Uint32(head) {
		case magicMicros, magicNanos:
			return c.openPcap(r, binary.LittleEndian)
		case magicNg:
			return c.openNg(r)
		}
		switch binary.BigEndian.Uint32(head) {
		case magicMicros, magicNanos:
			return c.openPcap(r, binary.BigEndian)
		}
	}
	return nil, c.fault("neither a pcap nor a pcapng file: it begins with % x", head)
}

func (c *capture) openPcap(r *bufio.Reader, order binary.ByteOrder) (func() (Captured, error), error) {
	head, err := r.Peek(pcapHeaderSize)
	if err != nil {
		return nil, c.readFault(err, "its header")
	}
	// The reader keeps only the low half of this word (link type in bits 27:0, FCS in 31:28 when bit 26 is set).
	link := order.Uint32(head[20:])
	if link&(1<<26) != 0 && link>>28 != 0 {
		return nil, c.fault("its packets end with an FCS of %d bytes; take it off (editcap -L -C -4)", link>>28*2)
	}
	if err := c.ethernet(link & 0x03ffffff); err != nil {
		return nil, err
	}
	p, err := pcapgo.NewReader(r)
	if err != nil {
		return nil, c.readFault(err, "its header")
	}
	p.SetSnaplen(min(p.Snaplen(), MaxPacket))
	return func() (Captured, error) {
		data, info, err := p.ReadPacketData()
		switch {
		case err == io.EOF && info.CaptureLength > 0: // between a packet's header and its bytes
			return Captured{}, c.readFault(io.ErrUnexpectedEOF, "")
		case err == io.EOF:
			return Captured{}, err
		case err != nil:
			return Captured{}, c.readFault(err, "")
		}
		return c.captured(data, &info)
	}, nil
}

func (c *capture) openNg(r *bufio.Reader) (func() (Captured, error), error) {
	p, err := pcapgo.NewNgReader(&ngBlocks{capture: c, in: r}, pcapgo.NgReaderOptions{WantMixedLinkType: true})
	if err != nil {
		return nil, c.readFault(err, "its section header")
	}
	return func() (Captured, error) {
		data, info, opts, err := p.ReadPacketDataWithOptions()
		if err == io.EOF {
			return Captured{}, err
		}
		if err != nil {
			return Captured{}, c.readFault(err, "")
		}
		if link, ok := info.AncillaryData[0].(layers.LinkType); ok {
			if err := c.ethernet(uint32(link)); err != nil {
				return Captured{}, err
			}
		}
		if opts.Flags != nil && opts.Flags.FCSLen != 0 {
			return Captured{}, c.faultHere("it ends with an FCS of %d bytes; take it off (editcap -L -C -4)",
				opts.Flags.FCSLen>>5)
		}
		return c.captured(data, &info)
	}, nil
}

func (c *capture) ethernet(link uint32) error {
	if link == uint32(layers.LinkTypeEthernet) {
		return nil
	}
	return c.fault("its link type is %d; a switch takes Ethernet frames (link type %d)", link, layers.LinkTypeEthernet)
}

// readFault wraps the error of a reader; what names the part that it was reading, "" the next packet.
func (c *capture) readFault(err error, what string) error {
	var wrong *Error
	switch {
	case errors.As(err, &wrong):
		return err
	case what == "" && (err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF)):
		return c.faultHere("the file ends inside it: it is truncated")
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return c.fault("the file ends inside %s: it is truncated", what)
	case what == "":
		return c.faultHere("cannot be read: %v", err)
	}
	return c.fault("%s cannot be read: %v", what, err)
}

// captured checks a packet that has been read.
func (c *capture) captured(data []byte, info *gopacket.CaptureInfo) (Captured, error) {
	switch {
	case info.Length > len(data):
		return Captured{},
			c.faultHere(
				"only %d of its %d bytes were captured; a switch edits and counts whole packets: capture without a snapshot length", len(data), info.Length)
	case len(data) == 0:
		return Captured{}, c.faultHere("it has no bytes")
	case len(data) > MaxPacket:
		return Captured{}, c.faultHere("it has %d bytes; legal are 1 to %d", len(data), MaxPacket)
	case info.Timestamp.IsZero():
		return Captured{Data: data, Untimed: true}, nil
	}
	s := info.Timestamp.Unix()
	if s < 0 || s > MaxSeconds {
		return Captured{}, c.faultHere("its time is %s; legal are the 2^32 seconds from 1970 on",
			info.Timestamp.Format(time.RFC3339))
	}
	return Captured{Data: data, Ns: uint64(s)*1e9 + uint64(info.Timestamp.Nanosecond())}, nil
}

// captureWriter writes a pcap file of nanoseconds with the packets that left, each at the time when it left.
type captureWriter struct{ w *pcapgo.Writer }

func newCaptureWriter(w io.Writer) (*captureWriter, error) {
	c := &captureWriter{pcapgo.NewWriterNanos(w)}
	return c, c.w.WriteFileHeader(MaxPacket, layers.LinkTypeEthernet)
}

func (c *captureWriter) write(p *Packet, r *Result) error {
	if r.Dropped {
		return nil
	}
	info := gopacket.CaptureInfo{
		Timestamp:     time.Unix(int64(p.EgressNs/1e9), int64(p.EgressNs%1e9)),
		CaptureLength: len(r.Data), Length: len(r.Data),
	}
	return c.w.WritePacket(info, r.Data)
}
