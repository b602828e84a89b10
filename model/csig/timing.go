package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/timing"
	"github.com/hdlpkg/hpccgen/model/transit"
)

// Timing is the timing of a csig_switch that the generator publishes. The model takes it as data.
type Timing = timing.CSIG

// window is the number of bytes of a packet that the walk may read: the header beat holds the last of them.
const window = 54

// never is a cycle long after the last.
const never = 1 << 62

// checkTiming reports timing that no csig_switch has; what all packet pipelines have is checked in model/transit.
func checkTiming(c *config.CSIG, t Timing) error {
	least := 1
	if c.CompactTPID == 0 { // there are no bucket tables
		if least = 0; t.Buckets != 0 || t.BucketsAnswer != 0 || t.Absent != 0 {
			return fmt.Errorf("timing: buckets is %d, buckets answer %d, absent %d, must be 0 without compact "+
				"tags", t.Buckets, t.BucketsAnswer, t.Absent)
		}
	}
	var b transit.Bounds
	b.Least("lookup", t.Lookup, 1, "", "")
	b.Least("meter", t.Meter, t.Lookup, "lookup", "a stripped tag does not count")
	b.Least("scale", t.Scale, t.Meter, "meter", "it scales what the meter has")
	b.Least("code", t.Code, t.Scale, "scale", "it codes what has been scaled")
	b.Least("count", t.Count, t.Code, "code", "it counts what the comparison says")
	b.Least("stacked", t.Stacked, t.Lookup, "lookup", "it counts what the walk says")
	b.Least("decision", t.Decision, t.Code, "code", "it is the comparison's")
	b.Least("commit", t.Commit, 1, "", "")
	b.Least("commit answer", t.CommitAnswer, t.Commit, "commit", "the next access is not begun before")
	b.Least("buckets", t.Buckets, least, "", "")
	b.Least("buckets answer", t.BucketsAnswer, t.Buckets, "buckets", "the next access is not begun before")
	b.Least("absent", t.Absent, least, "", "")
	return b.Err
}
