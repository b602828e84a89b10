package packets

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Limits of pcapng files.
const (
	maxBlock      = 1 << 20 // bytes of a block that is read as a whole
	maxInterfaces = 1 << 16
)

// Types of the pcapng blocks that say something about packets.
const (
	ngInterface = 1
	ngPacket    = 2 // obsolete
	ngSimple    = 3
	ngEnhanced  = 6
)

// ngBlocks passes on the blocks of a pcapng file that say something about packets, each as a whole, and drops all
// others, which the reader after it would keep or lose its place in. A file that ends anywhere but between two
// blocks, or before its section does, is truncated.
type ngBlocks struct {
	*capture
	in         *bufio.Reader
	order      binary.ByteOrder
	interfaces int
	section    int64 // bytes that are left of a section that says how many it has; else at most 0
	block      []byte
	rest       []byte // of block
}

// Read gives the bytes of the blocks. It never goes beyond the block that is asked for.
func (b *ngBlocks) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if err := b.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// next reads a block: type, length, body, length.
func (b *ngBlocks) next() error {
	head, err := b.in.Peek(8)
	if err == io.EOF && len(head) == 0 {
		if b.section > 0 {
			return b.fault("the file ends %d bytes before its section does: it is truncated", b.section)
		}
		return io.EOF
	}
	what := ngHeader
	if err != nil {
		return b.cut(err, what)
	}
	if binary.BigEndian.Uint32(head) == magicNg {
		what = magicNg
		if head, err = b.in.Peek(24); err != nil {
			return b.cut(err, what)
		}
		b.order = binary.LittleEndian
		if binary.BigEndian.Uint32(head[8:]) == ngByteOrder {
			b.order = binary.BigEndian
		}
		b.section = int64(b.order.Uint64(head[16:]))
	} else {
		what = b.order.Uint32(head)
	}
	length := b.order.Uint32(head[4:])
	if length < 12 || length%4 != 0 || what == magicNg && length < 28 {
		return b.faultHere("a block before it has a length of %d bytes: the file is damaged", length)
	}
	switch what {
	case ngInterface:
		if b.interfaces++; b.interfaces > maxInterfaces {
			return b.fault("more than %d interfaces", maxInterfaces)
		}
	case ngPacket, ngSimple, ngEnhanced:
	case magicNg:
		b.section += int64(length) // which does not count the block that says it
	default:
		err = b.drop(length, what)
		b.section -= int64(length)
		return err
	}
	b.section -= int64(length)
	if length > maxBlock {
		return b.faultHere("a block of %d bytes; legal are at most %d", length, maxBlock)
	}
	if cap(b.block) < int(length) {
		b.block = make([]byte, length)
	}
	b.block = b.block[:length]
	if _, err := io.ReadFull(b.in, b.block); err != nil {
		return b.cut(err, what)
	}
	if what == ngInterface {
		b.dropTexts()
	}
	b.rest = b.block
	return b.sameLength(b.block[length-4:], length)
}

// Options of an interface that the reader keeps and that are no text: resolution and offset of its times.
const (
	ngResolution = 9
	ngOffset     = 14
	ngNoOption   = 0x7fff // undefined
)

// dropTexts takes names, comments and filters out of the options of an interface, which the reader would keep for each
// of them, by giving them an unknown type.
func (b *ngBlocks) dropTexts() {
	const head = 16 // type and length of the block, link type, snapshot length
	for at := head; at+4 <= len(b.block)-4; {
		code, length := b.order.Uint16(b.block[at:]), int(b.order.Uint16(b.block[at+2:]))
		if code == 0 { // the last
			return
		}
		if code != ngResolution && code != ngOffset {
			b.order.PutUint16(b.block[at:], ngNoOption)
		}
		at += 4 + (length+3)&^3
	}
}

// drop leaves a block out.
func (b *ngBlocks) drop(length, what uint32) error {
	for left := length - 4; left > 0; {
		n, err := b.in.Discard(int(min(left, maxBlock)))
		if err != nil {
			return b.cut(err, what)
		}
		left -= uint32(n)
	}
	var end [4]byte
	if _, err := io.ReadFull(b.in, end[:]); err != nil {
		return b.cut(err, what)
	}
	return b.sameLength(end[:], length)
}

func (b *ngBlocks) sameLength(end []byte, length uint32) error {
	if got := b.order.Uint32(end); got != length {
		b.rest = nil
		return b.faultHere("a block has a length of %d bytes at its start and of %d at its end: the file is damaged",
			length, got)
	}
	return nil
}

const (
	ngHeader    = ^uint32(0) // no block, but the start of one
	ngByteOrder = 0x1a2b3c4d
)

// cut is the error for a block that cannot be read to its end.
func (b *ngBlocks) cut(err error, what uint32) error {
	if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return b.faultHere("%v", err)
	}
	switch what {
	case magicNg:
		return b.fault("the file ends inside its section header: it is truncated")
	case ngPacket, ngSimple, ngEnhanced, ngHeader:
		return b.faultHere("the file ends inside it: it is truncated")
	}
	return &Error{File: b.name, Where: fmt.Sprintf("behind packet %d", b.packet),
		Reason: "the file ends inside a block: it is truncated"}
}
