package link

import (
	"bytes"
	"fmt"

	"github.com/hdlpkg/hpccgen/rtlgen/board"
)

// request builds the payload of a run: it brings the inputs of the board from one cycle to the next and steps.
type request struct {
	payload []byte
	limit   int
	image   []byte // inputs of the board after the operations so far
	cycles  int
	open    bool // the last operation is a run of cycles, which can be extended
}

// add appends a cycle with the given inputs, or returns false if it does not fit.
func (r *request) add(inputs []byte) bool {
	if r.open && bytes.Equal(inputs, r.image) {
		if last := &r.payload[len(r.payload)-1]; *last < board.OpRun|board.MaxRun {
			*last++
			r.cycles++
			return true
		}
	}
	before := len(r.payload)
	for at := 0; at < len(inputs); {
		if inputs[at] == r.image[at] {
			at++
			continue
		}
		end := runEnd(inputs, r.image, at)
		r.payload = append(r.payload, byte(at>>8)<<6|byte(end-at), byte(at))
		r.payload = append(r.payload, inputs[at:end]...)
		at = end
	}
	r.payload = append(r.payload, board.OpRun|1)
	if len(r.payload) > r.limit && r.cycles > 0 {
		r.payload = r.payload[:before]
		return false
	}
	copy(r.image, inputs)
	r.cycles++
	r.open = true
	return true
}

// runEnd is the end of the bytes to write from at on. Including two equal bytes costs no more than starting a new run.
func runEnd(inputs, image []byte, at int) int {
	end := at + 1
	for i := at + 1; i < len(inputs) && i < at+board.MaxBytes && i <= end+2; i++ {
		if inputs[i] != image[i] {
			end = i + 1
		}
	}
	return end
}

// change is a run of bytes of the outputs.
type change struct {
	at    int
	bytes []byte
}

// span is a number of cycles with the same outputs, and the changes in the first of them.
type span struct {
	changes []change
	cycles  int
}

// spans reads the payload of an answer to run, which is read from its end. outputs is the number of bytes of output.
func spans(payload []byte, outputs int) ([]span, error) {
	var list []span // last first
	for n := len(payload); n > 0; {
		n--
		op := payload[n]
		if op&board.OpRun != 0 {
			if op == board.OpRun {
				return nil, fmt.Errorf("byte %d of the answer ends a run of 0 cycles", n)
			}
			list = append(list, span{cycles: int(op &^ board.OpRun)})
			continue
		}
		length := int(op & board.MaxBytes)
		if n < 1+length || len(list) == 0 || length == 0 {
			return nil, fmt.Errorf("byte %d of the answer, %#02x, ends a run of %d bytes that is not there", n, op, length)
		}
		end := int(op>>6)<<8 | int(payload[n-1])
		n -= 1 + length
		if end < length || end > outputs {
			return nil, fmt.Errorf("the answer has output bytes up to %d; there are %d", end, outputs)
		}
		s := &list[len(list)-1]
		s.changes = append(s.changes, change{end - length, payload[n : n+length]})
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, nil
}
