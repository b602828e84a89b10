package law_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hdlpkg/hpccgen/config"
	"github.com/hdlpkg/hpccgen/rtlgen/law"
)

func TestBuildPresets(t *testing.T) {
	for _, p := range config.Presets() {
		if p.Kind != config.KindNIC {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			c, err := config.LoadDesign(p.Name)
			require.NoError(t, err)
			e, err := law.Build(c.(config.EngineDesign))
			require.NoError(t, err)
			t.Logf("%+v", e.Timing)
		})
	}
}
