package recording

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// The default for the longest interval that is no gap: usualTimes the median interval,
// but within these bounds (ns). Below the lower one a pause of the recorder is usual; a
// joint that is measured less often than the upper one says is hardly measured.
const (
	usualTimes  = 5
	leastGap    = 100_000_000
	greatestGap = 1_000_000_000
)

// longest returns the longest interval (ns) of the joint that is no gap.
func (b *Builder) longest(s *series) int64 {
	if b.opts.MaxGap > 0 {
		return int64(min(b.opts.MaxGap, maxSpan/1e9) * 1e9)
	}
	intervals := make([]int64, len(s.times)-1)
	for i := range intervals {
		intervals[i] = s.times[i+1] - s.times[i]
	}
	if len(intervals) == 0 {
		return leastGap
	}
	slices.Sort(intervals)
	median := intervals[len(intervals)/2]
	return min(max(leastGap, usualTimes*min(median, greatestGap)), greatestGap)
}

// gaps lists what the motion on [from, to] (ns) rests on and what the recording leaves open.
func (b *Builder) gaps(all []*series, from, to int64, m *merger) []premise.Premise {
	var longest int64
	var of string
	var out []premise.Premise
	for _, s := range all {
		g := b.gapsOf(s, from, to)
		if g.widest > longest {
			longest, of = g.widest, s.name
		}
		if len(g.parts) > 0 {
			out = append(out, g.premise(s.name))
		}
		out = append(out, s.doubts()...)
		if t, ok := m.unclear[s.name]; ok {
			out = append(out, unclearTurn(s.name, seconds(max(t, from)-from)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.unmeasured)) {
		if b.joints[name] == nil {
			out = append(out, neverMeasured(name))
		}
	}
	between := premise.Premise{
		Kind: premise.BetweenSamples, Value: seconds(longest),
		Detail: fmt.Sprintf("the motion was measured; between samples, up to %.3g s apart (joint %s), the joints are taken to move in straight lines, and continuous ones the short way round", seconds(longest), of),
	}
	return append([]premise.Premise{between}, out...)
}

// gap is what a recording leaves open about a joint.
type gap struct {
	parts  []string
	begin  int64 // ns from the motion's start
	widest int64 // of all intervals (ns)
}

// gapsOf looks for gaps of the joint in, before and after the motion on [from, to].
func (b *Builder) gapsOf(s *series, from, to int64) gap {
	limit := b.longest(s)
	g := gap{begin: to - from}
	count, longest := 0, int64(0)
	for i := 1; i < len(s.times); i++ {
		if s.times[i] <= from || s.times[i-1] >= to {
			continue
		}
		d := s.times[i] - s.times[i-1]
		g.widest = max(g.widest, d)
		if d <= limit {
			continue
		}
		count++
		longest = max(longest, d)
		g.begin = min(g.begin, max(s.times[i-1], from)-from)
	}
	if count > 0 {
		g.parts = append(g.parts, fmt.Sprintf("for %.3g s from %.6g s on, between two samples (longer than %.3g s: %d times, at most %.3g s)",
			seconds(intervalAt(s, from+g.begin)), seconds(g.begin), seconds(limit), count, seconds(longest)))
	}
	if late := s.times[0] - b.first; late > limit {
		g.begin = 0
		g.parts = append(g.parts, fmt.Sprintf("before it was first measured, %.3g s after the first joint", seconds(late)))
	}
	if early := b.last - s.end(); early > limit {
		g.parts = append(g.parts, fmt.Sprintf("after it was last measured, %.3g s before the recording ends", seconds(early)))
	}
	return g
}

// shortest returns the way from one position to another, without whole turns.
func shortest(from, to float64) float64 {
	return to - from - 2*math.Pi*float64(motion.ShortWay(from, to))
}

// intervalAt returns the interval between the samples around time t, or the one that begins there.
func intervalAt(s *series, t int64) int64 {
	i, found := slices.BinarySearch(s.times, t)
	if found {
		i++
	}
	return s.times[i] - s.times[i-1]
}

func (g *gap) premise(joint string) premise.Premise {
	return premise.Premise{
		Kind: premise.RecordingGap, Names: []string{joint}, Value: seconds(g.begin),
		Detail: fmt.Sprintf("nothing is known of joint %s %s", joint, strings.Join(g.parts, ", and ")),
		Remedy: "record without a pause, cut the recording there, or give the longest interval that you rely on (--max-gap)",
	}
}

// doubts tells of samples that may be of two publishers which contradict each other: the
// motion goes through all of them, and so between none of either as that one moved.
func (s *series) doubts() (out []premise.Premise) {
	doubt := func(why string) {
		out = append(out, premise.Premise{
			Kind: premise.RecordingGap, Names: []string{s.name},
			Detail: fmt.Sprintf("joint %s: %s", s.name, why), Remedy: "record one publisher of the joint",
		})
	}
	if s.late {
		doubt("its stamps run back, as those of two publishers do, or of a clock that is set; they were sorted")
	}
	if s.rival {
		doubt("messages that name different joints measure it, so two publishers may contradict each other")
	}
	if n, at := s.jumps(); n >= fewestJumps {
		doubt(fmt.Sprintf("%d samples are far from both of their neighbours, which agree with each other (such as %g at %s s), as where two publishers contradict each other", n, s.at[at], Seconds(s.times[at])))
	}
	return out
}

// A jump is a sample that the joint can hardly have been at, since it was elsewhere just before
// and just after.
const (
	jumpWidth   = 0.05 // rad or m, at least
	jumpReturn  = 0.2  // of its width, within which the neighbours agree
	jumpEffort  = 200  // rad/s² or m/s² that it takes, at least
	fewestJumps = 3    // fewer may be faults of a sensor
)

// jumps counts the jumps of the joint, and returns the index of the first.
func (s *series) jumps() (n, first int) {
	for i := 1; i+1 < len(s.at); i++ {
		there, back := shortest(s.at[i-1], s.at[i]), shortest(s.at[i], s.at[i+1])
		if math.Abs(there) < jumpWidth || math.Abs(there+back) > jumpReturn*math.Abs(there) {
			continue
		}
		before, after := seconds(s.times[i]-s.times[i-1]), seconds(s.times[i+1]-s.times[i])
		if effort := 2 * math.Abs(there/before-back/after) / (before + after); effort < jumpEffort {
			continue
		}
		if n++; n == 1 {
			first = i
		}
	}
	return n, first
}

func unclearTurn(joint string, at float64) premise.Premise {
	return premise.Premise{
		Kind: premise.RecordingGap, Names: []string{joint}, Value: at,
		Detail: fmt.Sprintf("joint %s is measured more than half a turn apart from %.6g s on, while other joints are measured in between: it is checked as going directly, which is wrong for a continuous joint", joint, at),
		Remedy: "record its publisher more often, or leave the joints out that do not belong to it",
	}
}

func neverMeasured(joint string) premise.Premise {
	return premise.Premise{
		Kind: premise.RecordingGap, Names: []string{joint},
		Detail: fmt.Sprintf("joint %s is named but never measured: no message has a finite position of it", joint),
		Remedy: "record a publisher that measures it, or choose the other joints, so that it is held",
	}
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }
