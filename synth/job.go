package synth

import (
	"github.com/hdlpkg/hpccgen/internal/outfolder"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Stage is how far a design is built.
type Stage int

// The stages, each with all before it.
const (
	stageDefault   Stage = iota // the last that makes sense
	StageNetlist                // cells, by Yosys
	StagePack                   // logic cells, and whether there are enough: seconds
	StageRoute                  // placed and routed: frequencies and critical paths
	StageBitstream              // the file for the part
)

// Job is a design to be built for a part.
type Job struct {
	Design      string // how messages call it
	Top         string
	Files       []vgen.File
	Part        Part
	Constraints []byte  // PCF, LPF or CST; nil: pins are placed freely
	ClockMHz    float64 // target of all clocks that the constraints say nothing of
	Seed        int     // of placement; 0 is 1
	Until       Stage

	Dir       string // gets logs/, and the bitstream; "" for neither
	Bitstream string // file in Dir; "" for the design's name
	CacheDir  string // "" for buildcache.Dir()
	// Step is told what begins; may be nil.
	Step func(string)

	out *outfolder.Folder // Dir, while the job runs
}

func (j *Job) step(text string) {
	if j.Step != nil {
		j.Step(text)
	}
}

func (j *Job) seed() int {
	if j.Seed == 0 {
		return 1
	}
	return j.Seed
}
