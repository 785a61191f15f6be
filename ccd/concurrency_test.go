package ccd

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// One Checker, many goroutines: each gets the verdicts that one alone gets, down to
// the last bit of every witness, whatever the workers it borrows did before. A
// distance query starts from the closest points of the one before it, so that its
// answers are the same to rounding.
func TestGoroutinesShareAChecker(t *testing.T) {
	d := dice{chance.New(11, 8)}
	c, err := New(d.robot(), d.world(), anyRobot)
	if err != nil {
		t.Fatal(err)
	}
	const questions = 40
	rounded := func(d motion.Distances) (out []float64) {
		for i := range d.Pairs {
			out = append(out, math.Round(1e8*d.Pairs[i].Distance))
		}
		return out
	}
	ask := make([]func() (any, error), questions) // a Verdict, or distances
	for i := range ask {
		m, q := d.motion(c.ActiveJoints()), motion.Query{Question: motion.Question(i % 3)}
		if i%2 == 0 {
			q.Clearance = d.In(0, 0.05)
		}
		ask[i] = func() (any, error) {
			v, err := c.Check(context.Background(), m, q)
			v.Compute = 0
			return v, err
		}
		if i%5 == 4 {
			at := map[string]float64{}
			for j, x := range m.At(0.5) {
				at[m.Joints[j]] = x
			}
			ask[i] = func() (any, error) {
				d, err := c.Distance(context.Background(), at, motion.DistanceQuery{K: 1 + i%3})
				return rounded(d), err
			}
		}
	}
	alone := make([]any, questions)
	count := map[motion.Status]int{}
	for i := range ask {
		if alone[i], err = ask[i](); err != nil {
			t.Fatal(err)
		}
		if v, ok := alone[i].(motion.Verdict); ok {
			count[v.Status]++
		}
	}
	if count[motion.Free] < 8 || count[motion.Contact] < 8 {
		t.Errorf("%v: the questions are one-sided", count)
	}
	var group sync.WaitGroup
	for g := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			order := rand.New(rand.NewPCG(12, uint64(g))).Perm(questions)
			for range 3 {
				for _, i := range order {
					got, err := ask[i]()
					if err != nil {
						t.Error(err)
						return
					}
					if !reflect.DeepEqual(got, alone[i]) {
						t.Errorf("question %d: among others\n%+v\nalone\n%+v", i, got, alone[i])
						return
					}
				}
			}
		}()
	}
	group.Wait()
}

// Cancelled or out of time in the middle: undecided, and what it says was proved
// until then no sample contradicts.
func TestCutShortIsUndecided(t *testing.T) {
	undecided := 0
	for i := range 12 {
		d := dice{chance.New(13, uint64(i))}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		whole, err := c.Check(context.Background(), m, motion.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 12 {
			after := time.Duration(float64(whole.Compute) * float64(k) / 12)
			ctx, cancel := context.WithTimeout(context.Background(), after)
			q := motion.Query{Question: motion.Question(k % 3)}
			if k%2 == 0 {
				q.Budget, ctx = max(1, after), context.Background()
			}
			v, err := c.Check(ctx, m, q)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case v.Status == motion.Undecided:
				undecided++
				if v.Reason == "" {
					t.Error("undecided for no reason")
				}
			case v.Status != whole.Status:
				t.Errorf("scene %d: %v in a hurry, %v at leisure", i, v.Status, whole.Status)
			}
			if whole.Status == motion.Contact && v.ProvenUntil > whole.TOC.Hi {
				t.Errorf("scene %d: proven until %g in a hurry, contact at %g", i, v.ProvenUntil, whole.TOC.Hi)
			}
			if k%4 == 1 && v.Status == motion.Undecided {
				sampleAgainst(t, "scene in a hurry", c, m, q, &v)
			}
		}
	}
	if undecided < 20 {
		t.Errorf("%d undecided: nothing was cut short", undecided)
	}
}

// An invalid query is an error, never a verdict.
func TestQuestionsMustMakeSense(t *testing.T) {
	c, err := New(slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	good, err := motion.Between([]string{"x"}, []float64{0}, []float64{0.1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, nan := context.Background(), math.NaN()
	for _, q := range []motion.Query{
		{Clearance: nan},
		{Clearance: -1},
		{Clearance: math.Inf(1)},
		{Tolerance: nan},
		{Tolerance: -1},
		{TimeTolerance: nan},
		{TimeTolerance: -1},
		{ClearanceTolerance: nan},
		{Budget: -1},
		{NoSelf: true, NoWorld: true},
	} {
		if v, err := c.Check(ctx, good, q); err == nil || v.Status != motion.Undecided {
			t.Errorf("%+v: %v, %v", q, v.Status, err)
		}
	}
	at := func(ctrl ...float64) *motion.Motion {
		return &motion.Motion{Joints: []string{"x"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{ctrl}}}}
	}
	jump := at(0, 1)
	jump.Pieces = append(jump.Pieces, motion.Piece{Start: 1, End: 2, Ctrl: [][]float64{{1.5, 2}}})
	late := at(0, 1)
	late.Pieces = append(late.Pieces, motion.Piece{Start: 1.5, End: 2, Ctrl: [][]float64{{1, 2}}})
	unknown := at(0, 1)
	unknown.Joints = []string{"y"}
	for name, m := range map[string]*motion.Motion{
		"nil": nil, "zero": {}, "NaN": at(0, nan), "Inf": at(math.Inf(-1), 0), "jump": jump, "gap": late, "unknown joint": unknown,
		"no piece": {Joints: []string{"x"}}, "no joint": {Pieces: good.Pieces}, "degree 6": at(0, 0, 0, 0, 0, 0, 0), "no control points": at(),
	} {
		if v, err := c.Check(ctx, m, motion.Query{}); err == nil || v.Status != motion.Undecided {
			t.Errorf("%s: %v, %v", name, v.Status, err)
		}
	}
	if _, err := c.Distance(ctx, map[string]float64{"x": nan}, motion.DistanceQuery{}); err == nil {
		t.Error("a distance at NaN")
	}
	if _, err := c.Distance(ctx, map[string]float64{"y": 0}, motion.DistanceQuery{}); err == nil {
		t.Error("a distance of an unknown joint")
	}
	if v, err := c.Check(ctx, good, motion.Query{}); err != nil || v.Status != motion.Free {
		t.Errorf("the zero query: %v, %v", v.Status, err)
	}
}
