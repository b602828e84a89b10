package stimulus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/bind"
)

// Ports are those of docs/architecture.md.
func Ports(cfg *config.NIC) *bind.Table {
	p, tel, f := bind.At, &cfg.Telemetry, &cfg.Formats
	t := &bind.Table{Owner: "the engine", Doc: "docs/architecture.md"}
	t.Inputs = []bind.Port{
		p("rst", 1), p("s_valid", 1), p("s_flow", cfg.FlowBits()), p("s_generation", cfg.GenBits),
		p("s_tag", cfg.TagBits), p("s_ack_seq", ackSeqBits(cfg)), p("s_snd_nxt", ackSeqBits(cfg)),
		p("s_now", cfg.ClockBits), p("s_nhop", config.NhopBits), p("s_path_id", tel.PathIDBits), p("cw_valid", 1),
		p("cw_flow", cfg.FlowBits()), p("cw_mask", 8), p("cw_profile", cfg.ProfileBits()), p("cw_u", f.U.Width()),
		p("cw_wc", f.Window.Width()), p("cw_w", f.Window.Width()), p("cw_stage", cfg.StageBits),
		p("cw_seq", markBits(cfg)), p("cw_generation", cfg.GenBits), p("cr_valid", 1), p("cr_flow", cfg.FlowBits()),
		p("tw_valid", 1), p("tw_table", 4), p("tw_index", cfg.TableIndexBits()), p("tw_data", cfg.TableDataBits()),
		p("m_ready", 1), p("cd_ready", 1),
	}
	for h := range cfg.MaxHops {
		hop := fmt.Sprintf("s_hop%d_", h)
		t.Inputs = append(t.Inputs, p(hop+"link_id", tel.LinkIDBits), p(hop+"rate_code", tel.RateCodeBits),
			p(hop+"ts", tel.TSBits), p(hop+"tx", tel.TxBits), p(hop+"qlen", tel.QlenBits))
	}
	t.Outputs = []bind.Port{
		p("s_ready", 1), p("cw_ready", 1), p("cr_ready", 1), p("tw_ready", 1), p("m_valid", 1),
		p("m_flow", cfg.FlowBits()), p("m_generation", cfg.GenBits), p("m_tag", cfg.TagBits), p("m_kind", 2),
		p("m_status", 4), p("m_u", f.U.Width()), p("m_w", f.Window.Width()), p("m_wc", f.Window.Width()),
		p("m_rate", f.Rate.Width()), p("m_stage", cfg.StageBits), p("cd_valid", 1), p("cd_flow", cfg.FlowBits()),
		p("cd_open", 1), p("cd_has_telemetry", 1), p("cd_profile", cfg.ProfileBits()), p("cd_u", f.U.Width()),
		p("cd_wc", f.Window.Width()), p("cd_w", f.Window.Width()), p("cd_stage", cfg.StageBits),
		p("cd_seq", markBits(cfg)), p("cd_path_id", cfg.Telemetry.PathIDBits), p("cd_nhop", config.NhopBits),
		p("cd_generation", cfg.GenBits), p("init_done", 1), p("n_rejected_hops", cfg.CountBits),
		p("n_rejected_rate", cfg.CountBits), p("n_rejected_flow", cfg.CountBits), p("n_stale", cfg.CountBits),
		p("n_no_telemetry", cfg.CountBits), p("n_path_changed", cfg.CountBits),
	}
	return t
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

// Binding connects the model's ports with those of a layout.
type Binding struct {
	Layout *vgen.Layout

	in    *bind.Record[hpcc.Inputs]
	out   *bind.Record[hpcc.Outputs]
	valid int    // word of m_valid
	ready [4]int // words of the ready outputs of s, cw, cr and tw
}

// Bind finds the ports of the configuration in a layout. The error lists every port that is missing, of another
// width, or unknown.
func Bind(cfg *config.NIC, l *vgen.Layout) (*Binding, error) {
	if err := Ports(cfg).Check(l); err != nil {
		return nil, err
	}
	b := &Binding{Layout: l, valid: bind.Find(l.Outputs, "m_valid").Offset}
	for i, stream := range []string{"s", "cw", "cr", "tw"} {
		b.ready[i] = bind.Find(l.Outputs, stream+"_ready").Offset
	}
	b.in = bind.New[hpcc.Inputs](l.Inputs, false, portOf)
	b.out = bind.New[hpcc.Outputs](l.Outputs, true, portOf)
	if unbound := append(b.in.Unbound, b.out.Unbound...); len(unbound) > 0 {
		return nil, fmt.Errorf("the golden model has no field for the ports %s", strings.Join(unbound, ", "))
	}
	return b, nil
}

// portOf is the port of a field where that is not the field's path: a read has a flow alone, and a counter is that of a
// status.
func portOf(path string) string {
	if path == "cr" {
		return "cr_flow"
	}
	if number, is := strings.CutPrefix(path, "counters"); is {
		status, _ := strconv.Atoi(number)
		return "n_" + hpcc.Status(status).String()
	}
	return path
}

// PutInputs writes one cycle's inputs to words, Layout.InWords of them. Values are cut to their ports.
func (b *Binding) PutInputs(words []uint64, in *hpcc.Inputs) { b.in.Put(words, in) }

// Inputs reads one cycle's inputs back from words. Ports that the configuration leaves out read 0.
func (b *Binding) Inputs(words []uint64, in *hpcc.Inputs) {
	*in = hpcc.Inputs{}
	b.in.Get(words, in)
}

// PutOutputs writes one cycle's outputs to words, Layout.OutWords of them. The payload of a stream whose valid
// is low is left alone.
func (b *Binding) PutOutputs(words []uint64, out *hpcc.Outputs) { b.out.Put(words, out) }

// Ready reports the ready outputs of the input streams.
func (b *Binding) Ready(words []uint64) (s, cw, cr, tw bool) {
	r := &b.ready
	return words[r[0]] != 0, words[r[1]] != 0, words[r[2]] != 0, words[r[3]] != 0
}

// Result reads the result on stream m; ok is false when there is none in this cycle.
func (b *Binding) Result(words []uint64) (r hpcc.Result, ok bool) {
	if words[b.valid] == 0 {
		return r, false
	}
	var out hpcc.Outputs
	b.out.Get(words, &out)
	return out.M.Payload, true
}
