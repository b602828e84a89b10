package hpcc

import (
	"strconv"

	"github.com/hdlpkg/hpccgen/model/law/hpcc"
	"github.com/hdlpkg/hpccgen/verify/replay"
)

// header is the first line of the output.
const header = "row,flow,kind,u,w_bytes,wc_bytes,rate_bps,stage,status"

func (p *plan) appendRow(b []byte, row *item, r *hpcc.Result) []byte {
	f := &p.cfg.Formats
	b = strconv.AppendInt(b, int64(row.Number), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, p.trace.Flows[row.Flow].ID, 10)
	b = append(b, ',')
	b = append(b, r.Kind.String()...)
	b = append(b, ',')
	b = replay.AppendDecimal(b, f.U, r.U)
	b = append(b, ',')
	b = replay.AppendDecimal(b, f.Window, r.W)
	b = append(b, ',')
	b = replay.AppendDecimal(b, f.Window, r.Wc)
	b = append(b, ',')
	b = strconv.AppendUint(b, replay.RateBps(f.Rate, p.cfg.Telemetry.TickNs, r.Rate), 10)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(r.Stage), 10)
	b = append(b, ',')
	b = append(b, r.Status.String()...)
	return b
}
