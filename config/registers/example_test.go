package registers_test

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

// The writes that set up the first port of a preset.
func ExampleProgram() {
	d, err := config.LoadDesign("csig-64p")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := d.(*config.CSIG)
	m := registers.New(c)
	writes, err := registers.Program(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range writes {
		r, _, _ := m.At(w.Offset)
		fmt.Printf("%-16s %#x\n", r.Name, w.Data)
		if w.Offset == registers.PortCommit {
			break
		}
	}
	// Output:
	// PORT_TRUST       0x1
	// PORT_CAPACITY    0x5f5e100
	// PORT_RATIO       0xa7c5ac47
	// PORT_RATIO_SHIFT 0x1c
	// PORT_DEPTH       0xa3d70a3d
	// PORT_DEPTH_SHIFT 0x23
	// PORT_ACTIONS     0x2a
	// PORT_LOCATOR0    0x0
	// PORT_LOCATOR1    0x0
	// PORT_LOCATOR2    0x0
	// PORT_LOCATOR3    0x0
	// PORT_COMMIT      0x0
}
