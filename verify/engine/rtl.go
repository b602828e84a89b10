package engine

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// The Verilog of a folder in place of what vgen emits: text that was edited, merged into a larger project, or written
// by another tool.

// folderMost bounds the files of a folder, together, in bytes.
const folderMost = 256 << 20

// From returns the source with the Verilog files of a folder in place of its own: *.v, *.sv and the headers *.vh and
// *.svh of dir, or of dir/rtl where dir has no module, as generate writes them. The top module has its name and its
// ports.
func (s *Source) From(dir string) (*Source, error) {
	files, folder, err := readVerilog(dir)
	if err == nil && len(modules(files)) == 0 {
		if inside, in, err := readVerilog(filepath.Join(dir, "rtl")); err == nil && len(inside) > 0 {
			files, folder = inside, in
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("--rtl: %w", err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--rtl: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("--rtl: %s has no Verilog: no *.v and no *.sv, nor has its folder rtl", dir)
	}
	if err := oneTop(files, s.Top, folder); err != nil {
		return nil, fmt.Errorf("--rtl: %w", err)
	}
	other := *s
	other.Files, other.Folder = files, folder
	return &other, nil
}

func readVerilog(dir string) (files []vgen.File, folder string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, "", err
	}
	left := int64(folderMost)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !isVerilog(e.Name()) && !isHeader(e.Name()) {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			if err == nil {
				err = fmt.Errorf("%s is not a file", path)
			}
			return nil, "", err
		}
		text, err := readMost(path, left)
		if err != nil {
			return nil, "", err
		}
		left -= int64(len(text))
		files = append(files, vgen.File{Name: e.Name(), Text: text})
	}
	if !slices.ContainsFunc(files, func(f vgen.File) bool { return isVerilog(f.Name) }) {
		return nil, dir, nil
	}
	return files, dir, nil
}

// readMost reads a file of at most so many bytes.
func readMost(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(text)) > most {
		err = cmp.Or(err, fmt.Errorf("%s: the folder has more than %d MiB of Verilog", path, folderMost>>20))
	}
	return text, err
}

func isVerilog(name string) bool {
	return slices.Contains([]string{".v", ".sv"}, filepath.Ext(name))
}

// isHeader reports whether a file is for `include alone.
func isHeader(name string) bool {
	return slices.Contains([]string{".vh", ".svh"}, filepath.Ext(name))
}

// begins finds what begins a module outside of comments and strings, which match as a whole.
var begins = regexp.MustCompile(
	`//[^\n]*|(?s:/\*.*?\*/)|"(?:[^"\\\n]|\\.)*"|\b(?:macro)?module\s+(?:automatic\s+|static\s+)?(\\\S+|[A-Za-z_][A-Za-z0-9_$]*)`)

// module is a module's name and where it begins.
type module struct {
	name, file string
	line       int
}

func modules(files []vgen.File) (list []module) {
	for _, f := range files {
		for _, at := range begins.FindAllSubmatchIndex(f.Text, -1) {
			if at[2] >= 0 {
				list = append(list, module{strings.TrimPrefix(string(f.Text[at[2]:at[3]]), `\`), f.Name,
					1 + strings.Count(string(f.Text[:at[0]]), "\n")})
			}
		}
	}
	return list
}

// oneTop reports a folder without the top module, or with two of them.
func oneTop(files []vgen.File, top, folder string) error {
	var names, places []string
	for _, m := range modules(files) {
		names = append(names, m.name)
		if m.name == top {
			places = append(places, fmt.Sprintf("%s:%d", filepath.Join(folder, m.file), m.line))
		}
	}
	switch len(places) {
	case 1:
		return nil
	case 0:
		slices.Sort(names)
		const most = 8
		listed := strings.Join(names[:min(most, len(names))], ", ")
		if len(names) > most {
			listed += fmt.Sprintf(", and %d more", len(names)-most)
		}
		return fmt.Errorf("%s has no module %s, the top of this design; its modules: %s", folder, top,
			cmp.Or(listed, "none"))
	}
	return fmt.Errorf("the module %s, the top of this design, is there %d times: %s; leave one", top, len(places),
		strings.Join(places, ", "))
}

// complaint is a message of a tool about a design that does not fit its bench, in our words.
type complaint struct {
	said *regexp.Regexp // the first group is a name, the second a width
	says func(s *Source, name, width string) string
}

var complaints = []complaint{
	{regexp.MustCompile(`Pin not found: '([^']+)'|error: port .{1,2}(\w+)'' is not a port of u_dut`),
		func(_ *Source, name, _ string) string { return fmt.Sprintf("the port %s is missing", name) }},
	{regexp.MustCompile(`Cell has missing pin: '([^']+)'|dangling input port \d+ \(([^)]+)\) floating`),
		func(_ *Source, name, _ string) string { return fmt.Sprintf("the port %s is none of this design", name) }},
	{regexp.MustCompile(`port connection '([^']+)' expects (\d+) bits?|Port \d+ \(([^)]+)\) of \S+ expects (\d+) bits?`),
		func(s *Source, name, width string) string {
			return fmt.Sprintf("the port %s has %s bits; in this design it has %d", name, width, s.width(name))
		}},
}

// width is that of a port; 1 of clock and reset.
func (s *Source) width(port string) int {
	for _, slot := range slices.Concat(s.Layout.Inputs, s.Layout.Outputs) {
		if slot.Name == port {
			return slot.Width
		}
	}
	return 1
}

// checkFolder asks a tool, which knows the bench and the files in dir, whether the ports of the top module are those of
// the design. Prefix is before the files' names in what it says.
func (s *Source) checkFolder(dir, prefix, path string, args ...string) error {
	said, err := sayTool(dir, path, args...)
	var wrong []string
	for _, c := range complaints {
		for line := range strings.Lines(said) {
			m := c.said.FindStringSubmatch(line)
			if m == nil || !strings.Contains(line, benchModule+".v:") {
				continue
			}
			found := slices.DeleteFunc(m[1:], func(s string) bool { return s == "" })
			text := c.says(s, found[0], found[len(found)-1])
			if !slices.Contains(wrong, text) {
				wrong = append(wrong, text)
			}
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("--rtl: module %s in %s is not the top of this design: %s", s.Top, s.Folder,
			strings.Join(wrong, "; "))
	}
	return s.inFolder(err, prefix)
}

// lookedIn is where Verilator has looked for a module that is not there: folders of the build.
var lookedIn = regexp.MustCompile(`\n *\.\.\. Looked in:(?:\n +[^%\s]+)*`)

// inFolder gives the files that a tool names their places in the user's folder.
func (s *Source) inFolder(err error, prefix string) error {
	if err == nil || s.Folder == "" {
		return err
	}
	text := lookedIn.ReplaceAllString(err.Error(), "")
	for _, f := range s.Files {
		name := regexp.MustCompile(`(^|[\s'"(])` + regexp.QuoteMeta(prefix+f.Name) + `:`)
		text = name.ReplaceAllString(text, "${1}"+strings.ReplaceAll(filepath.Join(s.Folder, f.Name), "$", "$$")+":")
	}
	return errors.New("--rtl: " + text)
}
