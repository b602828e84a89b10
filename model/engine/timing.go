package engine

import (
	"fmt"

	"github.com/hdlpkg/hpccgen/config/timing"
)

// Timing is the timing of a design that the generator publishes. The model takes it as data.
type Timing = timing.Engine

func checkTiming(t Timing) error {
	for _, v := range []struct {
		name        string
		got, lowest int
	}{
		{"latency", t.Latency, 1}, {"interval", t.Interval, 1}, {"hazard", t.Hazard, 0}, {"credits", t.Credits, 1},
		{"sweep", t.Sweep, 0}, {"input depth", t.InputDepth, 0}, {"count", t.Count, 0}, {"front", t.Front, 0},
		{"output", t.Output, 1},
	} {
		if v.got < v.lowest {
			return fmt.Errorf("golden model: timing: %s is %d; must be at least %d", v.name, v.got, v.lowest)
		}
	}
	if t.Count > t.Latency+1 {
		return fmt.Errorf("golden model: timing: count is %d; must be at most the latency and one, %d",
			t.Count, t.Latency+1)
	}
	if !t.Slotted() {
		switch {
		case t.Told < 1 || t.ToldRead < 1:
			return fmt.Errorf("golden model: timing: told is %d, of a read %d; must be at least 1", t.Told, t.ToldRead)
		case t.Hold != 0 || t.HoldRead != 0:
			return fmt.Errorf("golden model: timing: hold is %d, that of a read %d; must be 0 where there are slices",
				t.Hold, t.HoldRead)
		}
		return nil
	}
	if t.Told != 0 || t.ToldRead != 0 {
		return fmt.Errorf("golden model: timing: told is %d, of a read %d; must be 0 where there are no slices",
			t.Told, t.ToldRead)
	}
	for _, v := range []struct {
		name string
		got  int
	}{{"hold", t.Hold}, {"hold of a read", t.HoldRead}} {
		if v.got < 1 || v.got >= t.Interval {
			return fmt.Errorf("golden model: timing: %s is %d; must be at least 1 and below the interval, %d",
				v.name, v.got, t.Interval)
		}
	}
	if t.Hold > t.Latency || t.Hold > t.Count {
		return fmt.Errorf("golden model: timing: hold is %d; must be at most the latency, %d, and the count, %d",
			t.Hold, t.Latency, t.Count)
	}
	if t.Hazard >= t.Interval {
		return fmt.Errorf("golden model: timing: hazard is %d; must be below the interval, %d, where there are no slices",
			t.Hazard, t.Interval)
	}
	return nil
}
