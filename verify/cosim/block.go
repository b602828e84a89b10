package cosim

import (
	"fmt"
	"strings"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
)

// BlockRun compares a block of the library, such as a divider, with a reference function. A block takes operands
// in a cycle (with s_valid high, when it has that port) and shows its results Latency cycles later (with m_valid
// high, when it has that). Between operands its inputs carry the last ones inverted, so that a block that looks
// again is caught.
type BlockRun struct {
	Latency, Interval int      // as the module publishes them
	In, Out           []string // ports of operands and results, at most 64 bits each
	Cases             int

	// Operands sets the operands of case i, one value for each of In; values are cut to the ports.
	Operands func(i int, v []uint64)
	// Reference sets what each of Out must be.
	Reference func(v, want []uint64)
	// Gap is the idle cycles before case i beyond the interval; nil: none.
	Gap func(i int) int
}

// BlockReport is what a BlockRun came to.
type BlockReport struct {
	Cases    int
	Cycles   int64
	Mismatch *BlockMismatch // the first; nil: everything matched
}

// BlockMismatch is the first case whose result differs.
type BlockMismatch struct {
	Case     int
	Cycle    int64 // of the result
	Operands map[string]uint64
	Port     string
	Expected uint64
	Actual   uint64
}

// Error describes the mismatch on one line.
func (m *BlockMismatch) Error() string {
	return fmt.Sprintf("case %d, operands %v: %s is %#x in cycle %d, the reference says %#x", m.Case, m.Operands, m.Port, m.Actual, m.Cycle, m.Expected)
}

// blockCase is a case under way.
type blockCase struct {
	index int
	due   int64
	in    []uint64
	want  []uint64
}

// Block runs all cases on an instance of the block, after a reset.
func Block(e engine.Engine, b BlockRun) (*BlockReport, error) {
	r, err := newBlockRunner(e, b)
	if err != nil {
		return nil, err
	}
	for !r.finished() {
		r.fill()
		if err := e.Run(blockBatch, r.inWords, r.outWords); err != nil {
			return nil, err
		}
		if r.report.Mismatch = r.check(); r.report.Mismatch != nil {
			break
		}
		r.now += blockBatch
	}
	r.report.Cycles = r.now
	return &r.report, nil
}

const blockBatch = 1024

type blockRunner struct {
	b                 BlockRun
	l                 *vgen.Layout
	in, out           []vgen.Slot
	start, done       *vgen.Slot // s_valid, m_valid
	reset             *vgen.Slot
	inWords, outWords []uint64
	now, next         int64 // first cycle of the batch; earliest cycle of the next case
	issued            int
	pending           []blockCase
	last              []uint64 // operands on the ports
	report            BlockReport
}

func newBlockRunner(e engine.Engine, b BlockRun) (*blockRunner, error) {
	r := &blockRunner{b: b, l: e.Layout(), next: 2, last: make([]uint64, len(b.In))}
	var faults []string
	find := func(slots []vgen.Slot, name string) *vgen.Slot {
		for i := range slots {
			if slots[i].Name == name {
				return &slots[i]
			}
		}
		return nil
	}
	bind := func(slots []vgen.Slot, names []string) (found []vgen.Slot) {
		for _, n := range names {
			s := find(slots, n)
			if s == nil || s.Width > 64 {
				faults = append(faults, fmt.Sprintf("the block has no port %s of at most 64 bits", n))
				continue
			}
			found = append(found, *s)
		}
		return found
	}
	r.in, r.out = bind(r.l.Inputs, b.In), bind(r.l.Outputs, b.Out)
	r.start, r.done, r.reset = find(r.l.Inputs, "s_valid"), find(r.l.Outputs, "m_valid"), find(r.l.Inputs, "rst")
	if b.Latency < 0 || b.Interval < 1 {
		faults = append(faults, fmt.Sprintf("latency %d and interval %d; a block has at least 0 and 1", b.Latency, b.Interval))
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("cosim: %s", strings.Join(faults, "; "))
	}
	r.inWords, r.outWords = make([]uint64, blockBatch*r.l.InWords), make([]uint64, blockBatch*r.l.OutWords)
	return r, nil
}

func (r *blockRunner) finished() bool { return r.issued == r.b.Cases && len(r.pending) == 0 }

// fill makes the inputs of a batch.
func (r *blockRunner) fill() {
	clear(r.inWords)
	for c := range int64(blockBatch) {
		w := r.inWords[int(c)*r.l.InWords:]
		cycle := r.now + c
		if r.reset != nil && cycle < 2 {
			w[r.reset.Offset] = 1
		}
		if cycle == r.next && r.issued < r.b.Cases {
			r.issue(cycle)
			if r.start != nil {
				w[r.start.Offset] = 1
			}
			for i := range r.in {
				w[r.in[i].Offset] = r.last[i]
			}
			continue
		}
		for i := range r.in {
			w[r.in[i].Offset] = ^r.last[i] & widthMask(r.in[i].Width)
		}
	}
}

func (r *blockRunner) issue(cycle int64) {
	r.b.Operands(r.issued, r.last)
	for i := range r.in {
		r.last[i] &= widthMask(r.in[i].Width)
	}
	c := blockCase{index: r.issued, due: cycle + int64(r.b.Latency), in: append([]uint64(nil), r.last...), want: make([]uint64, len(r.out))}
	r.b.Reference(c.in, c.want)
	r.pending = append(r.pending, c)
	r.issued++
	r.report.Cases = r.issued
	r.next = cycle + int64(r.b.Interval)
	if r.b.Gap != nil && r.issued < r.b.Cases {
		r.next += int64(r.b.Gap(r.issued))
	}
}

// check compares the outputs of a batch.
func (r *blockRunner) check() *BlockMismatch {
	for c := range int64(blockBatch) {
		cycle := r.now + c
		w := r.outWords[int(c)*r.l.OutWords:]
		due := len(r.pending) > 0 && r.pending[0].due == cycle
		mismatch := func(port string, want, got uint64) *BlockMismatch {
			m := &BlockMismatch{Case: -1, Cycle: cycle, Port: port, Expected: want, Actual: got, Operands: map[string]uint64{}}
			if len(r.pending) > 0 {
				m.Case = r.pending[0].index
				for i := range r.in {
					m.Operands[r.in[i].Name] = r.pending[0].in[i]
				}
			}
			return m
		}
		if r.done != nil && cycle >= 2 {
			if valid := w[r.done.Offset] != 0; valid != due {
				return mismatch("m_valid", boolWord(due), boolWord(valid))
			}
		}
		if !due {
			continue
		}
		for i := range r.out {
			if got := w[r.out[i].Offset]; got != r.pending[0].want[i] {
				return mismatch(r.out[i].Name, r.pending[0].want[i], got)
			}
		}
		r.pending = r.pending[1:]
	}
	return nil
}

func boolWord(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func widthMask(w int) uint64 { return ^uint64(0) >> (64 - w) }
