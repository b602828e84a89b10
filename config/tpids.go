package config

import "fmt"

// tag is a TPID of a file.
type tag struct {
	name, path string // of the value, and of its key
	at         item
}

// tagsAt lists the TPIDs that some keys hold.
func (d *decoder) tagsAt(paths ...string) (list []tag) {
	for _, path := range paths {
		v := d.values[path]
		if v.number != nil {
			list = append(list, tag{path, path, item{pos: v.pos, number: v.number}})
		}
		for i, one := range v.items {
			if one.number != nil {
				list = append(list, tag{fmt.Sprintf("%s[%d]", path, i), path, one})
			}
		}
	}
	return list
}

// tellApart refuses TPIDs that are those of another tag, or one of the EtherTypes others.
func (d *decoder) tellApart(list []tag, others map[string]string, legal string) {
	seen := map[string]tag{}
	for _, n := range list {
		tpid := (&key{kind: kindTPID}).format(n.at.number)
		p := Problem{Key: n.path, Legal: legal, Reason: "the device must tell tags apart"}
		first, again := seen[tpid]
		switch {
		case others[tpid] != "":
			p.What = fmt.Sprintf("%s is %s, the EtherType of %s", n.name, tpid, others[tpid])
		case again:
			p.What = fmt.Sprintf("%s is %s%s, as is %s%s", n.name, tpid, d.byDefault(n.path), first.name,
				d.byDefault(first.path))
		default:
			seen[tpid] = n
			continue
		}
		at := n.at.pos
		if !d.values[n.path].given {
			at = d.at(n.path)
			if again && d.values[first.path].given {
				at = first.at.pos
			}
		}
		d.report(at, p)
		d.spoil(n.path)
	}
}
