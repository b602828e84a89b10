package wide

import (
	"github.com/hdlpkg/hpccgen/rtlgen/axil"
	"github.com/hdlpkg/hpccgen/rtlgen/csig/block"
	"github.com/hdlpkg/hpccgen/rtlgen/transit"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// registersPorts are the ports of csig_registers. An access takes effect in the cycle of its strobe, called x.
type registersPorts struct {
	axil.Access

	Done vgen.Signal `port:"bus_done" dir:"out" width:"1" doc:"the response is valid from the next cycle on; later for BUCKET_COMMIT"`

	axil.Answer

	CountAddr vgen.Signal `port:"count_addr" dir:"out" width:"count" doc:"counter read: port and status, held"`
	CountData vgen.Signal `port:"count_data" dir:"in" width:"counter" doc:"with bus_done of a read the counter as it was in x"`
	NoPort    vgen.Signal `port:"no_port_count" dir:"in" width:"1" doc:"a packet without an existing port is counted"`

	Port     portWrite      `dir:"out"`
	Estimate estimateValues `port:"estimate_" dir:"out"`

	block.BucketTables

	Quantizer []quantizerSet `port:"quantizer%d_" count:"quantizers" dir:"out"`
	QuantOK   vgen.Signal    `port:"quantizer_ok" dir:"out" width:"quantizers" doc:"base and step have been committed, by type"`
}

// bus is the side of software.
func (p *registersPorts) bus() transit.Bus {
	return transit.Bus{Access: &p.Access, Answer: &p.Answer, Done: p.Done, CountAddr: p.CountAddr, CountData: p.CountData}
}

// portWrite is the write port of the port table. port_write comes in cycle x without a register, so that a table
// written at its edge holds the port's new values from x + 1 on; the other signals are the staged values.
type portWrite struct {
	Write      vgen.Signal   `port:"port_write" width:"1" doc:"the staged values become the port's at the coming edge"`
	Index      vgen.Signal   `port:"port_index" width:"index" doc:"number of the port"`
	Trust      vgen.Signal   `port:"port_trust" width:"1" doc:"tags that arrive at the port are believed"`
	Capacity   vgen.Signal   `port:"port_capacity" width:"value" doc:"capacity, kbit/s"`
	Ratio      vgen.Signal   `port:"port_ratio" width:"recip" doc:"mantissa of the factor Ratio"`
	RatioShift vgen.Signal   `port:"port_ratio_shift" width:"shift" doc:"its shift"`
	Depth      vgen.Signal   `port:"port_depth" width:"recip" doc:"mantissa of the factor Depth"`
	DepthShift vgen.Signal   `port:"port_depth_shift" width:"shift" doc:"its shift"`
	Actions    vgen.Signal   `port:"port_actions" width:"actions" doc:"bits 2t+1:2t: action for type t: 0 pass, 1 strip, 2 update"`
	Locator    []portLocator `port:"port_locator%d_" count:"types"`
}

// portLocator is LM for one type.
type portLocator struct {
	Compact  vgen.Signal `port:"compact" width:"clm" doc:"LM of compact tags of this type"`
	Expanded vgen.Signal `port:"expanded" width:"xlm" doc:"LM of expanded tags of this type"`
}

// estimateValues are the parameters of the estimate that have been committed, from cycle x + 1 on.
type estimateValues struct {
	Commit   vgen.Signal `port:"commit" width:"1" doc:"they are committed in this cycle, x (unregistered)"`
	OK       vgen.Signal `port:"ok" width:"1" doc:"they have been committed since reset"`
	Window   vgen.Signal `port:"window" width:"window" doc:"window, ns"`
	Mantissa vgen.Signal `port:"mantissa" width:"recip" doc:"mantissa of the factor Estimate"`
	Shift    vgen.Signal `port:"shift" width:"shift" doc:"its shift"`
	Overhead vgen.Signal `port:"overhead" width:"overhead" doc:"bytes on the wire beyond those of the packet"`
}

// quantizerSet is the committed settings of a type.
type quantizerSet struct {
	Base vgen.Signal `port:"base" width:"value" doc:"smallest value of code 0 of this type"`
	Step vgen.Signal `port:"step" width:"value" doc:"values a code"`
}
