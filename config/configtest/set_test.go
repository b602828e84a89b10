package configtest

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// sets are those that are drawn here: how many designs, what of their pairs of choices must have been drawn, in
// hundredths of those that may be possible, and the choices that no design can have.
var sets = []struct {
	kind       string
	n, share   int
	impossible []string
}{
	{config.KindNIC, 100, 75, []string{
		// A reciprocal this coarse is refused: it would not stand for an exact quotient. An index this short cannot
		// tell the entries apart.
		"dividers.hop.index_bits = lowest", "dividers.hop.table_bits = lowest",
		"dividers.hop.seed_bits = lowest", "dividers.hop.recip_bits = lowest",
		"dividers.quotient.index_bits = lowest", "dividers.quotient.table_bits = lowest",
		"dividers.quotient.seed_bits = lowest", "dividers.quotient.recip_bits = lowest",
		// 63 bits at most: the entry has a valid bit, a weight a sign.
		"precision.formats.inv_b = widest", "precision.formats.alpha = widest",
	}},
	{config.LawAIMD, 40, 75, []string{"formats.window = widest"}}, // a sum is one bit wider
	{config.KindCSIG, 60, 75, nil},
	// A power of two.
	{config.KindINT, 60, 75, []string{"tx.unit = other"}},
}

// Every key of the table is drawn with every word, with both ends of its range and between them, and left out; most
// pairs of choices are.
func TestEveryChoiceIsDrawn(t *testing.T) {
	for _, c := range sets {
		t.Run(c.kind, func(t *testing.T) {
			s := New(c.kind, 1)
			hashes := map[string]bool{}
			for range c.n {
				d := s.Next()
				require.Contains(t, string(d.Design.Canonical()), c.kind)
				hashes[d.Design.DesignHash()] = true
				if sw, ok := d.Design.(*config.CSIG); ok { // whatever is drawn has a program: every factor exists
					_, err := registers.Program(sw)
					require.NoError(t, err, d.YAML)
				}
			}
			assert.Len(t, hashes, c.n)
			r := s.Report()
			assert.Equal(t, c.impossible, r.Missing, "choices that no design has; a new key needs a way to draw it")
			t.Logf("%d designs: %s", c.n, r)
			assert.GreaterOrEqual(t, 100*r.Drawn, c.share*(r.Drawn+r.Open), "pairs drawn of those that may be possible")
		})
	}
}

// A key is drawn when the table has it: none has a form, a range or words that the drawing does not know.
func TestKeysHaveClasses(t *testing.T) {
	for _, c := range sets {
		keys := config.Keys(c.kind)
		require.NotEmpty(t, keys)
		for _, k := range keys {
			assert.NotEmpty(t, k.Form, k.Path)
			assert.GreaterOrEqual(t, len(classes(k)), 1, k.Path)
			for _, n := range k.Needs {
				assert.True(t, contains(keys, n.Path), "%s needs %s, which is no key", k.Path, n.Path)
			}
		}
	}
	assert.Nil(t, config.Keys("none"))
}

func contains(keys []config.Key, path string) bool {
	for _, k := range keys {
		if k.Path == path {
			return true
		}
	}
	return false
}

// The same seed draws the same designs, whose files say what the design has.
func TestDrawRepeats(t *testing.T) {
	for _, c := range sets {
		a, b := Draw(c.kind, 5, 6), Draw(c.kind, 5, 4)
		for i := range b {
			assert.Equal(t, a[i], b[i])
			again, err := config.ParseDesign("again.yaml", []byte(a[i].YAML))
			require.NoError(t, err)
			assert.Equal(t, a[i].Design, again)
		}
		assert.NotEqual(t, a[0].YAML, Draw(c.kind, 6, 1)[0].YAML)
	}
	d := With(config.KindNIC, 3, map[string]string{"hops.order": "serial", "flows": "77"})
	assert.True(t, d.Design.(*config.NIC).Serial)
	assert.Equal(t, 77, d.Design.(*config.NIC).Flows)
	d = With(config.KindCSIG, 3, map[string]string{"bandwidth.decay_shift": "6"})
	assert.Equal(t, config.CSIGDRE, d.Design.(*config.CSIG).Method, "what a key needs comes with it")
}

// The pairs of the sets of 200 that make cosim-random runs, told apart: those that were not drawn, and those that the
// reader refuses.
func TestPairsOfLongSets(t *testing.T) {
	if os.Getenv("HPCCGEN_LONG") == "" {
		t.Skip("skipped: make cosim-random prints the pairs of choices of its designs")
	}
	for _, c := range sets {
		t.Run(c.kind, func(t *testing.T) {
			s := New(c.kind, 1)
			for range 200 {
				s.Next()
			}
			t.Log("200 designs: ", s.Report())
			possible, impossible := s.Pairs()
			t.Logf("%d pairs that were never drawn together:\n%s", len(possible), strings.Join(possible, "\n"))
			t.Logf("%d pairs that are refused:\n%s", len(impossible), strings.Join(impossible, "\n"))
		})
	}
}
