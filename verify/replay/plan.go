package replay

import (
	"fmt"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/hpcc"
)

// Plan is what an engine is given to replay a trace: table writes, then context writes, then the rows.
type Plan struct {
	Trace    *Trace
	Tables   []config.TableWrite
	Contexts []hpcc.ContextWrite
	Resync   bool

	cfg      *config.NIC
	codes    map[link]int
	unwrap   map[port]*counters
	ack      hpcc.Ack
	windowOf []*big.Rat // T/8 per flow: bytes of window per bit/s
}

// link is what a rate code stands for.
type link struct{ bps, multiplier uint64 }

// NewPlan allocates rate codes, profiles and contexts for a trace, and checks that every value of the
// trace fits the configuration. The rate codes follow the order in which the links first appear, the
// profiles and contexts that of the flows file.
func NewPlan(cfg *config.NIC, tr *Trace, resync bool) (*Plan, error) {
	p := &Plan{Trace: tr, Resync: resync, cfg: cfg, codes: map[link]int{}, unwrap: map[port]*counters{}}
	if resync && !tr.HasRef {
		return nil, &Error{File: tr.File, Reason: "resync needs the columns ref_kind to ref_stage, which the header does not have"}
	}
	if err := p.checkUnits(); err != nil {
		return nil, err
	}
	profiles, err := p.profiles()
	if err != nil {
		return nil, err
	}
	if err := p.rates(profiles); err != nil {
		return nil, err
	}
	if resync {
		if err := p.checkRefs(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checkUnits requires that the configured units divide those of the trace; the unit multipliers of
// the table entries carry the factor.
func (p *Plan) checkUnits() error {
	tel := &p.cfg.Telemetry
	switch {
	case p.cfg.Sojourn:
		return fmt.Errorf("%s: the qlen fields of a trace are queue lengths; the configuration expects sojourn times (queue: sojourn)", p.Trace.File)
	case tel.TxUnitBytes == 0 || traceTxUnit%tel.TxUnitBytes != 0:
		return fmt.Errorf("%s: tx counts units of %d B; the configured tx_unit of %d B does not divide that", p.Trace.File, traceTxUnit, tel.TxUnitBytes)
	case tel.QlenUnitBytes == 0 || traceQlenUnit%tel.QlenUnitBytes != 0:
		return fmt.Errorf("%s: qlen counts units of %d B; the configured qlen_unit of %d B does not divide that", p.Trace.File, traceQlenUnit, tel.QlenUnitBytes)
	}
	return nil
}

// profileKey identifies the parameters that share a profile; Eta as a reduced fraction.
type profileKey struct {
	rtt, bdp, top, ai, bottom uint64
	eta                       string
	stage                     int
	fast                      bool
}

type profile struct {
	config.Profile
	index int
}

// profiles gives each flow its profile and adds the profiles' entries and the flows' contexts.
func (p *Plan) profiles() ([]*profile, error) {
	flows := p.Trace.Flows
	if len(flows) > p.cfg.Flows {
		return nil, fmt.Errorf("%s: %d flows; the configuration holds %d (flows)", p.Trace.File, len(flows), p.cfg.Flows)
	}
	byKey := map[profileKey]*profile{}
	of := make([]*profile, len(flows))
	for i := range flows {
		f := &flows[i]
		key := profileKey{f.BaseRTTNs, f.BDPBytes, f.MaxRateBps, f.RateAIBps, f.MinRateBps, f.Eta.RatString(), f.MaxStage, f.Fast}
		window := func(bps uint64) *big.Rat { return f.Window(new(big.Rat).SetUint64(bps)) }
		prof, ok := byKey[key]
		if !ok {
			prof = &profile{index: len(byKey), Profile: config.Profile{
				BaseRTTNs: f.BaseRTTNs, QueueRTTNs: f.QueueRTTNs(), Eta: f.Eta, MaxStage: f.MaxStage, Fast: f.Fast,
				WAI: window(f.RateAIBps), WMin: window(f.MinRateBps), WMax: window(f.MaxRateBps),
			}}
			if prof.index >= p.cfg.Profiles {
				return nil, fmt.Errorf("%s: flow %d needs another profile; the configuration has %d (profiles)", p.Trace.File, f.ID, p.cfg.Profiles)
			}
			byKey[key] = prof
			entries, err := p.cfg.ProfileEntries(prof.index, prof.Profile)
			if err != nil {
				return nil, fmt.Errorf("%s: flow %d: %w", p.Trace.File, f.ID, err)
			}
			p.Tables = append(p.Tables, entries...)
		}
		of[i] = prof
		w, ok := p.cfg.Formats.Window.Raw(prof.WMax)
		if !ok {
			return nil, fmt.Errorf("%s: flow %d: the initial window of %s bytes is beyond the format %s", p.Trace.File, f.ID, prof.WMax.FloatString(0), p.cfg.Formats.Window)
		}
		p.Contexts = append(p.Contexts, hpcc.ContextWrite{
			Flow: uint32(i), Mask: ^hpcc.MaskClose, Profile: uint8(prof.index),
			U: 1 << p.cfg.Formats.U.Frac, Wc: w.Uint64(), W: w.Uint64(),
		})
		p.windowOf = append(p.windowOf, f.Window(big.NewRat(1, 1)))
	}
	return of, nil
}

// rates gives each link of the trace its code and checks the width of every raw field on the way.
func (p *Plan) rates(profiles []*profile) error {
	tel := &p.cfg.Telemetry
	type cell struct{ code, profile int }
	done := map[cell]bool{}
	for i := range p.Trace.Rows {
		row := &p.Trace.Rows[i]
		for h, hop := range row.Hops {
			fault := func(field string, err error) error {
				return &Error{File: p.Trace.File, Row: i + 1, Column: fmt.Sprintf("h%d_%s", h, field), Reason: err.Error()}
			}
			for _, v := range []struct {
				field, key string
				v          uint64
				bits       int
			}{
				{"ts", "timestamp_bits", hop.TS, min(tel.TSBits, traceTSBits)},
				{"tx", "tx_bits", hop.Tx, min(tel.TxBits, traceTxBits)},
				{"qlen", "qlen_bits", hop.Qlen, tel.QlenBits},
			} {
				if v.v>>v.bits != 0 {
					return fault(v.field, fmt.Errorf("%d is beyond the %d bits of the field; at most %d (telemetry.%s)", v.v, v.bits, uint64(1)<<v.bits-1, v.key))
				}
			}
			l := link{hop.RateBps, p.Trace.Flows[row.Flow].UnitMultiplier}
			code, ok := p.codes[l]
			if !ok {
				code = len(p.codes)
				if code >= p.cfg.RateCodes() {
					return fault("rate_bps", fmt.Errorf("one more pair of link rate and unit multiplier than the %d rate codes of the configuration (telemetry.rate_code_bits: %d)", p.cfg.RateCodes(), tel.RateCodeBits))
				}
				w, err := p.cfg.RateEntry(code, l.bps, l.multiplier*(traceTxUnit/tel.TxUnitBytes))
				if err != nil {
					return fault("rate_bps", err)
				}
				p.codes[l] = code
				p.Tables = append(p.Tables, w)
			}
			if prof := profiles[row.Flow]; !done[cell{code, prof.index}] {
				w, err := p.cfg.QueueEntry(code, prof.index, l.bps, l.multiplier*(traceQlenUnit/tel.QlenUnitBytes), prof.Profile)
				if err != nil {
					return fault("rate_bps", err)
				}
				done[cell{code, prof.index}] = true
				p.Tables = append(p.Tables, w)
			}
		}
	}
	return nil
}

// checkRefs requires that the state to resume from fits the formats, so that a resync write never fails halfway.
func (p *Plan) checkRefs() error {
	for i := range p.Trace.Rows {
		row := &p.Trace.Rows[i]
		if _, err := p.resync(row); err != nil {
			err.File, err.Row = p.Trace.File, i+1
			return err
		}
	}
	return nil
}

// resync is the context write that takes U, Wc and stage from the reference before a row.
func (p *Plan) resync(row *Row) (hpcc.ContextWrite, *Error) {
	f := &p.cfg.Formats
	u, ok := rawOf(f.U, row.Ref.UBefore)
	if !ok {
		return hpcc.ContextWrite{}, &Error{Column: "ref_u_before", Reason: fmt.Sprintf("%g is beyond the format %s of U", row.Ref.UBefore, f.U)}
	}
	w := new(big.Rat).SetFloat64(row.Ref.RateCBefore)
	raw, ok := f.Window.Raw(w.Mul(w, p.windowOf[row.Flow]))
	if !ok {
		return hpcc.ContextWrite{}, &Error{Column: "ref_rate_c_before_bps", Reason: fmt.Sprintf("a window of %s bytes is beyond the format %s", w.FloatString(0), f.Window)}
	}
	if row.Ref.StageBefore>>p.cfg.StageBits != 0 {
		return hpcc.ContextWrite{}, &Error{Column: "ref_stage_before", Reason: fmt.Sprintf("%d is beyond %d bits (stage_bits)", row.Ref.StageBefore, p.cfg.StageBits)}
	}
	return hpcc.ContextWrite{
		Flow: uint32(row.Flow), Mask: hpcc.MaskU | hpcc.MaskWc | hpcc.MaskStage,
		U: u, Wc: raw.Uint64(), Stage: uint32(row.Ref.StageBefore),
	}, nil
}

// rawOf rounds v half up to f.
func rawOf(f fixed.Format, v float64) (uint64, bool) {
	raw, ok := f.Raw(new(big.Rat).SetFloat64(v))
	if !ok {
		return 0, false
	}
	return raw.Uint64(), true
}
