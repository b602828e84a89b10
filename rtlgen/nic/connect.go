package nic

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// tableWrite is a held table write with its table decoded.
type tableWrite struct {
	heldTable
	is func(config.Table) vgen.Signal
}

// decodeTable decodes the table of a held write. With an operation a cycle all of it is registered once
// more, which parts the way from the stream to the far ends of the core; the operation enters later than
// its payload is held.
func decodeTable(m *vgen.Module, tw heldTable, dense bool) tableWrite {
	table := tw.Table
	decode := func(t config.Table) vgen.Signal { return table.Eq(vgen.Const(tableBits, uint64(t))) }
	if !dense {
		return tableWrite{tw, decode}
	}
	tw.Index, tw.Data = m.RegNext("tw_index_held", tw.Index), m.RegNext("tw_data_held", tw.Data)
	selects := map[config.Table]vgen.Signal{}
	return tableWrite{tw, func(t config.Table) vgen.Signal {
		if _, ok := selects[t]; !ok {
			selects[t] = m.RegNext(fmt.Sprintf("tw_is_table%d", t), decode(t))
		}
		return selects[t]
	}}
}

// connectTables leads a held table write to the copies that a block has.
func connectTables(m *vgen.Module, c *config.NIC, tw tableWrite, block any) {
	is := tw.is
	profile := func(index vgen.Signal) {
		if index.Exists() {
			m.Assign(index, tw.Index.Trunc(c.ProfileBits()))
		}
	}
	perProfile := func(t config.Table, sel, index, data vgen.Signal) {
		if !sel.Exists() {
			return
		}
		m.Assign(sel, is(t))
		profile(index)
		m.Assign(data, tw.Data.Trunc(data.Width()))
	}
	switch b := block.(type) {
	case *flowPorts:
		m.Assign(b.TWKnown.Select, is(config.TableRate))
		m.Assign(b.TWKnown.Index, tw.Index.Trunc(c.Telemetry.RateCodeBits))
		m.Assign(b.TWKnown.Data, tw.Data.Bit(c.RateEntryBits()-1))
		m.Assign(b.TWFast.Select, is(config.TableStage))
		profile(b.TWFast.Index)
		m.Assign(b.TWFast.Data, tw.Data.Bit(c.StageEntryBits()-1))
		perProfile(config.TableRTT, b.TWRTT.Select, b.TWRTT.Index, b.TWRTT.Data)
	case *serialRecordsPorts:
		m.Assign(b.TW.Select, is(config.TableRate))
		m.Assign(b.TW.Index, tw.Index.Trunc(c.Telemetry.RateCodeBits))
		m.Assign(b.TW.Data, tw.Data.Bit(c.RateEntryBits()-1))
	case *serialFlowPorts:
		m.Assign(b.TWFast.Select, is(config.TableStage))
		profile(b.TWFast.Index)
		m.Assign(b.TWFast.Data, tw.Data.Bit(c.StageEntryBits()-1))
		perProfile(config.TableRTT, b.TWRTT.Select, b.TWRTT.Index, b.TWRTT.Data)
	case *serialHopPorts:
		connectHopTables(m, c, tw, &b.TWRate, &b.TWQueue)
	case *hopPorts:
		connectHopTables(m, c, tw, &b.TWRate, &b.TWQueue)
	case *averagePorts:
		perProfile(config.TableRTT, b.TWRTT.Select, b.TWRTT.Index, b.TWRTT.Data)
		perProfile(config.TableInvRTT, b.TWInvRTT.Select, b.TWInvRTT.Index, b.TWInvRTT.Data)
	case *windowPorts:
		perProfile(config.TableInvRTT, b.TWInvRTT.Select, b.TWInvRTT.Index, b.TWInvRTT.Data)
		perProfile(config.TableEta, b.TWEta.Select, b.TWEta.Index, b.TWEta.Data)
		perProfile(config.TableStage, b.TWStage.Select, b.TWStage.Index, b.TWStage.Data)
		perProfile(config.TableWAI, b.TWWai.Select, b.TWWai.Index, b.TWWai.Data)
		perProfile(config.TableWMin, b.TWWmin.Select, b.TWWmin.Index, b.TWWmin.Data)
		perProfile(config.TableWMax, b.TWWmax.Select, b.TWWmax.Index, b.TWWmax.Data)
	}
}

func connectHopTables(m *vgen.Module, c *config.NIC, tw tableWrite, rate *rateWrite, queue *queueWrite) {
	is := tw.is
	m.Assign(rate.Select, is(config.TableRate))
	m.Assign(rate.Index, tw.Index.Trunc(c.Telemetry.RateCodeBits))
	m.Assign(rate.Data, tw.Data.Trunc(c.Formats.InvB.Width()))
	m.Assign(queue.Select, is(config.TableQueue))
	m.Assign(queue.Index, tw.Index)
	m.Assign(queue.Data, tw.Data.Trunc(c.Formats.InvBT.Width()))
}
