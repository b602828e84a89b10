package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/law/hpcc"
)

func mustNIC(t testing.TB, cfg *config.NIC, taps bool) *hpcc.Subject {
	t.Helper()
	l, err := hpcc.New(cfg)
	require.NoError(t, err)
	n, err := l.NewSubject(taps)
	require.NoError(t, err)
	return n
}
