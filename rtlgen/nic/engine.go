package nic

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/lib"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Ports is the port list of hpcc_nic, the engine.
type Ports struct {
	Ack    vgen.Stream[Ack]          `stream:"s" dir:"in" doc:"acknowledgements"`
	Write  vgen.Stream[ContextWrite] `stream:"cw" dir:"in" doc:"context writes"`
	Read   vgen.Stream[ContextRead]  `stream:"cr" dir:"in" doc:"context reads"`
	Data   vgen.Stream[ContextData]  `stream:"cd" dir:"out" doc:"answers to context reads"`
	Table  vgen.Stream[TableWrite]   `stream:"tw" dir:"in" doc:"table writes"`
	Result vgen.Stream[Result]       `stream:"m" dir:"out" doc:"decisions"`
	Count  Counters                  `port:"n_" dir:"out"`
}

// Counters count the ACKs that did not change a flow's window for a reason worth knowing; they wrap.
type Counters struct {
	RejectedHops vgen.Signal `port:"rejected_hops" width:"count" doc:"ACKs with more hops than the engine has"`
	RejectedRate vgen.Signal `port:"rejected_rate" width:"count" doc:"ACKs with an unknown rate code"`
	RejectedFlow vgen.Signal `port:"rejected_flow" width:"count" doc:"ACKs of flows that are not open"`
	Stale        vgen.Signal `port:"stale" width:"count" doc:"ACKs with telemetry older than stored"`
	NoTelemetry  vgen.Signal `port:"no_telemetry" width:"count" doc:"ACKs without telemetry"`
	PathChanged  vgen.Signal `port:"path_changed" width:"count" doc:"ACKs that came over another path"`
}

// Engine is a generated design with its timing.
type Engine struct {
	Top    *vgen.Module
	Timing Timing
}

// Build generates the engine of a configuration. An error is a mistake of the generator: a validated
// configuration has none of its own left.
func Build(c *config.NIC) (*Engine, error) {
	if c.Serial {
		return buildSerial(c)
	}
	core, hazard := coreBlock(c)
	t := Timing{Latency: core.Latency(), Interval: core.Interval(), Hazard: hazard, InputDepth: 2, Count: core.Latency() + 1, Output: 1}
	if hasFront(t.Interval) {
		t.Front, t.Output = frontRegisters, 2
	}
	// Enough credits to keep the pipeline full while the first result waits to be taken.
	t.Credits = 1 << bits.Len(uint(t.Through()/t.Interval))
	t.Sweep = max(c.Flows, c.RateCodes()*c.Profiles)
	top := engineBlock(c, core, t)
	top.Prefix(c.Prefix)
	if err := vgen.Check(top); err != nil {
		return nil, fmt.Errorf("generated design %s: %w", c.Name, err)
	}
	return &Engine{Top: top, Timing: t}, nil
}

