package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Blocks of the pipeline by themselves, for what is compared and proven of them. They are those that Build instantiates.

// Compare is csig_compare: whether the port's code replaces that of the packet, and the tag that does.
func Compare(c *config.CSIG) *vgen.Module { return compareBlock(c) }

// Walk is csig_walk: it finds the tag, in the words that csig_header has gathered, or along with the beats at 64 bits.
func Walk(c *config.CSIG) *vgen.Module {
	if alongBeats(c) {
		return walkSerialBlock(c)
	}
	return walkBlock(c)
}

// FoldedMeter is csig_meter of a folded pipeline with method raw.
func FoldedMeter(name string, c *config.CSIG) *vgen.Module { return foldedMeterBlock(name, c) }

// FoldedBucketizer is csig_bucketizer of a folded pipeline.
func FoldedBucketizer(c *config.CSIG) *vgen.Module { return foldedBucketBlock(c) }

// FoldedCounters is csig_counters of a folded pipeline.
func FoldedCounters(name string, c *config.CSIG) *vgen.Module { return foldedCounters(name, c) }

// FoldedCycles is how far packets of a folded pipeline are apart.
const FoldedCycles = foldedCycles

// Editor is csig_editor: it updates or removes the tag of each packet as decided.
func Editor(c *config.CSIG) *vgen.Module { return editorBlock(c) }
