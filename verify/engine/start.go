package engine

import (
	"fmt"
	"regexp"
	"strings"
)

// Verilog registers start unknown; the target hardware starts at zero, and so do the other engines. setAtStart returns
// a copy of Verilog text for simulation in which every register and memory without an initial value is set at time 0. A
// module with an initial block is not changed.
func setAtStart(verilog []byte, start Start) []byte {
	value := "0"
	switch start {
	case StartUnknown:
		return verilog
	case StartOnes:
		value = "~0"
	}
	text := string(verilog)
	var b strings.Builder
	for {
		at := endModule.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return []byte(b.String())
		}
		body := text[:at[0]]
		b.WriteString(body)
		b.WriteString(startBlock(body, value))
		b.WriteString(text[at[0]:at[1]])
		text = text[at[1]:]
	}
}

var (
	endModule = regexp.MustCompile(`(?m)^\s*endmodule\b`)
	token     = regexp.MustCompile(
		`//[^\n]*|(?s:/\*.*?\*/)|"(?:[^"\\]|\\.)*"|\(\*(?s:[^)].*?)\*\)|\\\S+|[A-Za-z_][A-Za-z0-9_$]*|[0-9']+[A-Za-z0-9_?']*|\S`)
)

// startBlock returns the initial block that sets the registers declared in body.
func startBlock(body, value string) string {
	var tokens []string
	for _, t := range token.FindAllString(body, -1) {
		if !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "/*") && !strings.HasPrefix(t, "(*") {
			tokens = append(tokens, t)
		}
	}
	var set []string
	for i := 0; i < len(tokens); i++ {
		switch tokens[i] {
		case "initial":
			return ""
		case "function", "task":
			for i < len(tokens) && tokens[i] != "endfunction" && tokens[i] != "endtask" {
				i++
			}
		case "reg":
			set, i = registerList(tokens, i+1, value, set)
		}
	}
	if len(set) == 0 {
		return ""
	}
	return fmt.Sprintf("\n  initial begin : hpccgen_start\n    integer i;\n    %s\n  end\n\n", strings.Join(set, "\n    "))
}

// registerList reads the names after the keyword reg, up to the end of the
// declaration, and appends the assignments for them. It returns the index of
// the last token used.
func registerList(tokens []string, i int, value string, set []string) ([]string, int) {
	at := func(i int) string {
		if i < len(tokens) {
			return tokens[i]
		}
		return ""
	}
	// bracket returns the text between the bracket at i and its partner, and the index after that.
	bracket := func(i int) (string, int) {
		depth, start := 0, i+1
		for ; i < len(tokens); i++ {
			switch tokens[i] {
			case "[":
				depth++
			case "]":
				if depth--; depth == 0 {
					return strings.Join(tokens[start:i], " "), i + 1
				}
			}
		}
		return "", i
	}
	if at(i) == "signed" {
		i++
	}
	if at(i) == "[" {
		_, i = bracket(i)
	}
	for {
		name := at(i)
		if name == "" {
			return set, i
		}
		if strings.HasPrefix(name, `\`) {
			name += " " // ends an escaped identifier
		}
		i++
		switch at(i) {
		case "[":
			var bounds string
			bounds, i = bracket(i)
			lo, hi, ok := strings.Cut(bounds, ":")
			if ok {
				set = append(set, fmt.Sprintf("for (i = %s; i <= %s; i = i + 1) %s[i] = %s;", strings.TrimSpace(lo),
					strings.TrimSpace(hi), name, value))
			}
		case "=":
			for i < len(tokens) && tokens[i] != ";" && tokens[i] != "," && tokens[i] != ")" {
				i++
			}
		default:
			set = append(set, fmt.Sprintf("%s = %s;", name, value))
		}
		if at(i) != "," {
			return set, i
		}
		// In a port list another declaration follows the comma.
		switch at(i + 1) {
		case "input", "output", "inout", "reg", "wire":
			return set, i
		}
		i++
	}
}
