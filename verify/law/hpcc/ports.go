package hpcc

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/bind"
)

// ports are the ports of docs/architecture.md.
func ports(cfg *config.NIC) bind.Table {
	p, tel, f := bind.At, &cfg.Telemetry, &cfg.Formats
	window, mark, seq := f.Window.Width(), cfg.SeqBits, cfg.SeqBits
	if cfg.CommitByTime { // ack_seq and snd_nxt are not there, and commits are marked by time
		mark, seq = cfg.ClockBits, 0
	}
	t := bind.Table{Owner: "the engine", Doc: "docs/architecture.md"}
	t.Inputs = []bind.Port{
		p("s_ack_seq", seq), p("s_snd_nxt", seq), p("s_now", cfg.ClockBits), p("s_nhop", config.NhopBits),
		p("s_path_id", tel.PathIDBits), p("cw_mask", 8), p("cw_profile", cfg.ProfileBits()), p("cw_u", f.U.Width()),
		p("cw_wc", window), p("cw_w", window), p("cw_stage", cfg.StageBits), p("cw_seq", mark),
		p("tw_index", cfg.TableIndexBits()), p("tw_data", cfg.TableDataBits()),
	}
	for h := range cfg.MaxHops {
		hop := fmt.Sprintf("s_hop%d_", h)
		t.Inputs = append(t.Inputs, p(hop+"link_id", tel.LinkIDBits), p(hop+"rate_code", tel.RateCodeBits),
			p(hop+"ts", tel.TSBits), p(hop+"tx", tel.TxBits), p(hop+"qlen", tel.QlenBits))
	}
	t.Outputs = []bind.Port{
		p("m_kind", 2), p("m_status", 4), p("m_u", f.U.Width()), p("m_w", window), p("m_wc", window),
		p("m_rate", f.Rate.Width()), p("m_stage", cfg.StageBits), p("cd_has_telemetry", 1),
		p("cd_profile", cfg.ProfileBits()), p("cd_u", f.U.Width()), p("cd_wc", window), p("cd_w", window),
		p("cd_stage", cfg.StageBits), p("cd_seq", mark), p("cd_path_id", tel.PathIDBits), p("cd_nhop", config.NhopBits),
		p("n_rejected_hops", cfg.CountBits), p("n_rejected_rate", cfg.CountBits), p("n_rejected_flow", cfg.CountBits),
		p("n_stale", cfg.CountBits), p("n_no_telemetry", cfg.CountBits), p("n_path_changed", cfg.CountBits),
	}
	return t
}

// tap reads the taps that are not a field of the model's: those of participating hops, and the new average.
func tap(name string) func(t *hpcc.Taps, r *hpcc.Result) (v uint64, ok bool) {
	var hop int
	if n, _ := fmt.Sscanf(name, "u_hop%d", &hop); n == 1 && hop < hpcc.MaxHops {
		return func(t *hpcc.Taps, _ *hpcc.Result) (uint64, bool) { return t.UHop[hop], t.HopValid[hop] }
	}
	if name == "u_new" {
		return func(t *hpcc.Taps, _ *hpcc.Result) (uint64, bool) { return t.U, true }
	}
	return nil
}
