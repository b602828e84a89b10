package meter

import "github.com/hdlpkg/hpccgen/rtlgen/transit"

// Short names for frequent operations.
var and, bit, flag, or = transit.And, transit.Bit, transit.Flag, transit.Or
