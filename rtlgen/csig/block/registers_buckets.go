package block

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

const (
	maxBuckets = 32
	// drainCycles is how long an answer to BUCKET_COMMIT waits after the cycle in which the bank changes, so that no
	// packet uses the bank that the next table is written to.
	drainCycles = 35
	// A whole table is in use from the cycle after its BUCKET_COMMIT acts. A bound that is missing is written before,
	// one a cycle.
	tableCycles, absentCycles = 1, 1
	// EndsToAnswer is from the end of a long commit to its answer: through bus_done and the valid of the bus.
	EndsToAnswer = 2
)

// BucketCommit is a BUCKET_COMMIT that is in order.
type BucketCommit struct {
	Begins vgen.Signal // it acts in this cycle
	Ends   vgen.Signal // its answer is there EndsToAnswer later
}

// Buckets receives bucket tables: bounds are written to the unused bank as they arrive, each checked against the one
// before it. A commit marks the rest of the bank as absent, one bound a cycle, and changes the bank.
func (f *RegisterFile) Buckets() BucketCommit {
	f.Module.Section("Bucket tables")
	m, out, data := f.Module, &f.tables.Bucket, f.WData
	const counterWidth = 7 // bounds, then the cycles of a commit
	n := m.State("bound_count", counterWidth)
	open := m.State("table_open_q", 1)
	filling := m.State("committing_q", 1)
	empty := n.Is(0).Named("table_empty")
	full := n.Bit(BucketBits).Named("table_full") // the count is at most 32 while a table is open

	// Only one table is written at a time. A bound out of order discards it: no table is then in progress. An access is
	// decoded in the cycle of f.Writes and takes effect when it acts.
	startNow := f.Writes.And(f.Hits[registers.BucketStart])
	pushNow := f.Writes.And(f.Hits[registers.BucketPush])
	endsNow := f.Writes.And(f.Hits[registers.BucketCommit])
	start, push, ends := f.Act("start", startNow), f.Act("push", pushNow), f.Act("end_table", endsNow)
	if !f.Apart {
		startNow, pushNow, endsNow = start, push, ends
	}
	startOK := f.Act("start_table", startNow.And(f.IsType()))
	before := m.RegNext("bound_before_q", data, vgen.Enable(push))
	rises := f.Early("bound_rises", data.Ge(before))
	first := f.Early("bound_zero", f.isZero("bound", 0))
	if f.Apart { // between accesses the table does not change
		empty = m.RegNext("table_empty_q", empty)
	}
	ordered := vgen.Mux(empty, first, rises.And(full.Not())).Named("in_order")
	pushOK := f.Act("push_bound", pushNow.And(open).And(ordered))
	commitNow := endsNow.And(open).And(empty.Not())
	commit := f.Act("commit_table", commitNow)
	if !f.Apart {
		commitNow = commit
	}
	f.Done = append(f.Done, startOK, pushOK, commit)
	voids := push.And(ordered.Not())
	if f.Apart {
		voids = push.And(pushOK.Not())
	}
	m.Next(open, startOK.Or(open.And(start.Or(ends).Or(voids).Not())))
	kind := m.RegNext("table_type_q", data.Trunc(KindBits), vgen.Enable(start))

	// From the commit on the count runs on: over absent bounds up to 31, then until no packet uses the old bank. It
	// starts a cycle earlier if the change of bank is registered.
	last := n.Is(uint64(maxBuckets - 1 + drainCycles - 1 + bit(f.Apart))).Named("drained")
	m.Next(filling, commitNow.Or(filling.And(last.Not())))
	count := pushOK.Or(filling)
	m.Next(n, vgen.Mux(start, vgen.Const(counterWidth, 0), n.Add(count.Zext(counterWidth))))
	change := f.Act("change_bank", filling.And(n.Is(maxBuckets-1)).Or(commitNow.And(full)))

	banks, oks := make([]vgen.Signal, config.CSIGTypes), make([]vgen.Signal, config.CSIGTypes) // type 0 last
	bankOf := make([]vgen.Signal, config.CSIGTypes)
	for t := range config.CSIGTypes {
		this := change.And(kind.Is(uint64(t))).Named(fmt.Sprintf("change_bank%d", t))
		bank := m.State(fmt.Sprintf("bank%d_q", t), 1)
		m.Next(bank, bank.Xor(this))
		bankOf[t], banks[config.CSIGTypes-1-t] = bank, bank
		oks[config.CSIGTypes-1-t] = m.RegNext(fmt.Sprintf("bucket%d_ok_q", t), flag(true), vgen.Enable(this), vgen.Reset(0),
			vgen.Control())
	}
	m.Assign(f.tables.Bank, vgen.Cat(banks...))
	m.Assign(f.tables.BucketOK, vgen.Cat(oks...))

	// Bound 0 is 0 in every table and is not kept; a folded bucketizer learns from it that there is a table.
	kept := pushOK
	if !f.Shape.Folded {
		kept = pushOK.And(empty.Not())
	}
	m.Assign(out.Valid, kept.Or(filling.And(full.Not()).And(n.Top().Not())))
	m.Assign(out.Type, kind)
	m.Assign(out.Bank, vgen.Select(kind, bankOf, flag(false)).Named("bank_in_use").Not())
	m.Assign(out.Index, n.Trunc(BucketBits))
	m.Assign(out.Bound, data)
	m.Assign(out.Present, filling.Not())
	return BucketCommit{commit, filling.And(last)}
}
