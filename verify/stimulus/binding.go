package stimulus

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Binding knows where each port of the engine lies in the words of a layout.
type Binding struct {
	Layout *vgen.Layout

	in  inputSlots
	out outputSlots
}

// slot is where a port lies. The zero mask marks a port that the configuration leaves out.
type slot struct {
	word int
	mask uint64
}

func (s slot) put(words []uint64, v uint64) {
	if s.mask != 0 {
		words[s.word] = v & s.mask
	}
}

func (s slot) putBool(words []uint64, v bool) {
	words[s.word] = 0
	if v {
		words[s.word] = 1
	}
}

func (s slot) get(words []uint64) uint64 {
	if s.mask == 0 {
		return 0
	}
	return words[s.word]
}

func (s slot) getBool(words []uint64) bool { return words[s.word] != 0 }

type inputSlots struct {
	rst, sValid                           slot
	flow, ackSeq, sndNxt, now, nhop, path slot
	hop                                   []hopSlots
	cwValid, cwFlow, cwMask, cwProfile    slot
	cwU, cwWc, cwW, cwStage, cwSeq        slot
	crValid, crFlow                       slot
	twValid, twTable, twIndex, twData     slot
	mReady, cdReady                       slot
}

type hopSlots struct{ link, rate, ts, tx, qlen slot }

type outputSlots struct {
	sReady, cwReady, crReady, twReady                 slot
	mValid                                            slot
	mFlow, mKind, mStatus, mU, mW, mWc, mRate, mStage slot
	cdValid                                           slot
	cdFlow, cdOpen, cdHas, cdProfile, cdU, cdWc, cdW  slot
	cdStage, cdSeq, cdPath, cdNhop                    slot
	nHops, nRate, nFlow, nStale, nNoTelemetry, nPath  slot
}

// binder resolves names, each once, and remembers what it could not resolve.
type binder struct {
	side   string
	slots  []vgen.Slot
	used   []bool
	faults []string
}

func (b *binder) at(name string, width int) slot {
	i := slices.IndexFunc(b.slots, func(s vgen.Slot) bool { return s.Name == name })
	if i < 0 {
		if width > 0 {
			b.faults = append(b.faults, fmt.Sprintf("%s port %s (%d bits) is missing", b.side, name, width))
		}
		return slot{}
	}
	b.used[i] = true
	s := b.slots[i]
	if s.Width != width {
		b.faults = append(b.faults, fmt.Sprintf("%s port %s has %d bits; the configuration gives %d", b.side, name, s.Width, width))
	}
	if s.Words != 1 || s.Width < 1 {
		b.faults = append(b.faults, fmt.Sprintf("%s port %s has %d bits; the engine's ports have 1 to 64", b.side, name, s.Width))
		return slot{}
	}
	return slot{word: s.Offset, mask: ^uint64(0) >> (64 - s.Width)}
}

func (b *binder) rest() {
	for i, s := range b.slots {
		if !b.used[i] {
			b.faults = append(b.faults, fmt.Sprintf("%s port %s is not one of the engine's (docs/architecture.md)", b.side, s.Name))
		}
	}
}

// Bind finds the ports of docs/architecture.md in a layout. The error lists every port that is
// missing, of another width, or unknown.
func Bind(cfg *config.NIC, l *vgen.Layout) (*Binding, error) {
	b := &Binding{Layout: l}
	in := &binder{side: "input", slots: l.Inputs, used: make([]bool, len(l.Inputs))}
	out := &binder{side: "output", slots: l.Outputs, used: make([]bool, len(l.Outputs))}
	b.bindInputs(cfg, in)
	b.bindOutputs(cfg, out)
	in.rest()
	out.rest()
	if faults := slices.Concat(in.faults, out.faults); len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	return b, nil
}

