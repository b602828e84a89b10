package hpcc

import (
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// plan is a trace prepared for replay.
type plan struct {
	replay.Plan[hpcc.Ack, hpcc.ContextWrite, hpcc.Result]
	trace *Trace

	cfg       *config.NIC
	profiles  []*profile // of the flows
	codes     map[link]int
	queues    map[cell]bool // entries of the queue table that are written
	strayRate bool          // a link outside the configured rates has been seen
	unknown   bool          // a link without an entry is there: it has the last code
	windowOf  []*big.Rat    // T/8 per flow: bytes of window per bit/s
}

// link is the link that a rate code represents.
type link struct{ bps, multiplier uint64 }

// cell is an entry of the queue table.
type cell struct{ code, profile int }

// Replay replays a trace.
func (l *Law) Replay(o replay.Options) (*replay.Report, error) {
	if o.Step != nil {
		o.Step("reading " + o.Trace)
	}
	tr, err := OpenTrace(o.Trace, o.Flows)
	if err != nil {
		return nil, err
	}
	p, err := newPlan(l.cfg, tr, o.Resync, o.Limit)
	if err != nil {
		return nil, errors.Join(err, tr.Close())
	}
	return replay.Run(&l.law, &p.Plan, o)
}

// newPlan reads a trace, or its first limit rows where limit is above 0. It allocates rate codes, profiles and
// contexts, and checks that every value of the trace fits the configuration. The rate codes follow the order in which
// the links first appear, the profiles and contexts that of the flows file.
func newPlan(cfg *config.NIC, tr *Trace, resync bool, limit int) (*plan, error) {
	p := &plan{trace: tr, cfg: cfg, codes: map[link]int{}, queues: map[cell]bool{}}
	p.File, p.Flows, p.Resync, p.Close, p.Header = tr.File(), len(tr.Flows), resync, tr.Close, header
	p.Begin, p.Append = p.begin, p.appendRow
	if tr.HasRef {
		c := newComparison(cfg, tr)
		p.Compare, p.Stats = c.add, c.stats
	}
	if resync && !tr.HasRef {
		return nil, &replay.Error{File: tr.File(),
			Reason: "resync needs the columns ref_kind to ref_stage, which the header does not have"}
	}
	if err := p.checkUnits(); err != nil {
		return nil, err
	}
	if err := p.allProfiles(); err != nil {
		return nil, err
	}
	r, err := tr.rows()
	if err != nil {
		return nil, err
	}
	for limit <= 0 || p.Rows < limit {
		row, err := r.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.add(r, row)
		}
		if err != nil {
			return nil, err
		}
		p.Rows++
	}
	return p, nil
}

