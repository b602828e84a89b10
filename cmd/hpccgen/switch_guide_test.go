package main

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/csig"
	"github.com/hdlpkg/hpccgen/rtlgen/inband"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

const theory = "../../docs/switch.md"

// switchBench drives a switch preset in the interpreter for the waveforms of docs/switch.md.
type switchBench struct {
	t           *testing.T
	sim         *vgen.Sim
	beat        int // bytes
	port, times int // widths in tuser
	waves       *vgen.Waves
}

func newSwitchBench(t *testing.T, top *vgen.Module, ports, dataBits, timeBits int,
	program []registers.Write) *switchBench {
	t.Helper()
	sim, err := vgen.NewSim(top)
	require.NoError(t, err)
	b := &switchBench{t: t, sim: sim, beat: dataBits / 8, port: bits.Len(uint(ports)), times: timeBits}
	for _, name := range []string{"m_axis_tready", "s_axil_bready", "s_axil_rready"} {
		sim.Set(name, 1)
	}
	sim.Set("s_axil_wstrb", 0xf)
	sim.Set("rst", 1)
	b.step()
	sim.Set("rst", 0)
	for _, w := range program {
		b.write(w)
	}
	return b
}

func newCSIGBench(t *testing.T, preset string, edit ...func(*config.CSIG)) *switchBench {
	d, err := config.LoadDesign(preset)
	require.NoError(t, err)
	c := d.(*config.CSIG)
	for _, e := range edit {
		e(c)
	}
	s, err := csig.Build(c)
	require.NoError(t, err)
	program, err := registers.Program(c)
	require.NoError(t, err)
	return newSwitchBench(t, s.Top, c.Ports, c.DataBits, c.TimeBits, program)
}

func newINTBench(t *testing.T, preset string) *switchBench {
	d, err := config.LoadDesign(preset)
	require.NoError(t, err)
	c := d.(*config.INT)
	s, err := inband.Build(c)
	require.NoError(t, err)
	return newSwitchBench(t, s.Top, c.Ports, c.DataBits, c.TimeBits, registers.ProgramINT(c))
}

// step is one cycle, recorded when there is something to record it.
func (b *switchBench) step() {
	if b.waves != nil {
		b.waves.Record()
	}
	b.sim.Step()
	require.NoError(b.t, b.sim.Err())
}

func (b *switchBench) idle(cycles int) {
	for range cycles {
		b.step()
	}
}

// until steps up to a cycle in which a signal is high.
func (b *switchBench) until(signal string) {
	for n := 0; ; n++ {
		b.sim.Eval()
		if b.sim.Peek(signal) != 0 {
			return
		}
		require.Less(b.t, n, 1000, signal)
		b.step()
	}
}

// write is an access on the register bus that must succeed.
func (b *switchBench) write(w registers.Write) {
	b.sim.Set("s_axil_awaddr", uint64(w.Offset))
	b.sim.Set("s_axil_wdata", uint64(w.Data))
	b.sim.Set("s_axil_awvalid", 1)
	b.sim.Set("s_axil_wvalid", 1)
	for b.sim.Eval(); b.sim.Get("s_axil_awready") == 0; b.sim.Eval() {
		b.step()
	}
	b.step()
	b.sim.Set("s_axil_awvalid", 0)
	b.sim.Set("s_axil_wvalid", 0)
	for b.sim.Eval(); b.sim.Get("s_axil_bvalid") == 0; b.sim.Eval() {
		b.step()
	}
	require.Zero(b.t, b.sim.Get("s_axil_bresp"), "%+v", w)
	b.step()
}

