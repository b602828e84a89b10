package packets

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/verify/drive"
)

// patience is how many cycles the register bus may take: a bucket table takes 67.
const patience = 256

// slvErr is the response of a refused access.
const slvErr = 2

// access is an access to the register bus under way: a Work of single cycles, which holds a request until it is taken
// and waits for the answer.
type access struct {
	*hardware
	what    string
	request csig.BusInputs // BReady and RReady are high anyway
	cycles  int
	taken   bool
}

// write writes a register over AXI4-Lite and waits for the answer.
func (h *hardware) write(w registers.Write) error {
	return drive.Run(h.eng, &access{
		hardware: h, what: fmt.Sprintf("write of %#x to register %#x", w.Data, w.Offset),
		request: csig.BusInputs{AWValid: true, WValid: true, AWAddr: uint16(w.Offset), WData: w.Data, WStrb: 0xf},
	}, 1)
}

// read reads a register over AXI4-Lite.
func (h *hardware) read(address uint32) (uint32, error) {
	err := drive.Run(h.eng, &access{
		hardware: h, what: fmt.Sprintf("read of register %#x", address),
		request: csig.BusInputs{ARValid: true, ARAddr: uint16(address)},
	}, 1)
	return h.out.Bus.RData, err
}

// Fill makes the next cycle.
func (a *access) Fill(b *drive.Batch) error {
	if a.cycles == patience {
		return fmt.Errorf("%s: no answer in %d cycles, by cycle %d", a.what, patience, a.cycle)
	}
	a.cycles++
	a.begin(b, 1)
	in := a.idle()
	if !a.taken {
		in.Bus = a.request
		in.Bus.BReady, in.Bus.RReady = true, true
	}
	a.Binding.PutInputs(b.Input(0), in)
	return nil
}

// Judge looks for the transfers.
func (a *access) Judge(b *drive.Batch) error {
	a.cycle++
	a.Binding.Outputs(b.Output(0), &a.out)
	out := &a.out.Bus
	ready, valid, failed := out.ARReady, out.RValid, out.RError
	if a.request.AWValid {
		if out.AWReady != out.WReady {
			return fmt.Errorf("s_axil_awready and s_axil_wready differ in cycle %d", a.cycle-1)
		}
		ready, valid, failed = out.AWReady, out.BValid, out.BError
	}
	switch {
	case a.taken && valid && failed:
		return fmt.Errorf("%s: the answer is an error (response %d, cycle %d)", a.what, slvErr, a.cycle-1)
	case a.taken && valid:
		return drive.ErrStop
	case valid:
		return fmt.Errorf("%s: an answer before the request was taken, in cycle %d", a.what, a.cycle-1)
	case ready:
		a.taken = true
	}
	return nil
}
