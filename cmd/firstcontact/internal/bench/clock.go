package bench

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

// clock is read before and after what is measured.
type clock func() (time.Duration, error)

// clocks are those of --clock.
var clocks = []struct {
	name, unit string
	read       clock
}{
	{"thread", "thread CPU microseconds", cputime.Thread},
	{"wall", "microseconds on the wall clock", wall},
}

var began = time.Now()

// wall is the time since the program began. No system call reads it.
func wall() (time.Duration, error) { return time.Since(began), nil }

// clockNamed returns a clock and its unit.
func clockNamed(name string) (read clock, unit string, err error) {
	for _, c := range clocks {
		if c.name == name {
			return c.read, c.unit, nil
		}
	}
	return nil, "", fmt.Errorf("--clock %s: give %s or %s", name, clocks[0].name, clocks[1].name)
}
