package folded

import "github.com/hdlpkg/hpccgen/rtlgen/transit"

// Short names for frequent operations.
var and, atLeast, bit, flag, or, vector = transit.And, transit.AtLeast, transit.Bit, transit.Flag, transit.Or, transit.Vector