// checkUnits requires that the configured units divide those of the trace; the unit multipliers of
// the table entries carry the factor.
func (p *plan) checkUnits() error {
	tel := &p.cfg.Telemetry
	fault := func(format string, args ...any) error {
		return &replay.Error{File: p.trace.File(), Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case tel.TxUnitBytes == 0 || traceTxUnit%tel.TxUnitBytes != 0:
		return fault("tx counts units of %d B; the configured tx_unit of %d B does not divide that", traceTxUnit,
			tel.TxUnitBytes)
	case p.cfg.Sojourn && !p.trace.HasSojourn:
		return fault(
			"the qlen fields of a trace are queue lengths; the configuration expects sojourn times (queue: sojourn), from columns h0_sojourn, ...")
	case p.cfg.Sojourn:
	case tel.QlenUnitBytes == 0 || traceQlenUnit%tel.QlenUnitBytes != 0:
		return fault("qlen counts units of %d B; the configured qlen_unit of %d B does not divide that",
			traceQlenUnit, tel.QlenUnitBytes)
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

// allProfiles gives each flow its profile and adds the profiles' entries and the flows' contexts.
func (p *plan) allProfiles() error {
	flows := p.trace.Flows
	fault := func(f *Flow, format string, args ...any) error {
		return &replay.Error{File: p.trace.FlowsFile, Where: fmt.Sprintf("line %d", f.line),
			Reason: fmt.Sprintf("flow %d ", f.ID) + fmt.Sprintf(format, args...)}
	}
	if len(flows) > p.cfg.Flows {
		return &replay.Error{File: p.trace.FlowsFile, Reason: fmt.Sprintf("%d flows; the configuration holds %d (flows)",
			len(flows), p.cfg.Flows)}
	}
	if err := p.checkRTTs(); err != nil {
		p.Warnings = append(p.Warnings, err)
	}
	byKey := map[profileKey]*profile{}
	for i := range flows {
		f := &flows[i]
		key := profileKey{f.BaseRTTNs, f.BDPBytes, f.MaxRateBps, f.RateAIBps, f.MinRateBps, f.Eta.RatString(),
			f.MaxStage, f.Fast}
		window := func(bps uint64) *big.Rat { return f.Window(new(big.Rat).SetUint64(bps)) }
		prof, ok := byKey[key]
		if !ok {
			prof = &profile{index: len(byKey), Profile: config.Profile{
				BaseRTTNs: f.BaseRTTNs, QueueRTTNs: f.QueueRTTNs(), Eta: f.Eta, MaxStage: f.MaxStage, Fast: f.Fast,
				WAI: window(f.RateAIBps), WMin: window(f.MinRateBps), WMax: window(f.MaxRateBps),
			}}
			if prof.index >= p.cfg.Profiles {
				return fault(f, "needs another profile; the configuration has %d (profiles)", p.cfg.Profiles)
			}
			byKey[key] = prof
			entries, err := p.cfg.ProfileEntries(prof.index, prof.Profile)
			if err != nil {
				return fault(f, "does not fit the configuration: %v", err)
			}
			p.Tables = append(p.Tables, entries...)
		}
		p.profiles = append(p.profiles, prof)
		p.windowOf = append(p.windowOf, f.Window(big.NewRat(1, 1)))
		if f.Closed {
			continue
		}
		w, ok := p.cfg.Formats.Window.Raw(prof.WMax)
		if !ok {
			return fault(f, "begins with a window of %s bytes, which is beyond the format %s",
				prof.WMax.FloatString(0), p.cfg.Formats.Window)
		}
		p.Contexts = append(p.Contexts, hpcc.ContextWrite{
			Flow: uint32(i), Mask: ^hpcc.MaskClose, Profile: uint8(prof.index),
			U: 1 << p.cfg.Formats.U.Frac, Wc: w.Uint64(), W: w.Uint64(),
		})
	}
	return nil
}

// checkRTTs is a warning of flows whose T is not in the range that the configuration states, for which its formats and
// bounds were made; nil when there are none.
func (p *plan) checkRTTs() (warning *replay.Error) {
	tick := p.cfg.Telemetry.TickNs
	low, high := p.cfg.MinRTTTicks*tick, p.cfg.MaxRTTTicks*tick
	outside := 0
	for i := range p.trace.Flows {
		f := &p.trace.Flows[i]
		if f.BaseRTTNs >= low && f.BaseRTTNs <= high {
			continue
		}
		if outside++; warning == nil {
			warning = &replay.Error{File: p.trace.FlowsFile, Where: fmt.Sprintf("line %d, column base_rtt_ns", f.line),
				Reason: fmt.Sprintf("T is %d ns, outside the range of the configuration, %d to %d ns (base_rtt): its bounds "+
					"of errors do not hold", f.BaseRTTNs, low, high)}
		}
	}
	if warning != nil {
		warning.Reason += fmt.Sprintf("; such flows: %d of %d", outside, len(p.trace.Flows))
	}
	return warning
}

// add checks a row, which its reader has read last, and gives its links their codes.
func (p *plan) add(r *rowReader, row *Row) error {
	tel := &p.cfg.Telemetry
	fits := func(column, key string, v uint64, bits int) error {
		if v>>bits == 0 {
			return nil
		}
		return r.Fault(column, "%d is beyond the %d bits of the field; at most %d (telemetry.%s)", v, bits,
			mask(bits), key)
	}
	if err := fits(pathColumn, "path_id_bits", row.PathID, tel.PathIDBits); err != nil {
		return err
	}
	for h := range row.Hops {
		hop := &row.Hops[h]
		for _, v := range []struct {
			field, key string
			v          uint64
			bits       int
		}{
			{"ts", "timestamp_bits", hop.TS, min(tel.TSBits, traceTSBits)},
			{"tx", "tx_bits", hop.Tx, min(tel.TxBits, traceTxBits)},
			{"qlen", "qlen_bits", hop.Qlen, tel.QlenBits},
			{"link_id", "link_id_bits", hop.LinkID, tel.LinkIDBits},
		} {
			if v.field == "qlen" && p.cfg.Sojourn {
				continue
			}
			if err := fits(hopColumn(h, v.field), v.key, v.v, v.bits); err != nil {
				return err
			}
		}
		if err := p.addLink(hop.RateBps, row.Flow); err != nil {
			return r.Fault(hopColumn(h, "rate_bps"), "%v", err)
		}
		p.checkRate(r, h, hop.RateBps)
	}
	if p.Resync {
		if _, column, err := p.resync(row); err != nil {
			return r.Fault(column, "%v", err)
		}
	}
	return nil
}

// checkRate warns, once, of a link that is slower or faster than those that the configuration states.
func (p *plan) checkRate(r *rowReader, hop int, bps uint64) {
	rates := p.cfg.RatesBps
	low, high := rates[0], rates[len(rates)-1]
	if p.strayRate || bps == 0 || bps >= low && bps <= high {
		return
	}
	p.strayRate = true
	text := func(bps uint64) string { return fixed.SI(float64(bps), "bit/s", 4) }
	p.Warnings = append(p.Warnings, r.Fault(hopColumn(hop, "rate_bps"), "a link of %s, outside the range of the "+
		"configuration, %s to %s (rates): its bounds of errors do not hold", text(bps), text(low), text(high)))
}

// addLink gives a link of a flow its code, and adds the entries for it that are not there yet. Links of rate 0 have
// the last code, without an entry.
func (p *plan) addLink(bps uint64, flow int) error {
	tel := &p.cfg.Telemetry
	l := link{bps, p.trace.Flows[flow].UnitMultiplier}
	code, ok := p.codes[l]
	if !ok {
		code = len(p.codes)
		need := code // codes, with this link's
		if bps != 0 {
			need++
		}
		if p.unknown || bps == 0 {
			p.unknown = true
			need++
		}
		if have := p.cfg.RateCodes(); need > have {
			return fmt.Errorf(
				"one more pair of link rate and unit multiplier than the %d rate codes of the configuration (telemetry.rate_code_bits: %d)",
				have, tel.RateCodeBits)
		}
		if bps == 0 {
			return nil
		}
		w, err := p.cfg.RateEntry(code, l.bps, l.multiplier*(traceTxUnit/tel.TxUnitBytes))
		if err != nil {
			return err
		}
		p.codes[l] = code
		p.Tables = append(p.Tables, w)
	}
	prof := p.profiles[flow]
	if at := (cell{code, prof.index}); !p.queues[at] {
		w, err := p.cfg.QueueEntry(code, prof.index, l.bps, p.queueMultiplier(l), prof.Profile)
		if err != nil {
			return err
		}
		p.queues[at] = true
		p.Tables = append(p.Tables, w)
	}
	return nil
}

// queueMultiplier is how many of the configured units one of the trace's qlen is; sojourn times come in units of the
// configuration.
func (p *plan) queueMultiplier(l link) uint64 {
	if p.cfg.Sojourn {
		return 1
	}
	return l.multiplier * (traceQlenUnit / p.cfg.Telemetry.QlenUnitBytes)
}

// resync is the context write that takes U, Wc and stage from the reference before a row; an error belongs to the named
// column.
func (p *plan) resync(row *Row) (w hpcc.ContextWrite, column string, err error) {
	f := &p.cfg.Formats
	u, ok := rawOf(f.U, row.Ref.UBefore)
	if !ok {
		return w, "ref_u_before", fmt.Errorf("%g is beyond the format %s of U", row.Ref.UBefore, f.U)
	}
	bytes := new(big.Rat).SetFloat64(row.Ref.RateCBefore)
	raw, ok := f.Window.Raw(bytes.Mul(bytes, p.windowOf[row.Flow]))
	if !ok {
		return w, "ref_rate_c_before_bps", fmt.Errorf("a window of %s bytes is beyond the format %s",
			bytes.FloatString(0), f.Window)
	}
	if row.Ref.StageBefore>>p.cfg.StageBits != 0 {
		return w, "ref_stage_before", fmt.Errorf("%d is beyond %d bits (stage_bits)", row.Ref.StageBefore,
			p.cfg.StageBits)
	}
	return hpcc.ContextWrite{
		Flow: uint32(row.Flow), Mask: hpcc.MaskU | hpcc.MaskWc | hpcc.MaskStage,
		U: u, Wc: raw.Uint64(), Stage: uint32(row.Ref.StageBefore),
	}, "", nil
}

// rawOf rounds v half up to f.
func rawOf(f fixed.Format, v float64) (uint64, bool) {
	raw, ok := f.Raw(new(big.Rat).SetFloat64(v))
	if !ok {
		return 0, false
	}
	return raw.Uint64(), true
}
