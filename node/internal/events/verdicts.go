package events

import (
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Of each status the log has so many verdicts at once, and one per period in the long run.
const (
	verdictsAtOnce = 20
	verdictPeriod  = time.Second
)

// Verdicts logs verdicts. The zero value is ready to use, by several goroutines.
type Verdicts struct {
	mu    sync.Mutex
	kinds map[uint8]*kind
}

// kind is what is known of one status.
type kind struct {
	lines  bucket
	missed int // verdicts that are not in the log
}

// Note takes a verdict at a time of the monotonic clock, and returns the line to log, or false
// if there is none. The line begins with the status. FREE is INFO, every other status WARN.
func (v *Verdicts) Note(a *fcmsgs.Verdict, now time.Time) (ros.Note, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	k := v.kinds[a.Status]
	if k == nil {
		k = &kind{lines: bucket{most: verdictsAtOnce, period: verdictPeriod}}
		if v.kinds == nil {
			v.kinds = map[uint8]*kind{}
		}
		v.kinds[a.Status] = k
	}
	if !k.lines.take(now) {
		k.missed++
		return ros.Note{}, false
	}
	status := StatusName(a.Status)
	text := fmt.Sprintf("%s: %s: %s", status, ros.LogName(a.ID), a.Message)
	if k.missed > 0 {
		text += fmt.Sprintf("; %d %s before are not in the log", k.missed, status)
	}
	k.missed = 0
	level := ros.LevelWarn
	if a.Status == fcmsgs.VerdictFree {
		level = ros.LevelInfo
	}
	return ros.Note{Level: level, Text: text}, true
}
