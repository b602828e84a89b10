package axil

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// Widths of the register interface, in bits.
const (
	BusBits     = 32
	AddressBits = 16
	respBits    = 2
	protBits    = 3
)

// ChosenToBus is from the cycle in which an access is chosen to its strobe on the bus.
const ChosenToBus = 2

// respError is SLVERR; OKAY is 0.
const respError = 2

// Ports are the ports of an AXI4-Lite slave, 32 bits of data, 16 of address.
type Ports struct {
	AWAddr  vgen.Signal `port:"s_axil_awaddr" dir:"in" width:"address" doc:"AXI4-Lite: write address"`
	AWProt  vgen.Signal `port:"s_axil_awprot" dir:"in" width:"prot" doc:"not used"`
	AWValid vgen.Signal `port:"s_axil_awvalid" dir:"in" width:"1" role:"valid" doc:"write address valid"`
	AWReady vgen.Signal `port:"s_axil_awready" dir:"out" width:"1" role:"ready" doc:"write address ready (registered)"`
	WData   vgen.Signal `port:"s_axil_wdata" dir:"in" width:"bus" doc:"write data"`
	WStrb   vgen.Signal `port:"s_axil_wstrb" dir:"in" width:"strobes" doc:"its write strobes: all, otherwise the access fails"`
	WValid  vgen.Signal `port:"s_axil_wvalid" dir:"in" width:"1" role:"valid" doc:"write data valid"`
	WReady  vgen.Signal `port:"s_axil_wready" dir:"out" width:"1" role:"ready" doc:"write data ready (registered)"`
	BResp   vgen.Signal `port:"s_axil_bresp" dir:"out" width:"resp" doc:"write response: 0 OKAY, 2 SLVERR"`
	BValid  vgen.Signal `port:"s_axil_bvalid" dir:"out" width:"1" role:"valid" doc:"write response valid (registered)"`
	BReady  vgen.Signal `port:"s_axil_bready" dir:"in" width:"1" role:"ready" doc:"write response ready"`
	ARAddr  vgen.Signal `port:"s_axil_araddr" dir:"in" width:"address" doc:"read address"`
	ARProt  vgen.Signal `port:"s_axil_arprot" dir:"in" width:"prot" doc:"not used"`
	ARValid vgen.Signal `port:"s_axil_arvalid" dir:"in" width:"1" role:"valid" doc:"read address valid"`
	ARReady vgen.Signal `port:"s_axil_arready" dir:"out" width:"1" role:"ready" doc:"read address ready (registered)"`
	RData   vgen.Signal `port:"s_axil_rdata" dir:"out" width:"bus" doc:"read data, 0 with an error"`
	RResp   vgen.Signal `port:"s_axil_rresp" dir:"out" width:"resp" doc:"read response: 0 OKAY, 2 SLVERR"`
	RValid  vgen.Signal `port:"s_axil_rvalid" dir:"out" width:"1" role:"valid" doc:"read data valid (registered)"`
	RReady  vgen.Signal `port:"s_axil_rready" dir:"in" width:"1" role:"ready" doc:"read data ready"`
}

// slavePorts are the ports of a Slave.
type slavePorts struct {
	Ports

	Hold vgen.Signal `port:"hold" dir:"in" width:"1" doc:"no access begins"`

	Write   vgen.Signal `port:"bus_write" dir:"out" width:"1" doc:"a write acts in this cycle"`
	Read    vgen.Signal `port:"bus_read" dir:"out" width:"1" doc:"a read acts in this cycle"`
	Addr    vgen.Signal `port:"bus_addr" dir:"out" width:"address" doc:"its address, from the cycle before until the response has been taken"`
	Data    vgen.Signal `port:"bus_wdata" dir:"out" width:"bus" doc:"write data, held like the address"`
	Full    vgen.Signal `port:"bus_strobes_full" dir:"out" width:"1" doc:"all of its write strobes are set, held like the address"`
	Done    vgen.Signal `port:"bus_done" dir:"in" width:"1" doc:"the response is valid from the next cycle on"`
	Error   vgen.Signal `port:"bus_error" dir:"in" width:"1" doc:"the access failed; valid from the cycle after bus_done until the next access acts"`
	ReadOut vgen.Signal `port:"bus_rdata" dir:"in" width:"bus" doc:"read data, valid like bus_error"`
}

