// Package recording turns measured joint positions, such as recorded
// sensor_msgs/JointState messages, into a motion.
//
// Each joint has samples of its own: several publishers may each measure a part
// of the robot, at times of their own. Between two samples of a joint nothing was
// measured. There the joint is taken to move in a straight line (a continuous joint
// the short way round), which the premise between-samples names. An interval far
// longer than the usual one, and what lies outside the time that all joints
// are measured, is the gap recording-gap: without its acceptance nothing after it
// is proved.
package recording

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Options of a Builder; the zero value is the documented default.
type Options struct {
	// Joints limits the recording to these joints: samples of others are left
	// out, and each of these has to occur. Empty means all that occur.
	Joints []string

	// MaxGap is the longest interval (s) between two samples of a joint that is
	// no gap. 0 means five times the joint's median interval, but at least 0.1
	// s and at most 1 s.
	MaxGap float64

	// Continuous tells of each joint whether a whole turn leads back to the same
	// pose, also of joints that follow it. Between two samples more than half a
	// turn apart such a joint takes the short way, another one goes directly.
	// It matters only where another joint is sampled in between; for a joint
	// that is not listed, that is a gap.
	Continuous map[string]bool
}

// Builder collects samples. Create it by New, Add every message, then call Motion once.
// It is not safe for concurrent use.
type Builder struct {
	opts   Options
	wanted map[string]bool // of Options.Joints; nil for all
	joints map[string]*series
	order  []string // of joints, by first occurrence
	total  int      // samples of all joints
	lists  []nameList

	messages    int
	counted     int            // messages that name a joint of the recording
	first, last int64          // their earliest and latest stamp
	sorted      int            // samples that came late and were sorted in
	unmeasured  map[string]int // messages without a position of the joint
}

// series are the samples of one joint.
type series struct {
	name  string
	times []int64 // ns
	at    []float64
	late  bool // not in the order of time
	list  int  // index of the first message's list of names
	rival bool // messages with other lists measure it, too
}

// New returns an empty Builder.
func New(opts Options) *Builder {
	b := &Builder{opts: opts, joints: map[string]*series{}, unmeasured: map[string]int{}}
	if len(opts.Joints) > 0 {
		b.wanted = map[string]bool{}
		for _, name := range opts.Joints {
			b.wanted[name] = true
		}
	}
	return b
}

// maxDisorder (ns) is how much later than its successors a sample may come. A clock that
// jumps back further was restarted.
const maxDisorder = 1_000_000_000

// maxSpan (ns) keeps all times of a recording apart as float64 seconds; it is 104 days.
const maxSpan = 1 << 53

// Add adds one message: the time of its measurement (ns, of any clock), and positions
// (rad or m) of some joints. Messages may overlap in time, repeat each other, and name different
// joints. A joint without a position, or with one that is not a number or not finite, is
// not measured by the message; if positions is empty, none is. Velocities and efforts are
// not used. Messages of one publisher name the same joints: a joint that is measured by messages
// with different lists of names is in doubt, which is a gap. Errors do not name the file.
func (b *Builder) Add(stamp int64, names []string, positions []float64) error {
	if len(positions) != 0 && len(positions) != len(names) {
		return fmt.Errorf("has %d positions for %d names: give one each", len(positions), len(names))
	}
	if stamp < 0 {
		return fmt.Errorf("has the stamp %s s, before zero: the clock of its publisher is wrong", Seconds(stamp))
	}
	b.messages++
	list, twice := b.list(names)
	counts := false
	for i, name := range names {
		if b.wanted != nil && !b.wanted[name] {
			continue
		}
		counts = true
		if name == "" {
			return fmt.Errorf("joint %d has no name: add it, or record a publisher that names all joints", i)
		}
		if slices.Contains(twice, name) {
			return fmt.Errorf("names the joint %s twice: its positions contradict each other; record one publisher", name)
		}
		if len(positions) == 0 || math.IsNaN(positions[i]) || math.IsInf(positions[i], 0) {
			b.unmeasured[name]++
			continue
		}
		if err := b.add(name, list, stamp, positions[i]); err != nil {
			return err
		}
	}
	if counts {
		b.count(stamp)
	}
	return nil
}

func (b *Builder) count(stamp int64) {
	if b.counted == 0 {
		b.first, b.last = stamp, stamp
	}
	b.first, b.last = min(b.first, stamp), max(b.last, stamp)
	b.counted++
}

// nameList is a list of names as messages have it.
type nameList struct {
	names []string
	twice []string // of the names
	same  int      // index of the first list of the same names, in any order
}

