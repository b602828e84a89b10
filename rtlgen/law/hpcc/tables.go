package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/engine"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// The ports through which a block's copy of a table is written: the payload of stream tw, cut to what
// the copy holds, held while the write passes the pipeline.
type (
	knownWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects the rate table, held"`
		Index  vgen.Signal `port:"index" width:"code" doc:"rate code written, held"`
		Data   vgen.Signal `port:"known" width:"1" doc:"the rate code is known, held"`
	}
	rateWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects the rate table, held"`
		Index  vgen.Signal `port:"index" width:"code" doc:"rate code written, held"`
		Data   vgen.Signal `port:"inv_b" width:"invb" doc:"1/B, ticks a unit, held"`
	}
	queueWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects the queue table, held"`
		Index  vgen.Signal `port:"index" width:"tindex" doc:"rate code and profile written, held"`
		Data   vgen.Signal `port:"inv_bt" width:"invbt" doc:"1/(B T), held"`
	}
	rttWrite struct {
		Select vgen.Signal `port:"select" width:"rttsel" doc:"a table write selects T, held"`
		Index  vgen.Signal `port:"index" width:"rttindex" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"rtt" doc:"T, ticks, held"`
	}
	invRTTWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects 1/T, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"invt" doc:"1/T, held"`
	}
	etaWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects eta, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"eta" doc:"eta, held"`
	}
	stageWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects the stage table, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"stage" doc:"maxStage, held"`
	}
	fastWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects the stage table, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"1" doc:"fast reaction, held"`
	}
	windowWrite struct {
		Select vgen.Signal `port:"select" width:"1" doc:"a table write selects this limit or increment, held"`
		Index  vgen.Signal `port:"index" width:"profile" doc:"profile written, held"`
		Data   vgen.Signal `port:"data" width:"w" doc:"bytes, held"`
	}
)

// Tables by their numbers.
const (
	tableRate   = int(config.TableRate)
	tableQueue  = int(config.TableQueue)
	tableRTT    = int(config.TableRTT)
	tableInvRTT = int(config.TableInvRTT)
	tableEta    = int(config.TableEta)
	tableStage  = int(config.TableStage)
	tableWAI    = int(config.TableWAI)
	tableWMin   = int(config.TableWMin)
	tableWMax   = int(config.TableWMax)
)

// leadRates leads writes of the rate and the queue table to the copies of a hop.
func leadRates(tw engine.TableWrite, rate *rateWrite, queue *queueWrite) {
	tw.To(tableRate, 0, rate)
	tw.To(tableQueue, 0, queue)
}

// leadVerdict leads writes to the copies of classification: the upper bit of a stage entry means that the profile
// reacts fast.
func leadVerdict(c *config.NIC, tw engine.TableWrite, fast *fastWrite, rtt *rttWrite) {
	tw.To(tableStage, c.StageEntryBits()-1, fast)
	tw.To(tableRTT, 0, rtt)
}
