package hpcc

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/wide"
)

// Tables are the constants that software writes, as raw values.
type Tables struct {
	Rate    []RateEntry    // by rate code
	Queue   []uint64       // InvBT by rate code * profiles + profile, Formats.InvBT
	Profile []ProfileEntry // by profile
}

// RateEntry is an entry of the rate table.
type RateEntry struct {
	Valid bool   // the code is known
	InvB  uint64 // Formats.InvB
}

// ProfileEntry is one profile's row across the tables that are indexed by profile.
type ProfileEntry struct {
	T, InvT, Eta    uint64
	MaxStage        uint32
	Fast            bool
	WAI, WMin, WMax uint64
}

// NewTables are the tables after reset: all zero, no rate known.
func (d *Design) NewTables() *Tables {
	codes := int(d.rateMask) + 1
	profiles := int(d.profileMask) + 1
	return &Tables{
		Rate:    make([]RateEntry, codes),
		Queue:   make([]uint64, codes*profiles),
		Profile: make([]ProfileEntry, profiles),
	}
}

// WriteTable is a transfer on stream tw. Index and data are cut to the table's own widths; a table that does not
// exist takes no effect.
func (d *Design) WriteTable(t *Tables, w config.TableWrite) {
	f := &d.cfg.Formats
	profile := &t.Profile[uint32(w.Index)&d.profileMask]
	switch w.Table {
	case config.TableRate:
		invB := f.InvB.Width()
		t.Rate[uint32(w.Index)&d.rateMask] = RateEntry{Valid: w.Data>>invB&1 == 1, InvB: w.Data & wide.Mask(invB)}
	case config.TableQueue:
		t.Queue[uint32(w.Index)&uint32(len(t.Queue)-1)] = w.Data & wide.Mask(f.InvBT.Width())
	case config.TableRTT:
		profile.T = w.Data & wide.Mask(d.cfg.RTTBits)
	case config.TableInvRTT:
		profile.InvT = w.Data & wide.Mask(f.InvT.Width())
	case config.TableEta:
		profile.Eta = w.Data & wide.Mask(f.Eta.Width())
	case config.TableStage:
		profile.MaxStage = uint32(w.Data) & d.stageMask
		profile.Fast = w.Data>>d.cfg.StageBits&1 == 1
	case config.TableWAI:
		profile.WAI = w.Data & d.windowMask
	case config.TableWMin:
		profile.WMin = w.Data & d.windowMask
	case config.TableWMax:
		profile.WMax = w.Data & d.windowMask
	}
}
