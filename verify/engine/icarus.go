package engine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
	"github.com/hdlpkg/hpccgen/internal/toolchain"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// icarusPatience is how long a simulator may take to end after its input did.
const icarusPatience = 20 * time.Second

// Icarus runs a design in Icarus Verilog: one simulator process for each
// instance, fed through pipes. It is slow, and it is the one engine that knows
// unknown values.
type Icarus struct {
	source  *Source
	rule    UnknownRule
	excused bool // unknown bits are no fault yet: no reset has been clocked
	cycle   int
	unknown []uint64

	cmd    *exec.Cmd
	said   *bytes.Buffer // what the simulator printed; read after it ended
	feed   *os.File
	answer *os.File
	reader *bufio.Reader
	line   []byte
	wave   *waveform
	broken error
	closed bool
}

func openIcarus(s *Source, o Options) (*Icarus, error) {
	if err := checkStart("icarus", o.Start, StartZero, StartOnes, StartUnknown); err != nil {
		return nil, err
	}
	compiler, version, err := toolchain.Iverilog.Locate()
	if err != nil {
		return nil, err
	}
	vvp, err := toolchain.VVP.Find()
	if err != nil {
		return nil, err
	}
	cache, err := buildcache.Open(o.CacheDir)
	if err != nil {
		return nil, err
	}
	program, err := icarusBuild(s, o, cache, compiler, version)
	if err != nil {
		return nil, err
	}
	e := &Icarus{source: s, rule: o.UnknownOK, excused: o.Start == StartUnknown && hasReset(s.Layout),
		said: &bytes.Buffer{}}
	if e.rule == nil {
		e.rule = PayloadMayBeUnknown(s.Layout)
	}
	args := []string{"-n", program}
	if e.wave, err = createWaveform(o, s.Top); err != nil {
		return nil, err
	}
	if e.wave != nil {
		args = append(args, "+vcd=/dev/./fd/5") // a name without a dot would get an ending
	}
	if err := e.start(vvp, args); err != nil {
		return nil, errors.Join(fmt.Errorf("starting vvp: %w", err), e.wave.close())
	}
	return e, nil
}

// icarusBuild compiles the design with its testbench, or finds it in the cache.
func icarusBuild(s *Source, o Options, c buildcache.Cache, compiler, version string) (string, error) {
	language := "-g2005"
	if slices.ContainsFunc(s.Files, func(f vgen.File) bool { return filepath.Ext(f.Name) == ".sv" }) {
		language = "-g2012"
	}
	flags := []string{language, "-s", benchModule, "-o", "bench.vvp"}
	bench := icarusBench(s)
	parts := append(s.parts(), bench, version, strings.Join(flags, " "))
	files := make([]vgen.File, len(s.Files))
	for i, f := range s.Files {
		files[i] = vgen.File{Name: f.Name, Text: setAtStart(f.Text, o.Start)}
		parts = append(parts, string(files[i].Text))
	}
	entry, err := c.Get("icarus", buildcache.Key(parts...), func(dir string) error {
		o.step("compiling " + s.Top + " with Icarus Verilog")
		work := filepath.Join(dir, "work")
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		defer os.RemoveAll(work)
		write := func(name string, text []byte) error {
			if !isHeader(name) {
				flags = append(flags, name)
			}
			return os.WriteFile(filepath.Join(work, name), text, 0o644)
		}
		if err := write(benchModule+".v", []byte(bench)); err != nil {
			return err
		}
		for _, f := range files {
			if err := write(f.Name, f.Text); err != nil {
				return err
			}
		}
		compilerRuns.Add(1)
		if s.Folder != "" {
			if err := s.checkFolder(work, "", compiler, append([]string{"-Wall", "-Wno-timescale", "-t", "null"}, flags...)...); err != nil {
				return err
			}
		}
		if err := runTool(work, compiler, flags...); err != nil {
			return s.inFolder(fmt.Errorf("compiling %s with Icarus Verilog: %w", s.Top, err), "")
		}
		return os.Rename(filepath.Join(work, "bench.vvp"), filepath.Join(dir, "bench.vvp"))
	})
	return filepath.Join(entry, "bench.vvp"), err
}

func (e *Icarus) start(vvp string, args []string) error {
	fromUs, feed, err := os.Pipe()
	if err != nil {
		return err
	}
	defer fromUs.Close()
	answer, toUs, err := os.Pipe()
	if err != nil {
		return errors.Join(err, feed.Close())
	}
	defer toUs.Close()
	e.cmd = toolchain.Command(toolchain.Lifetime(), vvp, args...)
	e.cmd.ExtraFiles = []*os.File{fromUs, toUs} // descriptors 3 and 4
	if e.wave != nil {
		if err := e.wave.forSimulator(); err != nil {
			return errors.Join(err, feed.Close(), answer.Close())
		}
		e.cmd.ExtraFiles = append(e.cmd.ExtraFiles, e.wave.pipe) // descriptor 5
	}
	defer e.wave.handedOver()
	e.cmd.Stdout, e.cmd.Stderr = e.said, e.said
	if err := e.cmd.Start(); err != nil {
		return errors.Join(err, feed.Close(), answer.Close())
	}
	e.feed, e.answer = feed, answer
	e.reader = bufio.NewReaderSize(answer, 1<<16)
	return nil
}

// Name is "icarus".
func (e *Icarus) Name() string { return "icarus" }

// Layout describes the records.
func (e *Icarus) Layout() *vgen.Layout { return e.source.Layout }

