package formal

import (
	"bufio"
	"bytes"
	"fmt"
	"math/big"
	"strings"
)

// signal is a signal of a trace with its value in each cycle.
type signal struct {
	name   string
	values []string
}

// waves prints the signals of a trace's outermost module.
func waves(vcd []byte) string {
	signals := parse(vcd)
	width := 0
	for _, s := range signals {
		width = max(width, len(s.name))
	}
	var out strings.Builder
	for _, s := range signals {
		fmt.Fprintf(&out, "%-*s", width, s.name)
		before := ""
		for _, v := range s.values {
			if v == before && len(v) > 1 {
				v = "."
			} else {
				before = v
			}
			fmt.Fprintf(&out, " %8s", v)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// parse reads the trace that yosys-smtbmc writes. The event "!" begins a cycle; the last one is not complete.
func parse(vcd []byte) []signal {
	var list []signal
	byID := map[string][]int{}
	current := map[int]string{}
	depth, started := 0, false
	lines := bufio.NewScanner(bytes.NewReader(vcd))
	lines.Buffer(nil, 1<<20)
	flush := func() {
		for i := range list {
			list[i].values = append(list[i].values, current[i])
		}
	}
	set := func(id, digits string) {
		for _, i := range byID[id] {
			current[i] = hex(digits)
		}
	}
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		switch {
		case len(f) == 0:
		case f[0] == "$scope":
			depth++
		case f[0] == "$upscope":
			depth--
		case f[0] == "$var" && depth == 1 && len(f) > 4 && f[1] != "event" && f[4] != "clk" && !strings.HasPrefix(f[4], "$"):
			byID[f[3]] = append(byID[f[3]], len(list))
			list = append(list, signal{name: strings.TrimPrefix(f[4], "\\")})
		case f[0] == "1!":
			if started {
				flush()
			}
			started = true
		case f[0][0] == 'b' && len(f) == 2:
			set(f[1], f[0][1:])
		case f[0][0] == '0' || f[0][0] == '1':
			set(f[0][1:], f[0][:1])
		}
	}
	return list
}

// hex is a binary number in hexadecimal.
func hex(digits string) string {
	v, ok := new(big.Int).SetString(digits, 2)
	if !ok {
		return digits
	}
	return v.Text(16)
}
