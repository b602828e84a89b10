package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/verify/law"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

type replayCommand struct {
	configFlag
	Trace  string `placeholder:"FILE" xor:"input" required:"" help:"Telemetry to replay: NAME.trace.csv.gz or NAME.trace.csv; for NIC designs."`
	Flows  string `placeholder:"FILE" help:"With --trace: constants of the flows; without it NAME.flows.csv beside the trace."`
	Pcap   string `placeholder:"FILE" xor:"input" required:"" help:"Packets to replay: pcap or pcapng; for switch designs."`
	Meta   string `placeholder:"FILE" help:"With --pcap: ports, times and queue lengths of the packets (CSV); without it all leave port 0 at their capture time."`
	Window *int   `placeholder:"MIB" help:"With --pcap: packets held to sort them by departure, MiB (64)."`
	Engine string `required:"" enum:"model,go,verilator,icarus,netlist,board" placeholder:"NAME" help:"Engine: ${enum}."`
	hardwareFlags
	junitFlag
	Out      string    `required:"" placeholder:"FILE" help:"Results: one row for each row of the trace (CSV), or the packets as they leave (pcap)."`
	Plot     string    `placeholder:"FILE" help:"With --trace: picture of W and R over time, SVG, of the first eight flows."`
	Timed    bool      `help:"With --trace: ACKs arrive when the trace says, at --clock; prints how long they wait before their issue."`
	Clock    megahertz `placeholder:"MHZ" help:"With --timed: clock of the engine."`
	Compress float64   `placeholder:"N" help:"With --timed: ACKs arrive N times as fast (1)."`
	Shared   bool      `help:"With --timed: one engine for all flows; without it each flow has one of its own, as flows of different senders do."`
	Resync   bool      `help:"With --trace: take U, Wc and stage before each row from the trace, to compare one step at a time."`
	JSON     string    `placeholder:"FILE" help:"Statistics: counts, speed, differences from the reference of the trace, counters of the switch."`
	VCD      string    `name:"vcd" placeholder:"FILE" help:"Waveform of the design (not on the model)."`
}

// maxWindow bounds --window, in MiB.
const maxWindow = 1 << 20

// minCompress and maxCompress bound --compress.
const minCompress, maxCompress = 1e-3, 1e3

// Validate refuses flags that do not belong to what is replayed; kong calls it.
func (c *replayCommand) Validate() error {
	switch {
	case c.Pcap != "" && (c.Flows != "" || c.Resync || c.Plot != ""):
		return errors.New("--flows, --resync and --plot go with --trace, not with --pcap")
	case c.Pcap != "" && c.Timed:
		return errors.New("--timed goes with --trace, not with --pcap")
	case !c.Timed && (c.Clock != 0 || c.Compress != 0 || c.Shared):
		return errors.New("--clock, --compress and --shared go with --timed")
	case c.Timed && c.Clock == 0:
		return errors.New("--timed needs --clock, the MHz that the engine runs at")
	case c.Timed && c.Resync:
		return errors.New("--timed and --resync exclude each other: a write before each row takes time of its own")
	case c.Timed && c.Compress != 0 && !(c.Compress >= minCompress && c.Compress <= maxCompress):
		return fmt.Errorf("--compress: %g; legal are %g to %g", c.Compress, minCompress, maxCompress)
	case c.Trace != "" && c.Meta != "":
		return errors.New("--meta goes with --pcap, not with --trace")
	case c.Trace != "" && c.Window != nil:
		return errors.New("--window goes with --pcap, not with --trace")
	case c.Window != nil && (*c.Window < 1 || *c.Window > maxWindow):
		return fmt.Errorf("--window: %d; legal are 1 to %d", *c.Window, maxWindow)
	}
	return c.check(c.Engine, c.VCD)
}

// Run replays a trace or a capture, whichever the design takes.
func (c *replayCommand) Run(s streams) error {
	input := c.Trace
	if input == "" {
		input = c.Pcap
	}
	return c.record(s.aside(c.JSON, c.JUnit, c.Out, c.Plot), "replay", c.Config+" "+input, c.run)
}

func (c *replayCommand) run(s streams) error {
	if err := inputsOnce(fileOf{"--config", c.Config}, fileOf{"--trace", c.Trace}, fileOf{"--flows", c.Flows},
		fileOf{"--pcap", c.Pcap}, fileOf{"--meta", c.Meta}); err != nil {
		return err
	}
	d, err := c.load()
	if err != nil {
		return err
	}
	t, err := designs.Of(d, "replay")
	if err != nil {
		return err
	}
	return t.replay(c, s)
}