func engineBlock(c *config.NIC, core *vgen.Module, t Timing) *vgen.Module {
	m := vgen.NewModule("hpcc_nic", "HPCC++ engine: from the telemetry of acknowledgements to windows and pacing rates")
	m.Doc(fmt.Sprintf("%d flows, %d profiles, up to %d hops.", c.Flows, c.Profiles, c.MaxHops),
		fmt.Sprintf("ACKs %s apart, those of one flow %s; a decision is out %d cycles after the ACK was taken.", atLeast(t.Interval), atLeast(max(t.Interval, t.Hazard+1)), t.Through()),
		"Write the tables and open flows by context writes first; ACKs of flows that are not open are counted and change nothing.")
	m.SetTiming(t.Through(), t.Interval)
	ports := vgen.Ports[Ports](m, widths(c))

	slice := func(name string, valid, ready, word vgen.Signal, skid bool) *lib.SlicePorts {
		build := lib.HoldBuffer
		if skid {
			build = lib.SkidBuffer
		}
		s := vgen.Instantiate[lib.SlicePorts](m, "u_"+name, build(name, word.Width()))
		m.Assign(s.InValid, valid)
		m.Assign(s.InData, word)
		m.Assign(ready, s.InReady)
		return s
	}
	var sIn *lib.SlicePorts
	var ack *Ack
	var payload *payloadPorts
	if t.Front > 0 {
		sIn, payload = ackInput(m, ports)
		ack = vgen.Unpack(&ports.Ack.Payload, vgen.Cat(sIn.OutData, payload.Out))
	} else {
		sIn = slice("s_slice", ports.Ack.Valid, ports.Ack.Ready, vgen.Pack(&ports.Ack.Payload), t.InputDepth == 2)
		ack = vgen.Unpack(&ports.Ack.Payload, sIn.OutData)
	}
	cwIn := slice("cw_slice", ports.Write.Valid, ports.Write.Ready, vgen.Pack(&ports.Write.Payload), false)
	crIn := slice("cr_slice", ports.Read.Valid, ports.Read.Ready, vgen.Pack(&ports.Read.Payload), false)
	twIn := slice("tw_slice", ports.Table.Valid, ports.Table.Ready, vgen.Pack(&ports.Table.Payload), false)
	cw := vgen.Unpack(&ports.Write.Payload, cwIn.OutData)
	cr := vgen.Unpack(&ports.Read.Payload, crIn.OutData)
	tw := vgen.Unpack(&ports.Table.Payload, twIn.OutData)

	choose := issueBlock
	if t.Front > 0 {
		choose = frontBlock
	}
	issue := vgen.Instantiate[issuePorts](m, "u_issue", choose(c, t))
	if payload != nil {
		m.Assign(payload.Pop, issue.AckIssue)
	}
	k := vgen.Instantiate[CorePorts](m, "u_core", core)

	// Output FIFO.
	result := k.Result
	buffer := lib.CreditFIFO
	if t.Output > 1 {
		buffer = lib.FastCreditFIFO
	}
	fifo := vgen.Instantiate[lib.CreditFIFOPorts](m, "u_fifo", buffer("m_fifo", t.Credits, vgen.Pack(&result).Width()))
	m.Assign(fifo.Push, k.Valid)
	m.Assign(fifo.Data, vgen.Pack(&result))
	m.Assign(fifo.Take, issue.AckTake)
	m.Assign(fifo.OutReady, ports.Result.Ready)
	m.Assign(ports.Result.Valid, fifo.OutValid)
	outs, word := vgen.Leaves(&ports.Result.Payload), vgen.Unpack(&result, fifo.OutData)
	for i, s := range vgen.Leaves(word) {
		m.Assign(*outs[i], *s)
	}

	// Issue.
	m.Assign(issue.AckValid, sIn.OutValid)
	m.Assign(issue.AckFlow, ack.Flow)
	m.Assign(sIn.OutReady, issue.AckTake)
	m.Assign(issue.CWFlow, cw.Flow)
	m.Assign(cwIn.OutReady, k.WroteCW)
	m.Assign(issue.CRValid, crIn.OutValid)
	m.Assign(issue.CRFlow, cr.Flow)
	m.Assign(crIn.OutReady, issue.CRTake)
	m.Assign(twIn.OutReady, k.WroteTW)
	if t.Front > 0 {
		// What enters a slice is told a cycle later: the slices are large, and may be far from the choice.
		came := func(name string, valid, ready vgen.Signal) vgen.Signal {
			return m.RegNext(name, valid.And(ready), vgen.Reset(0), vgen.Control())
		}
		m.Assign(issue.CWCame, came("cw_came", ports.Write.Valid, cwIn.InReady))
		m.Assign(issue.TWCame, came("tw_came", ports.Table.Valid, twIn.InReady))
		for _, slice := range []*lib.SlicePorts{cwIn, twIn} {
			m.Ignore(slice.OutValid, "the front is told what has entered")
		}
	} else {
		m.Assign(issue.CWValid, cwIn.OutValid)
		m.Assign(issue.CWDone, k.WroteCW)
		m.Assign(issue.TWValid, twIn.OutValid)
		m.Assign(issue.TWDone, k.WroteTW)
	}
	m.Assign(issue.Credit, fifo.Credit)

	// Core.
	m.Assign(k.Op.Valid, issue.Valid)
	m.Assign(k.Op.Code, issue.Code)
	m.Assign(k.Op.Index, issue.Index)
	vgen.Connect(m, &k.Header, &ack.Header)
	for i := range ack.Hop {
		vgen.Connect(m, &k.Hop[i], &ack.Hop[i])
	}
	m.Assign(k.TW.Table, tw.Table)
	m.Assign(k.TW.Index, tw.Index)
	m.Assign(k.TW.Data, tw.Data)
	held := vgen.Leaves(&k.CW)
	for i, s := range vgen.Leaves(cw)[1:] { // all but the flow, which goes with the operation
		m.Assign(*held[i], *s)
	}
	memories(m, c, k)

	// Answers to context reads.
	valid := m.Reg("cd_valid_q", 1, vgen.Reset(0), vgen.Control())
	taken := valid.And(ports.Data.Ready).Named("cd_taken")
	m.Next(valid, k.Read.Or(valid.And(ports.Data.Ready.Not())))
	m.Assign(issue.CDTaken, taken)
	m.Assign(ports.Data.Valid, valid)
	vgen.Connect(m, &ports.Data.Payload, &k.Context)

	count := func(port vgen.Signal, name string, status uint64) {
		hit := m.RegNext(strings.TrimSuffix(name, "_q")+"_hit", k.Valid.And(k.Result.Status.Eq(vgen.Const(statusBits, status))), vgen.Reset(0))
		q := m.Reg(name, c.CountBits, vgen.Reset(0), vgen.Control())
		m.Next(q, vgen.Mux(hit, q.Add(vgen.Const(c.CountBits, 1)), q))
		m.Assign(port, q)
	}
	n := ports.Count
	count(n.RejectedHops, "rejected_hops_q", statusRejectedHops)
	count(n.RejectedRate, "rejected_rate_q", statusRejectedRate)
	count(n.RejectedFlow, "rejected_flow_q", statusRejectedFlow)
	count(n.Stale, "stale_q", statusStale)
	count(n.NoTelemetry, "no_telemetry_q", statusNoTelemetry)
	count(n.PathChanged, "path_changed_q", statusPathChanged)
	m.Tap("kind", k.Result.Kind, t.Latency, "kind of the result")
	m.Tap("status", k.Result.Status, t.Latency, "status of the result")
	m.Tap("rate", k.Result.Rate, t.Latency, "R, "+c.Formats.Rate.String())
	m.Tap("stage", k.Result.Stage, t.Latency, "incStage")
	return m
}

