package recording

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Recorded is the motion of a recording.
type Recorded struct {
	// Motion goes through every sample, in straight lines. Its Gaps hold the premise
	// between-samples and what the recording leaves open.
	Motion *motion.Motion
	// Start is the stamp (ns) at the motion's time 0: the first time at which every
	// joint has been measured.
	Start int64
	// Notes tell what a user should know about the recording.
	Notes []string
}

// Motion returns the motion of all that was added. It begins when every joint has been
// measured, and ends when the first of them is measured for the last time.
func (b *Builder) Motion() (*Recorded, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	all := make([]*series, len(b.order))
	repeated := 0
	for i, name := range b.order {
		all[i] = b.joints[name]
		n, err := all[i].clean()
		if err != nil {
			return nil, err
		}
		repeated += n
	}
	from, to, err := overlap(all)
	if err != nil {
		return nil, err
	}
	times, err := union(all, from, to)
	if err != nil {
		return nil, err
	}
	m := &merger{times: times, opts: &b.opts, seconds: make([]float64, len(times))}
	for i, t := range times {
		m.seconds[i] = float64(t-from) / 1e9
	}
	out := &Recorded{Start: from, Notes: b.notes(repeated)}
	if out.Motion, err = m.motion(b.order, all); err != nil {
		return nil, err
	}
	out.Motion.Gaps = b.gaps(all, from, to, m)
	return out, nil
}

// overlap returns the time during which every joint is measured.
func overlap(all []*series) (from, to int64, err error) {
	var begins, ends *series
	for _, s := range all {
		if begins == nil || s.times[0] > begins.times[0] {
			begins = s
		}
		if ends == nil || s.end() < ends.end() {
			ends = s
		}
	}
	from, to = begins.times[0], ends.end()
	switch {
	case from < to:
		return from, to, nil
	case begins == ends:
		return 0, 0, fmt.Errorf("joint %s is measured once only, at %s s: record it for longer, or leave it out by naming the other joints", begins.name, Seconds(from))
	}
	return 0, 0, fmt.Errorf("joint %s is measured until %s s and joint %s from %s s on: never both; leave one out by naming the other joints, or synchronise the clocks of their publishers",
		ends.name, Seconds(to), begins.name, Seconds(from))
}

func (s *series) end() int64 { return s.times[len(s.times)-1] }

// union returns the times of all samples within [from, to], each once.
func union(all []*series, from, to int64) ([]int64, error) {
	var times []int64
	for _, s := range all {
		i, _ := slices.BinarySearch(s.times, from)
		j, found := slices.BinarySearch(s.times, to)
		if found {
			j++
		}
		if merged := s.times[i:j]; !slices.Equal(merged, times) {
			times = mergeTimes(times, merged)
		}
	}
	if n := len(times) * len(all); n > limit.RecordingSamples {
		return nil, fmt.Errorf("has %d positions of all %d joints at all %d times, more than %d: cut it into parts, or choose joints", n, len(all), len(times), limit.RecordingSamples)
	}
	return times, nil
}

func mergeTimes(a, b []int64) []int64 {
	if len(a) == 0 {
		return slices.Clone(b)
	}
	out := make([]int64, 0, max(len(a), len(b)))
	for len(a) > 0 || len(b) > 0 {
		var next int64
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] <= b[0]:
			next = a[0]
		default:
			next = b[0]
		}
		if len(a) > 0 && a[0] == next {
			a = a[1:]
		}
		if len(b) > 0 && b[0] == next {
			b = b[1:]
		}
		out = append(out, next)
	}
	return out
}

// merger puts every joint on the times of all samples.
type merger struct {
	opts    *Options
	times   []int64
	seconds []float64

	unclear map[string]int64 // by joint, where the first turn begins of which the way is not known (ns)
}

func (m *merger) motion(joints []string, all []*series) (*motion.Motion, error) {
	columns := make([][]float64, len(all))
	for j, s := range all {
		columns[j] = m.column(s)
	}
	rows := make([]float64, len(all)*len(m.times))
	points := make([]motion.Waypoint, len(m.times))
	for i := range points {
		row := rows[i*len(all) : (i+1)*len(all)]
		for j := range columns {
			row[j] = columns[j][i]
		}
		points[i] = motion.Waypoint{Time: m.seconds[i], Positions: row}
	}
	return motion.Linear(joints, points)
}

// column returns the joint's positions at all times.
func (m *merger) column(s *series) []float64 {
	out := make([]float64, len(m.times))
	k := 0 // the last sample no later than the time
	for i, t := range m.times {
		for k+1 < len(s.times) && s.times[k+1] <= t {
			k++
		}
		if s.times[k] == t {
			out[i] = s.at[k]
			continue
		}
		d := m.way(s, k)
		f := float64(t-s.times[k]) / float64(s.times[k+1]-s.times[k])
		out[i] = s.at[k] + f*d
	}
	return out
}

// way returns how far the joint goes from sample k to the next one, which others
// are sampled between.
func (m *merger) way(s *series, k int) float64 {
	d := s.at[k+1] - s.at[k]
	turns := motion.ShortWay(s.at[k], s.at[k+1])
	if turns == 0 {
		return d
	}
	switch continuous, known := m.opts.Continuous[s.name]; {
	case !known:
		if _, seen := m.unclear[s.name]; !seen {
			if m.unclear == nil {
				m.unclear = map[string]int64{}
			}
			m.unclear[s.name] = s.times[k]
		}
	case continuous:
		return d - 2*math.Pi*float64(turns)
	}
	return d
}

// notes tell what was done to the messages.
func (b *Builder) notes(repeated int) []string {
	notes := []string{"a recording: velocities and efforts are not used"}
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if b.sorted > 0 {
		add("%d measured positions came out of order and were sorted by their stamps", b.sorted)
	}
	if repeated > 0 {
		add("%d measured positions repeat another one of the same time and were left out", repeated)
	}
	var partly []string
	for _, name := range slices.Sorted(maps.Keys(b.unmeasured)) {
		if b.joints[name] != nil {
			partly = append(partly, fmt.Sprintf("%s (%d)", name, b.unmeasured[name]))
		}
	}
	if len(partly) > 0 {
		add("messages without a finite position were left out, of joints: %s", strings.Join(partly, ", "))
	}
	return notes
}
