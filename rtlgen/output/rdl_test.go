package output

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rdlParser reads the part of SystemRDL 2.0 that the generator writes, by the grammar of the standard: definitions of
// components and enumerations, property assignments, instances with range, reset, address, and stride.
type rdlParser struct {
	t      testing.TB
	tokens []string
	at     int
}

type rdlComponent struct {
	kind, name string
	properties map[string]string
	enums      map[string]map[string]uint64
	children   []*rdlComponent
	high, low  int    // field
	reset      uint64 // field
	hasReset   bool
	count      int
	address    uint64
	stride     uint64
}

var rdlToken = regexp.MustCompile(
	`//[^\n]*|"(?:\\.|[^"\\])*"|\d+'[hd][0-9a-f]+|0x[0-9a-f]+|\\?[A-Za-z_][A-Za-z0-9_]*|\d+|\+=|[{}\[\]:;=@]|\s+`)

func parseRDL(t testing.TB, text string) *rdlComponent {
	p := &rdlParser{t: t}
	end := 0
	for _, m := range rdlToken.FindAllStringIndex(text, -1) {
		require.Equal(t, end, m[0], "no token of SystemRDL: %.20q", text[end:])
		end = m[1]
		if s := text[m[0]:m[1]]; strings.TrimSpace(s) != "" && !strings.HasPrefix(s, "//") {
			p.tokens = append(p.tokens, s)
		}
	}
	require.Equal(t, len(text), end)
	root := p.component()
	require.Equal(t, len(p.tokens), p.at, "one address map a file")
	return root
}

func (p *rdlParser) next() string {
	require.Less(p.t, p.at, len(p.tokens), "the file ends")
	p.at++
	return p.tokens[p.at-1]
}

func (p *rdlParser) peek(s string) bool { return p.at < len(p.tokens) && p.tokens[p.at] == s }

func (p *rdlParser) take(s string) bool {
	if p.peek(s) {
		p.at++
		return true
	}
	return false
}

func (p *rdlParser) want(s string) {
	got := p.next()
	require.Equal(p.t, s, got, "token %d", p.at)
}

func (p *rdlParser) number() uint64 {
	s := p.next()
	if width, digits, sized := strings.Cut(s, "'"); sized {
		base := map[byte]int{'h': 16, 'd': 10}[digits[0]]
		v, err := strconv.ParseUint(digits[1:], base, 64)
		require.NoError(p.t, err)
		w, err := strconv.Atoi(width)
		require.NoError(p.t, err)
		require.Zero(p.t, v>>w, "%s does not fit", s)
		return v
	}
	v, err := strconv.ParseUint(s, 0, 64)
	require.NoError(p.t, err)
	return v
}