// send offers a packet from port 0 to a port, beat by beat, each until it is taken.
func (b *switchBench) send(egress int, now uint64, bytes []byte) {
	user := big.NewInt(int64(egress))
	user.Lsh(user, uint(b.port))
	for i := range 2 { // times of ingress and egress
		at := new(big.Int).SetUint64(now)
		user.Or(user, at.Lsh(at, uint(2*b.port+i*b.times)))
	}
	b.sim.SetBig("s_axis_tuser", user)
	b.sim.Set("s_axis_tvalid", 1)
	for len(bytes) > 0 {
		part := bytes[:min(b.beat, len(bytes))]
		bytes = bytes[len(part):]
		data := new(big.Int)
		for i, v := range part {
			data.Or(data, new(big.Int).Lsh(big.NewInt(int64(v)), uint(8*i)))
		}
		b.sim.SetBig("s_axis_tdata", data)
		b.sim.Set("s_axis_tkeep", 1<<len(part)-1)
		b.sim.Set("s_axis_tlast", uint64(1-min(1, len(bytes))))
		for b.sim.Eval(); b.sim.Get("s_axis_tready") == 0; b.sim.Eval() {
			b.step()
		}
		b.step()
	}
	b.sim.Set("s_axis_tvalid", 0)
	b.sim.Set("s_axis_tlast", 0)
}

func (b *switchBench) record(names ...string) { b.waves = vgen.NewWaves(b.sim, names...) }

// shown ends a recording, and asserts that the page shows it.
func (b *switchBench) shown(what string) {
	b.t.Helper()
	picture := strings.TrimSpace(b.waves.String())
	b.waves = nil
	doc, err := os.ReadFile(theory)
	require.NoError(b.t, err)
	if !strings.Contains(string(doc), "```\n"+picture+"\n```\n") {
		b.t.Errorf("docs/switch.md does not show this (%s):\n%s", what, picture)
	}
}

// tagged is a packet with a compact CSIG tag whose signal is min(ABW), with its largest code.
func tagged(bytes int) []byte {
	p := append(make([]byte, 12), 0x88, 0xb5, 0x0f, 0x80, 0x08, 0x00)
	return append(p, make([]byte, bytes-len(p))...)
}

// probe is an IPv4 packet with UDP and an HPCC header without records, of so many bytes.
func probe(bytes int) []byte {
	p := make([]byte, bytes)
	put := binary.BigEndian.PutUint16
	put(p[12:], 0x0800)
	ip := p[14:]
	ip[0], ip[8], ip[9] = 0x45, 64, 17
	put(ip[2:], uint16(len(ip)))
	put(ip[22:], 49791)
	put(ip[24:], uint16(len(ip)-20))
	return p
}

// The waveforms of docs/switch.md are those of the designs.
func TestSwitchWaveforms(t *testing.T) {
	in := []string{"s_axis_tvalid", "s_axis_tready", "s_axis_tlast"}
	out := []string{"m_axis_tvalid", "m_axis_tlast", "m_axis_tuser"}
	t.Run("one packet", func(t *testing.T) {
		b := newCSIGBench(t, "csig-4p")
		b.record(append(in, "u_header.complete")...)
		b.step()
		b.send(1, 1_000_000, tagged(64))
		b.idle(2)
		b.shown("a packet goes in")
		b.until("u_editor.s_decision_valid")
		b.record(append([]string{"u_editor.s_decision_valid", "u_editor.a_valid", "u_editor.b_valid"}, out...)...)
		b.idle(14)
		b.shown("it comes out")
	})
	t.Run("runts", func(t *testing.T) {
		b := newCSIGBench(t, "csig-64p")
		b.record(append(in, "u_header.complete")...)
		b.step()
		for i := range 4 {
			b.send(i+1, 1_000_000, tagged(18+10*i))
		}
		b.idle(3)
		b.shown("runts go in")
		b.until("u_decisions.m_some")
		b.record(append([]string{"u_decisions.m_some"}, out...)...)
		b.idle(13)
		b.shown("they come out")
	})
	t.Run("strip", func(t *testing.T) {
		b := newCSIGBench(t, "csig-4p", func(c *config.CSIG) { c.Folded = false })
		for _, w := range []registers.Write{{Offset: registers.PortTrust, Data: 0}, {Offset: registers.PortCommit, Data: 0}} {
			b.write(w)
		}
		b.record(in...)
		b.step()
		b.send(1, 1_000_000, tagged(20))
		b.send(2, 1_000_000, tagged(26))
		b.idle(1)
		b.shown("two packets of which the tag is removed")
		b.until("u_editor.s_decision_valid")
		b.record(append([]string{"u_editor.s_decision_valid", "u_editor.a_valid", "u_editor.b_valid"}, out...)...)
		b.idle(13)
		b.shown("they come out")
	})
	t.Run("record", func(t *testing.T) {
		b := newINTBench(t, "int-switch")
		b.record(in...)
		b.step()
		b.send(1, 1_000_000, probe(60))
		b.send(2, 1_000_000, probe(56))
		b.idle(1)
		b.shown("packets go in")
		b.until("u_editor.s_decision_valid")
		b.record(append([]string{"u_editor.s_decision_valid", "u_editor.a_valid", "u_editor.b_valid"}, out...)...)
		b.idle(8)
		b.shown("they come out")
	})
}

