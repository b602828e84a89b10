package budget

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// File is a file of budgets: CSV, with the versions of the tools in comments before it.
type File struct {
	Tools Tools
	Rows  []Row
}

// Tools are the versions that figures were had with.
type Tools struct {
	Counted string // Yosys, of the cells of all rows
	// those of logic and fmax_mhz, which are measured a row at a time: each that some row was measured with
	Routed []string
}

const (
	countedBy = "# counted by: "
	routedBy  = "# routed by: "
)

func header() []string {
	return slices.Concat([]string{"preset", "part", "module"}, Columns, []string{"logic", "fmax_mhz"})
}

// Read reads a file.
func Read(path string) (File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	var f File
	for line := range strings.Lines(string(text)) {
		if tool, found := strings.CutPrefix(line, countedBy); found {
			f.Tools.Counted = strings.TrimSpace(tool)
		}
		if tool, found := strings.CutPrefix(line, routedBy); found {
			f.Tools.Routed = append(f.Tools.Routed, strings.TrimSpace(tool))
		}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", path, err)
	}
	if len(records) == 0 || !slices.Equal(records[0], header()) {
		return File{}, fmt.Errorf("%s: the first row must be %s", path, strings.Join(header(), ","))
	}
	for i, record := range records[1:] {
		row, err := parse(record)
		if err != nil {
			return File{}, fmt.Errorf("%s: row %d: %w", path, i+2, err)
		}
		f.Rows = append(f.Rows, row)
	}
	return f, nil
}

func parse(record []string) (Row, error) {
	row := Row{Preset: record[0], Part: record[1], Module: record[2], Cells: map[string]int{}}
	number := func(text string) (int, error) {
		if text == "" {
			return 0, nil
		}
		return strconv.Atoi(text)
	}
	var err error
	for i, c := range Columns {
		if row.Cells[c], err = number(record[3+i]); err != nil {
			return row, fmt.Errorf("%s: %w", c, err)
		}
	}
	if row.Logic, err = number(record[3+len(Columns)]); err != nil {
		return row, fmt.Errorf("logic: %w", err)
	}
	if text := record[4+len(Columns)]; text != "" {
		if row.Fmax, err = strconv.ParseFloat(text, 64); err != nil {
			return row, fmt.Errorf("fmax_mhz: %w", err)
		}
	}
	return row, nil
}

// Write writes a file.
func (f File) Write(path string) error {
	var b bytes.Buffer
	b.WriteString(
		"# Cells and frequencies that the designs are held to. Cells: by Yosys, each module with everything in it, hierarchy kept.\n")
	b.WriteString(
		"# logic and fmax_mhz: the module by itself, flattened, placed and routed between shift registers. Written by: make budgets\n")
	fmt.Fprintf(&b, "%s%s\n", countedBy, f.Tools.Counted)
	for _, t := range f.Tools.Routed {
		fmt.Fprintf(&b, "%s%s\n", routedBy, t)
	}
	w := csv.NewWriter(&b)
	_ = w.Write(header())
	for _, r := range f.Rows {
		record := []string{r.Preset, r.Part, r.Module}
		for _, c := range Columns {
			record = append(record, strconv.Itoa(r.Cells[c]))
		}
		logic, fmax := "", ""
		if r.Logic > 0 {
			logic = strconv.Itoa(r.Logic)
		}
		if r.Fmax > 0 {
			fmax = strconv.FormatFloat(r.Fmax, 'f', 2, 64)
		}
		_ = w.Write(append(record, logic, fmax))
	}
	w.Flush()
	return os.WriteFile(path, b.Bytes(), 0o666)
}
