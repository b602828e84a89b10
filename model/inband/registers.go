package inband

import "github.com/hdlpkg/hpccgen/config/registers"

// stagedWords is how many words the part of the map has in which registers are staged.
const stagedWords = 64

// registerFile is what is behind the AXI4-Lite interface, but for the counters.
type registerFile struct {
	space  *registers.Map
	staged [stagedWords]uint32 // by offset / 4
}

func (r *registerFile) reset() {
	r.staged = [stagedWords]uint32{registers.NodeOverhead / 4: WireOverhead}
}

func (r *registerFile) at(offset uint32) uint32 { return r.staged[offset/4] }

// busRead is the read that acts in this cycle, if one does. What this cycle changes it does not see.
func (m *Clocked) busRead() {
	b := &m.bus
	if b.state != acting || b.write {
		return
	}
	r, port, found := m.registers.space.At(uint32(b.addr))
	b.slverr, b.readData = !found || !r.Readable(), 0
	switch {
	case b.slverr:
	case r.Writable():
		b.readData = m.registers.at(r.Offset)
	case r.Offset == registers.NoPort:
		b.readData = uint32(m.dev.noPort)
	case r.Offset < registers.Count:
		b.readData = r.Reset()
	default:
		b.readData = uint32(m.dev.ports[port].counters[(r.Offset-registers.Count)/4])
	}
}

// busWrite is the write that acts in this cycle, if one does. It is called when everything else of the cycle has been done.
func (m *Clocked) busWrite() {
	b := &m.bus
	if b.state != acting || !b.write {
		return
	}
	r, _, found := m.registers.space.At(uint32(b.addr))
	ok := found && r.Writable() && b.strobes == 15
	if ok && r.Readable() {
		m.registers.staged[r.Offset/4] = b.data
	} else if ok {
		ok = m.commit(r.Offset, b.data)
	}
	b.slverr = !ok
}

// commit gives a port, or the node, what is staged. It answers whether it was in order.
func (m *Clocked) commit(offset, data uint32) bool {
	f := &m.registers
	if offset == registers.INTPortCommit {
		enable, mtu, rate := f.at(registers.INTPortEnable), f.at(registers.INTPortMTU), f.at(registers.INTPortRate)
		if enable > 1 || mtu > 65535 || rate > 15 || uint64(data) >= uint64(len(m.dev.ports)) {
			return false
		}
		return m.dev.SetPort(int(data), Port{enable == 1, uint16(mtu), uint8(rate)}) == nil
	}
	match, space := f.at(registers.NodeMatch), f.at(registers.NodeSpace)
	if match > 65535 || space > 65535 {
		return false
	}
	return m.dev.SetNode(Node{f.at(registers.NodeID), uint16(match), uint16(space), uint64(f.at(registers.NodeOverhead))}) == nil
}
