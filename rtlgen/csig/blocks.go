package csig

import (
	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/vgen"
)

// Blocks of the pipeline by themselves, for what is proven of them. They are those that Build instantiates.

// Compare is csig_compare: whether the port's code replaces that of the packet, and the tag that does.
func Compare(c *config.CSIG) *vgen.Module { return compareBlock(c) }

// Header is csig_header: it gathers the words of a packet's header, and counts its bytes.
func Header(c *config.CSIG) *vgen.Module { return headerBlock(c) }

// Walk is csig_walk: it finds the tag, in the words that Header has gathered, or along with the beats at 64 bits.
func Walk(c *config.CSIG) *vgen.Module {
	if alongBeats(c) {
		return walkSerialBlock(c)
	}
	return walkBlock(c)
}

// Editor is csig_editor: it updates or removes the tag of each packet as decided.
func Editor(c *config.CSIG) *vgen.Module { return editorBlock(c) }