func (b *Binding) bindInputs(cfg *config.NIC, r *binder) {
	tel, f, s := &cfg.Telemetry, &cfg.Formats, &b.in
	s.rst = r.at("rst", 1)
	s.sValid = r.at("s_valid", 1)
	s.flow = r.at("s_flow", cfg.FlowBits())
	s.ackSeq = r.at("s_ack_seq", ackSeqBits(cfg))
	s.sndNxt = r.at("s_snd_nxt", ackSeqBits(cfg))
	s.now = r.at("s_now", cfg.ClockBits)
	s.nhop = r.at("s_nhop", config.NhopBits)
	s.path = r.at("s_path_id", tel.PathIDBits)
	for h := range cfg.MaxHops {
		p := fmt.Sprintf("s_hop%d_", h)
		s.hop = append(s.hop, hopSlots{
			link: r.at(p+"link_id", tel.LinkIDBits),
			rate: r.at(p+"rate_code", tel.RateCodeBits),
			ts:   r.at(p+"ts", tel.TSBits),
			tx:   r.at(p+"tx", tel.TxBits),
			qlen: r.at(p+"qlen", tel.QlenBits),
		})
	}
	s.cwValid = r.at("cw_valid", 1)
	s.cwFlow = r.at("cw_flow", cfg.FlowBits())
	s.cwMask = r.at("cw_mask", 8)
	s.cwProfile = r.at("cw_profile", cfg.ProfileBits())
	s.cwU = r.at("cw_u", f.U.Width())
	s.cwWc = r.at("cw_wc", f.Window.Width())
	s.cwW = r.at("cw_w", f.Window.Width())
	s.cwStage = r.at("cw_stage", cfg.StageBits)
	s.cwSeq = r.at("cw_seq", markBits(cfg))
	s.crValid = r.at("cr_valid", 1)
	s.crFlow = r.at("cr_flow", cfg.FlowBits())
	s.twValid = r.at("tw_valid", 1)
	s.twTable = r.at("tw_table", 4)
	s.twIndex = r.at("tw_index", cfg.TableIndexBits())
	s.twData = r.at("tw_data", cfg.TableDataBits())
	s.mReady = r.at("m_ready", 1)
	s.cdReady = r.at("cd_ready", 1)
}

func (b *Binding) bindOutputs(cfg *config.NIC, r *binder) {
	f, s := &cfg.Formats, &b.out
	s.sReady = r.at("s_ready", 1)
	s.cwReady = r.at("cw_ready", 1)
	s.crReady = r.at("cr_ready", 1)
	s.twReady = r.at("tw_ready", 1)
	s.mValid = r.at("m_valid", 1)
	s.mFlow = r.at("m_flow", cfg.FlowBits())
	s.mKind = r.at("m_kind", 2)
	s.mStatus = r.at("m_status", 4)
	s.mU = r.at("m_u", f.U.Width())
	s.mW = r.at("m_w", f.Window.Width())
	s.mWc = r.at("m_wc", f.Window.Width())
	s.mRate = r.at("m_rate", f.Rate.Width())
	s.mStage = r.at("m_stage", cfg.StageBits)
	s.cdValid = r.at("cd_valid", 1)
	s.cdFlow = r.at("cd_flow", cfg.FlowBits())
	s.cdOpen = r.at("cd_open", 1)
	s.cdHas = r.at("cd_has_telemetry", 1)
	s.cdProfile = r.at("cd_profile", cfg.ProfileBits())
	s.cdU = r.at("cd_u", f.U.Width())
	s.cdWc = r.at("cd_wc", f.Window.Width())
	s.cdW = r.at("cd_w", f.Window.Width())
	s.cdStage = r.at("cd_stage", cfg.StageBits)
	s.cdSeq = r.at("cd_seq", markBits(cfg))
	s.cdPath = r.at("cd_path_id", cfg.Telemetry.PathIDBits)
	s.cdNhop = r.at("cd_nhop", config.NhopBits)
	s.nHops = r.at("n_rejected_hops", cfg.CountBits)
	s.nRate = r.at("n_rejected_rate", cfg.CountBits)
	s.nFlow = r.at("n_rejected_flow", cfg.CountBits)
	s.nStale = r.at("n_stale", cfg.CountBits)
	s.nNoTelemetry = r.at("n_no_telemetry", cfg.CountBits)
	s.nPath = r.at("n_path_changed", cfg.CountBits)
}

// ackSeqBits is the width of ack_seq and snd_nxt, which the receiver mode does not have.
func ackSeqBits(cfg *config.NIC) int {
	if cfg.CommitByTime {
		return 0
	}
	return cfg.SeqBits
}

// markBits is the width of lastUpdateSeq, in receiver mode of lastUpdateTime.
func markBits(cfg *config.NIC) int {
	if cfg.CommitByTime {
		return cfg.ClockBits
	}
	return cfg.SeqBits
}
