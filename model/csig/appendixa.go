package csig

import "github.com/hdlpkg/hpccgen/telemetry"

// AppendixA are the buckets of the draft's Appendix A, for ABW/C with the given fraction. Bounds of percentages are
// rounded up, so that a value has the code of its percentage. The table has no normalised queue depth; that has the
// buckets of the delay, both being times.
func AppendixA(ratio int) (bounds [Types][]uint64) {
	percent := []uint64{0, 1, 5, 10, 20, 50, 75, 90}
	gbps := []uint64{0, 1, 5, 10, 20, 50, 75, 90}
	us := []uint64{0, 10, 50, 100, 200, 400, 800, 2000}
	for i := range percent {
		bounds[telemetry.CSIGMinABW] = append(bounds[telemetry.CSIGMinABW], gbps[i]*1e6)
		bounds[telemetry.CSIGMinABWC] = append(bounds[telemetry.CSIGMinABWC], (percent[i]<<ratio+99)/100)
		bounds[telemetry.CSIGMaxPD] = append(bounds[telemetry.CSIGMaxPD], us[i]*1e3)
		bounds[telemetry.CSIGMaxNQD] = append(bounds[telemetry.CSIGMaxNQD], us[i]*1e3)
	}
	return bounds
}
