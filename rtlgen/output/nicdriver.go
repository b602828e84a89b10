package output

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
)

// driven is an engine with registers: what its driver reads and writes.
type driven struct {
	written, read, counters []numberAt
	wideData                bool // entries of tables are wider than a word
	generation              bool // flows have lives
}

// numberAt is a number in one or two registers.
type numberAt struct {
	name   string // in snake case
	offset uint32 // of the low half
	bits   int
	set    int // bit of the mask that selects it
	doc    string
}

// engineDevice is an engine for the files that drivers are written with.
func engineDevice(c config.EngineDesign, l *engine.Law) device {
	f, s := c.Frame(), c.Software()
	m := device{name: f.Name, hash: f.Hash, title: l.Title + " engine of a NIC", what: "docs/integration.md of the generator",
		Map: &registers.Map{}, groups: engineNumbers(l)}
	if !f.AXILite {
		return m
	}
	m.Map = registers.NewNIC(f, s)
	d := &driven{wideData: s.TableDataBits() > 32, generation: f.GenBits > 0}
	present := func(list []numberAt, n numberAt) []numberAt {
		if n.bits == 0 {
			return list
		}
		return append(list, n)
	}
	for i, w := range registers.WrittenFields(f, s) {
		d.written = present(d.written, numberAt{w.Name, registers.WriteField(i), w.Bits, i, documented(w)})
	}
	for i, r := range s.Read {
		d.read = present(d.read, numberAt{r.Name, registers.ReadField(i), r.Bits, 0, documented(r)})
	}
	for i, n := range s.Counters {
		d.counters = append(d.counters, numberAt{n.Name, registers.NICCount(i), f.CountBits, 0, n.Doc})
	}
	m.engine = d
	return m
}

// documented is what a field is, with its format.
func documented(f config.ContextField) string {
	if f.Format == "" {
		return f.Doc
	}
	return f.Doc + ", " + f.Format
}

// engineNumbers are tables, masks of a context write, kinds and statuses.
func engineNumbers(l *engine.Law) []numbers {
	tables := numbers{title: "Tables: number, entries, bits of an entry"}
	for i, t := range l.Software.Tables {
		name := "TABLE_" + registers.Identifier(t.Name)
		tables.list = append(tables.list, number{name, i, "index: " + t.Index},
			number{name + "_ENTRIES", t.Entries, "by " + t.Index}, number{name + "_BITS", t.Bits, t.Format})
	}
	masks := numbers{title: "Masks of a context write"}
	for i, name := range registers.MaskNames(l.Software) {
		masks.list = append(masks.list, number{"MASK_" + strings.ToUpper(name), 1 << i, name})
	}
	masks.list = append(masks.list, number{"MASK_OPEN", int(l.OpenMask()), "every field, and start"})
	kinds, statuses := numbers{title: "Kinds of a decision, m_kind"}, numbers{title: "Statuses of a decision, m_status"}
	for _, k := range l.Kinds {
		kinds.list = append(kinds.list, number{"KIND_" + strings.ToUpper(k.Name), k.Value, k.Doc})
	}
	for _, s := range l.Statuses {
		statuses.list = append(statuses.list, number{"STATUS_" + strings.ToUpper(s.Name), s.Value, s.Doc})
	}
	return []numbers{tables, masks, kinds, statuses}
}

// c writes the driver in C.
func (d *driven) c(name string, line func(format string, args ...any)) {
	p := strings.ToLower(name)
	line(`/* How the driver reaches the registers. write and read give 0, or what the bus has answered; the first other answer
 * is returned. One caller at a time: a command uses registers that it has written before.
 */
struct %[1]s_bus {
	void *bus;
	int (*write)(void *bus, uint32_t offset, uint32_t data);
	int (*read)(void *bus, uint32_t offset, uint32_t *data);
};
`, p)
	record := func(suffix, doc string, list []numberAt) {
		line("/* %s */\nstruct %s_%s {", doc, p, suffix)
		for _, n := range list {
			line("\tuint%d_t %s; /* %s */", n.word(), n.name, n.doc)
		}
		line("};\n")
	}
	record("context", "What software writes of a flow's context.", d.written)
	record("state", "What software reads of a flow's context.", d.read)
	record("counters", "The counters; they wrap.", d.counters)

	line("/* Writes an entry of a table. */")
	line("static inline int %[1]s_table_write(const struct %[1]s_bus *b, uint32_t table, uint32_t index, uint64_t data)\n{", p)
	line("\tint answer = b->write(b->bus, 0x%04xu, (uint32_t)data);\n", registers.TableData)
	if d.wideData {
		line("\tif (!answer)\n\t\tanswer = b->write(b->bus, 0x%04xu, (uint32_t)(data >> 32));", registers.TableData+4)
	}
	line("\tif (!answer)\n\t\tanswer = b->write(b->bus, 0x%04xu, table << %d | index);\n\treturn answer;\n}\n",
		registers.TableWrite, registers.TableWriteTable)

	line("/* Writes the fields in the mask, and starts or closes the flow. */")
	line("static inline int %[1]s_context_write(const struct %[1]s_bus *b, uint32_t flow, uint32_t mask,\n"+
		"\t\tconst struct %[1]s_context *c)\n{\n\tint answer = 0;\n", p)
	for _, n := range d.written {
		line("\tif (!answer && (mask & 0x%xu))\n\t\tanswer = b->write(b->bus, 0x%04xu, (uint32_t)c->%s);", 1<<n.set,
			n.offset, n.name)
		if n.bits > 32 {
			line("\tif (!answer && (mask & 0x%xu))\n\t\tanswer = b->write(b->bus, 0x%04xu, (uint32_t)(c->%s >> 32));", 1<<n.set,
				n.offset+4, n.name)
		}
	}
	line("\tif (!answer)\n\t\tanswer = b->write(b->bus, 0x%04xu, mask << %d | flow);\n\treturn answer;\n}\n",
		registers.ContextWrite, registers.ContextWriteMask)

	reader := func(suffix, doc, parameter string, offset uint32, value, record string, list []numberAt) {
		line("/* %s */\nstatic inline int %[2]s_%[3]s(const struct %[2]s_bus *b%[4]s, struct %[2]s_%[5]s *to)\n{", doc, p, suffix,
			parameter, record)
		line("\tuint32_t word = 0;\n\tint answer = b->write(b->bus, 0x%04xu, %s);\n", offset, value)
		for _, n := range list {
			line("\tif (!answer)\n\t\tanswer = b->read(b->bus, 0x%04xu, &word);\n\tto->%s = word;", n.offset, n.name)
			if n.bits > 32 {
				line("\tif (!answer)\n\t\tanswer = b->read(b->bus, 0x%04xu, &word);\n\tto->%s |= (uint64_t)word << 32;",
					n.offset+4, n.name)
			}
		}
		line("\treturn answer;\n}\n")
	}
	reader("context_read", "Reads a flow's context.", ", uint32_t flow", registers.ContextRead, "flow", "state", d.read)
	reader("counters_read", "Reads all counters as of one cycle.", "", registers.Snapshot, "1", "counters", d.counters)
}

