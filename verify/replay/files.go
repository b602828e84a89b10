package replay

import (
	"fmt"
	"strings"
)

// FlowsPath is the flows file that belongs to a trace: NAME.flows.csv beside NAME.trace.csv.gz.
func FlowsPath(trace string) (string, error) {
	for _, suffix := range []string{".trace.csv.gz", ".trace.csv"} {
		if name, ok := strings.CutSuffix(trace, suffix); ok {
			return name + ".flows.csv", nil
		}
	}
	return "",
		fmt.Errorf(
			"%s: the name does not end in .trace.csv.gz or .trace.csv, so the flows file cannot be guessed; name it with --flows", trace)
}
