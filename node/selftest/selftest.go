// Package selftest puts questions whose answers are known by formulas to every method of the
// checker: a program of which an answer is wrong, because of its compiler, its machine or its
// own faults, must not judge a robot.
package selftest

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// knownRobot turns a ball of 0.1 m on an arm of 1 m about z, and slides another one along x
// towards a ball at 0.9 m.
const knownRobot = `<robot name="known">
  <link name="base"><collision><origin xyz="0.9 0 3"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="mast"/>
  <link name="slide"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-4" upper="4"/></joint>
  <joint name="mount" type="revolute"><parent link="base"/><child link="mast"/><origin xyz="0 0 3"/><axis xyz="1 0 0"/><limit lower="-4" upper="4"/></joint>
  <joint name="push" type="prismatic"><parent link="mast"/><child link="slide"/><axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint>
</robot>`

// Question is a question about the robot of the test whose answer is known by a formula.
type Question struct {
	Name   string
	From   [3]float64 // rad, rad and m, of the joints turn, mount and push
	To     [3]float64
	Status motion.Status
	TOC    float64 // s, of a motion that lasts 1 s
	Least  float64 // m, the distance at the start
}

// Questions returns the questions of the test. The arm's ball is 2 sin(a/2) - 0.2 m from a
// ball on its circle that is the angle a away, and the slide's ball 0.7 - x from the base's.
func Questions() []Question {
	return []Question{
		{Name: "a ball on an arm meets a ball", To: [3]float64{math.Pi / 2}, Status: motion.Contact, TOC: 1 - 4/math.Pi*math.Asin(0.1), Least: math.Sqrt2 - 0.2},
		{Name: "it stops a milliradian before", To: [3]float64{math.Pi/2 - 2*math.Asin(0.1) - 1e-3}, Status: motion.Free, Least: math.Sqrt2 - 0.2},
		{Name: "two links of the robot meet", To: [3]float64{2: 1}, Status: motion.Contact, TOC: 0.7, Least: 0.7},
		{Name: "they stop a millimetre before", From: [3]float64{2: 0.1}, To: [3]float64{2: 0.699}, Status: motion.Free, Least: 0.6},
	}
}

// Answer is one answer of the self-test.
type Answer struct {
	// The algorithm, or distance for the distance at the start.
	Method string `json:"method"`
	// The question.
	Question string `json:"question"`
	// Whether the answer is that of the formula.
	Right bool `json:"right"`
	// The answer.
	Answer string `json:"answer"`
	// What the formula gives.
	Known string `json:"known"`
}

// Run puts the questions to every method, and asks for distances. It fails if the context ends
// first, or if a question cannot be put.
func Run(ctx context.Context, questions []Question) ([]Answer, error) {
	robot, err := urdf.Parse([]byte(knownRobot), urdf.Options{})
	if err != nil {
		return nil, err
	}
	world, err := scene.Parse("known", []byte("objects: [{id: post, type: sphere, xyz: [0, 1, 0], radius: 0.1}]"), scene.Options{})
	if err != nil {
		return nil, err
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		return nil, err
	}
	var out []Answer
	for i := range questions {
		k := &questions[i]
		m, err := motion.Between([]string{"turn", "mount", "push"}, k.From[:], k.To[:], 1)
		if err != nil {
			return nil, err
		}
		for _, method := range ccd.Methods() {
			v, err := c.Check(ctx, m, motion.Query{Method: method})
			if err != nil {
				return nil, err
			}
			out = append(out, k.judge(method.String(), &v))
		}
		d, err := c.Distance(ctx, map[string]float64{"turn": k.From[0], "push": k.From[2]}, motion.DistanceQuery{})
		if err != nil {
			return nil, err
		}
		out = append(out, k.measure(&d))
	}
	return out, ctx.Err()
}

// ErrWrong is wrapped by the error of Check if an answer is wrong.
var ErrWrong = errors.New("an answer of the self-test is wrong: trust no answer of this program, and report it with its version and this machine's processor")

// Check is Run, and fails with the first wrong answer.
func Check(ctx context.Context, questions []Question) error {
	answers, err := Run(ctx, questions)
	if err != nil {
		return err
	}
	for _, a := range answers {
		if !a.Right {
			return fmt.Errorf("%w: %s, %s: %s, known is %s", ErrWrong, a.Method, a.Question, a.Answer, a.Known)
		}
	}
	return nil
}

// exactly is how far (s or m) an answer may be from the formula: the default tolerances allow
// a contact to be told a micrometre early, at a speed of 1 m/s or more.
const exactly = 5e-6

// judge compares a verdict with the known one.
func (k *Question) judge(method string, v *motion.Verdict) Answer {
	a := Answer{Method: method, Question: k.Name, Known: k.Status.String(), Answer: v.Status.String(), Right: v.Status == k.Status}
	if k.Status == motion.Contact {
		a.Known += fmt.Sprintf(" at %.6f s", k.TOC)
		a.Answer += fmt.Sprintf(" at %.6f s", v.TOC.Hi)
		a.Right = a.Right && v.TOC.Lo <= k.TOC+1e-12 && math.Abs(v.TOC.Hi-k.TOC) <= exactly
	}
	return a
}

// measure compares the distance of the pair that the question is about with the known one.
func (k *Question) measure(d *motion.Distances) Answer {
	class := d.World
	if k.From[2] != k.To[2] {
		class = d.Self
	}
	return Answer{
		Method: "distance", Question: k.Name, Known: fmt.Sprintf("%.9f m", k.Least), Answer: fmt.Sprintf("%.9f m", class.Hi),
		Right: class.Lo <= k.Least+1e-9 && class.Hi >= k.Least-1e-9 && class.Hi-class.Lo <= 1e-8,
	}
}
