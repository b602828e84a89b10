package registers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
)

// Offsets of the registers of an engine (docs/integration.md, Registers) that a CSIG switch does not have, or has
// otherwise. ID, Version, Shape, HashLo and HashHi are as there.
const (
	NICLaw    = 0x00c
	NICStatus = 0x018

	Event       = 0x020
	EventEnable = 0x024
	Snapshot    = 0x028

	TableData    = 0x030 // of entries wider than a word the low half, the high half after it
	TableWrite   = 0x038
	ContextWrite = 0x03c
	ContextRead  = 0x040

	// Numbers that a law has several of are two words apart: the second is there for those wider than a word. So an
	// address depends on the law, not on widths.
	writeFields = 0x080
	readFields  = 0x100
	counts      = 0x180
	perNumber   = 8
)

// NICIDValue is the content of ID of an engine, "NICE"; NICVersionValue that of VERSION. NICPageBits is the width of the
// addresses of its registers.
const (
	NICIDValue      = 0x4e494345
	NICVersionValue = 1
	NICPageBits     = 9
)

// EventInitDone is the bit of EVENT that says that init_done has risen; EventCounter that of the counter of a number.
const EventInitDone = 0

// EventCounter is the bit of EVENT that says that a counter has counted.
func EventCounter(n int) int { return n + 1 }

// Bits of the words that command the engine.
const (
	TableWriteTable  = 16 // low bit of the table, after the index
	ContextWriteMask = 16 // low bit of the mask, after the flow
)

// WriteField is the offset of a field of a context that software writes, by its bit in the mask; the generation follows
// the fields of the law.
func WriteField(n int) uint32 { return writeFields + perNumber*uint32(n) }

// ReadField is the offset of a field of a context that software reads.
func ReadField(n int) uint32 { return readFields + perNumber*uint32(n) }

// NICCount is the offset of a counter.
func NICCount(n int) uint32 { return counts + perNumber*uint32(n) }

// WrittenFields are the fields of a context that have registers to be written: those of the law, then the generation.
func WrittenFields(f *config.Engine, s *config.Software) []config.ContextField {
	return append(slices.Clone(s.Write), f.Generation())
}

// NewNIC is the register map of an engine with bus: axi_lite, whatever its law.
func NewNIC(f *config.Engine, s *config.Software) *Map {
	m := &Map{}
	shape := []Field{
		{Name: "FLOWS", Bits: 17, Reset: uint32(f.Flows), Doc: "contexts that the engine holds"},
		{Name: "PROFILES", Low: 20, Bits: 5, Reset: uint32(f.Profiles), Doc: "profiles"},
	}
	m.identity(NICIDValue, NICVersionValue, f.Hash, shape, Register{Name: "LAW", Offset: NICLaw, Doc: "What decides.",
		Fields: []Field{{Name: "LAW", Bits: 32, Reset: letters(s.Law), Doc: "name of the law, its first four letters, " +
			"the first one in the highest byte"}}})
	m.add(Register{Name: "STATUS", Offset: NICStatus, Access: ReadOnly, Volatile: true, Doc: "State of the engine.",
		Fields: []Field{{Name: "INIT_DONE", Bits: 1, Doc: "contexts and tables are cleared; commands are refused before"}}})
	events := []Field{{Name: "INIT_DONE", Low: EventInitDone, Bits: 1, Doc: "contexts and tables have been cleared"}}
	for i, n := range s.Counters {
		events = append(events, Field{Name: upper(n.Name), Low: EventCounter(i), Bits: 1, Doc: "counted: " + n.Doc})
	}
	m.add(Register{Name: "EVENT", Offset: Event, Access: ReadWrite, Volatile: true, ClearedByOnes: true, Fields: events,
		Doc:    "What has happened since it was cleared.",
		Effect: "bits written as 1 are cleared; an event of the same cycle stays"})
	m.add(Register{Name: "EVENT_ENABLE", Offset: EventEnable, Access: ReadWrite, Fields: events,
		Doc: "Events that raise irq, which is high while one of them is set."})
	m.add(Register{Name: "SNAPSHOT", Offset: Snapshot, Access: WriteOnly, Doc: "Takes all counters at once.",
		Fields: whole("ANY", "any value"), Effect: "the COUNT registers show the counters as of this cycle"})
	m.table(s)
	m.contexts(f, s, WrittenFields(f, s))
	for i, n := range s.Counters {
		m.number("COUNT_"+upper(n.Name), NICCount(i), f.CountBits, ReadOnly, n.Doc+". Taken by SNAPSHOT.",
			fmt.Sprintf("counts from reset modulo 2^%d", f.CountBits))
	}
	return m
}

