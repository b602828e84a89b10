package packets

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config/registers"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// patience is how many cycles the register bus may take: a bucket table takes 67.
const patience = 256

// write writes a register over AXI4-Lite and waits for the answer.
func (h *hardware) write(w registers.Write) error {
	b := &h.bus
	err := h.access(fmt.Sprintf("write of %#x to register %#x", w.Data, w.Offset), b.awready, b.bvalid, b.bresp, func(in []uint64) {
		in[b.awvalid.Offset], in[b.wvalid.Offset] = 1, 1
		in[b.awaddr.Offset], in[b.wdata.Offset], in[b.wstrb.Offset] = uint64(w.Offset), uint64(w.Data), 0xf
	}, func(out []uint64) error {
		if out[b.awready.Offset] != out[b.wready.Offset] {
			return fmt.Errorf("s_axil_awready and s_axil_wready differ in cycle %d", h.cycle-1)
		}
		return nil
	})
	return err
}

// read reads a register over AXI4-Lite.
func (h *hardware) read(address uint32) (uint32, error) {
	b, v := &h.bus, uint64(0)
	err := h.access(fmt.Sprintf("read of register %#x", address), b.arready, b.rvalid, b.rresp, func(in []uint64) {
		in[b.arvalid.Offset], in[b.araddr.Offset] = 1, uint64(address)
	}, func(out []uint64) error {
		v = out[b.rdata.Offset]
		return nil
	})
	return uint32(v), err
}

// access holds a request until it is taken, and waits for the answer, cycle by cycle. see is shown every cycle.
func (h *hardware) access(what string, ready, valid, resp vgen.Slot, request func(in []uint64), see func(out []uint64) error) error {
	taken := false
	for range patience {
		in := h.set(0)
		if !taken {
			request(in)
		}
		if err := h.run(1); err != nil {
			return err
		}
		out := h.get(0)
		if err := see(out); err != nil {
			return err
		}
		switch {
		case taken && out[valid.Offset] != 0 && out[resp.Offset] != 0:
			return fmt.Errorf("%s: the answer is an error (response %d, cycle %d)", what, out[resp.Offset], h.cycle-1)
		case taken && out[valid.Offset] != 0:
			return nil
		case out[valid.Offset] != 0:
			return fmt.Errorf("%s: an answer before the request was taken, in cycle %d", what, h.cycle-1)
		case !taken && out[ready.Offset] != 0:
			taken = true
		}
	}
	return fmt.Errorf("%s: no answer in %d cycles, by cycle %d", what, patience, h.cycle)
}
