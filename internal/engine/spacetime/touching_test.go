package spacetime

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A pair that cannot be decided is not said to touch, nor are those that come after it.
func TestUndecidablePairsDoNotTouch(t *testing.T) {
	far := func(i int) geom.Pose { return robots.At(20+3*float64(i), 0, 0) }
	robot := robots.Of(robots.Part(robots.At(0, 0, 0), robots.Mesh(meshes.Undecidable())),
		slide(robots.At(0, 0, 0), ex, 0.1),             // in the urchin
		slide(far(0), ex, 0.5), slide(far(0), ex, 0.5), // in each other
		slide(far(1), ex, 0.5), slide(far(2), ex, 0.5)) // alone
	r := newRig(t, robot, nil, 0, robots.Move([]float64{0, 0}))
	state := make([]float64, len(r.model.Tree.Dofs))
	pairs := slices.Clone(r.model.Pairs)
	undecided := 0
	for range len(pairs) { // in any order
		pairs = append(pairs[1:], pairs[0])
		r.model.CheckOnly(pairs)
		w := NewWorker(r.model)
		got := w.Touching(state)
		if len(got) > 2 || !slices.Contains(got, [2]int{2, 3}) {
			t.Fatalf("the pairs that touch are %v, want that of bodies 2 and 3 and at most that of 0 and 1", got)
		}
		if !slices.Contains(got, [2]int{0, 1}) {
			undecided++
		} else if len(got) == 2 {
			continue // it was decided after all
		}
		if w.Ended() != "" && len(got) == 0 {
			t.Fatal(w.Ended())
		}
	}
	if undecided != 0 && undecided != len(pairs) {
		t.Errorf("one pair was decided in %d of %d orders", len(pairs)-undecided, len(pairs))
	}
	t.Logf("undecided in %d orders", undecided)
}

// Whatever a worker was asked before, it answers as a new one does.
func TestWorkersForgetQuestions(t *testing.T) {
	for i := range rounds(watched(150)) {
		d := newDice(91, uint64(i))
		robot, world := d.robot(), robots.World()
		for k := range 2 + d.IntN(5) {
			world.Objects = append(world.Objects, robots.Object(string(rune('a'+k)), d.shape(d.Spread(0.05, 0.7)), d.Pose(1)))
		}
		newModel := model.New
		rooted := d.IntN(2) == 0
		if rooted {
			newModel = model.NewRooted
		}
		m, err := newModel(robot, world, nil, &model.Library{})
		if err != nil {
			t.Fatal(err)
		}
		m.PairUp(func(_, _ *model.Body) string { return "" })
		used := NewWorker(m)
		for n := range 12 {
			ask := d.question(t, m, robot, rooted)
			if got, want := ask(used), ask(NewWorker(m)); got != want {
				k := 0
				for k < min(len(got), len(want)) && got[k] == want[k] {
					k++
				}
				part := func(s string) string { return s[max(0, k-200):min(len(s), k+200)] }
				t.Fatalf("robot %d (rooted: %v), question %d: a worker that was asked before says\n...%s\na new one\n...%s", i, rooted, n, part(got), part(want))
			}
		}
	}
}

func (d dice) configuration(m *model.Model) []float64 {
	state := make([]float64, len(m.Tree.Dofs))
	for k := range state {
		if d.IntN(4) > 0 && !math.IsInf(m.Tree.Dofs[k].Hi, 0) {
			state[k] = d.In(-1, 1)
		}
	}
	return state
}

// question draws one of the questions that a worker answers. What it returns asks it
// and writes down the answer.
func (d dice) question(t *testing.T, m *model.Model, robot *urdf.Robot, rooted bool) func(*Worker) string {
	ctx := context.Background()
	state := d.configuration(m)
	switch d.IntN(5) {
	case 0:
		return func(w *Worker) string { return fmt.Sprint(w.Touching(state)) }
	case 1:
		q := motion.DistanceQuery{K: d.IntN(4) - 1, NoSelf: d.IntN(4) == 0, NoWorld: d.IntN(4) == 0, Tolerance: 0.01 * float64(d.IntN(2))}
		return func(w *Worker) string {
			out, err := w.Distances(ctx, state, q)
			return fmt.Sprint(out, err)
		}
	case 2:
		limit := d.In(0.1, 1)
		return func(w *Worker) (s string) {
			w.At(ctx, state, false)
			for i := range min(4, len(m.Pairs)) {
				s += fmt.Sprint(w.Look(int32(i), limit, 0, 0))
			}
			return s + w.Ended()
		}
	}
	mo := d.pieceMotion(robot)
	if len(mo.Joints) == 0 {
		return func(w *Worker) string { return fmt.Sprint(w.Touching(state)) }
	}
	if rooted && d.IntN(2) == 0 {
		at := d.Pose(1)
		for range mo.Pieces {
			mo.Root = append(mo.Root, motion.RootPiece{Start: at, Point: at.P})
		}
	}
	if err := mo.Validate(); err != nil {
		t.Fatal(err)
	}
	b, err := kin.Bind(m.Tree, mo, make([]float64, len(m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	if d.IntN(4) == 0 {
		q := motion.ProfileQuery{Tolerance: 0.05, NoSelf: d.IntN(4) == 0, NoWorld: d.IntN(4) == 0}
		return func(w *Worker) string {
			p, err := w.Profile(ctx, b, q)
			p.Compute = 0
			return fmt.Sprint(p, err)
		}
	}
	q := motion.Query{Question: motion.Question(d.IntN(3)), Clearance: 0.02 * float64(d.IntN(2)), NoSelf: d.IntN(4) == 0, NoWorld: d.IntN(4) == 0}
	if d.IntN(3) == 0 {
		q.Tube = map[string]float64{mo.Joints[0]: d.In(0, 0.02)}
	}
	gone, cancel := context.WithCancel(ctx)
	if cancel(); d.IntN(5) == 0 {
		ctx = gone
	}
	return func(w *Worker) string {
		v := w.Check(ctx, b, q)
		v.Compute = 0
		return fmt.Sprintf("%+v", v)
	}
}
