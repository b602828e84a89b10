package engine

import "github.com/hdlpkg/hpccgen/config/timing"

// Timing is when the engine does what, composed of the latencies of its blocks.
type Timing = timing.Engine
