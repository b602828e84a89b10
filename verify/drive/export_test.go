package drive

import (
	"time"

	"github.com/hdlpkg/hpccgen/verify/stimulus/timeline"
)

// Shows reports whether a script shows a mismatch.
func Shows(s Subject, o Options, script timeline.Script) (bool, error) {
	o = o.withDefaults("test")
	found, err := play(s, &o, "", script, time.Time{})
	return found != nil, err
}
