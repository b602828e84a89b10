package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
)

func mustNIC(t testing.TB, cfg *config.NIC) *nicSubject {
	t.Helper()
	n, err := newNIC(cfg, true)
	require.NoError(t, err)
	return n
}
