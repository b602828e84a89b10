package transit

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Access is what the register bus asks of a register block.
type Access struct {
	Write vgen.Signal `port:"bus_write" dir:"in" width:"1" doc:"a write acts in this cycle"`
	Read  vgen.Signal `port:"bus_read" dir:"in" width:"1" doc:"a read acts in this cycle"`
	Addr  vgen.Signal `port:"bus_addr" dir:"in" width:"address" doc:"its address, held until bus_done"`
	WData vgen.Signal `port:"bus_wdata" dir:"in" width:"bus" doc:"write data, held until bus_done"`
	Full  vgen.Signal `port:"bus_strobes_full" dir:"in" width:"1" doc:"all of its write strobes are set"`
}

// Answer is what a register block answers.
type Answer struct {
	Error vgen.Signal `port:"bus_error" dir:"out" width:"1" doc:"the access failed; valid from the cycle after bus_done until the next access acts"`
	RData vgen.Signal `port:"bus_rdata" dir:"out" width:"bus" doc:"read data, 0 with an error; valid like bus_error"`
}

// Bus is the register block's side of the register bus, and where it reads the packet counters.
type Bus struct {
	*Access
	*Answer

	Done                 vgen.Signal // the response is valid from the next cycle on
	CountAddr, CountData vgen.Signal // the address may be that of another block
}

// ConnectBus puts an AXI4-Lite slave in front of the registers, and the packet counters after them, which take an
// address and give the counter. While hold is 1 no access begins.
func ConnectBus(m *vgen.Module, name string, outer *AXIL, regs Bus, countAddr, countData, hold vgen.Signal) {
	bus := vgen.Instantiate[axilPorts](m, "u_axil", AXILite(name))
	vgen.Settled(m, bus)
	vgen.Forward(m, outer, &bus.AXIL)
	m.Assign(bus.Hold, hold)
	m.Assign(regs.Write, bus.Write)
	m.Assign(regs.Read, bus.Read)
	m.Assign(regs.Addr, bus.Addr)
	m.Assign(regs.WData, bus.Data)
	m.Assign(regs.Full, bus.Full)
	m.Assign(bus.Done, regs.Done)
	m.Assign(bus.Error, regs.Error)
	m.Assign(bus.ReadOut, regs.RData)
	m.Assign(countAddr, regs.CountAddr)
	m.Assign(regs.CountData, countData)
}
