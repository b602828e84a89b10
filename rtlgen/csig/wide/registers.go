package wide

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Registers builds the module of the registers that software reads and writes, with the checks of commits
// (docs/csig.md, Registers). The map is that of package registers; the effect of each register is here.
func Registers(name string, c *block.Shape) *vgen.Module {
	m := vgen.NewModule(name, "Register file: staged values, checks and committed values")
	if c.At.Registers {
		m.Doc(
			fmt.Sprintf(
				"An access acts %d cycles after its strobe: what it changes is seen in the next cycle, what it reads is as of that one.", c.BusToAct()))
	} else {
		m.Doc(
			"An access acts in the cycle of its strobe: what it changes is seen in the next cycle, what it reads is as of this one.")
	}
	m.SetTiming(c.AnswerCycles(), c.AnswerCycles()+1)
	p := vgen.Ports[registersPorts](m, c.RegistersWidths())
	f := &registerFile{block.NewRegisterFile(m, c, &p.Access, p.BucketTables), p}
	f.DecodeAll(p.CountAddr)
	f.Constants()
	f.StageAll()
	f.NoPort(p.NoPort)
	f.port()
	f.estimate()
	slow := block.BucketCommit{Begins: flag(false), Ends: flag(false)}
	if c.Compact() {
		slow = f.Buckets()
	}
	if c.Expanded() {
		f.quantizers()
	}
	f.answer(slow)
	return m
}

// registerFile is csig_registers under construction.
type registerFile struct {
	*block.RegisterFile
	p *registersPorts
}

// Port is the commit of a port.
func (f *registerFile) port() {
	f.Module.Section("Ports")
	actions := f.Staged[registers.PortActions]
	fits := f.Checked("port_fits_q", f.Reaches("capacity_enough", registers.PortCapacity, block.MinCapacity),
		f.Exact(f.Staged[registers.PortRatio]), f.Exact(f.Staged[registers.PortDepth]), block.Allowed(actions))
	exists := f.IsBelow("port_exists", uint64(f.Shape.Ports))

	out, assign := &f.p.Port, f.Module.Assign
	low := func(offset uint32, width int) vgen.Signal { return f.Staged[offset].Trunc(width) }
	assign(out.Write, f.Commit(registers.PortCommit, "commit_port", fits.And(exists)))
	assign(out.Index, f.Part("port_index", f.WData.Trunc(out.Index.Width())))
	assign(out.Trust, low(registers.PortTrust, 1))
	assign(out.Capacity, f.Staged[registers.PortCapacity])
	assign(out.Ratio, low(registers.PortRatio, f.Shape.RecipBits))
	assign(out.RatioShift, low(registers.PortRatioShift, block.ShiftBits))
	assign(out.Depth, low(registers.PortDepth, f.Shape.RecipBits))
	assign(out.DepthShift, low(registers.PortDepthShift, block.ShiftBits))
	assign(out.Actions, actions)
	for t, l := range out.Locator {
		v := f.Staged[registers.PortLocator(t)]
		if l.Compact.Exists() {
			assign(l.Compact, v.Trunc(l.Compact.Width()))
		}
		if l.Expanded.Exists() {
			assign(l.Expanded, v.Slice(16+l.Expanded.Width()-1, 16))
		}
	}
}

// estimate is the commit of the estimate's parameters.
func (f *registerFile) estimate() {
	f.Module.Section("Estimate")
	checks := []vgen.Signal{f.Exact(f.Staged[registers.EstimateFactor])}
	out := &f.p.Estimate
	if out.Window.Exists() {
		checks = append(checks, f.Reaches("window_enough", registers.EstimateWindow, block.MinWindow),
			f.Reaches("window_too_long", registers.EstimateWindow, block.MaxWindow+1).Not())
	}
	commit := f.Commit(registers.EstimateCommit, "commit_estimate", f.Checked("estimate_fits_q", checks...))
	take := func(port vgen.Signal, name string, offset uint32) {
		if port.Exists() {
			f.Module.Assign(port, f.Module.RegNext(name, f.Staged[offset].Trunc(port.Width()), vgen.Enable(commit)))
		}
	}
	f.Module.Assign(out.Commit, commit)
	f.Module.Assign(out.OK, f.Module.RegNext("estimate_ok_q", flag(true), vgen.Enable(commit), vgen.Reset(0),
		vgen.Control()))
	take(out.Window, "window_q", registers.EstimateWindow)
	take(out.Mantissa, "mantissa_q", registers.EstimateFactor)
	take(out.Shift, "shift_q", registers.EstimateShift)
	take(out.Overhead, "overhead_q", registers.EstimateOverhead)
}

