package output

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// rig is a design in the interpreter.
type rig struct {
	t   testing.TB
	sim *vgen.Sim
}

func newRig(t testing.TB, c config.Design) *rig {
	m, err := Module(c)
	require.NoError(t, err)
	sim, err := vgen.NewSim(m)
	require.NoError(t, err)
	r := &rig{t, sim}
	sim.Set("rst", 1)
	r.step()
	sim.Set("rst", 0)
	sim.Set("m_ready", 1)
	return r
}

func (r *rig) step() {
	r.sim.Step()
	require.NoError(r.t, r.sim.Err())
}

// until steps until an output is high, and then once more.
func (r *rig) until(output string) {
	for range 20_000 {
		r.sim.Eval()
		high := r.sim.Get(output) == 1
		if high {
			return
		}
		r.step()
	}
	require.Fail(r.t, output+" stays low")
}

// send transfers a payload on a stream.
func (r *rig) send(stream string, payload map[string]uint64) {
	for port, v := range payload {
		r.sim.Set(stream+"_"+port, v)
	}
	r.sim.Set(stream+"_valid", 1)
	r.until(stream + "_ready")
	r.step()
	r.sim.Set(stream+"_valid", 0)
}

// write and read are accesses over AXI4-Lite; they give the response.
func (r *rig) write(offset, data uint64) (resp uint64) {
	for port, v := range map[string]uint64{"awaddr": offset, "wdata": data, "wstrb": 15, "awvalid": 1, "wvalid": 1} {
		r.sim.Set("s_axil_"+port, v)
	}
	r.until("s_axil_awready")
	r.step()
	r.sim.Set("s_axil_awvalid", 0)
	r.sim.Set("s_axil_wvalid", 0)
	r.sim.Set("s_axil_bready", 1)
	r.until("s_axil_bvalid")
	resp = r.sim.Get("s_axil_bresp")
	r.step()
	return resp
}

func (r *rig) read(offset uint64) (data, resp uint64) {
	r.sim.Set("s_axil_araddr", offset)
	r.sim.Set("s_axil_arvalid", 1)
	r.until("s_axil_arready")
	r.step()
	r.sim.Set("s_axil_arvalid", 0)
	r.sim.Set("s_axil_rready", 1)
	r.until("s_axil_rvalid")
	data, resp = r.sim.Get("s_axil_rdata"), r.sim.Get("s_axil_rresp")
	r.step()
	return data, resp
}

// The driver's C program, run on the registers of a design, leaves the same state as the same writes on the streams of
// the design without registers: tables by what ACKs make of them, contexts and counters as they are read.
func TestDriverLeavesTheStateOfStreams(t *testing.T) {
	gcc := needs(t, "gcc")
	for name, text := range map[string]string{
		"hpcc": "design: nic\nname: bus\nflows: 5\nprofiles: 2\nhops: {max: 1}\n",
		"serial": "design: nic\nname: bus\nflows: 5\nprofiles: 2\nhops: {max: 2, order: serial}\nmode: receiver\n" +
			"counter_bits: 40\n",
		"aimd": "design: nic\nlaw: aimd\nname: bus\nflows: 5\nprofiles: 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			native, err := config.ParseDesign("native", []byte(text))
			require.NoError(t, err)
			d := parsed(t, text+"bus: axi_lite\n")
			e := d.Config.(config.EngineDesign)
			streams, bus := newRig(t, native), newRig(t, d.Config)
			for _, r := range []*rig{streams, bus} {
				for range 200 {
					r.step()
				}
			}

			dir := t.TempDir()
			program, want := driverProgram(e, streams)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "bus_regs.h"), []byte(d.text(t, "driver/bus_regs.h")), 0o666))
			source, binary := filepath.Join(dir, "use.c"), filepath.Join(dir, "use")
			require.NoError(t, os.WriteFile(source, []byte(program), 0o666))
			out, err := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-o",
				binary, source).CombinedOutput()
			require.NoError(t, err, "%s", out)
			assert.Equal(t, want, bus.serve(binary))
		})
	}
}

