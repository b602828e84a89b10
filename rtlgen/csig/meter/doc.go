// Package meter generates csig_meter, which measures the bandwidth of each port by windows, EWMA or DRE (docs/csig.md,
// Meters). windows*.go is the raw meter with two operations of look-ahead, for Places.Windows.
package meter