// maxLists is how many lists of names are told apart: a publisher has one.
const maxLists = 64

// list returns a number for the names of a message, the same one for the same names, and those
// that it has more than once.
func (b *Builder) list(names []string) (number int, twice []string) {
	for i := range b.lists {
		if slices.Equal(b.lists[i].names, names) {
			return b.lists[i].same, b.lists[i].twice
		}
	}
	sorted := slices.Sorted(slices.Values(names))
	same := slices.IndexFunc(b.lists, func(l nameList) bool { return slices.Equal(slices.Sorted(slices.Values(l.names)), sorted) })
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			twice = append(twice, sorted[i])
		}
	}
	if len(b.lists) == maxLists {
		return same, twice
	}
	if same < 0 {
		same = len(b.lists)
	}
	b.lists = append(b.lists, nameList{slices.Clone(names), twice, same})
	return same, twice
}

func (b *Builder) add(name string, list int, stamp int64, at float64) error {
	if math.Abs(at) > motion.MaxPosition {
		return fmt.Errorf("the position of joint %s is %g: beyond %g rad or m it is no position", name, at, float64(motion.MaxPosition))
	}
	s := b.joints[name]
	if s == nil {
		s = &series{name: name, list: list}
		b.joints[name] = s
		b.order = append(b.order, name)
	}
	s.rival = s.rival || s.list != list
	if n := len(s.times); n > 0 && stamp < s.times[n-1] {
		if s.times[n-1]-stamp > maxDisorder {
			return fmt.Errorf("the stamp of joint %s jumps back from %s to %s s: the clock was restarted, or two recordings follow each other; split them", name, Seconds(s.times[n-1]), Seconds(stamp))
		}
		s.late = true
		b.sorted++
	}
	if b.total++; b.total > limit.RecordingSamples {
		return fmt.Errorf("has more than %d measured positions, the limit: cut the recording into parts, or choose joints", limit.RecordingSamples)
	}
	s.times, s.at = append(s.times, stamp), append(s.at, at)
	return nil
}

// Seconds prints nanoseconds as seconds with nine decimals.
func Seconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	return fmt.Sprintf("%s%d.%09d", sign, ns/1e9, ns%1e9)
}

// clean sorts the samples and removes those that repeat their predecessor.
func (s *series) clean() (repeated int, err error) {
	if s.late {
		order := make([]int, len(s.times))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return int(min(1, max(-1, s.times[i]-s.times[j]))) })
		times, at := make([]int64, len(order)), make([]float64, len(order))
		for k, i := range order {
			times[k], at[k] = s.times[i], s.at[i]
		}
		s.times, s.at = times, at
	}
	n := 0
	for i := range s.times {
		if n > 0 && s.times[n-1] == s.times[i] {
			if s.at[n-1] != s.at[i] {
				return 0, fmt.Errorf("joint %s is at %g and at %g at the same time, %s s: two publishers contradict each other, or the clock is too coarse; record one publisher, with a finer clock", s.name, s.at[n-1], s.at[i], Seconds(s.times[i]))
			}
			continue
		}
		s.times[n], s.at[n] = s.times[i], s.at[i]
		n++
	}
	repeated = len(s.times) - n
	s.times, s.at = s.times[:n], s.at[:n]
	return repeated, nil
}

// check fails if no motion can be made of what was added.
func (b *Builder) check() error {
	var missing []string
	for _, name := range b.opts.Joints {
		if b.joints[name] == nil {
			missing = append(missing, name)
		}
	}
	switch {
	case !(b.opts.MaxGap >= 0) || math.IsInf(b.opts.MaxGap, 0):
		return fmt.Errorf("longest gap of %g s: give a positive number of seconds, or 0 for the default", b.opts.MaxGap)
	case b.messages == 0:
		return errors.New("has no joint states")
	case len(missing) > 0:
		return fmt.Errorf("measures no position of %s: choose among %s", strings.Join(missing, ", "), strings.Join(b.order, ", "))
	case len(b.order) == 0:
		return errors.New("measures no position: record a publisher that fills in positions")
	case b.last == b.first && b.counted > 1:
		return fmt.Errorf("all %d messages have the stamp %s s: record a publisher that sets header.stamp", b.counted, Seconds(b.first))
	case b.last-b.first > maxSpan:
		return fmt.Errorf("spans %.0f days, from stamp %s to %s s: leave out the messages with a wrong stamp (a clock that was not set yet?)", float64(b.last-b.first)/86400e9, Seconds(b.first), Seconds(b.last))
	}
	return nil
}
