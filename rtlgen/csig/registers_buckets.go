package csig

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

const (
	maxBuckets = 32
	// drainCycles is how long an answer to BUCKET_COMMIT waits beyond the cycle in which the bank changes, so that no packet uses
	// the bank that the next table goes to.
	drainCycles = 35
)

// bucketCommit is a BUCKET_COMMIT that is in order.
type bucketCommit struct {
	begins vgen.Signal // it acts in this cycle
	ends   vgen.Signal // its answer is there in three cycles
}

// buckets takes bucket tables: bounds go to the bank that is not in use as they come, each checked against the one before it. A commit
// marks what is left of the bank as absent, one bound a cycle, and changes the bank.
func (f *registerFile) buckets() bucketCommit {
	f.m.Section("Bucket tables")
	m, out, data := f.m, &f.p.Bucket, f.p.WData
	const counterWidth = 7 // bounds, then the cycles of a commit
	n := m.Reg("bound_count", counterWidth, vgen.Reset(0), vgen.Control())
	open := m.Reg("table_open_q", 1, vgen.Reset(0), vgen.Control())
	filling := m.Reg("committing_q", 1, vgen.Reset(0), vgen.Control())
	empty := equals(n, 0).Named("table_empty")
	full := n.Bit(bucketBits).Named("table_full") // the count is at most 32 while a table is open

	// One table is begun at a time. A bound out of order voids it: there is none from then on.
	// What an access is to do is known in the cycle of f.write; what it does, in that in which it acts.
	startNow := f.write.And(f.hits[registers.BucketStart])
	pushNow := f.write.And(f.hits[registers.BucketPush])
	endsNow := f.write.And(f.hits[registers.BucketCommit])
	start, push, ends := f.act("start", startNow), f.act("push", pushNow), f.act("end_table", endsNow)
	if !deep(f.c) {
		startNow, pushNow, endsNow = start, push, ends
	}
	startOK := f.act("start_table", startNow.And(f.isType()))
	before := m.RegNext("bound_before_q", data, vgen.Enable(push))
	rises := f.early("bound_rises", data.Ge(before))
	first := f.early("bound_zero", f.isZero("bound", 0))
	if deep(f.c) { // between accesses the table stays as it is
		empty = m.RegNext("table_empty_q", empty)
	}
	ordered := vgen.Mux(empty, first, rises.And(full.Not())).Named("in_order")
	pushOK := f.act("push_bound", pushNow.And(open).And(ordered))
	commitNow := endsNow.And(open).And(empty.Not())
	commit := f.act("commit_table", commitNow)
	if !deep(f.c) {
		commitNow = commit
	}
	f.done = append(f.done, startOK, pushOK, commit)
	voids := push.And(ordered.Not())
	if deep(f.c) {
		voids = push.And(pushOK.Not())
	}
	m.Next(open, startOK.Or(open.And(start.Or(ends).Or(voids).Not())))
	kind := m.RegNext("table_type_q", data.Trunc(2), vgen.Enable(start))

	// From the commit on the count goes on: absent bounds up to 31, then until no packet uses the old bank. A deep pipeline begins a cycle
	// earlier, as a register says that the bank changes.
	last := equals(n, uint64(maxBuckets-1+drainCycles-1+bit(deep(f.c)))).Named("drained")
	m.Next(filling, commitNow.Or(filling.And(last.Not())))
	count := pushOK.Or(filling)
	m.Next(n, vgen.Mux(start, vgen.Const(counterWidth, 0), n.Add(count.Zext(counterWidth))))
	change := f.act("change_bank", filling.And(equals(n, maxBuckets-1)).Or(commitNow.And(full)))

	banks, oks := make([]vgen.Signal, config.CSIGTypes), make([]vgen.Signal, config.CSIGTypes) // type 0 last
	bankOf := make([]vgen.Signal, config.CSIGTypes)
	for t := range config.CSIGTypes {
		this := change.And(equals(kind, uint64(t))).Named(fmt.Sprintf("change_bank%d", t))
		bank := m.Reg(fmt.Sprintf("bank%d_q", t), 1, vgen.Reset(0), vgen.Control())
		m.Next(bank, bank.Xor(this))
		bankOf[t], banks[config.CSIGTypes-1-t] = bank, bank
		oks[config.CSIGTypes-1-t] = m.RegNext(fmt.Sprintf("bucket%d_ok_q", t), flag(true), vgen.Enable(this), vgen.Reset(0), vgen.Control())
	}
	m.Assign(f.p.Bank, vgen.Cat(banks...))
	m.Assign(f.p.BucketOK, vgen.Cat(oks...))

	// Bound 0 is 0 in every table and is not kept; a folded bucketizer learns from it that there is a table.
	kept := pushOK
	if !f.c.Folded {
		kept = pushOK.And(empty.Not())
	}
	m.Assign(out.Valid, kept.Or(filling.And(full.Not()).And(n.Top().Not())))
	m.Assign(out.Type, kind)
	m.Assign(out.Bank, vgen.Select(kind, bankOf, flag(false)).Not())
	m.Assign(out.Index, n.Trunc(bucketBits))
	m.Assign(out.Bound, data)
	m.Assign(out.Present, filling.Not())
	return bucketCommit{commit, filling.And(last)}
}
