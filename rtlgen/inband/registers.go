package inband

import (
	"maps"
	"slices"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// registersPorts are the ports of int_registers. An access takes effect in the cycle of its strobe, called x.
type registersPorts struct {
	axil.Access

	Done vgen.Signal `port:"bus_done" dir:"out" width:"1" doc:"the response is valid from the next cycle on; in x + 2"`

	axil.Answer

	CountAddr vgen.Signal `port:"count_addr" dir:"out" width:"count" doc:"counter read: port and status, held"`
	CountData vgen.Signal `port:"count_data" dir:"in" width:"counter" doc:"in x + 2 the counter as it was in x"`
	NoPort    vgen.Signal `port:"no_port_count" dir:"in" width:"1" doc:"a packet without an existing port is counted"`

	Port portWrite `dir:"out"`
	Node nodeSet   `dir:"out"`
}

// bus is the side of software.
func (p *registersPorts) bus() transit.Bus {
	return transit.Bus{Access: &p.Access, Answer: &p.Answer, Done: p.Done, CountAddr: p.CountAddr, CountData: p.CountData}
}

// portWrite is the write port of the port table. port_write comes in cycle x without a register, so that a table
// written at its edge holds the port's new values from x + 1 on; the other signals are the staged values.
type portWrite struct {
	Write  vgen.Signal `port:"port_write" width:"1" doc:"the staged values become the port's at the coming edge"`
	Index  vgen.Signal `port:"port_index" width:"index" doc:"number of the port"`
	Enable vgen.Signal `port:"port_enable" width:"1" doc:"packets that leave the port get records"`
	MTU    vgen.Signal `port:"port_mtu" width:"mtu" doc:"bytes of IP packet"`
	Rate   vgen.Signal `port:"port_rate" width:"rate" doc:"rate code"`
}

// nodeSet is the committed settings of the node, from cycle x + 1 on.
type nodeSet struct {
	OK       vgen.Signal `port:"node_ok" width:"1" doc:"it has been committed since reset"`
	ID       vgen.Signal `port:"node_id" width:"node" doc:"number of the switch"`
	Match    vgen.Signal `port:"node_match" width:"match" doc:"UDP port or IP protocol of telemetry"`
	Space    vgen.Signal `port:"node_space" width:"space" doc:"LNS or Namespace-ID"`
	Overhead vgen.Signal `port:"node_overhead" width:"overhead" doc:"bytes on the wire beyond those of a packet"`
}

// registersBlock builds int_registers: the registers that software reads and writes, with the checks of commits. The
// map is that of package registers; the effect of each register is here.
func registersBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_registers", "Register file: staged values, checks and committed values")
	m.Doc(
		"An access acts in the cycle of its strobe: what it changes is seen in the next cycle, what it reads is as of this one.")
	m.SetTiming(3, 4)
	p := vgen.Ports[registersPorts](m, s.widths())
	f := transit.NewFile(m, &p.Access, registers.NewINT(s.INT), false)
	f.Decode()

	m.Section("Staged registers")
	for _, r := range f.Map.Registers {
		if r.Offset >= registers.Count {
			continue
		}
		f.Hit(&r)
		switch {
		case r.Access == registers.ReadWrite:
			f.Stage(&r, ^uint32(0)) // with the bits that it lacks, which are checked
		case r.Access == registers.ReadOnly && !r.Volatile:
			f.Constant(&r)
		}
	}
	f.NoPort(p.NoPort)

	// A check of staged values has a cycle of its own; the next access comes later.
	fits := func(offset uint32, width int) vgen.Signal {
		if width == axil.BusBits {
			return flag(true)
		}
		return f.Staged[offset].Slice(axil.BusBits-1, width).Is(0)
	}
	checked := func(name string, checks ...vgen.Signal) vgen.Signal { return m.RegNext(name, vgen.AllOf(checks...)) }
	low := func(offset uint32, width int) vgen.Signal { return f.Staged[offset].Trunc(width) }

	m.Section("Ports")
	portFits := checked("port_fits_q", fits(registers.INTPortEnable, 1), fits(registers.INTPortMTU, mtuBits),
		fits(registers.INTPortRate, rateBits))
	n := s.PortBits()
	exists := p.WData.Slice(axil.BusBits-1, n).Is(
		0).
		And(p.WData.Trunc(n).Lt(vgen.Const(n, uint64(s.Ports)))).Named("port_exists")
	m.Assign(p.Port.Write, f.Commit(registers.INTPortCommit, "commit_port", portFits, exists))
	m.Assign(p.Port.Index, p.WData.Trunc(s.IndexBits()))
	m.Assign(p.Port.Enable, low(registers.INTPortEnable, 1))
	m.Assign(p.Port.MTU, low(registers.INTPortMTU, mtuBits))
	m.Assign(p.Port.Rate, low(registers.INTPortRate, rateBits))

	m.Section("Node")
	checks := []vgen.Signal{fits(registers.NodeOverhead, overheadBits), fits(registers.NodeID, s.nodeBits)}
	for _, r := range []struct {
		offset uint32
		width  int
	}{{registers.NodeMatch, s.matchBits}, {registers.NodeSpace, s.spaceBits}} {
		if r.width > 0 {
			checks = append(checks, fits(r.offset, r.width))
		}
	}
	commitNode := f.Commit(registers.NodeCommit, "commit_node", checked("node_fits_q", checks...))
	take := func(out vgen.Signal, name string, offset uint32, opts ...vgen.RegOption) {
		if out.Exists() {
			m.Assign(out, m.RegNext(name, low(offset, out.Width()), append(opts, vgen.Enable(commitNode))...))
		}
	}
	take(p.Node.ID, "node_q", registers.NodeID)
	take(p.Node.Match, "match_q", registers.NodeMatch)
	take(p.Node.Space, "space_q", registers.NodeSpace)
	take(p.Node.Overhead, "overhead_q", registers.NodeOverhead, vgen.Reset(24))
	m.Assign(p.Node.OK, m.RegNext("node_ok_q", flag(true), vgen.Enable(commitNode), vgen.Reset(0), vgen.Control()))

	m.Section("Answers")
	number, status := f.CountPort(), p.Addr.Slice(5, 2)
	counts := vgen.AllOf(number.Lt(vgen.Const(number.Width(), uint64(s.Ports))),
		status.Lt(vgen.Const(4, uint64(registers.INTStatuses))), p.Addr.Trunc(2).Is(0)).Named("at_count")
	m.Assign(p.CountAddr, vgen.Cat(number.Trunc(s.IndexBits()), status))
	var readable []vgen.Signal
	for _, offset := range slices.Sorted(maps.Keys(f.Reads)) {
		readable = append(readable, f.Hits[offset])
	}
	isWord := vgen.AnyOf(readable...).Named("at_word")
	word := f.Word(transit.PageWords).Named("page_word").Where(isWord).Named("word")
	acts := p.Write.Or(p.Read).Named("acts")
	wordQ := m.RegNext("word_q", word, vgen.Enable(acts))
	countQ := m.RegNext("count_q", counts, vgen.Enable(acts))
	wrong := vgen.Mux(p.Read, isWord.Or(counts).Not(), vgen.AnyOf(f.Done...).Not())
	m.Assign(p.Error, m.RegNext("error_q", wrong, vgen.Enable(acts)))
	answered := m.StateNext("done_q", m.StateNext("acted_s1", acts))
	m.Assign(p.Done, answered)
	m.Assign(p.RData, m.RegNext("rdata_q", wordQ.Or(p.CountData.Where(countQ)), vgen.Enable(answered)))
	return m
}
