package catch

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// TestStepsAreSafe holds the step of a pair of convex elements, by hulls or by shapes,
// against their distance at times within it.
func TestStepsAreSafe(t *testing.T) {
	const seed = 10
	steps, close := 0, 0
	for i := range scenes(150) {
		d := newDice(seed, uint64(i))
		robot := d.Robot()
		rooted := i%3 == 0
		r := newRig(t, robot, d.World(robot), 0, rooted)
		b := r.bind(t, d.Motion(robot, rooted))
		w := r.w
		w.Options = Options{SumsOfNorms: i%2 == 0, NoControl: true}
		w.begin(context.Background(), &motion.Query{Clearance: d.In(0, 0.05)})
		w.reachFor(b)
		w.load(b, 0)
		for k := range w.m.Pairs {
			q := &w.m.Pairs[k]
			ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
			c := d.In(0, 0.9)
			h := w.stand(c, d.Spread(0.05, 1), 1)
			w.stepper.start(w, int32(k), !ea.Exact || !eb.Exact)
			step := w.stepper.step(h, nil)
			if step <= 0 {
				continue
			}
			steps++
			if step < h {
				close++
			}
			for n := range 5 {
				w.stand(min(1, c+step*float64(n)/4*(1-1e-9)), 0, 1)
				x := convex.Distance(&ea.Core, &w.place(q.A).pose, &eb.Core, &w.place(q.B).pose, nil)
				if x.Distance < w.clearance-1e-12 {
					t.Fatalf("scene %d, pair %d: a step of %g from %g, but %g after it the distance is %g (clearance %g)", i, k, step, c, step*float64(n)/4, x.Distance, w.clearance)
				}
			}
		}
	}
	t.Logf("%d steps, %d ended by a gap", steps, close)
	if close < steps/40 {
		t.Error("too few steps were ended by a gap")
	}
}

// TestMarginHasEveryTerm: clearance and the rounding of both sides are taken off each
// gap, and what an element's place may be off is in its slack.
func TestMarginHasEveryTerm(t *testing.T) {
	for _, x := range []float64{0, 100} { // far away directions err more than what is placed along them
		holdMargin(t, x)
	}
}

func holdMargin(t *testing.T, x float64) {
	d := newDice(11, 0)
	robot := d.Robot()
	robot.Joints[0].PosePC.P.X = x
	r := newRig(t, robot, d.World(robot), 0, false)
	b := r.bind(t, d.Motion(robot, false))
	w := r.w
	w.begin(context.Background(), &motion.Query{Clearance: 1e-12})
	w.reachFor(b)
	w.load(b, 0)
	w.stand(0.5, 0.1, 1)
	for k := range w.m.Pairs {
		q := &w.m.Pairs[k]
		w.stepper.start(w, int32(k), false)
		least := w.clearance
		for _, i := range [2]int{q.A, q.B} {
			e, at := &w.m.Elements[i], w.place(i)
			far := geom.Norm(at.center) + e.Radius
			place := w.state.ErrP[e.Frame] + w.state.ErrR[e.Frame]*(geom.Norm(e.PoseFE.P)+e.Radius) + e.ErrP + e.ErrR*e.Radius
			if place += (16*u + w.state.ErrR[e.Frame]) * far; at.slack < place {
				t.Errorf("element %d: slack %g, its place and direction alone may be off by %g", i, at.slack, place)
			}
			least += place
		}
		if w.stepper.margin < least {
			t.Errorf("pair %d: margin %g of %g", k, w.stepper.margin, least)
		}
	}
}

// TestCellsHoldTheirStretch checks that what is bounded on a cell holds for the interval it is
// asked for, of which at least half is in it.
func TestCellsHoldTheirStretch(t *testing.T) {
	d := newDice(12, 0)
	for range 10000 {
		c, wanted := d.In(0, 1), d.Spread(1e-15, 2)
		switch d.IntN(8) {
		case 0:
			c = 0
		case 1:
			c = math.Floor(c*64) / 64
		}
		lo, hi := cell(c, wanted)
		if lo > c || hi < c || lo < 0 || hi > 1 || hi-c < min(wanted, 1-c)/2*(1-1e-15)-1e-16 {
			t.Fatalf("cell of %g around %g: [%g, %g]", wanted, c, lo, hi)
		}
	}
}

// TestLinkTreeFindsEveryPair holds both hierarchies against all pairs of boxes.
func TestLinkTreeFindsEveryPair(t *testing.T) {
	for i := range scenes(50) {
		d := newDice(13, uint64(i))
		robot := d.Robot()
		r := newRig(t, robot, d.World(robot), 0, false)
		w := r.w
		boxes := map[int32]geom.Box{}
		all := w.p.links.refit(nil, func(e int32) geom.Box {
			at := d.Vec(1.5)
			boxes[e] = geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: d.In(0, 1), Y: d.In(0, 1), Z: d.In(0, 1)})}
			return boxes[e]
		})
		found := map[[2]int32]bool{}
		w.p.links.meet(all, w.p.tree, nil, func(e, item int32) { found[[2]int32{e, item}] = true })
		for e, x := range boxes {
			for k, y := range w.p.boxes {
				if !apart(&x, &y, 0) && !found[[2]int32{e, int32(k)}] {
					t.Errorf("scene %d: the boxes of element %d and object %d meet, and were not found", i, e, k)
				}
				if apart(&x, &y, 1e-4) && found[[2]int32{e, int32(k)}] {
					t.Errorf("scene %d: element %d and object %d were found far apart", i, e, k)
				}
			}
		}
	}
}

// TestHullTreeHoldsItsTriangles: the corners of a node are those of the triangles below
// it, each once.
func TestHullTreeHoldsItsTriangles(t *testing.T) {
	for i := range scenes(20) {
		d := newDice(14, uint64(i))
		var soups []*mesh.Mesh
		for range 1 + d.IntN(12) {
			soups = append(soups, meshes.Soup(d.Dice.Dice, 4, 1), elbow(d.In(0.1, 1)))
		}
		r := newRig(t, slider(urdf.Prismatic, geom.Vec{X: 1}, at(0, 0, 0), meshOf(soups...)), nil, 0, false)
		l, h := r.m.Elements[0].Leaves, r.w.p.hulls[0]
		for v := range l.Tree.Nodes {
			n := &l.Tree.Nodes[v]
			want := map[geom.Vec]bool{}
			if !n.Leaf() && n.Count <= few {
				for _, k := range l.Tree.Order[n.First : n.First+n.Count] {
					for _, c := range l.Mesh.Triangles[k] {
						want[l.Mesh.Vertices[c]] = true
					}
				}
			}
			got := h.of(volume(v))
			for _, c := range got {
				if !want[c] {
					t.Fatalf("mesh %d, node %d: %v is not below it", i, v, c)
				}
			}
			if len(got) < len(want) {
				t.Fatalf("mesh %d, node %d: %d corners of %d", i, v, len(got), len(want))
			}
		}
	}
}
