package testbench

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/verify/directed"
)

// language writes statements.
type language interface {
	set(f *directed.Field) string
	check(f *directed.Field) string
	call(task string, args []string) string
	value(v directed.Value) string
	indent() string // of statements
}

// widest is the length of a line.
const widest = 116

// in writes a line of a test: its statements, as many in a line as fit, and the note behind the last.
func in(l language, line directed.Line) string {
	var b strings.Builder
	margin := l.indent()
	column := len(margin)
	for i, s := range line.Do {
		text := statement(l, s)
		switch {
		case i == 0:
			b.WriteString(margin)
		case column+1+len(text) > widest:
			b.WriteString("\n" + margin)
			column = len(margin)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(text)
		column += len(text)
	}
	if line.Note != "" {
		if column+4+len(line.Note) > widest {
			return margin + "// " + line.Note + ":\n" + b.String()
		}
		fmt.Fprintf(&b, " // %s", line.Note)
	}
	return b.String()
}

// step writes a step of a test.
func step(l language, s directed.Step) string {
	lines := []string{about(l, s.Name, s.About), l.indent() + fmt.Sprintf("step = %q;", s.Name)}
	for _, line := range s.Lines {
		lines = append(lines, in(l, line))
	}
	return strings.Join(lines, "\n")
}

func statement(l language, s directed.Statement) string {
	switch s := s.(type) {
	case directed.Set:
		return l.set(&s.Field)
	case directed.Check:
		return l.check(&s.Field)
	case directed.Call:
		var args []string
		if s.Text != "" {
			args = append(args, fmt.Sprintf("%q", s.Text))
		}
		for _, v := range s.Args {
			args = append(args, l.value(v))
		}
		return l.call(s.Task, args)
	}
	panic(fmt.Sprintf("testbench: a statement is a %T", s))
}

// about writes what happens in a step as comments.
func about(l language, name, text string) string {
	var lines []string
	line := l.indent() + "// " + strings.ToUpper(name[:1]) + name[1:] + "."
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > widest {
			lines = append(lines, line)
			line = l.indent() + "//"
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}

type verilog struct{}

func (verilog) indent() string { return "        " }

func (l verilog) set(f *directed.Field) string {
	return fmt.Sprintf("%s = %s;", l.port(f), l.value(f.Value))
}

func (l verilog) check(f *directed.Field) string {
	return fmt.Sprintf("check(%q, %s, %s);", f.Name(), l.port(f), l.value(f.Value))
}

func (verilog) port(f *directed.Field) string {
	switch {
	case f.Part == "":
		return f.Port
	case f.Bits == 1:
		return fmt.Sprintf("%s[%d]", f.Port, f.Low)
	}
	return fmt.Sprintf("%s[%d:%d]", f.Port, f.Low+f.Bits-1, f.Low)
}

func (verilog) call(task string, args []string) string {
	if len(args) == 0 {
		return task + ";"
	}
	return fmt.Sprintf("%s(%s);", task, strings.Join(args, ", "))
}

func (verilog) value(v directed.Value) string {
	switch {
	case v.Hex:
		return fmt.Sprintf("%d'h%0*x", v.Bits, (v.Bits+3)/4, v.Of)
	case v.Bits == 32 && v.Of < 1<<31: // an integer
		return fmt.Sprint(v.Of)
	}
	return fmt.Sprintf("%d'd%d", v.Bits, v.Of)
}

type cpp struct{}

func (cpp) indent() string { return "    " }

func (l cpp) set(f *directed.Field) string {
	if f.Part == "" {
		return fmt.Sprintf("dut.%s = %s;", f.Port, l.value(f.Value))
	}
	return fmt.Sprintf("put(dut.%s, %d, %d, %s);", f.Port, f.Low, f.Bits, l.value(f.Value))
}

func (l cpp) check(f *directed.Field) string {
	if f.Part == "" {
		return fmt.Sprintf("check(%q, dut.%s, %s);", f.Name(), f.Port, l.value(f.Value))
	}
	return fmt.Sprintf("check(%q, get(dut.%s, %d, %d), %s);", f.Name(), f.Port, f.Low, f.Bits, l.value(f.Value))
}

func (cpp) call(task string, args []string) string {
	return fmt.Sprintf("%s(%s);", task, strings.Join(args, ", "))
}

func (cpp) value(v directed.Value) string {
	text := fmt.Sprint(v.Of)
	if v.Hex {
		text = fmt.Sprintf("0x%0*x", (v.Bits+3)/4, v.Of)
	}
	if v.Of >= 1<<31 {
		text += "ULL"
	}
	return text
}
