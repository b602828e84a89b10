package packets_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// TestChecksNotice shows that the checks of single packets can fail: any bit of any packet that leaves wrong, a byte
// too many or too few, another status.
func TestChecksNotice(t *testing.T) {
	t.Run("csig", func(t *testing.T) {
		c := newSwitch(t, func(c *config.CSIG) { c.UEC = true })
		cases, list := traffic(t, c, 11)
		rep, err := packets.RunPackets(c, list, packets.Options{})
		require.NoError(t, err)
		for i := range rep.Results {
			p, r := &rep.Sent[i], rep.Results[i]
			k, status := &cases[p.Number-1], rep.Order[r.Status]
			left := r
			if left.Dropped = !r.Dropped; r.Dropped {
				left.Data = p.Data
			}
			assert.NotEmpty(t, expect(c, k, p, &left, status), "%s, %s: left or not", k.Name, status)
			if r.Dropped {
				continue
			}
			for _, damaged := range damage(r.Data, i) {
				// A value other than the right one that would have replaced the old one is for the comparison of engines to find.
				if status == "updated" && len(damaged) == len(r.Data) && !bytes.Equal(damaged[:k.At], r.Data[:k.At]) {
					continue
				}
				if status != "updated" || len(damaged) != len(r.Data) {
					assert.NotEmpty(t, expect(c, k, p, &packets.Result{Data: damaged}, status), "%s, %s", k.Name, status)
				}
			}
			for _, other := range rep.Order {
				if other != status {
					assert.NotEmpty(t, expect(c, k, p, &r, other), "%s: %s taken for %s", k.Name, status, other)
				}
			}
		}
	})
	t.Run("int", func(t *testing.T) {
		for _, d := range sources {
			c := newSource(d.format, d.edit)
			cases, list := intTraffic(t, c, 11)
			rep, err := packets.RunPackets(c, list, packets.Options{})
			require.NoError(t, err)
			s := &sourceChecker{c, make([]uint64, c.Ports)}
			noticed, records := 0, 0
			for i := range rep.Results {
				p, r := &rep.Sent[i], rep.Results[i]
				k, status := &cases[p.Number-1], rep.Order[r.Status]
				if status == "inserted" && k.Fits {
					records++
					tx := slices.Clone(s.tx)
					wrong := bytes.Clone(r.Data)
					wrong[k.At+recordLen(c)-4] ^= 0x10 // qLen, txBytes, or reserved
					if c.Format == config.INTIFA {
						wrong[k.At+20] ^= 0x10
					}
					if s.check(k, p, wrong, status) != "" {
						noticed++
					}
					s.tx = slices.Clone(tx)
					assert.NotEmpty(t, s.check(k, p, r.Data[:len(r.Data)-1], status), "cut")
					s.tx = tx
				}
				require.Empty(t, s.check(k, p, r.Data, status))
			}
			assert.Greater(t, records, 100)
			assert.Equal(t, records, noticed, d.name)
		}
	})
}

// damage is a packet with one of its bits flipped, a byte less, and a byte more.
func damage(b []byte, n int) [][]byte {
	flipped := bytes.Clone(b)
	flipped[n%len(b)] ^= 1 << (n % 8)
	return [][]byte{flipped, b[:len(b)-1], append(bytes.Clone(b), 0)}
}
