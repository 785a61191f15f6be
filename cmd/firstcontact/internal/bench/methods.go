package bench

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// benchMethod is a way of checking a segment.
type benchMethod struct {
	name, about string
	ask         func(q *motion.Query)                          // completes the query
	motion      func(m *motion.Motion) (*motion.Motion, error) // motion to check; nil: the segment
	distance    *motion.DistanceQuery                          // measured at the segment's start instead of checking a motion
	together    bool                                           // all segments are asked about in one call
	named       bool                                           // measured only if it is named
}

// benchMethods lists what bench can measure.
var benchMethods = append(ownMethods, paperMethods()...)

// paperMethods are the engines of the papers, each with both questions.
func paperMethods() []benchMethod {
	var all []benchMethod
	for _, by := range ccd.Methods() {
		if by == motion.Spacetime {
			continue
		}
		for _, asked := range [...]struct {
			suffix, about string
			question      motion.Question
		}{{"", "toc", motion.FirstContact}, {"-free", "free", motion.IsFree}} {
			all = append(all, benchMethod{
				name: by.String() + asked.suffix, about: fmt.Sprintf("%s, by the method %s", asked.about, by), named: true,
				ask: func(q *motion.Query) { q.Question, q.Method = asked.question, by },
			})
		}
	}
	return all
}

// ownMethods are those of the default engine.
var ownMethods = []benchMethod{
	{
		name: "free", about: "yes or no over the whole segment: a proof, or any contact",
		ask: func(q *motion.Query) { q.Question = motion.IsFree },
	},
	{
		name: "toc", about: "the first contact, its time to 1e-6 s, or a proof that there is none",
		ask: func(q *motion.Query) { q.Question = motion.FirstContact },
	},
	{
		name: "clearance", about: "toc, and the smallest distance on a free segment, to a millimetre",
		ask: func(q *motion.Query) { q.Question = motion.MinClearance },
	},
	{
		name: "static", about: "yes or no at one configuration: at rest at the segment's start",
		ask:    func(q *motion.Query) { q.Question = motion.IsFree },
		motion: restAtStart,
	},
	{
		name: "free-all", about: "free, by one call for all segments that have the same answer (CheckAll)",
		ask: func(q *motion.Query) { q.Question = motion.IsFree }, together: true, named: true,
	},
	{
		name: "static-all", about: "static, likewise",
		ask:    func(q *motion.Query) { q.Question = motion.IsFree },
		motion: restAtStart, together: true, named: true,
	},
	{
		name: "self", about: "exact self distance at the segment's start, with witness points",
		ask: func(*motion.Query) {}, distance: &motion.DistanceQuery{NoWorld: true},
	},
	{
		name: "world", about: "exact distance to the obstacles there",
		ask: func(*motion.Query) {}, distance: &motion.DistanceQuery{NoSelf: true},
	},
}

// restAtStart is the motion of a robot at rest at the start of the segment.
func restAtStart(m *motion.Motion) (*motion.Motion, error) {
	return motion.Path(m.Joints, [][]float64{m.At(0)}, nil)
}

func methodNamed(name string) *benchMethod {
	for i := range benchMethods {
		if benchMethods[i].name == name {
			return &benchMethods[i]
		}
	}
	return nil
}

// MethodNames lists what --method may name.
func MethodNames() []string {
	names := make([]string, len(benchMethods))
	for i := range benchMethods {
		names[i] = benchMethods[i].name
	}
	return names
}

// usualMethods are the methods measured by default.
func usualMethods() []string {
	var names []string
	for i := range benchMethods {
		if !benchMethods[i].named {
			names = append(names, benchMethods[i].name)
		}
	}
	return names
}

func describeMethods() string {
	var b strings.Builder
	for i := range benchMethods {
		fmt.Fprintf(&b, "  %-15s %s\n", benchMethods[i].name, benchMethods[i].about)
	}
	return b.String()
}