// memories puts the context memories behind the core.
func memories(m *vgen.Module, c *config.NIC, k *CorePorts) {
	keep := func(name, doc string, depth int, readAddr, writeEn, writeAddr, write vgen.Signal) vgen.Signal {
		// Operations of one flow are so far apart that none reads what another is writing.
		mem := m.Memory(name, depth, write.Width(), doc).NoCollision()
		mem.Write(writeEn, writeAddr, write)
		return mem.Read(name+"_q", readAddr)
	}
	fc := &k.FlowMem
	vgen.Connect(m, &fc.Read, vgen.Unpack(&fc.Read, keep("flow_context", "classification: flags, profile, sequence, time, path", c.Flows,
		fc.ReadAddr, fc.WriteEn, fc.WriteAddr, vgen.Pack(&fc.Write))))
	rc := &k.RecordMem
	for i := range rc.Lane {
		lane := &rc.Lane[i]
		vgen.Connect(m, &lane.Read, vgen.Unpack(&lane.Read, keep(fmt.Sprintf("hop%d_records", i), "telemetry records", c.Flows,
			rc.ReadAddr, lane.WriteEn, rc.WriteAddr, vgen.Pack(&lane.Write))))
	}
	uc := &k.UMem
	m.Assign(uc.Read, keep("average_context", "U", c.Flows, uc.ReadAddr, uc.WriteEn, uc.WriteAddr, uc.Write))
	wc := &k.WindowMem
	vgen.Connect(m, &wc.Read, vgen.Unpack(&wc.Read, keep("window_context", "Wc, W, incStage", c.Flows,
		wc.ReadAddr, wc.WriteEn, wc.WriteAddr, vgen.Pack(&wc.Write))))
}
