package config

// Budget is the proof that a configuration's formats are wide enough, and what one step's error is at most.
type Budget struct {
	WindowRel float64 // relative error of W
	RateRel   float64 // relative error of R
	UAbs      float64 // absolute error of U
}
