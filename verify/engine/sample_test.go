package engine

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// needTools skips a test when a program is missing, and names it; in CI a missing program is a failure.
func needTools(t testing.TB, tools ...toolchain.Tool) {
	t.Helper()
	for _, tl := range tools {
		if _, err := tl.Find(); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("CI must have every tool: %v", err)
			}
			t.Skipf("skipped %s: %v", t.Name(), err)
		}
	}
}

// sharedCache is one build cache for all tests except those of the cache.
var sharedCache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hpccgen-engine-")
	if err != nil {
		panic(err)
	}
	sharedCache = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

const sampleCore = "`default_nettype none\n" + `
// Accumulates wide words into a memory; an odd mix of widths on purpose.
module sample_core (
  input  wire         clk,
  input  wire         rst,
  input  wire         s_valid,
  input  wire [3:0]   s_addr,
  input  wire [99:0]  s_data,
  output wire [99:0]  m_data,
  output wire [32:0]  m_count
);
  reg [99:0] mem [0:15];
  reg [99:0] read_q;
  reg [32:0] count_q;
  wire [99:0] sum = mem[s_addr] + s_data;
  always @(posedge clk) begin
    read_q <= sum;
    if (s_valid) mem[s_addr] <= sum;
    count_q <= count_q + {32'd0, s_valid};
    if (rst) count_q <= 33'd0;
  end
  assign m_data  = read_q;
  assign m_count = count_q;
endmodule
` + "`default_nettype wire\n"

const sampleTop = "`default_nettype none\n" + `
module sample (
  input  wire         clk,
  input  wire         rst,
  input  wire         s_valid,
  input  wire [3:0]   s_addr,
  input  wire [99:0]  s_data,
  output wire         m_odd,
  output wire [99:0]  m_data,
  output wire [32:0]  m_count,
  output wire [63:0]  m_fold,
  output wire [7:0]   m_inv
);
  sample_core u_core (
    .clk(clk), .rst(rst), .s_valid(s_valid), .s_addr(s_addr), .s_data(s_data),
    .m_data(m_data), .m_count(m_count)
  );
  assign m_odd  = ^s_data;
  assign m_fold = m_data[63:0] ^ {28'd0, m_data[99:64]};
  assign m_inv  = ~{4'd0, s_addr};
endmodule
` + "`default_nettype wire\n"

// slots lays out ports one after the other.
func slots(offset *int, ports ...any) (list []vgen.Slot) {
	for i := 0; i < len(ports); i += 2 {
		s := vgen.Slot{Name: ports[i].(string), Width: ports[i+1].(int), Offset: *offset}
		s.Words = (s.Width + 63) / 64
		*offset += s.Words
		list = append(list, s)
	}
	return list
}

// sampleSource is a small hand-written design with a memory, wide ports and taps.
func sampleSource() *Source {
	l := &vgen.Layout{}
	l.Inputs = slots(&l.InWords, "rst", 1, "s_valid", 1, "s_addr", 4, "s_data", 100)
	l.Outputs = slots(&l.OutWords, "m_odd", 1, "m_data", 100, "m_count", 33, "m_fold", 64, "m_inv", 8)
	l.Taps = slots(&l.OutWords, "u_sum", 100, "u_count", 33)
	return &Source{
		Top: "sample", Clock: true, Layout: l, TapPaths: []string{"u_core.sum", "u_core.count_q"},
		Files: []vgen.File{{Name: "sample_core.v", Text: []byte(sampleCore)}, {Name: "sample.v", Text: []byte(sampleTop)}},
	}
}

// sampleModel is the behaviour of sampleSource in Go.
type sampleModel struct {
	mem   [16][2]uint64
	read  [2]uint64
	count uint64
}

const top36 = 1<<36 - 1

func (m *sampleModel) cycle(in, out []uint64) {
	rst, valid, addr := in[0]&1, in[1]&1, in[2]&15
	lo, hi := in[3], in[4]&top36
	parity := lo ^ hi
	for s := 32; s > 0; s /= 2 {
		parity ^= parity >> s
	}
	sumLo := m.mem[addr][0] + lo
	sumHi := m.mem[addr][1] + hi
	if sumLo < lo {
		sumHi++
	}
	sumHi &= top36
	copy(out, []uint64{parity & 1, m.read[0], m.read[1], m.count, m.read[0] ^ m.read[1], ^addr & 0xff, sumLo, sumHi,
		m.count})
	m.read = [2]uint64{sumLo, sumHi}
	if valid == 1 {
		m.mem[addr] = m.read
	}
	m.count = (m.count + valid) & (1<<33 - 1)
	if rst == 1 {
		m.count = 0
	}
}

// sampleRecords makes inputs, with bits above the widths set too, and the
// outputs that belong to them.
func sampleRecords(cycles int, seed uint64) (in, out []uint64) {
	in, out = make([]uint64, cycles*5), make([]uint64, cycles*9)
	var m sampleModel
	for i := range in {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		in[i] = seed
	}
	for c := range cycles {
		in[c*5] &^= 1
		if c == 1 || c%97 == 50 {
			in[c*5] |= 1
		}
		m.cycle(in[c*5:], out[c*9:])
	}
	return in, out
}

// edit replaces the first occurrence of a text in a file of the source.
func edit(s *Source, file int, from, to string) {
	s.Files[file].Text = bytes.Replace(s.Files[file].Text, []byte(from), []byte(to), 1)
}

func mustOpen(t testing.TB, name string, s *Source, o Options) Engine {
	t.Helper()
	if o.CacheDir == "" {
		o.CacheDir = sharedCache
	}
	e, err := OpenSource(name, s, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}
