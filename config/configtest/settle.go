package configtest

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/fixed"
)

// rounds is how often a file is mended before it is given up.
const rounds = 10

var place = regexp.MustCompile(`\[[0-9]+\]`)

// settle mends a file until it is legal, as the problems say: the nearest legal value, or another one, or none. Keys
// in pins keep their class. When that cannot be, the problem tells why.
func (f *file) settle(r *rand.Rand, pins map[int]string) (config.Design, error) {
	var blame error
	for round := range rounds {
		d, err := config.ParseDesign("drawn.yaml", []byte(f.yaml()))
		if err == nil {
			return d, nil
		}
		var problems config.Problems
		if !errors.As(err, &problems) {
			return nil, err
		}
		stuck := false
		for _, p := range problems {
			if !f.mend(r, p, pins, round) {
				stuck, blame = true, p
			}
		}
		if stuck { // the key is to stay, so it is others that must go
			for i := range f.keys {
				if _, pinned := pins[i]; !pinned && !f.keys[i].Required && f.keys[i].Form != config.FormFormat && r.IntN(3) == 0 {
					f.set(r, i, f.drawClass(r, i))
				}
			}
			f.prune()
		}
	}
	if blame == nil {
		blame = errors.New("the problems do not end")
	}
	return nil, blame
}

// drawClass draws a class for a key that need not have one.
func (f *file) drawClass(r *rand.Rand, i int) string {
	if r.IntN(2) == 0 || !f.satisfied(f.keys[i]) {
		return left
	}
	return f.classes[i][r.IntN(len(f.classes[i]))]
}

// prune leaves out what may not be given.
func (f *file) prune() {
	for i, k := range f.keys {
		if f.text[i] != "" && !f.satisfied(k) {
			f.text[i] = ""
		}
	}
}

// mend does something about a problem; false when its key is pinned and no value of the class will do.
func (f *file) mend(r *rand.Rand, p config.Problem, pins map[int]string, round int) bool {
	path := place.ReplaceAllString(p.Key, "[]")
	if n, ok := f.otherOverride(p.Key); ok {
		f.others[n] = f.override(r, f.index[path[:strings.Index(path, "[")]])
		return true
	}
	i, found := f.index[path]
	if !found {
		return f.mendGroup(r, path, pins)
	}
	class, pinned := pins[i]
	if n := p.Nearest; n != "" && round < rounds/2 && f.fits(i, n) && (!pinned || classOf(f.keys[i], n) == class) {
		f.text[i] = n
		return true
	}
	switch {
	case pinned && class == left:
		return false
	case f.keys[i].Form == config.FormFormat && !pinned:
		f.set(r, i, other)
	case pinned:
		f.set(r, i, class)
		return round%2 == 0 // now and then it is the others' turn
	case p.Nearest == "leave it out" || round > rounds/2 || f.text[i] != "" && r.IntN(3) == 0:
		f.set(r, i, left)
	default:
		f.set(r, i, f.classes[i][r.IntN(len(f.classes[i]))])
	}
	return true
}

// otherOverride is the place in others of the override that a problem is about.
func (f *file) otherOverride(key string) (n int, ok bool) {
	at := place.FindString(key)
	if at == "" {
		return 0, false
	}
	n, err := strconv.Atoi(at[1 : len(at)-1])
	return n - 1, err == nil && n > 0 && n <= len(f.others)
}

// fits says whether a text is a value of a key, and not words about it.
func (f *file) fits(i int, text string) bool {
	k := f.keys[i]
	if slices.Contains(k.Words, text) {
		return true
	}
	switch k.Form {
	case config.FormInteger, config.FormNumber, config.FormQuantity, config.FormTPID, config.FormLocator:
		_, ok := k.Number(text)
		return ok
	case config.FormFormat:
		return strings.HasPrefix(text, "UQ")
	case config.FormIdentifier:
		return !strings.Contains(text, " ")
	}
	return false
}

// mendGroup draws one of the keys below a path anew, or leaves it out.
func (f *file) mendGroup(r *rand.Rand, path string, pins map[int]string) bool {
	var members []int
	for i, k := range f.keys {
		_, pinned := pins[i]
		if !pinned && strings.HasPrefix(k.Path, path) && f.text[i] != "" && k.Form != config.FormFormat {
			members = append(members, i)
		}
	}
	if len(members) == 0 {
		return false
	}
	i := members[r.IntN(len(members))]
	f.set(r, i, f.drawClass(r, i))
	return true
}

// formats are the keys that are given all or not at all.
const formats = "precision.formats."

// giveFormats replaces the error wanted by formats: those that are derived for it, some of them wider.
func (f *file) giveFormats(r *rand.Rand, d *config.NIC, pins map[int]string) {
	f.text[f.index["precision.max_error"]] = ""
	have := &d.Formats
	for _, g := range []struct {
		name   string
		format fixed.Format
	}{
		{"inv_b", have.InvB}, {"inv_bt", have.InvBT}, {"u", have.U}, {"inv_t", have.InvT},
		{"alpha", have.Alpha}, {"quotient", have.Quot}, {"window", have.Window}, {"rate", have.Rate},
	} {
		i := f.index[formats+g.name]
		frac := g.format.Frac + r.IntN(4)
		if pins[i] == widest || pins[i] == "" && r.IntN(4) == 0 {
			frac = 64 - g.format.Int
		}
		f.text[i] = fixed.UQ(g.format.Int, min(frac, 64-g.format.Int)).String()
	}
}