// block is the text of the first fenced block of a language in docs/integration.md behind a heading.
func block(t *testing.T, heading, language string) string {
	t.Helper()
	doc, err := os.ReadFile(guide)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(doc), "\n"+heading+"\n")
	require.True(t, found, heading)
	_, rest, found = strings.Cut(rest, "```"+language+"\n")
	require.True(t, found, language)
	text, _, _ := strings.Cut(rest, "```\n")
	return text
}

// need skips where a tool is missing, but fails in CI.
func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "%s is missing", tool)
		t.Skipf("skipped: %s is missing", tool)
	}
}

// The instance of a switch design in docs/integration.md fits csig-64p, and with what the guide says fits int-switch.
func TestGuideSwitchInstance(t *testing.T) {
	text := block(t, "## Ports of a switch design", "verilog")
	source := strings.NewReplacer("csig_64p_csig_switch u_csig", "int_switch_int_source u_int", "[6:0]",
		"[5:0]").Replace(text)
	for _, c := range []struct{ preset, text string }{{"csig-64p", text}, {"int-switch", source}} {
		d := mustBuild(t, c.preset)
		for _, p := range d.Modules[len(d.Modules)-1].Ports {
			assert.Contains(t, c.text, "."+p.Name+" ", "port %s of %s", p.Name, c.preset)
		}
	}
	need(t, "verilator")
	for _, c := range []struct {
		preset, text string
		ok           bool
	}{{"csig-64p", text, true}, {"int-switch", source, true}, {"int-switch",
		strings.ReplaceAll(text, "csig_64p_csig_switch", "int_switch_int_source"), false}} {
		dir := t.TempDir()
		require.NoError(t, mustBuild(t, c.preset).Write(dir))
		file := filepath.Join(dir, "my_egress.v")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o666))
		args := []string{"--lint-only", "-Wall", "--top-module", "my_egress", "-y", filepath.Join(dir, "rtl"), file}
		out, err := exec.Command("verilator", args...).CombinedOutput()
		assert.Equal(t, c.ok, err == nil, "%s: %s", c.preset, out)
	}
}

