package csig_test

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/model/csig"
	"github.com/hdlpkg/hpccgen/telemetry"
)

// A packet asks for the largest per-hop delay and crosses one switch, in which it waits for 18 us.
func Example() {
	sender := csig.Sender{Tags: telemetry.DefaultTags(), Types: []uint8{telemetry.CSIGMaxPD}}
	pkt, err := sender.Insert(packet("", 46))
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := csig.New(csig.DefaultConfig(8, 100e6)) // eight ports at 100 Gbit/s
	if err != nil {
		fmt.Println(err)
		return
	}
	pkt, event := device.Process(pkt, csig.Meta{IngressPort: 2, EgressPort: 5, IngressNs: 1000, EgressNs: 19000})
	fmt.Println(event.Status, event.Signals.PD, "ns")

	receiver := csig.Receiver{Tags: telemetry.DefaultTags()}
	_, tag, _ := receiver.Receive(pkt)
	fmt.Println("bucket", tag.Value, "at port", tag.Locator)
	// Output:
	// updated 18000 ns
	// bucket 1 at port 5
}
