package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/model/hpcc"
	"github.com/hdlpkg/hpccgen/rtlgen/nic"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
	"github.com/hdlpkg/hpccgen/verify/engine"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	c, err := config.Load(os.Args[1])
	must(err)
	cycles, _ := strconv.Atoi(os.Args[2])
	seed, _ := strconv.ParseUint(os.Args[3], 10, 64)
	e, err := nic.Build(c)
	must(err)
	eng, err := engine.Open(os.Args[4], engine.Design{Top: e.Top, Reset: map[bool]vgen.ResetStyle{true: vgen.AsyncLow, false: vgen.SyncHigh}[c.AsyncReset]}, engine.Options{})
	must(err)
	l := eng.Layout()
	b, err := stimulus.Bind(c, l)
	must(err)
	t := hpcc.Timing(e.Timing)
	m, err := hpcc.NewClocked(c, t)
	must(err)
	g := stimulus.New(c, t, seed, func(f uint32) hpcc.Context { return m.Model().Context(f) }, nil)
	var lastAcks []string
	m.OnAck = func(issue int64, a *hpcc.Ack, r *hpcc.Result) {
		g.Issued(a, r)
		lastAcks = append(lastAcks, fmt.Sprint(issue, " ", *a, " -> ", *r))
	}
	const batch = 1000
	in := make([]uint64, batch*l.InWords)
	out := make([]uint64, batch*l.OutWords)
	exp := make([]hpcc.Outputs, batch)
	bad := 0
	for done := 0; done < cycles; done += batch {
		for i := range batch {
			var hi hpcc.Inputs
			g.Next(&hi)
			m.Cycle(&hi, &exp[i])
			g.Seen(&hi, &exp[i])
			b.PutInputs(in[i*l.InWords:(i+1)*l.InWords], &hi)
		}
		must(eng.Run(batch, in, out))
		for i := range batch {
			ow := out[i*l.OutWords : (i+1)*l.OutWords]
			ew := make([]uint64, l.OutWords)
			b.PutOutputs(ew, &exp[i])
			for _, sl := range l.Outputs {
				n := sl.Name
				if strings.HasPrefix(n, "m_") && n != "m_valid" && !exp[i].M.Valid || strings.HasPrefix(n, "cd_") && n != "cd_valid" && !exp[i].CD.Valid {
					continue
				}
				if ew[sl.Offset] != ow[sl.Offset] && done+i > 1 {
					fmt.Printf("cycle %d %s got %x want %x\n", done+i, n, ow[sl.Offset], ew[sl.Offset])
					bad++
				}
			}
			if bad > 0 {
				for _, a := range lastAcks[max(0, len(lastAcks)-12):] {
					fmt.Println(a)
				}
				fmt.Printf("%+v\n", exp[i].M)
				os.Exit(1)
			}
		}
	}
	fmt.Println("ok")
}