// word is the width of a number's type.
func (n numberAt) word() int { return max(32, 1<<bits.Len(uint(n.bits-1))) }

// golang writes the driver in Go.
func (d *driven) golang(line func(format string, args ...any)) {
	line(`
// Bus is how the driver reaches the registers. One caller at a time: a command uses registers that it has written before.
type Bus interface {
	Write(offset, data uint32) error
	Read(offset uint32) (data uint32, err error)
}`)
	record := func(name, doc string, list []numberAt) {
		line("\n// %s is %s.\ntype %s struct {", name, doc, name)
		for _, n := range list {
			line("\t%s uint%d // %s", camel(strings.ToUpper(n.name)), n.word(), n.doc)
		}
		line("}")
	}
	record("Context", "what software writes of a flow's context", d.written)
	record("State", "what software reads of a flow's context", d.read)
	record("Counters", "the counters; they wrap", d.counters)
	line(`
type word struct{ offset, data uint32 }

func writeAll(b Bus, list ...word) error {
	for _, w := range list {
		if err := b.Write(w.offset, w.data); err != nil {
			return err
		}
	}
	return nil
}

// reader reads until something goes wrong.
type reader struct {
	b   Bus
	err error
}

func (r *reader) read(offset uint32) (data uint32) {
	if r.err == nil {
		data, r.err = r.b.Read(offset)
	}
	return data
}

// WriteTable writes an entry of a table.
func WriteTable(b Bus, table, index uint32, data uint64) error {`)
	line("\treturn writeAll(b, word{TableData, uint32(data)},")
	if d.wideData {
		line("\t\tword{TableDataHi, uint32(data >> 32)},")
	}
	line("\t\tword{TableWrite, table<<TableWriteTableShift | index})\n}")
	line("\n// WriteContext writes the fields in the mask, and starts or closes the flow.\n" +
		"func WriteContext(b Bus, flow, mask uint32, c *Context) error {\n\tvar list []word")
	for _, n := range d.written {
		field, register := camel(strings.ToUpper(n.name)), camel("SET_"+strings.ToUpper(n.name))
		high := ""
		if n.bits > 32 {
			high = fmt.Sprintf(", word{%sHi, uint32(c.%s >> 32)}", register, field)
		}
		line("\tif mask&0x%x != 0 {\n\t\tlist = append(list, word{%s, uint32(c.%s)}%s)\n\t}", 1<<n.set, register, field, high)
	}
	line("\treturn writeAll(b, append(list, word{ContextWrite, mask<<ContextWriteMaskShift | flow})...)\n}")
	reader := func(name, doc, parameter, offset, value, record, prefix string, list []numberAt) {
		line("\n// %s reads %s.\nfunc %s(b Bus%s) (to %s, err error) {", name, doc, name, parameter, record)
		line("\tr := reader{b: b, err: b.Write(%s, %s)}", offset, value)
		for _, n := range list {
			field, register := camel(strings.ToUpper(n.name)), camel(prefix+strings.ToUpper(n.name))
			if n.bits > 32 {
				line("\tto.%[1]s = uint64(r.read(%[2]s)) | uint64(r.read(%[2]sHi))<<32", field, register)
			} else {
				line("\tto.%s = r.read(%s)", field, register)
			}
		}
		line("\treturn to, r.err\n}")
	}
	reader("ReadContext", "a flow's context", ", flow uint32", "ContextRead", "flow", "State", "GET_", d.read)
	reader("ReadCounters", "all counters as of one cycle", "", "Snapshot", "1", "Counters", "COUNT_", d.counters)
}
