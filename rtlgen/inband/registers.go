package inband

import (
	"strings"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// registersPorts are the ports of int_registers. An access acts in the cycle of its strobe, called x.
type registersPorts struct {
	Write vgen.Signal `port:"bus_write" dir:"in" width:"1" doc:"a write acts in this cycle"`
	Read  vgen.Signal `port:"bus_read" dir:"in" width:"1" doc:"a read acts in this cycle"`
	Addr  vgen.Signal `port:"bus_addr" dir:"in" width:"address" doc:"its address, held until bus_done"`
	WData vgen.Signal `port:"bus_wdata" dir:"in" width:"bus" doc:"word to write, held until bus_done"`
	Full  vgen.Signal `port:"bus_strobes_full" dir:"in" width:"1" doc:"all of its bytes are to be written"`
	Done  vgen.Signal `port:"bus_done" dir:"out" width:"1" doc:"the answer is there from the next cycle on; in x + 2"`
	Error vgen.Signal `port:"bus_error" dir:"out" width:"1" doc:"the answer is an error, from the cycle after bus_done on until the next access acts"`
	RData vgen.Signal `port:"bus_rdata" dir:"out" width:"bus" doc:"word read, 0 with an error; valid as bus_error"`

	CountAddr vgen.Signal `port:"count_addr" dir:"out" width:"count" doc:"counter read: port and status, held"`
	CountData vgen.Signal `port:"count_data" dir:"in" width:"counter" doc:"in x + 2 the counter as it was in x"`
	NoPort    vgen.Signal `port:"no_port_count" dir:"in" width:"1" doc:"a packet counts that has no port"`

	Port portWrite `dir:"out"`
	Node nodeSet   `dir:"out"`
}

// portWrite is the write port of the port table. port_write comes in cycle x without a register, so that a table written at its edge holds the
// port's new values from x + 1 on; the rest is what is staged.
type portWrite struct {
	Write  vgen.Signal `port:"port_write" width:"1" doc:"what is staged becomes that of the port at the coming edge"`
	Index  vgen.Signal `port:"port_index" width:"index" doc:"number of the port"`
	Enable vgen.Signal `port:"port_enable" width:"1" doc:"packets that leave the port get records"`
	MTU    vgen.Signal `port:"port_mtu" width:"mtu" doc:"bytes of IP packet"`
	Rate   vgen.Signal `port:"port_rate" width:"rate" doc:"rate code"`
}

// nodeSet is what has been committed of the node, from cycle x + 1 on.
type nodeSet struct {
	OK       vgen.Signal `port:"node_ok" width:"1" doc:"it has been committed since reset"`
	ID       vgen.Signal `port:"node_id" width:"node" doc:"number of the switch"`
	Match    vgen.Signal `port:"node_match" width:"match" doc:"UDP port or IP protocol of telemetry"`
	Space    vgen.Signal `port:"node_space" width:"space" doc:"LNS or Namespace-ID"`
	Overhead vgen.Signal `port:"node_overhead" width:"overhead" doc:"bytes on the wire beyond those of a packet"`
}

// pageBits is the width of addresses below the counters; every register but those lies in the first page.
const pageBits = 8

const busBits = 32

// registersBlock builds int_registers: what software reads and writes, with the checks of what it commits. The map is that of package registers; what
// a register does is here.
func registersBlock(s *shape) *vgen.Module {
	m := vgen.NewModule("int_registers", "Registers: staged values, their checks, and what has been committed")
	m.Doc("An access acts in the cycle of its strobe: what it changes is seen in the next cycle, what it reads is as of this one.")
	m.SetTiming(3, 4)
	p := vgen.Ports[registersPorts](m, s.widths())
	addr := p.Addr
	write := p.Write.And(p.Full).Named("write")
	page := is(addr.Slice(15, pageBits), 0).And(is(addr.Trunc(2), 0)).Named("first_page")
	hits, staged, read := map[uint32]vgen.Signal{}, map[uint32]vgen.Signal{}, map[uint32]vgen.Signal{}
	var done []vgen.Signal

	m.Section("Staged registers")
	for _, r := range registers.NewINT(s.INT).Registers {
		if r.Offset >= registers.Count {
			continue
		}
		name := strings.ToLower(r.Name)
		hits[r.Offset] = page.And(is(addr.Slice(pageBits-1, 2), uint64(r.Offset>>2))).Named("at_" + name)
		switch {
		case r.Access == registers.ReadWrite:
			load := write.And(hits[r.Offset]).Named("write_" + name)
			staged[r.Offset] = m.RegNext(name+"_q", p.WData, vgen.Enable(load), vgen.Reset(uint64(r.Reset())))
			read[r.Offset] = staged[r.Offset]
			done = append(done, load)
		case r.Access == registers.ReadOnly && !r.Volatile:
			read[r.Offset] = vgen.Const(busBits, uint64(r.Reset())).Named(name)
		}
	}
	noPort := m.Reg("no_port_q", counterBits, vgen.Reset(0))
	m.Next(noPort, noPort.Add(p.NoPort.Zext(counterBits)))
	read[registers.NoPort] = noPort

	// A check of what is staged has a cycle of its own; the next access is further away.
	fits := func(offset uint32, width int) vgen.Signal {
		if width == busBits {
			return flag(true)
		}
		return is(staged[offset].Slice(busBits-1, width), 0)
	}
	checked := func(name string, checks ...vgen.Signal) vgen.Signal { return m.RegNext(name, all(checks...)) }
	low := func(offset uint32, width int) vgen.Signal { return staged[offset].Trunc(width) }

	m.Section("Ports")
	portFits := checked("port_fits_q", fits(registers.INTPortEnable, 1), fits(registers.INTPortMTU, mtuBits), fits(registers.INTPortRate, rateBits))
	n := s.portBits()
	exists := is(p.WData.Slice(busBits-1, n), 0).And(p.WData.Trunc(n).Lt(vgen.Const(n, uint64(s.Ports)))).Named("port_exists")
	commitPort := all(write, hits[registers.INTPortCommit], portFits, exists).Named("commit_port")
	done = append(done, commitPort)
	m.Assign(p.Port.Write, commitPort)
	m.Assign(p.Port.Index, p.WData.Trunc(s.indexBits()))
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
	commitNode := all(write, hits[registers.NodeCommit], checked("node_fits_q", checks...)).Named("commit_node")
	done = append(done, commitNode)
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
	// Number of the port, modulo the address space: below the counters it is beyond all ports.
	stride := addr.Slice(15, 6)
	number := stride.Sub(vgen.Const(stride.Width(), registers.Count/registers.CountStride)).Named("count_port")
	counts := all(number.Lt(vgen.Const(number.Width(), uint64(s.Ports))), addr.Slice(5, 2).Lt(vgen.Const(4, uint64(registers.INTStatuses))), is(addr.Trunc(2), 0)).Named("at_count")
	m.Assign(p.CountAddr, vgen.Cat(number.Trunc(s.indexBits()), addr.Slice(5, 2)))
	zero := vgen.Const(busBits, 0)
	words := make([]vgen.Signal, 1<<(pageBits-2))
	var readable []vgen.Signal
	for i := range words {
		words[i] = zero
		if v, ok := read[uint32(4*i)]; ok {
			words[i] = v
			readable = append(readable, hits[uint32(4*i)])
		}
	}
	isWord := anyOf(readable...).Named("at_word")
	word := gate(vgen.Select(addr.Slice(pageBits-1, 2), words, zero), isWord).Named("word")
	acts := p.Write.Or(p.Read).Named("acts")
	wordQ := m.RegNext("word_q", word, vgen.Enable(acts))
	countQ := m.RegNext("count_q", counts, vgen.Enable(acts))
	wrong := vgen.Mux(p.Read, isWord.Or(counts).Not(), anyOf(done...).Not())
	m.Assign(p.Error, m.RegNext("error_q", wrong, vgen.Enable(acts)))
	answered := later(m, "done_q", later(m, "acted_s1", acts))
	m.Assign(p.Done, answered)
	m.Assign(p.RData, m.RegNext("rdata_q", wordQ.Or(gate(p.CountData, countQ)), vgen.Enable(answered)))
	return m
}