// letters are the first four letters of a name, in capitals.
func letters(name string) (v uint32) {
	for _, c := range []byte(strings.ToUpper(name + "    ")[:4]) {
		v = v<<8 | uint32(c)
	}
	return v
}

// number adds the one or two registers of a number. What software cannot write the device changes.
func (m *Map) number(name string, offset uint32, bits int, access Access, doc, field string) {
	r := Register{Name: name, Offset: offset, Access: access, Volatile: access == ReadOnly, Doc: doc,
		Fields: []Field{{Name: "VALUE", Bits: min(bits, 32), Doc: field}}}
	m.add(r)
	if bits > 32 {
		r.Name, r.Offset, r.Doc = name+"_HI", offset+4, doc+" High half."
		r.Fields = []Field{{Name: "VALUE", Bits: bits - 32, Doc: field + ", bits from 32 on"}}
		m.add(r)
	}
}

// notYet is why a command may be refused whatever it says.
const notYet = "STATUS.INIT_DONE is 0"

func (m *Map) table(s *config.Software) {
	m.number("TABLE_DATA", TableData, s.TableDataBits(), ReadWrite, "Entry for TABLE_WRITE.", "value, in the low bits")
	var names []string
	for i, t := range s.Tables {
		names = append(names, fmt.Sprintf("%d %s", i, t.Name))
	}
	m.add(Register{Name: "TABLE_WRITE", Offset: TableWrite, Access: WriteOnly, Doc: "Writes an entry of a table.",
		Fields: []Field{{Name: "INDEX", Bits: 16, Doc: "entry"},
			{Name: "TABLE", Low: TableWriteTable, Bits: 4, Doc: "table: " + strings.Join(names, ", ")}},
		Effect:  "the entry becomes TABLE_DATA; answers when the engine has taken it",
		Refused: notYet + "; no such table; no such entry"})
}

func (m *Map) contexts(f *config.Engine, s *config.Software, written []config.ContextField) {
	flow := Field{Name: "FLOW", Bits: 16, Doc: fmt.Sprintf("flow, 0 to %d", f.Flows-1)}
	noFlow := notYet + "; no such flow"
	m.add(Register{Name: "CONTEXT_WRITE", Offset: ContextWrite, Access: WriteOnly, Doc: "Writes the context of a flow.",
		Fields: []Field{flow, {Name: "MASK", Low: ContextWriteMask, Bits: s.Mask(), Doc: "fields to write, from bit 0: " +
			strings.Join(MaskNames(s), ", ")}},
		Effect:  "the fields in the mask become those of the SET registers; answers when the engine has taken it",
		Refused: noFlow})
	m.add(Register{Name: "CONTEXT_READ", Offset: ContextRead, Access: WriteOnly, Doc: "Reads the context of a flow.",
		Fields:  []Field{flow},
		Effect:  "answers when the GET registers show the context, as it is after all that was taken before",
		Refused: noFlow})
	value := func(f config.ContextField) string {
		if f.Format != "" {
			return f.Format
		}
		return "integer"
	}
	for i, field := range written {
		if field.Bits > 0 {
			m.number("SET_"+upper(field.Name), WriteField(i), field.Bits, ReadWrite,
				sentence(field.Doc)+" For CONTEXT_WRITE.", value(field))
		}
	}
	for i, field := range s.Read {
		if field.Bits > 0 {
			m.number("GET_"+upper(field.Name), ReadField(i), field.Bits, ReadOnly,
				sentence(field.Doc)+" By CONTEXT_READ.", value(field))
		}
	}
}

// sentence makes a note a sentence, but for a name that it begins with, such as incStage.
func sentence(s string) string {
	if word, _, _ := strings.Cut(s, " "); word == strings.ToLower(word) {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return s + "."
}

// MaskNames are the bits of a context write's mask, from bit 0.
func MaskNames(s *config.Software) []string {
	var names []string
	for _, f := range s.Write {
		names = append(names, f.Name)
	}
	return append(names, "start", "close")
}

// Identifier is the name of a table in capitals, for programs: that of 1/T is INV_T.
func Identifier(name string) string { return upper(strings.ReplaceAll(name, "1/", "inv_")) }

// WriteTable is the accesses that write an entry of a table.
func WriteTable(s *config.Software, w config.TableWrite) []Write {
	p := &program{}
	p.write(TableData, w.Data)
	if s.TableDataBits() > 32 {
		p.write(TableData+4, w.Data>>32)
	}
	p.write(TableWrite, uint64(w.Table)<<TableWriteTable|uint64(w.Index))
	return p.writes
}
