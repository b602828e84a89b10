package axil

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

// Connect puts a Slave of that name in front of a register block. done is the cycle before the answer is there. While
// hold is 1 no access begins.
func Connect(m *vgen.Module, name string, outer *Ports, regs *Access, answer *Answer, done, hold vgen.Signal) {
	bus := vgen.Instantiate[slavePorts](m, "u_axil", Slave(name))
	vgen.Settled(m, bus)
	vgen.Forward(m, outer, &bus.Ports)
	m.Assign(bus.Hold, hold)
	m.Assign(regs.Write, bus.Write)
	m.Assign(regs.Read, bus.Read)
	m.Assign(regs.Addr, bus.Addr)
	m.Assign(regs.WData, bus.Data)
	m.Assign(regs.Full, bus.Full)
	m.Assign(bus.Done, done)
	m.Assign(bus.Error, answer.Error)
	m.Assign(bus.ReadOut, answer.RData)
}
