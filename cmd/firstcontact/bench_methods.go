package main

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// benchMethod is a way of judging a segment.
type benchMethod struct {
	name, about string
	ask         func(q *motion.Query)                          // completes the question
	motion      func(m *motion.Motion) (*motion.Motion, error) // what is asked about; nil: the segment
	distance    *motion.DistanceQuery                          // asked where the segment starts, instead of any motion
	paper       bool                                           // measured where it is named alone
}

// benchMethods lists what bench can measure; a further one is a further entry.
var benchMethods = append(ownMethods, paperMethods()...)

// paperMethods are the engines after the papers, each with both questions.
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
				name: by.String() + asked.suffix, about: fmt.Sprintf("%s, by the method %s", asked.about, by), paper: true,
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
		name: "toc", about: "the first contact, its time within 1e-6 s, or a proof that there is none",
		ask: func(q *motion.Query) { q.Question = motion.FirstContact },
	},
	{
		name: "clearance", about: "toc, and how close a free segment comes, to a millimetre",
		ask: func(q *motion.Query) { q.Question = motion.MinClearance },
	},
	{
		name: "static", about: "yes or no at one configuration: a rest at the segment's start",
		ask:    func(q *motion.Query) { q.Question = motion.IsFree },
		motion: restAtStart,
	},
	{
		name: "self", about: "how close the robot is to itself where the segment starts, exactly, with two points",
		ask: func(*motion.Query) {}, distance: &motion.DistanceQuery{NoWorld: true},
	},
	{
		name: "world", about: "how close the robot is to the obstacles there",
		ask: func(*motion.Query) {}, distance: &motion.DistanceQuery{NoSelf: true},
	},
}

// restAtStart is the motion of a robot that stays where the segment begins.
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

func methodNames() []string {
	names := make([]string, len(benchMethods))
	for i := range benchMethods {
		names[i] = benchMethods[i].name
	}
	return names
}

// usualMethods are measured where none is named.
func usualMethods() []string {
	var names []string
	for i := range benchMethods {
		if !benchMethods[i].paper {
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
