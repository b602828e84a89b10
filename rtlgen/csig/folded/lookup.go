package folded

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// lookupPorts are the ports of csig_lookup of a folded pipeline. Stage 0 is the cycle of s_valid.
type lookupPorts struct {
	Port      vgen.Signal `port:"port_write" dir:"in" width:"1" doc:"the port's pages are swapped from the next cycle on"`
	Index     vgen.Signal `port:"port_index" dir:"in" width:"index" doc:"number of the port"`
	Trust     vgen.Signal `port:"port_trust" dir:"in" width:"1" doc:"tags that arrive at it are believed"`
	PortBank  vgen.Signal `port:"port_bank" dir:"out" width:"1" doc:"page of this port that is in use"`
	Estimate  vgen.Signal `port:"estimate_ok" dir:"in" width:"1" doc:"the estimate has been committed"`
	Bank      vgen.Signal `port:"estimate_bank" dir:"in" width:"1" doc:"page of the estimate that is in use"`
	Buckets   vgen.Signal `port:"bucket_ok" dir:"in" width:"perbucket" doc:"by signal type: there is a bucket table"`
	Table     vgen.Signal `port:"t_addr" dir:"out" width:"taddr" doc:"word of the memory of registers to read"`
	TableData vgen.Signal `port:"t_data" dir:"in" width:"bus" doc:"the word, one cycle later"`
	Valid     vgen.Signal `port:"s_valid" dir:"in" width:"1" role:"valid" doc:"a packet"`
	Ingress   vgen.Signal `port:"s_ingress" dir:"in" width:"port" doc:"ingress port"`
	Egress    vgen.Signal `port:"s_egress" dir:"in" width:"port" doc:"egress port"`
	Tag       block.Tag   `port:"s_" dir:"in"`

	block.Verdicts

	Hold vgen.Signal `port:"m_hold" dir:"out" width:"uec" doc:"UEC's d bit"`
}

// Stages of csig_lookup in which the words come that a packet needs, and those of what it says.
const (
	actionsWord  = 2 // each one after its address
	locatorWord  = 3
	capacityWord = 4
	windowWord   = 6 // and the stage behind
	shiftWord    = 8
	mantissaWord = 9
	lookedUp     = 3
)