// trace replays a trace and prints how the results compare with its reference.
func (c *replayCommand) trace(s streams, d config.Design) error {
	if err := c.keepInputs(); err != nil {
		return err
	}
	bar := newProgress(s.err, "rows")
	defer bar.close()
	var timed *replay.Clock
	if c.Timed {
		timed = &replay.Clock{MHz: float64(c.Clock), Compress: cmp.Or(c.Compress, 1), Shared: c.Shared}
	}
	rep, err := law.Replay(d, replay.Options{
		Timed: timed,
		Trace: c.Trace, Flows: c.Flows, Engine: c.Engine, Hardware: c.hardware(), Out: c.Out, Plot: c.Plot, Resync: c.Resync, VCD: c.VCD,
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
	return printReplay(s, rep)
}

// keepInputs refuses files of a trace's replay that cannot be read or written, or would be lost.
func (c *replayCommand) keepInputs() error {
	flows, beside := c.Flows, ""
	if flows == "" {
		beside, _ = replay.FlowsPath(c.Trace) // a name that tells nothing is an error of the trace, reported with it
		flows = beside
	}
	if _, err := os.Stat(beside); beside != "" && errors.Is(err, fs.ErrNotExist) && inputFile("--trace", c.Trace) == nil {
		return fmt.Errorf("there is no flows file %s beside the trace; name one with --flows", beside)
	}
	return errors.Join(inputFile("--trace", c.Trace), inputFile("--flows", c.Flows), regularFile("the flows file", beside),
		outputFile("--out", c.Out), outputFile("--json", c.JSON), outputFile("--vcd", c.VCD), outputFile("--plot", c.Plot),
		outputFile("--junit", c.JUnit), keepInput("--junit", c.JUnit, c.Trace, flows, c.Config), c.outputsApart(),
		keepInput("--plot", c.Plot, c.Trace, flows, c.Config),
		keepInput("--out", c.Out, c.Trace, flows, c.Config), keepInput("--json", c.JSON, c.Trace, flows, c.Config),
		keepInput("--vcd", c.VCD, c.Trace, flows, c.Config))
}

func (c *replayCommand) outputsApart() error {
	return outputsApart(fileOf{"--out", c.Out}, fileOf{"--json", c.JSON}, fileOf{"--vcd", c.VCD},
		fileOf{"--plot", c.Plot}, fileOf{"--junit", c.JUnit})
}

func printReplay(s streams, rep *replay.Report) error {
	for _, w := range rep.Warnings {
		fmt.Fprintf(s.err, "hpccgen: warning: %s\n", w)
	}
	fmt.Fprintf(s.out, "%s on %s: %s of %s, %.0f rows/s\n", rep.Trace, rep.Engine, plural(rep.Rows, "row"),
		plural(rep.Flows, "flow"), rep.RowsPerSecond)
	if rep.Waits != nil {
		printWaits(s.out, rep)
	}
	if st := rep.Stats; st != nil && rep.Resync {
		fmt.Fprintf(s.out,
			"against the reference, one step at a time: |dU| at most %.3g (row %d), dR/R at most %.3g (row %d); %d near ties left out\n",
			st.MaxU, st.MaxURow, st.MaxR, st.MaxRRow, st.NearTies)
	} else if st != nil {
		fmt.Fprintf(s.out,
			"against the reference, free running: dR/R %.3g at the median, %.3g at 99%% of the rows; %d near ties\n", st.P50R,
			st.P99R, st.NearTies)
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "kinds\t%s\n", counts(rep.Kinds))
	fmt.Fprintf(t, "statuses\t%s\n", counts(rep.Statuses))
	for _, l := range rep.Last {
		fmt.Fprintf(t, "flow %d\tW %s, R %s after row %d\n", l.Flow, fixed.SI(l.WBytes, "B", 4),
			fixed.SI(l.RateBps, "bit/s", 4), l.Row)
	}
	return mustWrite(0, t.Flush())
}

// counts lists names with how often each was seen, the most frequent first.
func counts(of map[string]int) string {
	names := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(of[b]-of[a], strings.Compare(a, b))
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, of[n])
	}
	return strings.Join(names, ", ")
}

// printWaits prints how long ACKs waited before their issue.
func printWaits(w io.Writer, rep *replay.Report) {
	v := rep.Waits
	fmt.Fprintf(w, "timed at %g MHz, %g times as fast as the trace: %d of %s waited (%.1f%%), %d lost\n", v.ClockMHz, v.Compress,
		v.Delayed, plural(rep.Rows, "ACK"), 100*float64(v.Delayed)/float64(max(rep.Rows, 1)), v.Lost)
	fmt.Fprintf(w, "  wait before issue: median %s, 99%% %s, longest %s (row %d), last %s\n", nanoseconds(v.MedianNs),
		nanoseconds(v.P99Ns), nanoseconds(v.MaxNs), v.MaxRow, nanoseconds(v.LastNs))
	fmt.Fprintf(w, "  longest queue: %s (row %d)\n", plural(v.Queue, "ACK"), v.QueueRow)
}

// nanoseconds writes a time with a unit.
func nanoseconds(ns float64) string { return time.Duration(math.Round(ns)).String() }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