// quantizers is the commit of base and step of a type.
func (f *registerFile) quantizers() {
	f.Module.Section("Quantizers")
	base, step := f.Staged[registers.QuantizerBase], f.Staged[registers.QuantizerStep]
	fits := f.Checked("quantizer_fits_q", or(f.Pieces("step", step, 0, vgen.Signal.AnyBit)...))
	commit := f.Commit(registers.QuantizerCommit, "commit_quantizer", fits.And(f.IsType()))
	ok := make([]vgen.Signal, config.CSIGTypes) // type 0 last
	for t := range f.p.Quantizer {
		ofType := f.WData.Trunc(block.KindBits).Is(uint64(t))
		this := commit.And(f.Part(fmt.Sprintf("names_type%d", t), ofType)).Named(fmt.Sprintf("commit_quantizer%d", t))
		name := func(what string) string { return fmt.Sprintf("quantizer%d_%s_q", t, what) }
		f.Module.Assign(f.p.Quantizer[t].Base, f.Module.RegNext(name("base"), base, vgen.Enable(this)))
		f.Module.Assign(f.p.Quantizer[t].Step, f.Module.RegNext(name("step"), step, vgen.Enable(this)))
		ok[config.CSIGTypes-1-t] = f.Module.RegNext(name("ok"), flag(true), vgen.Enable(this), vgen.Reset(0), vgen.Control())
	}
	f.Module.Assign(f.p.QuantOK, vgen.Cat(ok...))
}

// answer makes the answer of each access. A commit of a bucket table answers when it has ended.
func (f *registerFile) answer(slow block.BucketCommit) {
	f.Module.Section("Answers")
	acts, read := f.Write.Or(f.Read), f.Read
	begins := acts // of the answer
	if f.Apart {
		acts = f.Module.Delay("acts", acts, f.Shape.BusToAct(), vgen.Reset(0), vgen.Control())
		begins, read = f.Module.StateNext("acted", acts), f.Module.Delay("reads", read, f.Shape.BusToAct()+1)
	} else {
		acts = acts.Named("acts")
		begins = acts
	}
	wordQ := f.Module.RegNext("word_q", f.word(), vgen.Enable(begins))
	countQ := f.Module.RegNext("count_q", f.Counts, vgen.Enable(acts))
	wrong := vgen.Mux(read, f.IsWord.Or(f.Counts).Not(), f.inOrder().Not())
	f.Module.Assign(f.p.Error, f.Module.RegNext("error_q", wrong, vgen.Enable(begins)))

	soon := acts.And(slow.Begins.Not())
	for i := 1; i < f.Shape.AnswerCycles()-1; i++ {
		soon = f.Module.StateNext(fmt.Sprintf("acted_s%d", i), soon)
	}
	done := f.Module.StateNext("done_q", soon.Or(slow.Ends))
	f.Module.Assign(f.p.Done, done)
	data := wordQ.Or(f.p.CountData.And(countQ.Repeat(axil.BusBits))).Named("read_data")
	f.Module.Assign(f.p.RData, f.Module.RegNext("rdata_q", data, vgen.Enable(done)))
}

// inOrder has a 1 if a write was in order; with Places.Registers, a cycle after it has taken effect.
func (f *registerFile) inOrder() vgen.Signal {
	all := or(f.Done...)
	if f.Apart {
		return f.Module.RegNext("in_order_q", all)
	}
	return all
}

// gatedWords is the number of registers among which one is selected in a cycle, with Places.Registers.
const gatedWords = 6

// word is the content of the register that the address names, 0 where it names none. With Places.Registers it is that
// of the cycle before: the address has been decoded, and registers are selected in groups.
func (f *registerFile) word() vgen.Signal {
	if !f.Apart {
		return vgen.Mux(f.IsWord, f.Word(0).Named("word"), vgen.Const(axil.BusBits, 0))
	}
	var gated, parts []vgen.Signal
	for _, offset := range slices.Sorted(maps.Keys(f.Reads)) {
		gated = append(gated, and(f.Reads[offset], f.Hits[offset].Repeat(axil.BusBits)))
	}
	for i := 0; i < len(gated); i += gatedWords {
		some := or(gated[i:min(i+gatedWords, len(gated))]...)
		parts = append(parts, f.Module.RegNext(fmt.Sprintf("words_from%d_q", i), some))
	}
	return or(parts...).Named("word")
}