// serve runs a program whose accesses come on its standard output, and gives the lines that it prints beside them.
func (r *rig) serve(binary string) (said []string) {
	cmd := exec.Command(binary)
	in, err := cmd.StdinPipe()
	require.NoError(r.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(r.t, err)
	require.NoError(r.t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var a, b uint64
		switch line := lines.Text(); line[0] {
		case 'w':
			_, err = fmt.Sscanf(line, "w %x %x", &a, &b)
			require.NoError(r.t, err)
			_, err = fmt.Fprintf(in, "%x 0\n", r.write(a, b))
		case 'r':
			_, err = fmt.Sscanf(line, "r %x", &a)
			require.NoError(r.t, err)
			data, resp := r.read(a)
			_, err = fmt.Fprintf(in, "%x %x\n", resp, data)
		case 'a':
			r.ack()
			_, err = io.WriteString(in, "0 0\n")
		default: // a colon first
			said = append(said, line)
		}
		require.NoError(r.t, err)
	}
	require.NoError(r.t, cmd.Wait())
	return said
}

// ack sends an ACK to flow 1 and one to flow 4, and waits for the decisions. In the interpreter unset ports are 0.
func (r *rig) ack() {
	for _, flow := range []uint64{1, 4} {
		payload := map[string]uint64{"flow": flow}
		r.send("s", payload)
		r.until("m_valid")
		r.step()
		for range 8 {
			r.step()
		}
	}
}

// driverProgram is a program that writes tables and contexts, has ACKs sent and reads contexts and counters, and what
// it is to print: the same is done on the streams of a design.
func driverProgram(e config.EngineDesign, streams *rig) (text string, want []string) {
	r, s, f := rand.New(rand.NewPCG(1, 2)), e.Software(), e.Frame()
	any := func(bits int) uint64 { return r.Uint64() >> (64 - bits) }
	var b strings.Builder
	b.WriteString(`#include "bus_regs.h"
#include <stdio.h>

static int answer(uint32_t *data)
{
	unsigned resp = 1, word = 0;

	fflush(stdout);
	if (scanf("%x %x", &resp, &word) != 2)
		return -1;
	*data = word;
	return (int)resp;
}

static int bus_write_word(void *bus, uint32_t offset, uint32_t data)
{
	uint32_t none;

	(void)bus;
	printf("w %x %x\n", (unsigned)offset, (unsigned)data);
	return answer(&none);
}

static int bus_read_word(void *bus, uint32_t offset, uint32_t *data)
{
	(void)bus;
	printf("r %x\n", (unsigned)offset);
	return answer(data);
}

int main(void)
{
	const struct bus_bus b = {NULL, bus_write_word, bus_read_word};
	struct bus_context c;
	struct bus_state s;
	struct bus_counters n;
	uint32_t none;
	int wrong = 0;

`)
	for i, table := range s.Tables {
		for index := range table.Entries {
			v := any(table.Bits)
			fmt.Fprintf(&b, "\twrong |= bus_table_write(&b, BUS_TABLE_%s, %d, 0x%xull);\n", registers.Identifier(table.Name),
				index, v)
			streams.send("tw", map[string]uint64{"table": uint64(i), "index": uint64(index), "data": v})
		}
	}
	for flow := range uint64(4) {
		payload := map[string]uint64{"flow": flow, "mask": 2<<s.Start() - 1}
		for _, field := range append(s.Write, f.Generation()) {
			v := any(field.Bits)
			if field.Name == "generation" && flow == 1 {
				v = 0 // ACKs are of this one
			}
			payload[field.Name] = v
			fmt.Fprintf(&b, "\tc.%s = 0x%xu%s;\n", field.Name, v, map[bool]string{true: "ll"}[field.Bits > 32])
		}
		fmt.Fprintf(&b, "\twrong |= bus_context_write(&b, %d, BUS_MASK_OPEN, &c);\n", flow)
		streams.send("cw", payload)
	}
	fmt.Fprintf(&b, "\twrong |= bus_context_write(&b, 2, BUS_MASK_CLOSE, &c);\n")
	streams.send("cw", map[string]uint64{"flow": 2, "mask": 1 << s.Close()})
	fmt.Fprintf(&b, "\tprintf(\"a\\n\");\n\twrong |= answer(&none);\n")
	for range 300 {
		streams.step()
	}
	streams.ack()
	for flow := range uint64(5) {
		fmt.Fprintf(&b, "\twrong |= bus_context_read(&b, %d, &s);\n", flow)
		streams.send("cr", map[string]uint64{"flow": flow})
		streams.until("cd_valid")
		for _, field := range s.Read {
			if field.Bits > 0 {
				fmt.Fprintf(&b, "\tprintf(\": flow %d %s %%llx\\n\", (unsigned long long)s.%[2]s);\n", flow, field.Name)
				want = append(want, fmt.Sprintf(": flow %d %s %x", flow, field.Name, streams.sim.Get("cd_"+field.Name)))
			}
		}
		streams.sim.Set("cd_ready", 1)
		streams.step()
		streams.sim.Set("cd_ready", 0)
	}
	fmt.Fprintf(&b, "\twrong |= bus_counters_read(&b, &n);\n")
	for _, c := range s.Counters {
		fmt.Fprintf(&b, "\tprintf(\": %s %%llx\\n\", (unsigned long long)n.%[1]s);\n", c.Name)
		want = append(want, fmt.Sprintf(": %s %x", c.Name, streams.sim.Get("n_"+c.Name)))
	}
	b.WriteString("\tprintf(\": refused %d\\n\", bus_context_write(&b, 5, 0, &c));\n\treturn wrong;\n}\n")
	return b.String(), append(want, ": refused 2")
}
