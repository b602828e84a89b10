package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// packets replays a capture and prints what became of its packets.
func (c *replayCommand) packets(s streams, d config.Design) error {
	wrong := []error{inputFile("--pcap", c.Pcap), inputFile("--meta", c.Meta)}
	for _, f := range []fileOf{{"--out", c.Out}, {"--json", c.JSON}, {"--vcd", c.VCD},
		{"--junit", c.JUnit}} {
		wrong = append(wrong, keepInput(f.flag, f.path, c.Pcap, c.Meta, c.Config), outputFile(f.flag, f.path))
	}
	if err := errors.Join(append(wrong, c.outputsApart())...); err != nil {
		return err
	}
	bar := newProgress(s.err, "packets")
	defer bar.close()
	window := 0 // the package's own
	if c.Window != nil {
		window = *c.Window
	}
	rep, err := packets.Run(d, packets.Options{
		Pcap: c.Pcap, Meta: c.Meta, Engine: c.Engine, Hardware: c.hardware(), Out: c.Out, VCD: c.VCD,
		Window:   int64(window) << 20,
		Step:     bar.say,
		Progress: func(done, total int) { bar.update(int64(done), int64(total)) },
	})
	bar.close()
	if err != nil {
		return err
	}
	if c.JSON != "" {
		if err := writeJSON(s, c.JSON, rep); err != nil {
			return err
		}
	}
	return printPackets(s, rep)
}

// printPackets prints a row for each port that packets left, and a column for each counter that counted any.
func printPackets(s streams, rep *packets.Report) error {
	fmt.Fprintf(s.out, "%s through %s on %s: %s, %d bytes in, %d out; %.0f packets/s\n", rep.Pcap, rep.Design, rep.Engine,
		plural(rep.Packets, "packet"), rep.BytesIn, rep.BytesOut, rep.PacketsPerSecond)
	names := rep.Columns()
	if len(names) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(first string, count func(name string) string) {
		cells := []string{first}
		for _, n := range names {
			cells = append(cells, count(n))
		}
		fmt.Fprintln(t, strings.Join(cells, "\t")+"\t")
	}
	row("port", func(n string) string { return n })
	sum := map[string]uint64{}
	for _, p := range rep.Ports {
		if !slices.ContainsFunc(names, func(n string) bool { return p.Counters[n] > 0 }) {
			continue
		}
		row(fmt.Sprint(p.Port), func(n string) string {
			v, ok := p.Counters[n]
			if !ok {
				return ""
			}
			sum[n] += v
			return fmt.Sprint(v)
		})
	}
	row("all", func(n string) string { return fmt.Sprint(sum[n] + rep.Counters[n]) })
	if err := t.Flush(); err != nil {
		return mustWrite(0, err)
	}
	return nil
}
