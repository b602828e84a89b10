package inband

import "github.com/hdlpkg/hpccgen/config/registers"

// Read is the value of a counter.
func (m *Clocked) Read(r *registers.Register, port int) uint32 {
	if r.Offset == registers.NoPort {
		return uint32(m.dev.noPort)
	}
	return uint32(m.dev.ports[port].counters[(r.Offset-registers.Count)/4])
}

// Command commits the staged values to a port or to the node.
func (m *Clocked) Command(_ int64, offset, data uint32) (ok bool, answer int) {
	s := m.Staged()
	if offset == registers.INTPortCommit {
		enable, mtu, rate := s.At(registers.INTPortEnable), s.At(registers.INTPortMTU), s.At(registers.INTPortRate)
		if enable > 1 || mtu > 65535 || rate > 15 || uint64(data) >= uint64(len(m.dev.ports)) {
			return false, 0
		}
		return m.dev.SetPort(int(data), Port{enable == 1, uint16(mtu), uint8(rate)}) == nil, 0
	}
	match, space := s.At(registers.NodeMatch), s.At(registers.NodeSpace)
	if match > 65535 || space > 65535 {
		return false, 0
	}
	return m.dev.SetNode(Node{
		s.At(registers.NodeID), uint16(match), uint16(space), uint64(s.At(registers.NodeOverhead)),
	}) == nil, 0
}
