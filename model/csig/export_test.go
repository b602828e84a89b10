package csig

// EstimateScale converts the measured value to kbit/s.
func (c *Config) EstimateScale() (Scale, error) { return c.estimateScale() }

// PortScales are the two factors of a port's capacity.
func (c *Config) PortScales(capacity uint64) (ratio, depth Scale, err error) {
	return c.portScales(capacity)
}
