package packets

import (
	"errors"
	"io"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/source"
)

// Options say what to replay, on what, and where the output goes.
type Options struct {
	Pcap   string // capture
	Meta   string // meta file; "": packets leave port 0 at their capture time, without delay and with an empty queue
	Engine string // model, or a name that engine.Open knows; "": model
	Out    string // pcap file of what left; "": none
	Window int64  // bytes of packets that are held to put them into the order in which they leave; 0: DefaultWindow

	Hardware engine.Hardware // that the engine runs the design on

	CacheDir string                // of the engines' builds; "": theirs
	VCD      string                // waveform of an engine other than the model; "": none
	Step     func(step string)     // told the steps of a build; may be nil
	Progress func(done, total int) // told the packets that are done; may be nil
	Open     Opener                // replaces engine.Open, for tests; may be nil
}

// Opener starts an instance of a design.
type Opener func(name string, d engine.Design, o engine.Options) (engine.Engine, error)

// each gives all packets.
func (d *departures) each(see func(p *Packet)) error {
	next, err := d.start()
	for err == nil {
		var p *Packet
		if p, err = next(); err == nil {
			see(p)
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// chunk is how many packets are read, and how many results written, at a time.
const chunk = 64

// passage is a run of packets through a device.
type passage struct {
	report   *Report
	in       func() (*Packet, error) // io.EOF after the last packet
	out      func(*Packet, *Result) error
	progress func(done int) // may be nil
	tally    *tally

	read    []*Packet // and not yet taken
	ended   error     // the error after them
	sent    []*Packet
	results []Result
	done    int
	spent   time.Duration // outside the device
}

// next gives the device a packet.
func (w *passage) next() (*Packet, error) {
	if len(w.read) == 0 && w.ended == nil {
		start := time.Now()
		for len(w.read) < chunk && w.ended == nil {
			var p *Packet
			if p, w.ended = w.in(); w.ended == nil {
				w.read = append(w.read, p)
			}
		}
		w.spent += time.Since(start)
	}
	if len(w.read) == 0 {
		return nil, w.ended
	}
	p := w.read[0]
	w.read = w.read[1:]
	return p, nil
}

// sentOn takes a result from the device.
func (w *passage) sentOn(p *Packet, r Result) error {
	w.sent, w.results = append(w.sent, p), append(w.results, r)
	if len(w.sent) < chunk {
		return nil
	}
	return w.flush()
}

func (w *passage) flush() error {
	start := time.Now()
	defer func() { w.spent += time.Since(start) }()
	for i, p := range w.sent {
		r := &w.results[i]
		w.report.Statuses[w.report.Order[r.Status]]++
		w.report.BytesIn += int64(len(p.Data))
		w.report.BytesOut += int64(len(r.Data))
		w.tally.add(p.EgressPort, r.Status)
		if err := w.out(p, r); err != nil {
			return err
		}
	}
	w.done += len(w.sent)
	w.sent, w.results = w.sent[:0], w.results[:0]
	if w.progress != nil {
		w.progress(w.done)
	}
	return nil
}

// through runs the packets through a device, closes it, and completes the report.
func (w *passage) through(d Device) (err error) {
	r := w.report
	r.Order, r.Statuses, w.tally = d.Statuses(), map[string]int{}, newTally(d.Statuses())
	defer func() {
		if cerr := d.Close(); err == nil {
			err = cerr
		}
	}()
	start := time.Now()
	err = d.Process(w.next, w.sentOn)
	if err == nil {
		err = w.flush()
	}
	if err != nil {
		return err
	}
	r.Packets, r.Seconds = w.done, (time.Since(start) - w.spent).Seconds()
	c, err := d.Counters()
	if err != nil {
		return err
	}
	if err := c.check(w.tally); err != nil {
		return err
	}
	r.Cycles, r.PacketsPerSecond = d.Cycles(), float64(r.Packets)/max(r.Seconds, 1e-9)
	r.Counters, r.Ports = c.Device, make([]PortCounters, len(c.Ports))
	for p := range c.Ports {
		r.Ports[p] = PortCounters{p, c.Ports[p]}
	}
	return nil
}

// Run replays a capture on a switch design. The capture is read twice: strictly and completely before anything runs,
// and once more as the device takes it. The output file is written only when every packet has left. Errors of the
// input are of type *Error; a tool that an engine lacks is a toolchain.Missing.
func Run(d config.Design, o Options) (*Report, error) {
	in, err := openDepartures(o.Pcap, o.Meta, o.Window)
	if err != nil {
		return nil, err
	}
	rep, err := run(d, in, &o)
	return rep, errors.Join(err, in.close())
}

func run(d config.Design, in *departures, o *Options) (*Report, error) {
	if o.Step != nil {
		o.Step("reading " + o.Pcap)
	}
	total := 0
	if err := in.each(func(*Packet) { total++ }); err != nil {
		return nil, err
	}
	next, err := in.start()
	if err != nil {
		return nil, err
	}
	w := &passage{in: next, out: func(*Packet, *Result) error { return nil }}
	if o.Progress != nil {
		w.progress = func(done int) { o.Progress(done, total) }
	}
	if o.Out == "" {
		err = w.run(d, o)
		return w.report, err
	}
	out, err := source.Create(o.Out)
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	file, err := newCaptureWriter(out)
	if err != nil {
		return nil, err
	}
	w.out = file.write
	if err := w.run(d, o); err != nil {
		return nil, err
	}
	return w.report, out.Commit()
}

// run makes the device and runs the packets through it.
func (w *passage) run(d config.Design, o *Options) error {
	if o.Engine == "" {
		o.Engine = "model"
	}
	dev, err := open(d, o)
	if err != nil {
		return err
	}
	w.report = &Report{Design: d.DesignName(), ConfigHash: d.DesignHash(), Engine: o.Engine, Pcap: o.Pcap}
	return w.through(dev)
}

// devices are the designs that take packets.
var devices = config.Entries[func(*Options) (Device, error)]{entry(openCSIG), entry(openINT)}

func entry[T config.Design](open func(T, *Options) (Device, error)) config.Entry[func(*Options) (Device, error)] {
	return config.EntryOf(func(c T) (func(*Options) (Device, error), error) {
		return func(o *Options) (Device, error) { return open(c, o) }, nil
	})
}

// open makes the device of a design.
func open(d config.Design, o *Options) (Device, error) {
	make, err := devices.Of(d, "device that takes packets")
	if err != nil {
		return nil, err
	}
	return make(o)
}