// Unknown returns, for the cycles of the last Run, records with a one for each
// bit that was unknown; such bits are 0 in the outputs.
func (e *Icarus) Unknown() []uint64 { return e.unknown }

// Run runs a batch of cycles. An output that is unknown where Options.UnknownOK
// does not allow it is an [UnknownBits] error; the batch is completed
// nevertheless, and the instance can go on.
func (e *Icarus) Run(cycles int, in, out []uint64) error {
	if e.closed {
		return errClosed
	}
	if e.broken != nil {
		return e.broken
	}
	l := e.source.Layout
	if err := checkRecords(l, cycles, in, out); err != nil {
		return err
	}
	e.unknown = make([]uint64, cycles*l.OutWords)
	if cycles == 0 {
		return nil
	}
	// The simulator answers while it reads: feeding must not wait for reading.
	fed := make(chan error, 1)
	go func() {
		_, err := e.feed.Write(icarusBatch(l, cycles, in))
		fed <- err
	}()
	var fault error
	for c := range cycles {
		record, mask := out[c*l.OutWords:(c+1)*l.OutWords], e.unknown[c*l.OutWords:(c+1)*l.OutWords]
		some, err := e.readRecord(record, mask)
		if err != nil {
			e.fail(c, err)
			<-fed
			return e.broken
		}
		if some && fault == nil && !e.excused {
			fault = findUnknown(l, e.cycle, record, mask, e.rule)
		}
		if e.excused && resetIn(l, in[c*l.InWords:]) {
			e.excused = false
		}
		e.cycle++
	}
	if err := <-fed; err != nil {
		e.fail(cycles, err)
		return e.broken
	}
	return errors.Join(fault, e.wave.failed())
}

// icarusBatch writes the inputs of a batch as the testbench reads them.
func icarusBatch(l *vgen.Layout, cycles int, in []uint64) []byte {
	const digits = "0123456789abcdef"
	text := make([]byte, 0, 16+cycles*(16*l.InWords+2))
	text = strconv.AppendInt(text, int64(cycles), 10)
	text = append(text, '\n')
	for c := range cycles {
		for w := l.InWords - 1; w >= 0; w-- {
			v := in[c*l.InWords+w]
			for shift := 60; shift >= 0; shift -= 4 {
				text = append(text, digits[v>>shift&15])
			}
		}
		if l.InWords == 0 {
			text = append(text, '0')
		}
		text = append(text, '\n')
	}
	return text
}

// readRecord reads one line of the testbench and reports whether it had unknown
// bits.
func (e *Icarus) readRecord(record, mask []uint64) (unknown bool, err error) {
	e.line = e.line[:0]
	for {
		part, err := e.reader.ReadSlice('\n')
		e.line = append(e.line, part...)
		if err == nil {
			break
		}
		if err != bufio.ErrBufferFull {
			return false, errors.New("the simulator ended")
		}
	}
	text := e.line[:len(e.line)-1]
	perWord := 16
	if len(text) > 0 && text[0] == 'b' {
		perWord = 64
	}
	want := 1 + perWord*max(1, len(record))
	if len(text) != want || text[0] != 'h' && text[0] != 'b' {
		return false, fmt.Errorf("the simulator answered %q", cut(text, 40))
	}
	if len(record) == 0 {
		return false, nil
	}
	for w := range record {
		digits := text[want-(w+1)*perWord : want-w*perWord]
		if perWord == 16 {
			if record[w], err = strconv.ParseUint(string(digits), 16, 64); err != nil {
				return false, fmt.Errorf("the simulator answered %q", cut(digits, 40))
			}
			continue
		}
		record[w] = 0
		for i, d := range digits {
			bit := uint64(1) << (63 - i)
			switch d {
			case '0':
			case '1':
				record[w] |= bit
			default:
				mask[w] |= bit
			}
		}
	}
	return perWord == 64, nil
}

func cut(text []byte, n int) string {
	if len(text) > n {
		return string(text[:n]) + "..."
	}
	return string(text)
}

// fail ends the simulator and keeps the reason.
func (e *Icarus) fail(cycles int, err error) {
	_ = e.feed.Close()
	_ = e.answer.Close()
	_ = e.cmd.Process.Kill()
	_ = e.cmd.Wait()
	if toolchain.Lifetime().Err() != nil {
		err = toolchain.Lifetime().Err()
	}
	e.broken = fmt.Errorf("icarus: the simulation of %s failed after %d cycles of the batch: %w", e.source.Top, cycles,
		err)
	if said := strings.TrimSpace(e.said.String()); said != "" {
		e.broken = fmt.Errorf("%w\n%s", e.broken, cut([]byte(said), outputLimit))
	}
}

// Close ends the simulator, which completes the waveform.
func (e *Icarus) Close() error {
	if e.closed {
		return nil
	}
	e.closed = true
	if e.broken != nil {
		return e.wave.close() // it has ended, and Run has said why
	}
	_ = e.feed.Close()
	defer e.answer.Close()
	late := time.AfterFunc(icarusPatience, func() { _ = e.cmd.Process.Kill() })
	defer late.Stop()
	if err := e.cmd.Wait(); err != nil {
		err = fmt.Errorf("icarus: the simulator ended with %w\n%s", err, cut(e.said.Bytes(), outputLimit))
		return errors.Join(err, e.wave.close())
	}
	return e.wave.close()
}

// resetIn reports whether the record asserts the reset.
func resetIn(l *vgen.Layout, record []uint64) bool {
	for _, s := range l.Inputs {
		if s.Name == "rst" {
			return record[s.Offset]&1 == 1
		}
	}
	return false
}
