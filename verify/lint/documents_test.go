package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/synth"
)

// example is a configuration that a document shows, or links to.
type example struct {
	name, yaml string
	board      string // that the paragraph in front of it names; empty: none
}

var (
	fenced  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	linked  = regexp.MustCompile(`\]\(([\w./-]+\.yaml)\)`)
	onto    = regexp.MustCompile(`\A# onto ([\w-]+)\n`)
	design  = regexp.MustCompile(`(?m)^design: `)
	newPara = regexp.MustCompile(`\n\s*\n`)
)

// examples finds the configurations of a document. A block of YAML is a complete design, or a fragment whose first line
// names the design to merge it onto: "# onto nic-line".
func examples(name, text string) (list []example, err error) {
	for i, m := range fenced.FindAllStringSubmatchIndex(text, -1) {
		kind, body := text[m[2]:m[3]], text[m[4]:m[5]]
		paragraphs := newPara.Split(strings.TrimRight(text[:m[0]], "\n "), -1)
		e := example{name: fmt.Sprintf("%s, block %d", name, i+1), yaml: body, board: boardIn(paragraphs[len(paragraphs)-1])}
		switch {
		case kind != "yaml" && design.MatchString(body):
			return nil, fmt.Errorf("%s is a configuration, and not marked as yaml", e.name)
		case kind != "yaml":
			continue
		case !design.MatchString(body):
			if e.yaml, err = merged(body); err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
		}
		list = append(list, e)
	}
	for _, p := range newPara.Split(text, -1) {
		for _, m := range linked.FindAllStringSubmatch(p, -1) {
			data, err := os.ReadFile(filepath.Join(filepath.Dir(name), m[1]))
			if err != nil {
				return nil, err
			}
			list = append(list, example{name: name + ", " + m[1], yaml: string(data), board: boardIn(p)})
		}
	}
	return list, nil
}

// boardIn is the board that a paragraph names.
func boardIn(paragraph string) string {
	for _, b := range synth.Boards() {
		if regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(b.Name) + `\b`).MatchString(paragraph) {
			return b.Name
		}
	}
	return ""
}

// merged is a fragment on top of the preset that it names.
func merged(fragment string) (string, error) {
	m := onto.FindStringSubmatch(fragment)
	if m == nil {
		return "", fmt.Errorf("it has no key design, and does not begin with a line such as: # onto nic-line")
	}
	base, err := config.PresetYAML(m[1])
	if err != nil {
		return "", err
	}
	var below, above yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(base, &below, yaml.UseOrderedMap()); err != nil {
		return "", err
	}
	if err := yaml.UnmarshalWithOptions([]byte(fragment), &above, yaml.UseOrderedMap()); err != nil {
		return "", err
	}
	text, err := yaml.Marshal(over(below, above))
	return string(text), err
}

// over overrides the keys of a mapping with those of another.
func over(below, above yaml.MapSlice) yaml.MapSlice {
	for _, item := range above {
		found := false
		for i, old := range below {
			if old.Key != item.Key {
				continue
			}
			found = true
			inner, is := item.Value.(yaml.MapSlice)
			was, wasMap := old.Value.(yaml.MapSlice)
			if is && wasMap {
				item.Value = over(was, inner)
			}
			below[i] = item
		}
		if !found {
			below = append(below, item)
		}
	}
	return below
}

// TestDocumentedExamples generates and lints every configuration that a document shows; where the text names a board,
// it has to fit there.
func TestDocumentedExamples(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	var list []source
	boards := 0
	for _, name := range append(files, "../../README.md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		found, err := examples(name, string(text))
		require.NoError(t, err)
		for _, e := range found {
			list = append(list, source{e.name, e.yaml})
			if e.board == "" {
				continue
			}
			boards++
			t.Run(e.name+" on "+e.board, func(t *testing.T) { fits(t, e) })
		}
	}
	assert.GreaterOrEqual(t, len(list), 4)
	assert.Positive(t, boards)
	lintAll(t, list)
}

// fits synthesizes an example with the board's host link and packs it: there must be enough cells of every kind.
func fits(t *testing.T, e example) {
	t.Helper()
	b, err := synth.BoardByName(e.board)
	require.NoError(t, err)
	if _, err := b.Part.Family.Router().Find(); err != nil && (os.Getenv("CI") != "true" || b.Part.Family != synth.ICE40) {
		t.Skip("skipped:", err)
	}
	d, err := config.ParseDesign(e.name, []byte(e.yaml))
	require.NoError(t, err)
	// At the oscillator's clock, without a PLL: nextpnr-ice40 0.4 aborts on packing alone if there is one.
	o := synth.BoardOptions{Until: synth.StagePack, ClockMHz: float64(b.OscillatorHz) / 1e6}
	report, err := synth.RunBoard(t.Context(), d, b, o)
	require.NoError(t, err, e.yaml)
	t.Logf("%d of %d logic cells", report.Cells.Logic.Used, report.Cells.Logic.Available)
}

// The examples of a document are found, with the boards that they are for; hidden ones are reported.
func TestExamplesAreFound(t *testing.T) {
	const fence = "```"
	list, err := examples("d.md", "For an HX8K:\n\n"+fence+"yaml\ndesign: nic\nhops: {max: 8}\n"+fence+
		"\n\nOther text.\n\n"+fence+"yaml\n# onto csig-64p\nports: 3\ntags: {split: uec}\n"+fence+"\n")
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, "hx8k", list[0].board)
	assert.Empty(t, list[1].board)
	d, err := config.ParseDesign("merged.yaml", []byte(list[1].yaml))
	require.NoError(t, err, list[1].yaml)
	assert.Equal(t, 3, d.(*config.CSIG).Ports)
	assert.True(t, d.(*config.CSIG).UEC)
	assert.Equal(t, uint16(0x88b5), d.(*config.CSIG).CompactTPID, "the rest of tags is that of the preset")

	_, err = examples("d.md", fence+"\ndesign: nic\n"+fence+"\n")
	assert.ErrorContains(t, err, "not marked as yaml")
	_, err = examples("d.md", fence+"yaml\nports: 3\n"+fence+"\n")
	assert.ErrorContains(t, err, "# onto nic-line")
}