// busMain is a bus that prints what is written, and reads what csig-64p is after reset; it runs the code of the guide.
const busMain = `
#include <stdio.h>
#include <stdlib.h>

int bus_write(void *bus, uint32_t offset, uint32_t data)
{
	(void)bus;
	printf("%x %x\n", offset, data);
	return offset == CSIG_64P_BUCKET_PUSH && data == 13 ? 2 : 0;
}

int bus_read(void *bus, uint32_t offset, uint32_t *data)
{
	*data = offset == CSIG_64P_ID ? CSIG_64P_ID_RESET : offset == CSIG_64P_VERSION ? CSIG_64P_VERSION_RESET :
		offset == CSIG_64P_HASH_LO ? CSIG_64P_HASH_LO_RESET : offset == CSIG_64P_HASH_HI ? CSIG_64P_HASH_HI_RESET + *(uint32_t *)bus : offset;
	return 0;
}

int main(int argc, char **argv)
{
	uint32_t other = 0, n;
	const uint32_t bound[] = {0, 5, 13, 20};
	struct csig_port p = {1, 0, CSIG_64P_PORT_ACTIONS_TYPE0_PASS, {1, 2, 3, 4}};

	if (argc != 3)
		return 2;
	p.capacity = (uint32_t)strtoul(argv[1], NULL, 10);
	printf("up %d\n", csig_up(&other));
	printf("port %d\n", csig_set_port(&other, 7, &p, (uint32_t)strtoul(argv[2], NULL, 10)));
	printf("buckets %d\n", csig_set_buckets(&other, 2, bound, 4));
	printf("buckets %d\n", csig_set_buckets(&other, 2, bound, 2));
	csig_updated(&other, 7, &n);
	printf("updated %x\n", n);
	other = 1;
	printf("up %d\n", csig_up(&other));
	return 0;
}
`

// The C code in docs/integration.md compiles without a warning against the header of csig-64p, and writes what the
// configuration asks for.
func TestGuideBringUp(t *testing.T) {
	need(t, "gcc")
	text := block(t, "## Bring-up by software", "c")
	dir := t.TempDir()
	require.NoError(t, mustBuild(t, "csig-64p").Write(dir))
	d, err := config.LoadDesign("csig-64p")
	require.NoError(t, err)
	c := d.(*config.CSIG)
	program, err := registers.Program(c)
	require.NoError(t, err)
	file := filepath.Join(dir, "up.c")
	require.NoError(t, os.WriteFile(file, []byte(text+busMain), 0o666))
	writes := func(list ...registers.Write) string {
		var b strings.Builder
		for _, w := range list {
			fmt.Fprintf(&b, "%x %x\n", w.Offset, w.Data)
		}
		return b.String()
	}
	bin := filepath.Join(dir, "up")
	args := []string{"-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", filepath.Join(dir, "driver"), "-o",
		bin, file}
	out, err := exec.Command("gcc", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, capacity := range []uint64{1000, 999_999, 10_000_000, 100_000_000, 400_000_000, 1<<32 - 1} {
		for _, window := range []uint64{1000, 128_000, 1_000_000_000} {
			got, err := exec.Command(bin, fmt.Sprint(capacity), fmt.Sprint(window)).Output()
			require.NoError(t, err)
			at := *c
			at.WindowNs = window
			ratio, err := at.RatioFactor(capacity)
			require.NoError(t, err)
			depth, err := at.DepthFactor(capacity)
			require.NoError(t, err)
			word := func(offset uint32, v uint64) registers.Write { return registers.Write{Offset: offset, Data: uint32(v)} }
			want := writes(program...) + "up 0\n" + writes(word(registers.PortTrust, 1), word(registers.PortCapacity, capacity),
				word(registers.PortRatio, ratio.Mantissa), word(registers.PortRatioShift, uint64(ratio.Shift)),
				word(registers.PortDepth, depth.Mantissa), word(registers.PortDepthShift, uint64(depth.Shift)),
				word(registers.PortActions, 0),
				word(registers.PortLocator(0), 1), word(registers.PortLocator(1), 2), word(registers.PortLocator(2), 3),
				word(registers.PortLocator(3), 4),
				word(registers.PortCommit, 7)) + "port 0\n" +
				writes(word(registers.BucketStart, 2), word(registers.BucketPush, 0), word(registers.BucketPush, 5),
					word(registers.BucketPush, 13)) + "buckets 2\n" +
				writes(word(registers.BucketStart, 2), word(registers.BucketPush, 0), word(registers.BucketPush, 5),
					word(registers.BucketCommit, 0)) + "buckets 0\n" +
				fmt.Sprintf("updated %x\n", registers.Counter(7, registers.StatusUpdated)) + "up -2\n"
			require.Equal(t, want, string(got), "capacity %d, window %d", capacity, window)
		}
	}
}
