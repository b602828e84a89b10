package hpcc_test

import (
	"math/big"

	"github.com/hdlpkg/hpccgen/config"
)

// typicalProfile has T = 8192 ns and windows for 100 Gbit/s.
func typicalProfile() config.Profile {
	return config.Profile{
		BaseRTTNs: 8192, Eta: big.NewRat(95, 100), MaxStage: 5, Fast: true,
		WAI: big.NewRat(80, 1), WMin: big.NewRat(1000, 1), WMax: big.NewRat(102400, 1),
	}
}
