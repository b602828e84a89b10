package output

import (
	"bytes"
	"encoding/json"

	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// manifestName is the file that describes a design to other tools.
const manifestName = "manifest.json"

// Manifest is the content of manifest.json.
type Manifest struct {
	Tool       string            `json:"tool"`
	Version    string            `json:"version"` // of the generator
	Name       string            `json:"name"`    // of the design
	Top        string            `json:"top"`     // module
	ConfigHash string            `json:"config_hash"`
	Config     string            `json:"config"` // canonical YAML, over which the hash is taken
	Timing     any               `json:"timing"` // a record of config/timing
	Files      []string          `json:"files"`  // all that was generated, relative to the manifest
	Modules    []vgen.ModuleInfo `json:"modules"`
}

func (d *Design) manifest() ([]byte, error) {
	m := Manifest{
		Tool: "hpccgen", Version: Version, Name: d.Config.DesignName(), Top: d.Top,
		ConfigHash: d.Config.DesignHash(), Config: string(d.Config.Canonical()), Timing: d.Timing, Modules: d.Modules,
	}
	for _, f := range d.Files {
		m.Files = append(m.Files, f.Path)
	}
	m.Files = append(m.Files, manifestName)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return b.Bytes(), err
}
