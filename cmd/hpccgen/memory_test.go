package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bomb writes a file that unpacks to a head and so many copies of a piece.
func bomb(t *testing.T, path, head, piece string, copies int) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	w, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = w.Write([]byte(head))
	require.NoError(t, err)
	many := []byte(strings.Repeat(piece, 1+(1<<20)/len(piece)))
	for left := copies * len(piece); left > 0; left -= len(many) {
		_, err = w.Write(many[:min(left, len(many))])
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
}

// TestMemoryIsBounded runs the tool on small files that unpack to many bytes, and measures the memory that it takes
// at most.
func TestMemoryIsBounded(t *testing.T) {
	const mb = 1 << 20
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	le := binary.LittleEndian
	const (
		header = "t_ns,flow,ack_seq,snd_nxt,nhop,h0_rate_bps,h0_ts,h0_tx,h0_qlen\n"
		row    = "1000,0,1000,50000,1,100000000000,1000,0,0\n"
		flows  = "flow,base_rtt_ns,bdp_bytes,max_rate_bps,rate_ai_bps,min_rate_bps,eta,max_stage,unit_multiplier,payload_bytes,fast_react\n"
		flow   = "0,4160,52000,100000000000,50000000,100000000,0.95,5,1,1000,1\n"
		meta   = "packet,ingress_port,egress_port,ingress_ns,egress_ns,qlen_bytes\n"
	)
	packet := string(le.AppendUint32(le.AppendUint32(make([]byte, 8), 60), 60)) + strings.Repeat("\x00", 60)
	pcap := le.AppendUint32(nil, 0xa1b2c3d4)
	pcap = le.AppendUint16(le.AppendUint16(pcap, 2), 4)
	pcap = append(pcap, make([]byte, 8)...)
	pcap = le.AppendUint32(le.AppendUint32(pcap, 1<<32-1), 1)
	huge := string(le.AppendUint32(le.AppendUint32(make([]byte, 8), 1<<30), 1<<30))
	section := le.AppendUint32(le.AppendUint32(nil, 0x0a0d0d0a), 28)
	section = le.AppendUint16(le.AppendUint16(le.AppendUint32(section, 0x1a2b3c4d), 1), 0)
	section = le.AppendUint32(le.AppendUint64(section, 1<<64-1), 28)
	name := make([]byte, 1024) // a block of names: host i is called so
	le.PutUint32(name, 4)
	le.PutUint32(name[4:], uint32(len(name)))
	le.PutUint16(name[8:], 1)
	le.PutUint16(name[10:], 1004)
	copy(name[16:], strings.Repeat("a", 999))
	le.PutUint32(name[len(name)-4:], uint32(len(name)))
	iface := le.AppendUint32(le.AppendUint32(nil, 1), 20)
	iface = le.AppendUint32(le.AppendUint32(le.AppendUint32(iface, 1), 0), 20)
	const text = 65_000
	named := le.AppendUint32(le.AppendUint32(nil, 1), 16+4*(4+text)+4+4)
	named = le.AppendUint32(le.AppendUint32(named, 1), 0)
	for _, option := range []uint16{1, 2, 3, 12} { // comment, name, description, operating system
		named = le.AppendUint16(le.AppendUint16(named, option), text)
		named = append(named, strings.Repeat("a", text)...)
	}
	named = le.AppendUint32(append(named, 0, 0, 0, 0), 16+4*(4+text)+4+4)

	zeros := strings.Repeat("\x00", 4096)
	bomb(t, at("rows.trace.csv.gz"), header, row, 400_000)
	require.NoError(t, os.WriteFile(at("rows.flows.csv"), []byte(flows+flow), 0o666))
	bomb(t, at("zeros.gz"), "", zeros, 100*mb/4096)
	bomb(t, at("line.gz"), header, "1", 100*mb)
	bomb(t, at("flows.gz"), flows, flow, 1_000_000)
	bomb(t, at("packets.pcap.gz"), string(pcap), packet, 400_000)
	bomb(t, at("huge.pcap.gz"), string(pcap)+huge, zeros, 100*mb/4096)
	bomb(t, at("names.pcapng.gz"), string(section), string(name), 100*mb/len(name))
	bomb(t, at("interfaces.pcapng.gz"), string(section), string(iface), 1<<20)
	bomb(t, at("named.pcapng.gz"), string(section), string(named), 1000)
	var later bytes.Buffer
	later.WriteString(meta)
	for i := range 600_000 {
		fmt.Fprintf(&later, "%d,0,0,0,0,0\n", i+2)
	}
	require.NoError(t, os.WriteFile(at("later.csv"), later.Bytes(), 0o666))
	for _, name := range []string{"out/manifest.json", "out/.hpccgen-7/hpccgen-stage.json"} { // of the user, and long
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		require.NoError(t, os.WriteFile(at(name), nil, 0o666))
		require.NoError(t, os.Truncate(at(name), 500*mb))
	}

	trace := []string{"replay", "--config", "nic-line", "--engine", "model", "--out", os.DevNull, "--trace"}
	capture := []string{"replay", "--config", "csig-4p", "--engine", "model", "--out", os.DevNull, "--pcap"}
	endless, err := os.Open("/dev/zero")
	require.NoError(t, err)
	t.Cleanup(func() { _ = endless.Close() })
	for _, c := range []struct {
		args   []string
		most   int // MB
		status int
		want   string
	}{
		{append(trace, at("rows.trace.csv.gz")), 100, 0, "400000 rows"},
		{append(trace, at("zeros.gz"), "--flows", at("rows.flows.csv")), 100, 1, "the line is longer than 65536 bytes"},
		{append(trace, at("line.gz"), "--flows", at("rows.flows.csv")), 100, 1,
			"line 2: the line is longer than 65536 bytes"},
		{append(trace, at("rows.trace.csv.gz"), "--flows", at("zeros.gz")), 100, 1,
			"the line is longer than 65536 bytes"},
		{append(trace, at("rows.trace.csv.gz"), "--flows", at("flows.gz")), 100, 1,
			"line 3, column flow: flow 0 is already in line 2"},
		{append(trace, "/dev/stdin", "--flows", at("rows.flows.csv")), 100, 1,
			"more than 256 MiB come from a pipe or a device"},
		{append(capture, at("packets.pcap.gz")), 250, 0, "400000 packets"},
		{append(capture, at("packets.pcap.gz"), "--window", "1"), 100, 0, "400000 packets"},
		{append(capture, at("zeros.gz")), 100, 1, "neither a pcap nor a pcapng file: it begins with 00 00 00 00"},
		{append(capture, at("huge.pcap.gz")), 100, 1,
			"packet 1: cannot be read: capture length exceeds snap length: 1073741824 > 262144"},
		{append(capture, at("names.pcapng.gz")), 100, 1, "no packets; at least one is expected"},
		{append(capture, at("named.pcapng.gz")), 100, 1, "no packets; at least one is expected"},
		{append(capture, at("interfaces.pcapng.gz")), 150, 1, "more than 65536 interfaces"},
		{append(capture, at("packets.pcap.gz"), "--meta", at("zeros.gz")), 100, 1,
			"the line is longer than 65536 bytes"},
		{append(capture, at("packets.pcap.gz"), "--meta", at("later.csv")), 250, 1,
			"packet 1 has no row so far, and 524288 rows of later packets; order the rows by packet"},
		{[]string{"generate", "--config", "/dev/stdin", "--out", at("out")}, 100, 1,
			"the file has more than 131072 bytes"},
		{[]string{"generate", "--config", "csig-4p", "--out", at("out")}, 100, 0, "files in"},
	} {
		cmd := exec.Command(os.Args[0], c.args...)
		cmd.Env = append(os.Environ(), asCommand+"=1", "GOGC=100")
		var text bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = endless, &text, &text
		require.NoError(t, cmd.Start())
		peak := peakOf(cmd)
		assert.Equal(t, c.status, cmd.ProcessState.ExitCode(), c.args)
		assert.Contains(t, text.String(), c.want, c.args)
		t.Logf("%d MB: %v", peak, c.args)
		if c.status == 0 { // a command that refuses its input may have ended before it was asked
			assert.NotZero(t, peak, c.args)
		}
		assert.LessOrEqual(t, peak, c.most, "MB of %v", c.args)
	}
}

// peakOf waits for a command, and gives the memory, in MB, that it has had at most. What the kernel says of a process
// that has ended counts the one that started it, so the process is asked while it runs.
func peakOf(cmd *exec.Cmd) (peak int) {
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kb int
			if n, _ := fmt.Sscan(after, &kb); n == 1 {
				peak = max(peak, kb>>10)
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(2 * time.Millisecond):
		}
	}
}
