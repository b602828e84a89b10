package registers

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

func parse(t testing.TB, text string) *config.CSIG {
	t.Helper()
	d, err := config.ParseDesign("test", []byte("design: csig\n"+text))
	require.NoError(t, err)
	return d.(*config.CSIG)
}

// The maps are the tables of docs/csig.md and docs/int.md: every row, with its offset and its access, and no other
// register.
func TestMapsAreTheDocumentedOnes(t *testing.T) {
	documented(t, "../../docs/csig.md", "\nStaged registers are", New(parse(t, "")), Statuses())
	d, err := config.ParseDesign("test", []byte("design: int\nformat: ifa\n")) // has all NODE registers
	require.NoError(t, err)
	documented(t, "../../docs/int.md", "\nUntil the first NODE_COMMIT", NewINT(d.(*config.INT)), INTStatusList())
}

func documented(t *testing.T, file, end string, m *Map, statuses []StatusInfo) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	_, text, found := strings.Cut(string(data), "### Registers\n")
	require.True(t, found)
	text, _, found = strings.Cut(text, end)
	require.True(t, found)
	seen := map[string]bool{}
	check := func(offset, name, access string) {
		n, err := strconv.ParseUint(strings.TrimPrefix(offset, "0x"), 16, 32)
		require.NoError(t, err)
		r, found := m.Named(name)
		require.True(t, found, name)
		assert.EqualValues(t, n, r.Offset, name)
		assert.EqualValues(t, access, r.Access, name)
		seen[name] = true
	}
	for _, row := range regexp.MustCompile(`(?m)^\| (0x[^|]+) \| ([^|]+) \| (ro|rw|wo) \|`).FindAllStringSubmatch(text,
		-1) {
		offset, name, access := row[1], row[2], row[3]
		switch {
		case strings.Contains(name, ", "): // two of them
			offsets, names := strings.Split(offset, ", "), strings.Split(name, ", ")
			for i := range names {
				check(offsets[i], names[i], access)
			}
		case name == "PORT_LOCATOR0 to 3":
			first, last, _ := strings.Cut(offset, " to ")
			check(first, "PORT_LOCATOR0", access)
			check(last, "PORT_LOCATOR3", access)
			seen["PORT_LOCATOR1"], seen["PORT_LOCATOR2"] = true, true
		case name == "COUNT":
			assert.Equal(t, "0x1000 + 64 p + 4 s", offset)
			for _, s := range statuses {
				if s.Name != "no_port" {
					check(fmt.Sprintf("0x%x", 0x1000+4*uint32(s.Status)), "COUNT_"+upper(s.Name), access)
				}
			}
		default:
			check(offset, name, access)
		}
	}
	assert.Len(t, m.Registers, len(seen), file)

	// The statuses are those of the port m_axis_tuser.
	_, text, found = strings.Cut(strings.Join(strings.Fields(string(data)), " "), "status (4 bits: ")
	require.True(t, found)
	text, _, _ = strings.Cut(text, ")")
	var want []string
	for _, s := range statuses {
		if s.Status != StatusStacked {
			want = append(want, fmt.Sprintf("%d %s", s.Status, s.Name))
		}
	}
	assert.Equal(t, strings.Join(want, ", "), text, file)
}

// Registers lie by rising offset, apart from each other, within the addresses; fields apart within a register.
func TestMapIsInOrder(t *testing.T) {
	for _, text := range []string{"", "ports: 256\nport_defaults: {locator: {compact: low_bits}}\n",
		"tags: {compact: none}\n", "tags: {expanded: none, split: uec}\n", "bandwidth: {method: dre}\n"} {
		m := New(parse(t, text))
		owner := map[uint32]string{}
		names := map[string]bool{}
		last := uint32(0)
		for i := range m.Registers {
			r := &m.Registers[i]
			assert.False(t, names[r.Name], r.Name)
			names[r.Name] = true
			assert.True(t, i == 0 || r.Offset > last, r.Name)
			last = r.Offset
			for n := range r.Count {
				at := r.Offset + uint32(n)*r.Stride
				assert.Zero(t, at%4)
				assert.Less(t, at, uint32(1)<<AddressBits)
				assert.Empty(t, owner[at], r.Name)
				owner[at] = r.Name
				got, index, found := m.At(at)
				require.True(t, found)
				assert.Equal(t, []any{r.Name, n}, []any{got.Name, index})
			}
			used := uint32(0)
			for _, f := range r.Fields {
				assert.Zero(t, used&f.Mask(), "%s.%s", r.Name, f.Name)
				assert.Zero(t, f.Reset<<f.Low&^f.Mask(), "%s.%s", r.Name, f.Name)
				assert.NotEmpty(t, f.Doc)
				used |= f.Mask()
			}
			assert.Equal(t, used, r.Mask())
			assert.NotEmpty(t, r.Doc)
		}
		for _, at := range []uint32{0x00c, 0x01c, 0x05c, 0x074, 0x090, 0x0bc, 0x1028, 0x1038, 0x1001, 0x1000 + 64*256, 2} {
			_, _, found := m.At(at)
			assert.False(t, found, "%#x", at)
		}
	}
}

func TestMapFollowsTheConfiguration(t *testing.T) {
	c := parse(t, "ports: 5\nstream_bits: 256\n")
	m := New(c)
	reset := func(name string) uint32 {
		r, found := m.Named(name)
		require.True(t, found, name)
		return r.Reset()
	}
	assert.EqualValues(t, 32<<16|5, reset("SHAPE"))
	assert.Equal(t, c.Hash, fmt.Sprintf("%08x%08x", reset("HASH_HI"), reset("HASH_LO")))
	assert.EqualValues(t, 24, reset("ESTIMATE_OVERHEAD"))
	assert.EqualValues(t, 0x43534947, reset("ID"))
	_, _, found := m.At(Counter(5, StatusUntagged))
	assert.False(t, found)

	has := func(m *Map, names ...string) (list []bool) {
		for _, n := range names {
			_, found := m.Named(n)
			list = append(list, found)
		}
		return list
	}
	compact, expanded := New(parse(t, "tags: {expanded: none}\n")), New(parse(t,
		"tags: {compact: none, split: uec}\nbandwidth: {method: ewma}\n"))
	probe := []string{"BUCKET_START", "BUCKET_PUSH", "BUCKET_COMMIT", "QUANTIZER_BASE", "QUANTIZER_STEP",
		"QUANTIZER_COMMIT", "ESTIMATE_WINDOW"}
	assert.Equal(t, []bool{true, true, true, false, false, false, true}, has(compact, probe...))
	assert.Equal(t, []bool{false, false, false, true, true, true, false}, has(expanded, probe...))
	locator := func(m *Map) uint32 { r, _ := m.Named("PORT_LOCATOR2"); return r.Mask() }
	assert.EqualValues(t, 0x0000007f, locator(compact))
	assert.EqualValues(t, 0x7fff0000, locator(expanded))
	assert.EqualValues(t, 0xffff007f, locator(m))
}
