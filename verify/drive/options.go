package drive

import (
	"time"

	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/cover"
)

// Options say how long to run what against the golden model.
type Options struct {
	Engine string // a name that engine.Open knows; "": verilator
	Cycles int64  // of all jobs together; 0: 100,000
	Seed   uint64 // printed in every report; the same seed gives the same run
	Jobs   int    // runs in parallel, with seeds derived from Seed (random.DeriveSeed); 0: 1

	Hardware engine.Hardware // that the engine runs the design on
	Start    engine.Start    // what registers and memories hold at first

	VCD       string        // waveform: of the shrunk stimulus after a mismatch, else of the run's first cycles
	Window    int64         // cycles of the waveform before and after the mismatch; 0: all of the shrunk stimulus
	NoShrink  bool          // keep the stimulus of a mismatch as it is
	ShrinkFor time.Duration // time for shrinking; 0: a minute

	ConfigName string // of the configuration, for the replay command; "": the design's name
	CacheDir   string // of the engines' builds; "": theirs

	Step     func(step string)       // told the steps of a build; may be nil
	Progress func(done, total int64) // told the cycles done, from several goroutines; may be nil

	wave engine.Wave // of VCD

	// Open replaces engine.Open. Tests use it to put a faulty design or a faulty wrapper in place.
	Open func(name string, d engine.Design, o engine.Options) (engine.Engine, error)
}

// HasTaps reports whether taps are compared too.
func (o Options) HasTaps() bool { return engine.HasTaps(o.Engine, o.Hardware) }

func (o Options) withDefaults(name string) Options {
	if o.Engine == "" {
		o.Engine = "verilator"
	}
	if o.Cycles <= 0 {
		o.Cycles = 100_000
	}
	if o.Jobs <= 0 {
		o.Jobs = 1
	}
	if o.ShrinkFor == 0 {
		o.ShrinkFor = time.Minute
	}
	if o.ConfigName == "" {
		o.ConfigName = name
	}
	if o.Open == nil {
		o.Open = engine.Open
	}
	return o
}

// vcdCycles bounds the waveform of a run without a mismatch.
const vcdCycles = 20_000

// Report is the result of a run. Its JSON form is that of hpccgen cosim --json.
type Report struct {
	Design     string `json:"design"`
	ConfigHash string `json:"config_hash"`
	Engine     string `json:"engine"`
	Seed       uint64 `json:"seed"`
	Jobs       int    `json:"jobs"`

	Cycles          int64   `json:"cycles"`     // compared
	Mismatches      int     `json:"mismatches"` // signals that differed, in the first such cycle of each job
	CyclesPerSecond float64 `json:"cycles_per_second"`
	Seconds         float64 `json:"seconds"` // without build and shrinking
	Acks            int64   `json:"acks"`
	Packets         int64   `json:"packets,omitempty"`   // decided, of a switch
	BeatsIn         int64   `json:"beats_in,omitempty"`  // accepted
	BeatsOut        int64   `json:"beats_out,omitempty"` // that left
	TapsCompared    int64   `json:"taps_compared"`

	Items int64 `json:"-"` // ACKs or packets

	Divergence *Divergence        `json:"divergence,omitempty"` // of the first job with one
	VCD        string             `json:"vcd,omitempty"`        // the waveform written
	GTKW       string             `json:"gtkw,omitempty"`       // the save file for GTKWave beside it
	Throughput []cover.Throughput `json:"throughput,omitempty"` // of a switch, for each mix of packets
	Coverage   []cover.Row        `json:"coverage"`
	Holes      []string           `json:"coverage_holes"` // rows of Coverage that were never reached
}

// Divergence locates a mismatch.
type Divergence struct {
	Seed   uint64 `json:"seed"`  // of the job
	Cycle  int64  `json:"cycle"` // of the job, from 0
	Signal string `json:"signal"`
	Tap    bool   `json:"tap"`  // Signal is an internal tap, not a port
	Path   string `json:"path"` // of the signal in the design
	Value

	Also []Signal `json:"also,omitempty"` // other signals that differ in the same cycle

	AckIssued    int64    `json:"ack_issued,omitempty"`    // cycle
	Ack          string   `json:"ack,omitempty"`           // the ACK that the signal belongs to
	PacketHeader int64    `json:"packet_header,omitempty"` // header cycle
	Packet       string   `json:"packet,omitempty"`        // the packet that the signal belongs to
	Result       string   `json:"result,omitempty"`        // the model's result
	Inputs       []string `json:"last_inputs"`             // the last transfers, oldest first

	Command string `json:"command"` // replays the run up to here, with a waveform

	// Shrunk is the smallest stimulus found that shows a mismatch: *stimulus.Script, *transit.Script.
	Shrunk       any    `json:"shrunk,omitempty"`
	ShrunkSignal string `json:"shrunk_signal,omitempty"`
	ShrunkCycle  int64  `json:"shrunk_cycle,omitempty"`
	ShrunkValue  *Value `json:"shrunk_value,omitempty"` // what differs there
	Operations   [2]int `json:"operations"`             // in the episode, and after shrinking
	ShrinkTries  int    `json:"shrink_tries"`           // runs spent
	Minimal      bool   `json:"minimal"`                // no operation of Shrunk can be left out
	Unreproduced string `json:"unreproduced,omitempty"` // why there is nothing to shrink
}

// Signal is a signal that differs.
type Signal struct {
	Name string `json:"name"`
	Value
}

// Value is what a signal should be, and what it is: in hexadecimal, and in engineering units where it has some.
type Value struct {
	Expected     string `json:"expected"`
	Actual       string `json:"actual"`
	ExpectedText string `json:"expected_text,omitempty"`
	ActualText   string `json:"actual_text,omitempty"`
}

// Difference is both values on one line.
func (v Value) Difference() string {
	beside := func(text string) string {
		if text == "" {
			return ""
		}
		return " (" + text + ")"
	}
	return "expected " + v.Expected + beside(v.ExpectedText) + ", got " + v.Actual + beside(v.ActualText)
}
