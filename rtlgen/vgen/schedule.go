package vgen

// schedule puts a program into runs of equal operations. Of the operations that are
// ready it takes those of the kind with most of them, as long as there are any. A
// processor then spends its time on the operations, not on mispredicted dispatch.
func schedule(s *Sim, prog []instr) []run {
	producer := make([]int32, len(s.v))
	for i := range producer {
		producer[i] = -1
	}
	for i, p := range prog {
		words := 1
		switch p.op {
		case exMulWide:
			words = 2
		case exWide:
			w := &s.wide[p.a]
			for k := range w.dst.words {
				producer[w.dst.at+k] = int32(i)
			}
			continue
		}
		for k := range words {
			producer[int(p.dst)+k] = int32(i)
		}
	}
	waiting := make([]int, len(prog)) // operands not yet scheduled
	users := make([][]int32, len(prog))
	ready := make([][]int32, exCount)
	for i := range prog {
		for at := range s.operands(&prog[i]) {
			if from := producer[at]; from >= 0 {
				users[from] = append(users[from], int32(i))
				waiting[i]++
			}
		}
		if waiting[i] == 0 {
			ready[prog[i].op] = append(ready[prog[i].op], int32(i))
		}
	}
	var runs []run
	ordered := make([]instr, 0, len(prog))
	for len(ordered) < len(prog) {
		best := code(0)
		for op := range ready {
			if len(ready[op]) > len(ready[best]) {
				best = code(op)
			}
		}
		start := len(ordered)
		for k := 0; k < len(ready[best]); k++ {
			i := ready[best][k]
			ordered = append(ordered, prog[i])
			for _, u := range users[i] {
				waiting[u]--
				if waiting[u] == 0 {
					ready[prog[u].op] = append(ready[prog[u].op], u)
				}
			}
		}
		ready[best] = ready[best][:0]
		runs = append(runs, run{best, ordered[start:]})
	}
	return runs
}

// operands yields the words an operation reads.
func (s *Sim) operands(p *instr) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		each := func(places ...int32) {
			for _, at := range places {
				if !yield(int(at)) {
					return
				}
			}
		}
		switch p.op {
		case exWide:
			for _, a := range s.wide[p.a].args {
				for k := range a.words {
					if !yield(a.at + k) {
						return
					}
				}
			}
		case exMux, exCat3:
			each(p.a, p.b, p.c)
		case exStraddle:
			each(p.a, p.a+1)
		case exSelect:
			each(p.a)
			each(s.cases[p.b-1 : p.b+p.c]...)
		case exNot, exShl, exShr, exSra, exSlice, exRepeat, exSext, exNonzero, exFull, exParity, exRead:
			each(p.a)
		default:
			each(p.a, p.b)
		}
	}
}