// component reads "kind name {...};" or "kind {...} instance;".
func (p *rdlParser) component() *rdlComponent {
	c := &rdlComponent{kind: p.next(), properties: map[string]string{}, enums: map[string]map[string]uint64{}, count: 1}
	require.Contains(p.t, []string{"addrmap", "regfile", "reg", "field"}, c.kind)
	if !p.peek("{") {
		c.name = strings.TrimPrefix(p.next(), `\`)
	}
	p.want("{")
	for !p.take("}") {
		switch word := p.tokens[p.at]; word {
		case "regfile", "reg", "field":
			c.children = append(c.children, p.component())
		case "enum":
			p.enum(c)
		default:
			p.take("default")
			name := p.next()
			p.want("=")
			c.properties[name] = p.next()
			p.want(";")
		}
	}
	if c.name == "" {
		p.instance(c)
	}
	p.want(";")
	return c
}

func (p *rdlParser) enum(c *rdlComponent) {
	p.want("enum")
	name, values := p.next(), map[string]uint64{}
	p.want("{")
	for !p.take("}") {
		value := p.next()
		p.want("=")
		values[value] = p.number()
		p.want(";")
	}
	p.want(";")
	require.NotContains(p.t, c.enums, name)
	c.enums[name] = values
}

func (p *rdlParser) instance(c *rdlComponent) {
	c.name = p.next()
	if p.take("[") {
		first := p.number()
		if p.take(":") {
			require.Equal(p.t, "field", c.kind)
			c.high, c.low = int(first), int(p.number())
		} else {
			c.count = int(first)
		}
		p.want("]")
	}
	if p.take("=") {
		c.reset, c.hasReset = p.number(), true
	}
	if p.take("@") {
		c.address = p.number()
	}
	if p.take("+=") {
		c.stride = p.number()
	}
}

// The SystemRDL file follows the grammar, and describes the map.
func TestSystemRDL(t *testing.T) {
	for _, d := range driverVariants(t) {
		name := d.Config.DesignName()
		m, _ := mapOf(t, d)
		if len(m.Registers) == 0 {
			continue
		}
		text := d.text(t, "docs/"+name+".rdl")
		if slices.Contains(rdlKeywords, name) {
			assert.Contains(t, text, `addrmap \`+name+" {", "a keyword is escaped")
		}
		root := parseRDL(t, text)
		assert.Equal(t, []any{"addrmap", name, `"` + name + `"`, "32", "32"},
			[]any{root.kind, root.name, root.properties["name"], root.properties["regwidth"], root.properties["accesswidth"]})
		seen := map[uint64]string{}
		words := 0
		check := func(owner *rdlComponent, c *rdlComponent, address uint64, index int) {
			require.Equal(t, "reg", c.kind)
			r, at, found := m.At(uint32(address))
			require.True(t, found, "%s at %#x", c.name, address)
			require.Equal(t, index, at)
			assert.Empty(t, seen[address], "%s at %#x", c.name, address)
			seen[address] = c.name
			words++
			assert.Equal(t, strconv.Quote(r.Name), c.properties["name"])
			require.Len(t, c.children, len(r.Fields))
			for i, f := range r.Fields {
				g := c.children[i]
				assert.Equal(t, []any{"field", f.Name, f.Low + f.Bits - 1, f.Low}, []any{g.kind, g.name, g.high, g.low})
				sw := map[bool]string{true: "r"}[r.Readable()] + map[bool]string{true: "w"}[r.Writable()]
				assert.Equal(t, sw, g.properties["sw"])
				assert.Contains(t, []string{"r", "w", "na"}, g.properties["hw"])
				assert.Equal(t, r.Readable() && !r.Volatile, g.hasReset)
				assert.Equal(t, r.ClearedByOnes, g.properties["onwrite"] == "woclr")
				if g.hasReset {
					assert.EqualValues(t, f.Reset, g.reset)
				}
				encode := owner.enums[g.properties["encode"]]
				assert.Len(t, encode, len(f.Values))
				for _, v := range f.Values {
					assert.EqualValues(t, v.Value, encode[v.Name])
				}
			}
		}
		for _, c := range root.children {
			if c.kind == "reg" {
				check(root, c, c.address, 0)
				continue
			}
			for i := range c.count {
				for _, r := range c.children {
					check(c, r, c.address+uint64(i)*c.stride+r.address, i)
				}
			}
		}
		all := 0
		for i := range m.Registers {
			all += m.Registers[i].Count
		}
		assert.Equal(t, all, words, name)
	}
}

// The test's reader notices what is wrong.
func TestRDLParserRefuses(t *testing.T) {
	good := "addrmap a { reg { field { sw = r; } F[3:0] = 4'h5; } R @ 0x0; };"
	parseRDL(t, good)
	for _, bad := range []string{
		strings.Replace(good, "; };", " };", 1), strings.Replace(good, "4'h5", "2'h5", 1),
		strings.Replace(good, "}", "", 1), good + " x", strings.Replace(good, "@", "@ @", 1),
		strings.Replace(good, "reg", "regs", 1), strings.Replace(good, "sw", "'sw", 1),
	} {
		f := &failing{TB: t}
		func() {
			defer func() { _ = recover() }()
			parseRDL(f, bad)
		}()
		assert.True(t, f.failed, bad)
	}
}

// failing notes a failure instead of reporting it.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Errorf(string, ...any) { f.failed = true }
func (f *failing) FailNow()              { panic("stop") }
func (f *failing) Helper()               {}
