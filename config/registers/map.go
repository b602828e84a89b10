package registers

import (
	"encoding/binary"
	"strconv"

	"github.com/hdlpkg/hpccgen/config"
)

// Access is what software may do with a register.
type Access string

// The kinds of access. What is not allowed gets SLVERR and does nothing.
const (
	ReadOnly  Access = "ro"
	ReadWrite Access = "rw"
	WriteOnly Access = "wo"
)

// Field is a part of a register. Bits that no field has read 0, and are ignored in writes.
type Field struct {
	Name      string
	Low, Bits int
	Reset     uint32 // the field's value after reset, and always where the device cannot change it
	Doc       string
	Values    []Value // names of values; may be empty
}

// Mask is the field's bits in the register.
func (f Field) Mask() uint32 { return uint32((uint64(1)<<f.Bits - 1) << f.Low) }

// Value is a named value of a field.
type Value struct {
	Name  string
	Value uint32
}

// Register is one register, or one for each port.
type Register struct {
	Name   string
	Offset uint32 // of the first
	Access Access
	Fields []Field
	Doc    string
	Count  int    // 1, or the number of ports
	Stride uint32 // bytes from one to the next; 4 where Count is 1

	Volatile bool // the device changes it
	// ClearedByOnes: software clears the bits that it writes as 1.
	ClearedByOnes bool
	Effect        string // of a write, where it does more than keep the value
	Refused       string // when a write gets SLVERR
}

// Reset is the register's value after reset.
func (r *Register) Reset() uint32 {
	v := uint32(0)
	for _, f := range r.Fields {
		v |= f.Reset << f.Low
	}
	return v
}

// Mask is the bits that fields have.
func (r *Register) Mask() uint32 {
	v := uint32(0)
	for _, f := range r.Fields {
		v |= f.Mask()
	}
	return v
}

// PerPort says whether there is one for each port.
func (r *Register) PerPort() bool { return r.Stride != 4 }

// Readable says whether software can read it.
func (r *Register) Readable() bool { return r.Access != WriteOnly }

// Writable says whether software can write it.
func (r *Register) Writable() bool { return r.Access != ReadOnly }

// Map is the registers of a device, by rising offset.
type Map struct {
	Registers []Register
}

// At finds the register at an address: a multiple of 4. Index is that of the port where there is one register a port.
func (m *Map) At(address uint32) (r *Register, index int, found bool) {
	for i := range m.Registers {
		r := &m.Registers[i]
		if address < r.Offset {
			continue
		}
		if n := (address - r.Offset) / r.Stride; int(n) < r.Count && (address-r.Offset)%r.Stride == 0 {
			return r, int(n), true
		}
	}
	return nil, 0, false
}

// Named finds a register by its name.
func (m *Map) Named(name string) (*Register, bool) {
	for i := range m.Registers {
		if m.Registers[i].Name == name {
			return &m.Registers[i], true
		}
	}
	return nil, false
}

// New is the register map of a device.
func New(c *config.CSIG) *Map {
	m := &Map{}
	m.device(IDValue, VersionValue, c, c.Ports, c.DataBits)
	m.port(c)
	m.estimate(c)
	if c.CompactTPID != 0 {
		m.buckets()
	}
	if c.ExpandedTPID != 0 {
		m.quantizers()
	}
	m.counters(c)
	return m
}

func (m *Map) add(r Register) {
	if r.Count == 0 {
		r.Count, r.Stride = 1, 4
	}
	m.Registers = append(m.Registers, r)
}

// whole is a field of all 32 bits.
func whole(name, doc string) []Field { return []Field{{Name: name, Bits: 32, Doc: doc}} }

// identity are the registers that say what a device is, with what it has between the shape and the hash. The id is four
// letters.
func (m *Map) identity(id, version uint32, designHash string, shape []Field, more ...Register) {
	hash, _ := strconv.ParseUint(designHash, 16, 64) // a configuration made by hand may have none: 0
	name := strconv.Quote(string(binary.BigEndian.AppendUint32(nil, id)))
	list := []Register{
		{Name: "ID", Offset: ID, Doc: "What the device is.",
			Fields: []Field{{Name: "ID", Bits: 32, Reset: id, Doc: name + ", first character in the highest byte"}}},
		{Name: "VERSION", Offset: Version, Doc: "Version of the register map.",
			Fields: []Field{{Name: "VERSION", Bits: 32, Reset: version,
				Doc: "raised when a program written for an earlier version would not work"}}},
		{Name: "SHAPE", Offset: Shape, Doc: "Shape of the device.", Fields: shape},
	}
	list = append(append(list, more...),
		Register{Name: "HASH_LO", Offset: HashLo, Doc: "Configuration hash, low half.",
			Fields: []Field{{Name: "HASH", Bits: 32, Reset: uint32(hash), Doc: "bits 31 to 0"}}},
		Register{Name: "HASH_HI", Offset: HashHi, Doc: "Configuration hash, high half.",
			Fields: []Field{{Name: "HASH", Bits: 32, Reset: uint32(hash >> 32), Doc: "bits 63 to 32"}}})
	for _, r := range list {
		r.Access = ReadOnly
		m.add(r)
	}
}

// device are the registers that say what a packet pipeline is, and the counter of packets without a port.
func (m *Map) device(id, version uint32, c config.Design, ports, dataBits int, more ...Register) {
	m.identity(id, version, c.DesignHash(), []Field{
		{Name: "PORTS", Bits: 16, Reset: uint32(ports), Doc: "number of ports"},
		{Name: "BEAT", Low: 16, Bits: 16, Reset: uint32(dataBits / 8), Doc: "bytes of a beat of the packet streams"}},
		more...)
	m.add(Register{Name: "NO_PORT", Offset: NoPort, Access: ReadOnly, Volatile: true, Doc: "Packets with status no_port.",
		Fields: counter()})
}

// counter is what all counters of packets have.
func counter() []Field {
	return whole("COUNT",
		"counts from reset modulo 2^32: at a packet a cycle it wraps after 2^32 cycles, 28 s at 150 MHz")
}

func (m *Map) counters(c *config.CSIG) {
	for _, s := range Statuses() {
		if s.Status == StatusNoPort {
			continue
		}
		m.add(Register{Name: "COUNT_" + upper(s.Name), Offset: Counter(0, s.Status), Access: ReadOnly, Volatile: true,
			Count: c.Ports, Stride: CountStride, Doc: "Packets of an egress port: " + s.Doc + ".",
			Fields: counter()})
	}
}
