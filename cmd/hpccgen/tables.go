package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/config/registers"
)

type tablesCommand struct {
	configFlag
	RTT      string   `name:"rtt" placeholder:"T" help:"Base round-trip time (the longest of the configuration)."`
	Rate     []string `placeholder:"B" help:"Link rate of the next rate code, such as 100G; once for each (those of the configuration)."`
	Eta      string   `placeholder:"ETA" help:"Target utilisation (0.95)."`
	Flows    int      `placeholder:"N" help:"Flows that share a link, for W_ai = W_init (1 - eta) / N (those of the configuration)."`
	WAI      string   `name:"w-ai" placeholder:"SIZE" help:"Additive increase in place of that from N."`
	WMin     string   `name:"w-min" placeholder:"SIZE" help:"Smallest window (that of the configuration)."`
	WMax     string   `name:"w-max" placeholder:"SIZE" help:"Largest window (W_init: the fastest rate times T)."`
	MaxStage int      `name:"max-stage" default:"5" placeholder:"N" help:"Additive steps before a multiplicative one (${default})."`
	Fast     bool     `negatable:"" default:"true" help:"React to every ACK, not to commits alone (yes)."`
	Profile  int      `placeholder:"P" help:"Profile that is written (0)."`
	JSON     string   `name:"json" placeholder:"FILE" help:"Write the words as JSON; - is the standard output."`
}

// tableWord is a word in the JSON output.
type tableWord struct {
	Table  int         `json:"table"`
	Name   string      `json:"name"`
	Index  int         `json:"index"`
	Field  string      `json:"field"`
	Of     string      `json:"of"`
	Value  string      `json:"value"`
	Word   string      `json:"word"`             // hexadecimal
	Writes []busAccess `json:"writes,omitempty"` // of registers, with bus: axi_lite
}

type busAccess struct {
	Offset string `json:"offset"`
	Data   string `json:"data"`
}

// Run prints the table entries for the constants given.
func (c *tablesCommand) Run(s streams) error {
	d, err := c.load()
	if err != nil {
		return err
	}
	e, is := d.(config.EngineDesign)
	if !is {
		return fmt.Errorf("%s is a switch design: its driver has the words that set it up; tables is for NIC designs",
			d.DesignName())
	}
	words, err := e.Words(config.Settings{Profile: c.Profile, RTT: c.RTT, Rates: c.Rate, Eta: c.Eta, MaxStage: c.MaxStage,
		Fast: c.Fast, Flows: c.Flows, WAI: c.WAI, WMin: c.WMin, WMax: c.WMax})
	if err != nil {
		return err
	}
	software, list := e.Software(), []tableWord{}
	for _, w := range words {
		t := software.Tables[w.Table]
		word := tableWord{int(w.Table), t.Name, w.Index, w.Field, w.Of, w.Value,
			fmt.Sprintf("0x%0*x", (t.Bits+3)/4, w.Data), nil}
		if e.Frame().AXILite {
			for _, a := range registers.WriteTable(software, w.TableWrite) {
				word.Writes = append(word.Writes, busAccess{fmt.Sprintf("0x%04x", a.Offset), fmt.Sprintf("0x%08x", a.Data)})
			}
		}
		list = append(list, word)
	}
	if c.JSON != "" {
		return writeJSON(s.aside(c.JSON), c.JSON, list)
	}
	return printWords(s, list)
}

// printWords prints a table for people.
func printWords(s streams, list []tableWord) error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "table\tindex\tfield\tof\tvalue\tword\taddress")
	for _, w := range list {
		address := fmt.Sprintf("tw: table %d, index %d", w.Table, w.Index)
		if w.Writes != nil {
			var accesses []string
			for _, a := range w.Writes {
				accesses = append(accesses, a.Offset+" = "+a.Data)
			}
			address = strings.Join(accesses, ", ")
		}
		fmt.Fprintf(t, "%d %s\t%d\t%s\t%s\t%s\t%s\t%s\n", w.Table, w.Name, w.Index, w.Field, w.Of, w.Value, w.Word, address)
	}
	return t.Flush()
}
