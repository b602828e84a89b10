package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/verify/source"
)

// A picture has the curves of the first flows, few points of a long trace, and the ends of its time.
func TestPicture(t *testing.T) {
	p, err := newPicture("a trace", "row,flow,kind,u,w_bytes,wc_bytes,rate_bps,stage,status")
	require.NoError(t, err)
	const rows = 300_000
	for i := range rows {
		p.add(fmt.Appendf(nil, "%d,%d,fast,1,%d,0,%d,0,ok", i+1, i%10, 1000*(i%10), 1_000_000_000), uint64(5_000+1_000*i))
	}
	p.add([]byte("300001,0,none,,,,,,rejected_nhop"), 1e12)
	require.Len(t, p.flows, mostCurves)
	for n, c := range p.flows {
		assert.Equal(t, fmt.Sprint(n), c.name)
		assert.Less(t, len(c.window), mostPoints)
		assert.GreaterOrEqual(t, len(c.window), mostPoints/2-1)
		assert.Equal(t, float64(n), c.window[0].X)
		assert.InDelta(t, rows, c.window[len(c.window)-1].X, 10*float64(c.every)+10)
		assert.Equal(t, float64(n), c.window[7].Y)
		assert.Equal(t, 1.0, c.rate[7].Y)
	}
	path := filepath.Join(t.TempDir(), "a.svg")
	p.file, err = source.Create(path)
	require.NoError(t, err)
	require.NoError(t, p.write())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, part := range []string{"<svg", "a trace", "flow 7", "W, kB", "R, Gbit/s", "time, us", "</svg>"} {
		assert.Contains(t, string(text), part)
	}
	assert.NotContains(t, string(text), "flow 8")
	assert.GreaterOrEqual(t, strings.Count(string(text), "<path"), 2*mostCurves)

	_, err = newPicture("a trace", "row,flow,kind,u")
	assert.EqualError(t, err, "--plot: the results of this law have no column w_bytes")
}
