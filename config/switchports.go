package config

import (
	"fmt"
	"reflect"
)

// portsOf reads what software writes for each port of a switch: the defaults, then the overrides in order.
func portsOf[P any](d *decoder, n int) []P {
	ports := make([]P, n)
	all := make([]reflect.Value, n)
	for i := range ports {
		all[i] = reflect.ValueOf(&ports[i]).Elem()
	}
	d.fill(d.lookupPath("port_defaults").keys, "port_defaults", "", all...)
	keys := d.lookupPath("port_overrides").keys
	for i := range d.lists["port_overrides"] {
		path := fmt.Sprintf("port_overrides[%d]", i)
		if !d.sound(path) {
			continue
		}
		if first, last, ok := d.overridden(n, path); ok {
			d.fill(keys, path, "", all[first:last+1]...)
		}
	}
	return ports
}

// overridden are the first and the last port that an override is for.
func (d *decoder) overridden(ports int, path string) (first, last int, ok bool) {
	v, given := d.values[path+".ports"]
	if !given {
		if d.sound(path + ".ports") {
			d.refuse(path+".ports", Problem{What: path + ".ports is missing",
				Legal: d.lookupPath("port_overrides.ports").legal(), Reason: "it says which ports differ"})
		}
		return 0, 0, false
	}
	first, last = int(v.items[0].number.Num().Int64()), int(v.items[1].number.Num().Int64())
	if last < ports {
		return first, last, true
	}
	nearest := fmt.Sprint(ports - 1)
	if first < ports-1 {
		nearest = fmt.Sprintf("%d-%s", first, nearest)
	}
	d.refuse(path+".ports", Problem{What: fmt.Sprintf("%s.ports is %s, with %d ports", path, v.word, ports),
		Legal: fmt.Sprintf("0 to %d", ports-1), Reason: "ports are counted from 0", Nearest: nearest})
	return 0, 0, false
}
