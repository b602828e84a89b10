package cosim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/verify/stimulus"
)

func mustTarget(t testing.TB, cfg *config.NIC) *stimulus.Target {
	t.Helper()
	target, err := stimulus.NewTarget(cfg, true)
	require.NoError(t, err)
	return target
}