// Widths are the width keys of a Slave and of the register bus.
var Widths = vgen.Widths{
	"address": AddressBits, "bus": BusBits, "strobes": BusBits / 8, "resp": respBits, "prot": protBits,
}

// Slave is the AXI4-Lite side of the register bus as a module (docs/csig.md, Register bus). One access is under way
// at a time. Valid and ready are registers. The only inputs that move an output within a cycle are bus_error and
// bus_rdata, which are registers of the register block.
func Slave(name string) *vgen.Module {
	m := vgen.NewModule(name, "AXI4-Lite slave in front of the register bus, one access at a time")
	m.Doc("cycle  event",
		"x - 2  idle, and awvalid and wvalid, or arvalid, are high: the access is chosen; of two, the kind that was not last",
		"x - 1  awready and wready, or arready, are high; bus_addr, bus_wdata and bus_strobes_full hold; where a valid was",
		"       withdrawn, which AXI forbids, nothing acts, and the next cycle is idle",
		"x      bus_write or bus_read is high: the access acts",
		"x + 2  bus_done is high, or later",
		"x + 3  bvalid or rvalid is high until it is taken; idle from the cycle after that")
	p := vgen.Ports[slavePorts](m, Widths)
	m.Ignore(p.AWProt, "one protection level")
	m.Ignore(p.ARProt, "one protection level")

	control := func(name string, reset uint64) vgen.Signal { return m.Reg(name, 1, vgen.Reset(reset), vgen.Control()) }
	idle := control("idle_q", 1)
	bvalid, rvalid := control("bvalid_q", 0), control("rvalid_q", 0)

	// The kind of the last access: it gets the answer, and the other kind goes first. A write does after reset.
	reading := m.Reg("reading_q", 1, vgen.Reset(1), vgen.Control())

	// A write needs its address and its word, so that both are taken at once.
	free := idle.And(p.Hold.Not()).Named("free")
	both := p.AWValid.And(p.WValid).Named("write_waits")
	readFirst := p.ARValid.And(both.And(reading).Not()).Named("read_first")
	chooseWrite := free.And(both).And(readFirst.Not()).Named("choose_write")
	chooseRead := free.And(readFirst).Named("choose_read")
	takeWrite := m.StateNext("take_write_q", chooseWrite)
	takeRead := m.StateNext("take_read_q", chooseRead)
	m.Assign(p.AWReady, takeWrite)
	m.Assign(p.WReady, takeWrite)
	m.Assign(p.ARReady, takeRead)

	// An access is what both sides agree on: ready was promised for valids of the cycle before.
	write := takeWrite.And(both).Named("write_taken")
	read := takeRead.And(p.ARValid).Named("read_taken")
	m.Assign(p.Write, m.StateNext("write_q", write))
	m.Assign(p.Read, m.StateNext("read_q", read))
	// What is asked for stays until it is taken. So it can be kept as soon as it is chosen, and be looked at a cycle
	// before it acts.
	m.Assign(p.Addr, m.RegNext("addr_q", vgen.Mux(readFirst, p.ARAddr, p.AWAddr), vgen.Enable(free)))
	m.Assign(p.Data, m.RegNext("wdata_q", p.WData, vgen.Enable(free)))
	m.Assign(p.Full, m.RegNext("strobes_full_q", p.WStrb.AllBits(), vgen.Enable(free)))

	m.Next(reading, vgen.Mux(write.Or(read), read, reading))
	m.Next(bvalid, vgen.Mux(bvalid, p.BReady.Not(), p.Done.And(reading.Not())))
	m.Next(rvalid, vgen.Mux(rvalid, p.RReady.Not(), p.Done.And(reading)))
	taken := bvalid.And(p.BReady).Or(rvalid.And(p.RReady)).Named("taken")
	withdrawn := takeWrite.And(both.Not()).Or(takeRead.And(p.ARValid.Not())).Named("withdrawn")
	m.Next(idle, vgen.Mux(idle, chooseWrite.Or(chooseRead).Not(), taken.Or(withdrawn)))

	m.Assign(p.BValid, bvalid)
	m.Assign(p.RValid, rvalid)
	resp := vgen.Mux(p.Error, vgen.Const(respBits, respError), vgen.Const(respBits, 0)).Named("resp")
	m.Assign(p.BResp, resp)
	m.Assign(p.RResp, resp)
	m.Assign(p.RData, p.ReadOut)
	return m
}
