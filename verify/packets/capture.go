package packets

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/google/renameio/v2"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// Limits of capture files.
const (
	MaxPacket  = 262_144                                // bytes of a packet: the largest that tcpdump and Wireshark read
	MaxSeconds = math.MaxUint32                         // since 1970: a pcap file has 32 bits for them
	MaxTime    = MaxSeconds*1_000_000_000 + 999_999_999 // in ns
)

// Error is a fault of an input file.
type Error struct {
	File   string
	Where  string // "packet 7", "row 3, column egress_ns", ...; "" for the file as a whole
	Reason string
}

// Error gives file, place and reason in one line.
func (e *Error) Error() string {
	if e.Where == "" {
		return e.File + ": " + e.Reason
	}
	return e.File + ": " + e.Where + ": " + e.Reason
}

// Captured is a packet of a capture file.
type Captured struct {
	Data    []byte
	Ns      uint64 // capture time, since 1970
	Untimed bool   // the file gives no time (pcapng's simple packets)
}

// ReadCapture reads a whole pcap or pcapng file.
func ReadCapture(path string) ([]Captured, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	list, err := readCapture(path, f)
	return list, errors.Join(err, f.Close())
}

func readCapture(name string, r io.Reader) ([]Captured, error) {
	c := capture{name: name}
	next, err := c.open(bufio.NewReaderSize(r, 1<<16))
	if err != nil {
		return nil, err
	}
	var list []Captured
	for {
		p, err := next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
		c.packet++
	}
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
	gzipMagic      = 0x8b1f     // of two bytes
	pcapHeaderSize = 24
)

// open finds out what the file is and answers with a function that reads its packets one by one.
func (c *capture) open(r *bufio.Reader) (func() (Captured, error), error) {
	if head, _ := r.Peek(2); len(head) == 2 && binary.LittleEndian.Uint16(head) == gzipMagic {
		gz, err := gzip.NewReader(r)
		if err != nil {
			return nil, c.fault("not a gzip file, or cut off in its first bytes (%v)", err)
		}
		r = bufio.NewReaderSize(gz, 1<<16)
	}
	head, err := r.Peek(4)
	if len(head) == 0 && err == io.EOF {
		return nil, c.fault("the file is empty; a pcap or pcapng file is expected")
	}
	if err != nil && err != io.EOF {
		return nil, c.fault("cannot be read: %v", err)
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
	p, err := pcapgo.NewNgReader(r, pcapgo.NgReaderOptions{WantMixedLinkType: true})
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
			return Captured{}, c.faultHere("it ends with an FCS of %d bytes; take it off (editcap -L -C -4)", opts.Flags.FCSLen>>5)
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

// readFault is the error for what a reader says; what names the part that it was reading, "" the next packet.
func (c *capture) readFault(err error, what string) error {
	var wrong *Error
	switch {
	case errors.As(err, &wrong):
		return err
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return c.fault("the gzip stream is damaged (%v)", err)
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
		return Captured{}, c.faultHere("only %d of its %d bytes were captured; a switch edits and counts whole packets: capture without a snapshot length", len(data), info.Length)
	case len(data) == 0:
		return Captured{}, c.faultHere("it has no bytes")
	case len(data) > MaxPacket:
		return Captured{}, c.faultHere("it has %d bytes; legal are 1 to %d", len(data), MaxPacket)
	case info.Timestamp.IsZero():
		return Captured{Data: data, Untimed: true}, nil
	}
	s := info.Timestamp.Unix()
	if s < 0 || s > MaxSeconds {
		return Captured{}, c.faultHere("its time is %s; legal are the 2^32 seconds from 1970 on", info.Timestamp.Format(time.RFC3339))
	}
	return Captured{Data: data, Ns: uint64(s)*1e9 + uint64(info.Timestamp.Nanosecond())}, nil
}

// FormatCapture is a pcap file of nanoseconds with the packets that left, each at the time when it left.
func FormatCapture(in []Packet, results []Result) ([]byte, error) {
	size := pcapHeaderSize
	for i := range results {
		size += 16 + len(results[i].Data)
	}
	var b bytes.Buffer
	b.Grow(size)
	w := pcapgo.NewWriterNanos(&b)
	if err := w.WriteFileHeader(MaxPacket, layers.LinkTypeEthernet); err != nil {
		return nil, err
	}
	for i := range results {
		ns, data := in[i].EgressNs, results[i].Data
		info := gopacket.CaptureInfo{Timestamp: time.Unix(int64(ns/1e9), int64(ns%1e9)), CaptureLength: len(data), Length: len(data)}
		if err := w.WritePacket(info, data); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// writeFile replaces a file as a whole: either the old content or all of the new one is there. Devices and pipes,
// which cannot be replaced, are written to.
func writeFile(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	if err := renameio.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("the output cannot be written: %w", err)
	}
	return nil
}
