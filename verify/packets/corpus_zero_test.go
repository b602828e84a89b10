package packets_test

import (
	"encoding/binary"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// UDPChecksum is where the packet has its UDP checksum.
func (c *intCase) UDPChecksum() int {
	words := 10
	if v := c.Data[c.L3]; v>>4 == 4 {
		words = int(v & 15)
	}
	return c.L3 + 4*words + 6
}

// zeroChecksums changes the UDP checksums of the cases that are for it (Zero), so that they become 0 where the
// packets pass a source in the order of list: ffff must be written then. Records depend on the packets
// before, hence the model is asked; lengths stay, so all records do, too.
func zeroChecksums(c *config.INT, cases []intCase, list []packets.Packet) error {
	const start = 0x1234
	for i := range cases {
		if k := &cases[i]; k.Zero {
			binary.BigEndian.PutUint16(k.Data[k.UDPChecksum():], start)
		}
	}
	rep, err := packets.RunPackets(c, list, packets.Options{})
	if err != nil {
		return err
	}
	for i := range rep.Results {
		k := &cases[rep.Sent[i].Number-1]
		if !k.Zero {
			continue
		}
		at := k.UDPChecksum()
		// A checksum goes up, modulo 65,535, by what is taken out of the packet less what comes in.
		up := int(binary.BigEndian.Uint16(rep.Results[i].Data[at:])) - start
		binary.BigEndian.PutUint16(k.Data[at:], uint16((2*0xffff-up-1)%0xffff+1))
	}
	return nil
}
