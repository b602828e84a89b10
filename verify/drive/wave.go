package drive

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/bind"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// afterMismatch is how many cycles a waveform goes on after a mismatch, where no window is asked for.
const afterMismatch = 32

// writeWave plays a script once more for its waveform, with what was expected of the signal that differs first, and
// writes the save file that shows it. first is nil where the script shows no mismatch.
func writeWave(sub Subject, o *Options, script timeline.Script, first *Difference) (save string, err error) {
	f := sub.Frame()
	script = script.Copy()
	wave := engine.Wave{}
	if first != nil {
		after := int64(afterMismatch)
		if o.Window > 0 {
			after = o.Window
			wave = engine.Wave{From: max(first.Cycle-after, 0), To: first.Cycle + after + 1}
		}
		*script.Parts().Cycles = first.Cycle + after + 1
		if wave.Expected, err = expectation(sub, script, first); err != nil {
			return "", err
		}
	}
	side, err := sub.Play(script)
	if err != nil {
		return "", err
	}
	e, err := openWave(f, o, wave)
	if err != nil {
		return "", err
	}
	l := NewLeg(f, side, o.Engine)
	l.batch = int(*script.Parts().Cycles) + 1 // what comes after a difference, too
	_, err = l.run(e, int64(l.batch), 1)
	if err := errors.Join(err, e.Close()); err != nil {
		return "", err
	}
	return f.writeSave(o.VCD, wave, first)
}

// openWave starts an instance that writes the waveform.
func openWave(f *Frame, o *Options, wave engine.Wave) (engine.Engine, error) {
	with := *o
	with.wave = wave
	return open(f, &with, o.VCD)
}

// expectation is what the model says of the signal that differs, in every cycle of a script in which it says anything.
func expectation(sub Subject, script timeline.Script, first *Difference) (*engine.Expected, error) {
	side, err := sub.Play(script)
	if err != nil {
		return nil, err
	}
	f := sub.Frame()
	e := &engine.Expected{Name: first.Name, At: map[int64][]uint64{}}
	valid := -1
	switch {
	case first.Tap >= 0:
		e.Width = f.Taps[first.Tap].Width
	case first.Port >= 0:
		e.Width = f.Layout.Outputs[first.Port].Width
		if governor, ok := bind.Governor(f.Layout.Outputs, first.Name); ok {
			valid = governor.Offset
		}
	default: // a rule that is broken
		return nil, nil
	}
	l := NewLeg(f, side, "")
	var b Batch
	for end := *script.Parts().Cycles; l.cycle < end; {
		l.fill(&b, int(min(BatchCycles, end-l.cycle)))
		for _, t := range b.taps {
			if t.tap == first.Tap {
				e.At[t.cycle] = []uint64{t.want}
			}
		}
		for c := range b.Cycles {
			want := b.wanted(f, c)
			if first.Port >= 0 && f.compared(&b, c) && (valid < 0 || want[valid] != 0) {
				e.At[b.Start+int64(c)] = value(&f.Layout.Outputs[first.Port], want)
			}
		}
	}
	return e, nil
}

// saveFile is the file for GTKWave beside a waveform.
func saveFile(vcd string) string { return strings.TrimSuffix(vcd, ".vcd") + ".gtkw" }

// savedHere begins a save file that this program has written; one that a user has saved is left alone.
const savedHere = "[*] written by hpccgen"

// writeSave writes the save file beside a waveform and gives its name; "" where there is none, as beside a device.
func (f *Frame) writeSave(vcd string, wave engine.Wave, first *Difference) (string, error) {
	path := saveFile(vcd)
	if info, err := os.Stat(vcd); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	if text, err := os.ReadFile(path); err == nil && !strings.HasPrefix(string(text), savedHere) {
		return "", nil
	}
	return path, os.WriteFile(path, f.save(vcd, wave, first), 0o666)
}

// Flags of GTKWave's save files: how the lines that follow are shown.
const (
	showHex    = "@22" // hexadecimal, right-justified
	showBit    = "@28" // binary, right-justified
	showText   = "@200"
	beginGroup = "@800200"
	endGroup   = "@1000200"
)

// save is a save file of GTKWave: the signal that differs beside what was expected, then the ports, a group for each
// stream.
func (f *Frame) save(vcd string, wave engine.Wave, first *Difference) []byte {
	var b bytes.Buffer
	top := f.Design.Top.Name()
	fmt.Fprintf(&b, savedHere+": gtkwave %s\n[dumpfile] \"%s\"\n", filepath.Base(saveFile(vcd)), filepath.Base(vcd))
	fmt.Fprintf(&b, "[timestart] %d\n[size] 1400 900\n[pos] -1 -1\n", 10*wave.From)
	signal := func(path string, width int) {
		if width == 1 {
			fmt.Fprintf(&b, "%s\n%s.%s\n", showBit, top, path)
		} else {
			fmt.Fprintf(&b, "%s\n%s.%s[%d:0]\n", showHex, top, path, width-1)
		}
	}
	if first != nil {
		fmt.Fprintf(&b, "*-4.0 %d%s\n", 10*first.Cycle, strings.Repeat(" -1", 27)) // zoom, marker
	}
	if e := wave.Expected; e != nil {
		fmt.Fprintf(&b, "%s\n-first mismatch: %s in cycle %d\n", showText, first.Name, first.Cycle)
		path := first.Name
		if first.Tap >= 0 {
			path = f.Taps[first.Tap].Path
		}
		signal(path, e.Width)
		signal(engine.ExpectedScope+"."+e.Name, e.Width)
	}
	if f.Layout.InWords > 0 {
		signal("clk", 1)
	}
	for _, g := range groups(slices.Concat(f.Layout.Inputs, f.Layout.Outputs)) {
		fmt.Fprintf(&b, "%s\n-%s\n", beginGroup, g.name)
		for _, s := range g.ports {
			name := s.Name
			if name == "rst" && f.async() {
				name = "rst_n"
			}
			signal(name, s.Width)
		}
		fmt.Fprintf(&b, "%s\n-%s\n", endGroup, g.name)
	}
	return b.Bytes()
}

// group is the ports of a stream.
type group struct {
	name  string
	ports []vgen.Slot
}

// groups puts ports together whose names begin as that of a valid does; the others come last.
func groups(ports []vgen.Slot) (list []group) {
	var others []vgen.Slot
	for _, p := range ports {
		name := ""
		for _, v := range ports {
			if prefix, ok := strings.CutSuffix(v.Name, "_valid"); ok && strings.HasPrefix(p.Name, prefix+"_") {
				name = prefix
			} else if prefix, ok := strings.CutSuffix(v.Name, "_tvalid"); ok && strings.HasPrefix(p.Name, prefix+"_") {
				name = prefix
			} else if strings.HasPrefix(p.Name, "s_axil_") {
				name = "s_axil"
			}
		}
		if name == "" {
			others = append(others, p)
			continue
		}
		at := slices.IndexFunc(list, func(g group) bool { return g.name == name })
		if at < 0 {
			at = len(list)
			list = append(list, group{name: name})
		}
		list[at].ports = append(list[at].ports, p)
	}
	if len(others) > 0 {
		list = append(list, group{"others", others})
	}
	return list
}
