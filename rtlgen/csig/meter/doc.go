// Package meter generates csig_meter: how much each port has sent lately, by windows, EWMA or DRE (docs/csig.md,
// Meters). windows*.go is the raw meter that looks two operations ahead, with Places.Windows.
package meter
