package law_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
)

func TestBuildPresets(t *testing.T) {
	for _, p := range config.PresetsOf(config.KindNIC) {
		t.Run(p.Name, func(t *testing.T) {
			c, err := config.Load(p.Name)
			require.NoError(t, err)
			e, err := law.Build(c)
			require.NoError(t, err)
			t.Logf("%+v", e.Timing)
		})
	}
}