// lookupBlock builds csig_lookup of a folded pipeline: what is to happen to a packet (docs/csig.md, What happens to
// it), and the words that it needs, read one after the other. What it says stays until the next packet's.
func lookupBlock(c *block.Shape) *vgen.Module {
	m := vgen.NewModule("csig_lookup",
		"Decides what happens to a packet, by port and signal type, and reads the port's and the estimate's registers")
	m.Doc("A port that has not been committed since reset is trusted and passes all tags.",
		fmt.Sprintf(
			"t_data after s_valid: %d PORT_ACTIONS, %d PORT_LOCATOR, %d PORT_CAPACITY, %d and %d ESTIMATE_WINDOW, %d shift and %d mantissa of the", actionsWord,
			locatorWord, capacityWord, windowWord, windowWord+1, shiftWord, mantissaWord),
		fmt.Sprintf("factor of the signal's type. The estimate is that in use in stage %d.", lookedUp))
	w := c.RegistersWidths()
	w["taddr"], w["uec"] = tableAddrBits(c), bit(c.UEC)
	ports := vgen.Ports[lookupPorts](m, w)
	p := lib.NewPipe(m)
	valid := p.Value("valid", 0, ports.Valid)
	at := func(stage int) vgen.Signal { return p.At(valid, stage, vgen.Reset(0), vgen.Control()) }
	p.Spaced(block.FoldedCycles, at)
	in := ports.Tag
	m.StageDoc(1, "the tag's type; committed values of the packet's ports")
	m.StageDoc(actionsWord, "the action for the type, from the word PORT_ACTIONS")
	m.StageDoc(lookedUp, "decision on the packet")

	// What has been committed.
	index := c.IndexBits()
	egress, ingress := ports.Egress.Trunc(index), ports.Ingress.Trunc(index)
	noPort := or(block.Beyond(c, ports.Egress), block.Beyond(c, ports.Ingress)).Named("no_port")
	commit := lib.OneHot(c.Ports, ports.Index).And(ports.Port.Repeat(c.Ports)).Named("commit")
	committed, trusted := block.Committed(m, commit, ports.Trust)
	banks := m.State("bank", c.Ports)
	m.Next(banks, banks.Xor(commit))
	m.Assign(ports.PortBank, lib.Flag(banks, ports.Index, flag(false)).Named("bank_of_port"))

	// Stage 0: the tag's fields, and the tables by type.
	tagType := block.TypeOf(c, flag(false), in)
	type1 := p.Reg("type", 0, tagType).Signal
	okBuckets := block.PickBit("buckets_ok", ports.Buckets, tagType.Trunc(block.KindBits))
	ok1 := p.Reg("tables_ok", 0, and(ports.Estimate, okBuckets)).Signal
	noPort1 := p.Reg("no_port", 0, noPort).Signal
	trust1 := p.Reg("trust", 0, lib.Flag(trusted, ingress, flag(true))).Signal
	open1 := p.Reg("egress_committed", 0, lib.Flag(committed, egress, flag(false))).Signal
	bank1 := p.Reg("egress_bank", 0, lib.Flag(banks, egress, flag(false))).Signal
	tag1, find1, ambiguous1 := p.Reg("tag", 0, in.Whole).Signal, p.Reg("find", 0, in.Status).Signal,
		p.Reg("ambiguous", 0, in.Ambiguous).Signal
	hold := flag(false)
	if c.UEC {
		hold = p.Reg("hold", 0, in.Low.Bit(0)).Signal
		m.Assign(ports.Hold, hold)
	}
	signal := type1.Trunc(block.KindBits)

	// The words. Each is asked for a cycle before it comes.
	m.Section("Words")
	n, reg := pageNumberBits(c), func(offset uint32) vgen.Signal { return vgen.Const(pageIndexBits, pageIndex(offset)) }
	ofPort := pageOf(c, p.Reg("egress", 0, egress).Signal, bank1).Named("port_page")
	bank := m.RegNext("estimate_bank_q", ports.Bank, vgen.Enable(at(lookedUp)))
	estimate := func(bank vgen.Signal) vgen.Signal { return vgen.Cat(vgen.Const(n-1, estimatePage/2), bank) }
	ofEstimate, isQueue := block.HasFactor(signal, block.EstimateFactor).Named("is_abw"), block.OfDepth(signal)
	factor := vgen.Mux(ofEstimate, estimate(bank), ofPort).Named("factor_page")
	address := vgen.Cat(ofPort, reg(registers.PortActions))
	locator := block.OfType(signal, pageIndexBits, func(t int) uint64 { return pageIndex(registers.PortLocator(t)) })
	window := vgen.Cat(estimate(bank), reg(registers.EstimateWindow)).Named("window_address")
	for _, word := range []struct {
		stage int
		addr  vgen.Signal
	}{
		{locatorWord, vgen.Cat(append([]vgen.Signal{ofPort}, locator...)...)},
		{capacityWord, vgen.Cat(ofPort, reg(registers.PortCapacity))}, {windowWord, window}, {windowWord + 1, window},
		{shiftWord, vgen.Cat(factor, vgen.Mux(ofEstimate, reg(registers.EstimateShift),
			vgen.Mux(isQueue, reg(registers.PortDepthShift), reg(registers.PortRatioShift))))},
		{mantissaWord, vgen.Cat(factor, vgen.Mux(ofEstimate, reg(registers.EstimateFactor),
			vgen.Mux(isQueue, reg(registers.PortDepth), reg(registers.PortRatio))))},
	} {
		address = vgen.Mux(at(word.stage-1), word.addr, address)
	}
	m.Assign(ports.Table, address.Named("address"))

	// The action, and what follows from it.
	m.Section("Action")
	var actions []vgen.Signal
	for t := range config.CSIGTagTypes {
		actions = append(actions, ports.TableData.Slice(block.ActionBits*t+1, block.ActionBits*t))
	}
	chosen := vgen.Select(type1, actions, vgen.Const(block.ActionBits, block.ActionPass)).Named("action_of_type")
	action := chosen.And(open1.Repeat(block.ActionBits)).Named("action")
	stripsAny := block.AnyStrip(actions).And(open1).Named("strips_any")
	standing := block.Stand(tag1, ambiguous1, noPort1, trust1, find1)
	d := block.DecideBy(c, standing, action, stripsAny, ok1, tag1, hold)
	keep := vgen.Enable(at(actionsWord))
	m.Assign(ports.Status, m.RegNext("status_q", d.Status, keep))
	m.Assign(ports.Compare, m.RegNext("compare_q", d.Compare, keep))
	m.Assign(ports.Remove, m.RegNext("remove_q", d.Remove, keep))
	m.Assign(ports.Drop, m.RegNext("drop_q", d.Drop, keep))
	m.Assign(ports.NoPort, noPort1)
	m.Assign(ports.Type, signal)
	m.Ignore(in.Low, "value and locator are compared later")
	m.SetTiming(lookedUp, block.FoldedCycles)
	return m
}
