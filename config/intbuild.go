package config

import (
	"fmt"
	"math/big"
)

// finishINT checks what the table does not say. Problems are collected in d; the result is meaningful only when there
// are none.
func (d *decoder) finishINT(c *INT) {
	d.txUnit(c)
	d.queueUnit(c)
	d.tellApart(d.tagsAt("vlan"), map[string]string{"0x0800": "IPv4", "0x86dd": "IPv6"}, "a TPID of VLAN tags")
	if d.sound("format") {
		d.checkNode(c)
	}
	if d.sound("ports") {
		c.Port = portsOf[INTPort](d, c.Ports)
	}
}

// queueUnit asks for a unit that a queue can reach: otherwise every qLen is 0.
func (d *decoder) queueUnit(c *INT) {
	if most := 1<<c.QlenBits - 1; d.sound("queue.bits", "queue.unit") && c.QlenUnit > most {
		d.refuse("queue.unit", Problem{
			What:    fmt.Sprintf("queue.unit is %d bytes, with queue.bits %d", c.QlenUnit, c.QlenBits),
			Legal:   fmt.Sprintf("1B to %dB", most),
			Reason:  "no queue that the width can tell reaches one unit: qLen would always be 0",
			Nearest: fmt.Sprintf("%dB", most),
		})
	}
}

// txUnit asks for a power of two: the counter's low bits are what a unit has.
func (d *decoder) txUnit(c *INT) {
	if d.sound("tx.unit") && c.TxUnit&(c.TxUnit-1) != 0 {
		grid := key{kind: kindInteger, powerOf2: true}
		d.refuse("tx.unit", Problem{What: fmt.Sprintf("tx.unit is %d bytes", c.TxUnit), Legal: "a power of two, 1B to 65536B",
			Reason:  "the counter's low bits are what a unit has",
			Nearest: grid.onGrid(big.NewRat(int64(c.TxUnit), 1)).RatString() + "B"})
	}
}

// checkNode refuses a number that the records of the format cannot hold.
func (d *decoder) checkNode(c *INT) {
	bits := c.Format.Shape().Node
	if !d.sound("node") || c.Node>>bits == 0 {
		return
	}
	most := fmt.Sprint(1<<bits - 1)
	d.refuse("node", Problem{
		What:  fmt.Sprintf("node is %d, with format: %s%s", c.Node, c.Format, d.byDefault("format")),
		Legal: "0 to " + most, Reason: fmt.Sprintf("records of this format have %d bits for it", bits), Nearest: most})
}
