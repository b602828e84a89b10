package packets_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/packets"
)

// frame is tshark's dissection of a packet.
type frame struct {
	length    string
	protocols string
	expert    string // its complaint; may be empty
}

// tshark reads a capture, all of it.
func tshark(t testing.TB, capture []byte) []frame {
	t.Helper()
	path := write(t, "out.pcap", capture)
	args := []string{"-n", "-r", path, "-T", "json", "-e", "frame.len", "-e", "frame.protocols", "-e",
		"_ws.expert.message", "-e", "_ws.malformed"}
	for _, check := range []string{"ip.check_checksum", "udp.check_checksum", "tcp.check_checksum"} {
		args = append(args, "-o", check+":TRUE")
	}
	cmd := exec.Command("tshark", args...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	cmd.Env = append(os.Environ(), "LC_ALL=C", "HOME="+t.TempDir()) // whatever preferences the user has
	require.NoError(t, cmd.Run(), errOut.String())
	var list []struct {
		Source struct {
			Layers map[string][]string `json:"layers"`
		} `json:"_source"`
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &list))
	frames := make([]frame, len(list))
	for i, f := range list {
		l := f.Source.Layers
		frames[i] = frame{
			length: strings.Join(l["frame.len"], ","), protocols: strings.Join(l["frame.protocols"], ","),
			expert: strings.Join(append(l["_ws.expert.message"], l["_ws.malformed"]...), "; "),
		}
	}
	return frames
}

// TestTshark has a protocol analyser read the corpus and all that leaves a switch. It has nothing to say about packets
// that are in order, whether their tag has been removed or not.
func TestTshark(t *testing.T) {
	needs(t, "tshark")
	for i, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			c := newSwitch(t, d.edit)
			cases, list := traffic(t, c, 3)
			before := tshark(t, captureText(t, list))
			require.Len(t, before, len(list))
			for _, e := range []string{"model", "go"} {
				if e != "model" && i > 0 {
					continue // the bytes are the same: TestEnginesGiveTheSameBytes
				}
				rep, err := packets.RunPackets(c, list, packets.Options{Engine: e})
				require.NoError(t, err)
				after := tshark(t, output(t, rep))
				left := len(list)
				for _, r := range rep.Results {
					if r.Dropped {
						left--
					}
				}
				require.Len(t, after, left)
				complaints, read := 0, map[string]int{}
				at := 0
				for n, p := range rep.Sent {
					if rep.Results[n].Dropped {
						continue
					}
					k, a := &cases[p.Number-1], &after[at]
					at++
					if a.expert != "" {
						complaints++
					}
					if k.Clean {
						assert.Empty(t, before[n].expert, "packet %d (%s), before: %x", p.Number, k.Name, p.Data)
						assert.Empty(t, a.expert, "packet %d (%s), after: %x", p.Number, k.Name, rep.Results[n].Data)
					}
					if status := rep.Order[rep.Results[n].Status]; status == "stripped" || status == "distrusted" {
						for _, name := range []string{"ip:udp", "ip:tcp", "ipv6:udp", "ipv6:tcp", "arp", "llc"} {
							if strings.Contains(a.protocols, ":"+name) {
								assert.NotContains(t, before[n].protocols, ":"+name, "its tag hides it from an analyser that does not know it")
								read[name]++
							}
						}
					}
				}
				t.Logf(
					"%s: %d packets, %d complaints, all at packets that are not in order; inner packets read again behind removed tags: %v", e, len(after), complaints, read)
				assert.NotZero(t, complaints, "the runts are no Ethernet frames")
				assert.Len(t, read, 6, "inner packets of every kind are read again where the tag was removed")
			}
		})
	}
}

// TestTsharkNotices shows that the check above can fail: one byte of a stripped packet too many or too few.
func TestTsharkNotices(t *testing.T) {
	needs(t, "tshark")
	c := newSwitch(t, func(c *config.CSIG) { c.CompactTPID = 0 })
	cases, list := traffic(t, c, 3)
	rep, err := packets.RunPackets(c, list, packets.Options{})
	require.NoError(t, err)
	noticed := 0
	for i := range rep.Results {
		r := &rep.Results[i]
		if k := &cases[rep.Sent[i].Number-1]; k.Clean && rep.Order[r.Status] == "stripped" {
			r.Data = append(append([]byte{}, r.Data[:k.At+3]...), r.Data[k.At+2:]...)
		}
	}
	frames := tshark(t, output(t, rep))
	for i, p := range rep.Sent {
		if rep.Results[i].Dropped {
			continue
		}
		if cases[p.Number-1].Clean && frames[0].expert != "" {
			noticed++
		}
		frames = frames[1:]
	}
	assert.NotZero(t, noticed)
}
