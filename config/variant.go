package config

import (
	"fmt"
	"math"
)

// Variant is an engine's configuration with another order of hops, other dividers, another precision: a point of the
// space that an exploration goes through.
type Variant struct {
	Serial   bool    // one hop after the other instead of one lane a hop
	Hop      Divider // parameters that are 0 have the defaults of their kind
	Quotient Divider
	// largest relative error of W and R, from which the formats are derived; 0: the formats stay as they are
	MaxError float64
}

// Vary gives the configuration with the order, the dividers and the precision of a variant, everything else as it is.
// What comes out is checked in full, as a file would be, and yaml is that file. The error is Problems when the variant
// cannot work: their lines are those of yaml, which is given in this case too.
func (c *NIC) Vary(v Variant) (varied *NIC, yaml []byte, err error) {
	next := *c
	next.Serial, next.HopDivider, next.QuotientDivider = v.Serial, v.Hop, v.Quotient
	var other map[string]string
	if v.MaxError != 0 {
		if math.IsNaN(v.MaxError) || math.IsInf(v.MaxError, 0) {
			return nil, nil, fmt.Errorf("a largest error of %v means nothing", v.MaxError)
		}
		other = map[string]string{"precision.max_error": plainNumber(v.MaxError), "precision.formats": ""}
	}
	yaml = canonicalForm(&next, hpccKeys, other)
	varied, err = Parse("variant of "+c.Name, yaml)
	return varied, yaml, err
}
