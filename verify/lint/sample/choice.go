package sample

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
)

// Choice is what a sample chooses; YAML writes it as a configuration file.
type Choice struct {
	Name                string
	Hops                int
	Serial              bool
	Flows, Profiles     int
	TSBits, TickNs      int
	TxBits, TxUnit      int
	QlenBits            int
	RateCodeBits        int
	LinkID, PathID      int
	Sojourn, Receiver   bool
	SeqBits, ClockBits  int
	StageBits           int
	CountBits           int
	AsyncReset          bool
	Rates               []string
	RTTMinNs, RTTMaxNs  int64
	WindowMin           int
	UMin, UMax          float64
	HopDivider, QuotDiv Divider
	MaxError            string
	Formats             []string // lines below precision.formats; takes the place of MaxError
}

// Divider is the choice of a divider: its kind, and YAML lines for the parameters that are not left out.
type Divider struct {
	Kind   config.DividerKind
	Params []string
}

// YAML is the choice as a configuration file.
func (c Choice) YAML() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pick := func(cond bool, yes, no string) string {
		if cond {
			return yes
		}
		return no
	}
	line("design: nic")
	line("name: %s", c.Name)
	line("hops: {max: %d, order: %s}", c.Hops, pick(c.Serial, "serial", "parallel"))
	line("flows: %d", c.Flows)
	line("profiles: %d", c.Profiles)
	line("telemetry:")
	line("  timestamp_bits: %d", c.TSBits)
	line("  tick: %dns", c.TickNs)
	line("  tx_bits: %d", c.TxBits)
	line("  tx_unit: %dB", c.TxUnit)
	line("  qlen_bits: %d", c.QlenBits)
	line("  rate_code_bits: %d", c.RateCodeBits)
	line("  link_id_bits: %d", c.LinkID)
	line("  path_id_bits: %d", c.PathID)
	line("queue: %s", pick(c.Sojourn, "sojourn", "length"))
	line("mode: %s", pick(c.Receiver, "receiver", "sender"))
	line("sequence_bits: %d", c.SeqBits)
	line("clock_bits: %d", c.ClockBits)
	line("stage_bits: %d", c.StageBits)
	line("counter_bits: %d", c.CountBits)
	line("reset: %s", pick(c.AsyncReset, "async_low", "sync"))
	line("rates: [%s]", strings.Join(c.Rates, ", "))
	line("base_rtt: {min: %dns, max: %dns}", c.RTTMinNs, c.RTTMaxNs)
	line("window: {min: %dB}", c.WindowMin)
	line("utilisation: {min: %g, max: %g}", c.UMin, c.UMax)
	line("dividers:")
	for _, d := range []struct {
		name string
		Divider
	}{{"hop", c.HopDivider}, {"quotient", c.QuotDiv}} {
		line("  %s:", d.name)
		line("    kind: %s", d.Kind)
		for _, p := range d.Params {
			line("    %s", p)
		}
	}
	if c.Formats == nil {
		line("precision: {max_error: %s}", c.MaxError)
		return b.String()
	}
	line("precision:")
	line("  formats:")
	for _, f := range c.Formats {
		line("    %s", f)
	}
	return b.String()
}

// Resolve reads the choice as a configuration. Where no formats reach the error wanted, it takes the
// smallest one that is reached, as the message advises.
func (c Choice) Resolve() (*config.NIC, Choice, error) {
	nic, err := config.Parse(c.Name+".yaml", []byte(c.YAML()))
	if problems, ok := err.(config.Problems); ok && len(problems) == 1 &&
		problems[0].Key == "precision.max_error" && problems[0].Nearest != "" {
		c.MaxError = problems[0].Nearest
		nic, err = config.Parse(c.Name+".yaml", []byte(c.YAML()))
	}
	return nic, c, err
}

// formatLines are the formats of a configuration, each with some fraction bits more.
func formatLines(f config.Formats, more func() int) []string {
	wider := func(name string, f fixed.Format) string {
		return name + ": " + fixed.UQ(f.Int, f.Frac+more()).String()
	}
	return []string{
		wider("inv_b", f.InvB), wider("inv_bt", f.InvBT), wider("u", f.U), wider("inv_t", f.InvT),
		wider("alpha", f.Alpha), wider("quotient", f.Quot), wider("window", f.Window), wider("rate", f.Rate),
	}
}
