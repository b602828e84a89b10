package transit

import (
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Bus is the register block's side of the register bus, and where it reads the packet counters.
type Bus struct {
	*axil.Access
	*axil.Answer

	Done                 vgen.Signal // the response is valid from the next cycle on
	CountAddr, CountData vgen.Signal // the address may be that of another block
}

// ConnectBus puts an AXI4-Lite slave in front of the registers, and the packet counters after them, which take an
// address and give the counter. While hold is 1 no access begins.
func ConnectBus(m *vgen.Module, name string, outer *axil.Ports, regs Bus, countAddr, countData, hold vgen.Signal) {
	axil.Connect(m, name, outer, regs.Access, regs.Answer, regs.Done, hold)
	m.Assign(countAddr, regs.CountAddr)
	m.Assign(regs.CountData, countData)
}
