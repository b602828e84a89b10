// Command demo demonstrates the complete flow on real input: it generates the default preset, replays two recorded
// traces on the golden model, on the Go interpreter of the design and on its Verilog, compares the output bytes, does
// the same with packets through a switch, and runs a short co-simulation. It runs bin/hpccgen as a user would, and fails
// on any difference.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/cosim"
	"github.com/hdlpkg/hpccgen/verify/packets"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

const (
	tool   = "bin/hpccgen"
	preset = "nic-line"
	out    = "out/demo"
)

var (
	traces  = []string{"a_incast2_mi5", "w_wrap_mtu4000_mi5"}
	engines = []string{"model", "go", "verilator"}
)

func main() {
	if err := demo(); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func demo() error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if err := generate(); err != nil {
		return err
	}
	fmt.Println("\n$ hpccgen replay, two traces on every engine; |dU| and dR/R against the simulator of the HPCC authors")
	row("", "", "", "one step", "at a time", "", "free running", "", "")
	row("trace", "engine", "rows", "max |dU|", "max dR/R", "near ties", "dR/R, 99% of rows", "rows/s", "output")
	for _, trace := range traces {
		if err := replayAll(trace); err != nil {
			return err
		}
	}
	if err := throughSwitch(); err != nil {
		return err
	}
	fmt.Println()
	return random()
}

// generate writes the design and shows the end of the output: the proof and the modules fill a page.
func generate() error {
	args := []string{"generate", "--config", preset, "--out", filepath.Join(out, preset)}
	fmt.Println("$ hpccgen", strings.Join(args, " "))
	cmd := exec.Command(tool, args...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return wrap(err, args)
	}
	const tail = "\nTiming"
	_, err = fmt.Println("..." + string(text[max(bytes.LastIndex(text, []byte(tail)), 0):]))
	return err
}

// row prints a row of the table as soon as it is known, since the interpreter takes a while.
func row(cells ...any) {
	fmt.Printf("%-18s  %-9s  %-5s  %-8s  %-9s  %-9s  %-17s  %-8s  %s\n", cells...)
}

// replayAll replays a trace on every engine, in both modes, and prints its rows of the table.
func replayAll(trace string) error {
	var first [2][]byte
	for _, engine := range engines {
		step, stepBytes, err := replayOn(trace, engine, true)
		if err != nil {
			return err
		}
		free, freeBytes, err := replayOn(trace, engine, false)
		if err != nil {
			return err
		}
		verdict := "identical"
		if engine == engines[0] {
			first, verdict = [2][]byte{stepBytes, freeBytes}, "reference"
		} else if !bytes.Equal(stepBytes, first[0]) || !bytes.Equal(freeBytes, first[1]) {
			return fmt.Errorf("%s: the output of %s differs from that of %s: compare the files in %s", trace, engine,
				engines[0], out)
		}
		number := func(format string, v any) string { return fmt.Sprintf(format, v) }
		row(trace, engine, number("%d", step.Rows), number("%.1e", step.Stats.MaxU), number("%.1e", step.Stats.MaxR),
			number("%d", step.Stats.NearTies), number("%.1e", free.Stats.P99R), number("%.0f", free.RowsPerSecond), verdict)
	}
	return nil
}

func replayOn(trace, engine string, resync bool) (*replay.Report, []byte, error) {
	name := filepath.Join(out, trace+"."+engine)
	args := []string{"replay", "--config", preset, "--trace", "testdata/traces/" + trace + ".trace.csv.gz", "--engine",
		engine}
	if resync {
		name += ".resync"
		args = append(args, "--resync")
	}
	if err := quietly(append(args, "--out", name+".csv", "--json", name+".json")...); err != nil {
		return nil, nil, err
	}
	var rep replay.Report
	if err := readJSON(name+".json", &rep); err != nil {
		return nil, nil, err
	}
	if rep.Stats == nil {
		return nil, nil, fmt.Errorf("%s: the trace has no reference", trace)
	}
	data, err := os.ReadFile(name + ".csv")
	return &rep, data, err
}

// throughSwitch replays captured packets through a CSIG switch on every engine.
func throughSwitch() error {
	const sample = "testdata/packets/"
	const line = "%-18s  %-9s  %-7s  %-8s  %-9s  %-7s  %-9s  %s\n"
	fmt.Println("\n$ hpccgen replay --pcap, packets with CSIG tags through a switch on every engine")
	fmt.Printf(line, "switch", "engine", "packets", "bytes in", "bytes out", "updated", "packets/s", "output")
	var first []byte
	for _, engine := range engines {
		name := filepath.Join(out, "packets."+engine)
		err := quietly("replay", "--config", sample+"switch.yaml", "--pcap", sample+"in.pcap", "--meta",
			sample+"meta.csv", "--engine", engine,
			"--out", name+".pcap", "--json", name+".json")
		if err != nil {
			return err
		}
		var rep packets.Report
		if err := readJSON(name+".json", &rep); err != nil {
			return err
		}
		data, err := os.ReadFile(name + ".pcap")
		if err != nil {
			return err
		}
		verdict := "identical"
		if engine == engines[0] {
			first, verdict = data, "reference"
		} else if !bytes.Equal(data, first) {
			return fmt.Errorf("packets: the output of %s differs from that of %s: compare the files in %s", engine,
				engines[0], out)
		}
		fmt.Printf(line, rep.Design, engine, fmt.Sprint(rep.Packets), fmt.Sprint(rep.BytesIn), fmt.Sprint(rep.BytesOut),
			fmt.Sprint(rep.Statuses["updated"]), fmt.Sprintf("%.0f", rep.PacketsPerSecond), verdict)
	}
	return nil
}

// random runs the design against the golden model on random stimulus.
func random() error {
	report := filepath.Join(out, "cosim.json")
	if err := hpccgen("cosim", "--config", preset, "--engine", "verilator", "--cycles", "2e5", "--seed", "1", "--json",
		report); err != nil {
		return err
	}
	var rep cosim.Report
	if err := readJSON(report, &rep); err != nil {
		return err
	}
	fmt.Printf("\nEverything matched. The Verilog is in %s/rtl.\n", filepath.Join(out, preset))
	return nil
}

// hpccgen runs the tool and shows its output.
func hpccgen(args ...string) error {
	fmt.Println("$ hpccgen", strings.Join(args, " "))
	cmd := exec.Command(tool, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return wrap(cmd.Run(), args)
}

// quietly runs the tool and shows its messages only when it fails.
func quietly(args ...string) error {
	cmd := exec.Command(tool, args...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		os.Stderr.Write(text)
	}
	return wrap(err, args)
}

func wrap(err error, args []string) error {
	if err != nil {
		return fmt.Errorf("hpccgen %s: %w", strings.Join(args, " "), err)
	}
	return nil
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
