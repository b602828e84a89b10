package config

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

// PresetInfo is a preset's name, its kind of design, the law of a NIC, and what it is, in one line.
type PresetInfo struct{ Name, Kind, Law, Summary string }

// Presets lists the configurations that ship with the tool, the default one first.
func Presets() []PresetInfo {
	return []PresetInfo{
		{"nic-line", KindNIC, LawHPCC,
			"HPCC++ engine at line rate: five hops in parallel, 1,024 flows, HPCC INT widths (the default)"},
		{"nic-serial", KindNIC, LawHPCC,
			"small HPCC++ engine: one hop after the other, 32 flows, widths derived from an error of 5e-4"},
		{"nic-table", KindNIC, LawHPCC,
			"nic-line with the published table divider, neighbouring entries 0.4% apart"},
		{"nic-aimd", KindNIC, LawAIMD,
			"AIMD engine at line rate: the window halves on an ECN mark, else grows; 1,024 flows"},
		{"csig-64p", KindCSIG, "",
			"CSIG pipeline of a switch: 64 ports sharing 512 bits a cycle, each of up to 100G, " +
				"the buckets of the draft's Appendix A"},
		{"csig-4p", KindCSIG, "",
			"small CSIG pipeline: 4 ports of 1G on a stream of 64 bits, compact tags, narrow widths, " +
				"folded, for an iCE40 UP5K or HX8K"},
		{"int-switch", KindINT, "",
			"INT source of a switch: records of HPCC's own header, 32 ports on a stream of 512 bits"},
	}
}

// PresetsOf lists those of a kind of design, with its default law, or of a law.
func PresetsOf(name string) []PresetInfo {
	return slices.DeleteFunc(Presets(), func(p PresetInfo) bool {
		return p.Law != name && (p.Kind != name || p.Law != "" && p.Law != defaultLaw)
	})
}

// PresetYAML is a preset's commented YAML text.
func PresetYAML(name string) ([]byte, error) {
	data, found := presetData(name)
	if !found {
		return nil, unknownPreset(name, "no preset is called %q")
	}
	return data, nil
}

func presetData(name string) ([]byte, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			data, err := presetFiles.ReadFile("presets/" + name + ".yaml")
			return data, err == nil
		}
	}
	return nil, false
}

func unknownPreset(name, format string) error {
	list := make([]string, 0, len(Presets()))
	for _, p := range Presets() {
		list = append(list, p.Name)
	}
	text := fmt.Sprintf(format+"; presets: %s", name, strings.Join(list, ", "))
	if near := closest(name, list); near != "" {
		text += "; nearest: " + near
	}
	return errors.New(text)
}
