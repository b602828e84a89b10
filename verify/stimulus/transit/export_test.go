package transit

import (
	"math/bits"

	model "github.com/hdlpkg/hpccgen/model/transit"
)

// Inputs reads one cycle's inputs back from words.
func (b *Binding) Inputs(words []uint64, in *model.Inputs) {
	b.in.Get(words, in)
	getBytes(of(words, &b.s.data), in.Beat.Data[:b.bytes])
	in.Beat.Len = b.bytes
	if in.Beat.Last {
		in.Beat.Len = bits.Len64(words[b.s.keep.Offset])
	}
	user, m := of(words, &b.s.user), b.meta
	in.Meta = model.Meta{
		IngressPort: int(m[0].get(user)), EgressPort: int(m[1].get(user)),
		IngressNs: m[2].get(user), EgressNs: m[3].get(user), QlenBytes: m[4].get(user),
	}
}
