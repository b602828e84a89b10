package block

import "github.com/hdlpkg/hpccgen/rtlgen/vgen"

// StackedSlot is the number of the counter of stacked tags among a port's 16, as the bus numbers them.
const StackedSlot = 15

// CountersPorts are the ports of csig_counters.
type CountersPorts struct {
	Valid    vgen.Signal `port:"c_valid" dir:"in" width:"1" role:"valid" doc:"a packet counts"`
	Port     vgen.Signal `port:"c_port" dir:"in" width:"index" doc:"its egress port"`
	Status   vgen.Signal `port:"c_status" dir:"in" width:"status" doc:"its status, not no_port"`
	Stacked  vgen.Signal `port:"c_stacked" dir:"in" width:"1" doc:"it is also counted as stacked"`
	Addr     vgen.Signal `port:"count_addr" dir:"in" width:"count" doc:"port and status (15: stacked) to read; the same until the answer"`
	Data     vgen.Signal `port:"count_data" dir:"out" width:"counter" doc:"packets that have counted"`
	Sweeping vgen.Signal `port:"sweeping" dir:"out" width:"1" doc:"the counters are being initialised; nothing may count"`
}
