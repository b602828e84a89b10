package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/hdlpkg/hpccgen/internal/buildcache"
)

type cacheCommand struct {
	Clean bool `help:"Remove every build."`
}

// Run shows where builds are kept and how much room they take, or removes them.
func (c *cacheCommand) Run(s streams) error {
	cache, err := buildcache.Open("")
	if err != nil {
		return err
	}
	if c.Clean {
		removed, err := cache.Clean()
		if err != nil {
			return err
		}
		return mustWrite(fmt.Fprintf(s.out, "%s: removed %s\n", cache.Dir(), total(removed)))
	}
	list, err := cache.Entries()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s: %s; limit %s\n", cache.Dir(), total(list), size(cache.Limit()))
	if len(list) > 0 {
		fmt.Fprintf(t, "\nKind\tbuilds\tsize\tlast used\n")
	}
	kinds := map[string][]buildcache.Entry{}
	for _, e := range list {
		kinds[e.Kind] = append(kinds[e.Kind], e)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		of := kinds[kind]
		fmt.Fprintf(t, "  %s\t%d\t%s\t%s\n", cmp.Or(cacheKinds[kind], kind), len(of), size(bytesOf(of)),
			of[len(of)-1].Used.Format(time.DateTime))
	}
	return t.Flush()
}

// cacheKinds describes the kinds of builds.
var cacheKinds = map[string]string{
	"cells":   "cells of modules",
	"header":  "Verilator's headers, compiled",
	"icarus":  "programs of Icarus Verilog",
	"model":   "models of Verilator, compiled",
	"netlist": "netlists",
	"route":   "placed and routed designs",
	"runtime": "Verilator's runtime, compiled",
}

func total(list []buildcache.Entry) string {
	return plural(len(list), "build") + ", " + size(bytesOf(list))
}

func bytesOf(list []buildcache.Entry) (sum int64) {
	for _, e := range list {
		sum += e.Bytes
	}
	return sum
}

// size writes a number of bytes with three digits.
func size(bytes int64) string {
	v, unit := float64(bytes), 0
	units := []string{"B", "kB", "MB", "GB", "TB"}
	for v >= 999.5 && unit < len(units)-1 {
		v, unit = v/1000, unit+1
	}
	return fmt.Sprintf("%.3g %s", v, units[unit])
}
