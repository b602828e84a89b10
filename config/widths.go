package config

// NhopBits is the width of an ACK's hop count. It is fixed, so that a count above the maximum can be told.
const NhopBits = 4

// RateCodes is the number of rate codes, known and unknown.
func (c *NIC) RateCodes() int { return 1 << c.Telemetry.RateCodeBits }

// RateEntryBits is the width of an entry of the rate table: InvB, and above it the bit that says
// that the code is known.
func (c *NIC) RateEntryBits() int { return c.Formats.InvB.Width() + 1 }

// StageEntryBits is the width of an entry of the stage table: maxStage, and above it the bit that
// enables fast reaction.
func (c *NIC) StageEntryBits() int { return c.StageBits + 1 }

// TableEntryBits is the width of the entries of a table.
func (c *NIC) TableEntryBits(t Table) int {
	switch t {
	case TableRate:
		return c.RateEntryBits()
	case TableQueue:
		return c.Formats.InvBT.Width()
	case TableRTT:
		return c.RTTBits
	case TableInvRTT:
		return c.Formats.InvT.Width()
	case TableEta:
		return c.Formats.Eta.Width()
	case TableStage:
		return c.StageEntryBits()
	case TableWAI, TableWMin, TableWMax:
		return c.Formats.Window.Width()
	}
	return 0
}

// TableEntries is the number of entries of a table.
func (c *NIC) TableEntries(t Table) int {
	switch t {
	case TableRate:
		return c.RateCodes()
	case TableQueue:
		return c.RateCodes() * c.Profiles
	}
	return c.Profiles
}

// TableIndexBits is the width of tw_index: that of the queue table, the largest.
func (c *NIC) TableIndexBits() int { return c.Telemetry.RateCodeBits + c.ProfileBits() }

// TableDataBits is the width of tw_data: that of the widest entry.
func (c *NIC) TableDataBits() int {
	widest := 0
	for t := TableRate; t <= TableWMax; t++ {
		widest = max(widest, c.TableEntryBits(t))
	}
	return widest
}
