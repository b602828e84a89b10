package config_test

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config"
)

// Everything that is wrong with a file comes at once.
func ExampleParse() {
	_, err := config.Parse("my-nic.yaml", []byte("design: nic\nflows: 0\nhops: {max: 9}\n"))
	fmt.Println(err)
	// Output:
	// my-nic.yaml:2:8: flows is 0; legal: an integer, 2 to 65536; reason: a context memory has at least two words, and an index of at most 16 bits; nearest: 2
	// my-nic.yaml:3:13: hops.max is 9; legal: an integer, 1 to 8; reason: the record ports are hop0 to hop7; nearest: 8
}

// Widths that follow from the error wanted, and what is proven of them.
func ExampleNIC() {
	c, err := config.Parse("my-nic.yaml", []byte("design: nic\nrates: [25G, 100G]\nprecision: {max_error: 0.001}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("U", c.Formats.U, "W", c.Formats.Window, "R", c.Formats.Rate)
	fmt.Printf("W within %.2g, R within %.2g\n", c.Budget.WindowRel, c.Budget.RateRel)
	// Output:
	// U UQ10.21 W UQ21.9 R UQ4.24
	// W within 0.00089, R within 0.00098
}

// The time that 128 bytes take at 100G, 10.24 ticks, as an entry of the rate table.
func ExampleNIC_RateEntry() {
	c, err := config.Load("nic-line")
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := c.RateEntry(4, 100e9, 1)
	fmt.Printf("table %d, index %d, data %#x, %v\n", w.Table, w.Index, w.Data, err)
	// Output: table 0, index 4, data 0x8a3d70a, <nil>
}

// A switch: what software writes first comes with the configuration.
func ExampleParseDesign() {
	d, err := config.ParseDesign("my-switch.yaml", []byte("design: csig\nports: 8\nport_defaults: {capacity: 25G}\nbandwidth: {window: 256us}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := d.(*config.CSIG)
	f, err := c.EstimateFactor()
	fmt.Println(d.DesignKind(), c.Port[7].CapacityKbps, "kbit/s, buckets of type 2 from", c.Bounds[2], "ns")
	fmt.Printf("factor %d / 2^%d, %v\n", f.Mantissa, f.Shift, err)
	// Output:
	// csig 25000000 kbit/s, buckets of type 2 from [0 10000 50000 100000 200000 400000 800000 2000000] ns
	// factor 4194304000 / 2^27, <nil>
}
