package replay

import (
	"io"
	"time"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/source"
)

// Error is a fault of an input file.
type Error = source.Error

// Plan is what an engine is given to replay a trace: table writes, then context writes, then the rows. A law makes it
// of its trace, which it has read once and found right.
type Plan[E, W, R any] struct {
	File     string // of the trace
	Tables   []config.TableWrite
	Contexts []W
	Flows    int  // numbered from 0
	Rows     int  // of the trace that are replayed
	Resync   bool // a context write goes before each row
	// Warnings say of the input what is legal and probably not meant.
	Warnings []*Error

	// Begin gives a reader of the rows, in order, each once. A reader from before is void.
	Begin func() (next func() (*Item[E, W], error), err error)
	// Header is the first line of the output; Append appends a row of it, without the line's end.
	Header string
	Append func(b []byte, row *Item[E, W], r *R) []byte
	// Compare measures a row against the reference of the trace, Stats sums up; nil without a reference.
	Compare func(row *Item[E, W], r *R)
	Stats   func() *Stats
	Close   func() error
}

// Item is a row with what an engine is given for it.
type Item[E, W any] struct {
	Number int // from 1
	Line   int // of the file, as editors count
	TimeNs uint64
	Flow   int // index, not the number in the file
	Event  E
	Resync W   // before it, where the plan says so
	Row    any // of the law's trace
}

// Stats are the differences between a replay's results and the reference of the trace.
//
// A near tie is a row in which another hop's u' comes within rounding of the largest; the two may differ in their time
// since the last record, and then the choice shows in U. Such rows are counted and kept out of MaxU and MaxR.
type Stats struct {
	Rows       int     `json:"rows"`
	NearTies   int     `json:"near_ties"`
	KindsOther int     `json:"kinds_other"`   // rows of another kind than the reference
	MaxU       float64 `json:"max_abs_u"`     // largest |U - ref_u|
	MaxURow    int     `json:"max_abs_u_row"` // its row, from 1
	MaxR       float64 `json:"max_rel_rate"`  // largest |R - ref_rate| / ref_rate
	MaxRRow    int     `json:"max_rel_rate_row"`
	AllMaxU    float64 `json:"max_abs_u_with_near_ties"`
	AllMaxR    float64 `json:"max_rel_rate_with_near_ties"`
	P50R       float64 `json:"p50_rel_rate"` // over all rows, rounded down to 14 bits behind the leading one
	P99R       float64 `json:"p99_rel_rate"`
}

// feedRows is how many rows are read at a time.
const feedRows = 256

// feed gives the rows of a plan, in order, each once.
type feed[E, W, R any] struct {
	read  func() (*Item[E, W], error)
	chunk []*Item[E, W] // read, and not given yet
	left  int           // rows to be read
	spent time.Duration
}

// newFeed begins with the first row.
func newFeed[E, W, R any](p *Plan[E, W, R]) (*feed[E, W, R], error) {
	read, err := p.Begin()
	return &feed[E, W, R]{read: read, left: p.Rows}, err
}

// next gives the next row. It returns io.EOF after the last one.
func (f *feed[E, W, R]) next() (*Item[E, W], error) {
	if len(f.chunk) == 0 && f.left > 0 {
		start := time.Now()
		for n := min(feedRows, f.left); n > 0; n-- {
			it, err := f.read()
			if err != nil {
				return nil, err
			}
			f.chunk = append(f.chunk, it)
			f.left--
		}
		f.spent += time.Since(start)
	}
	if len(f.chunk) == 0 {
		return nil, io.EOF
	}
	it := f.chunk[0]
	f.chunk = f.chunk[1:]
	return it, nil
}
