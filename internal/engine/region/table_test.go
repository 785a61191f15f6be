package region

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var ez = geom.Vec{Z: 1}

// compiled is a model of a robot with all its pairs.
func compiled(t *testing.T, r *urdf.Robot, world *scene.Snapshot) *model.Model {
	t.Helper()
	m, err := model.New(r, world, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	return paired(m)
}

func paired(m *model.Model) *model.Model {
	m.PairUp(func(_, _ *model.Body) string { return "" })
	return m
}

// pairOf returns the pair of the first elements of two bodies, by their names.
func pairOf(t *testing.T, m *model.Model, a, b string) *model.Pair {
	t.Helper()
	for i := range m.Pairs {
		if p := m.Named(&m.Pairs[i]); p.A.Name == a && p.B.Name == b || p.A.Name == b && p.B.Name == a {
			return &m.Pairs[i]
		}
	}
	t.Fatalf("no pair of %s and %s", a, b)
	return nil
}

// hinge is a revolute joint about z.
func hinge(parent int, x, lo, hi float64, parts []urdf.Collision) robots.Hinge {
	return robots.Hinge{Parent: parent, Kind: urdf.Revolute, Origin: robots.At(x, 0, 0), Axis: ez, Lo: lo, Hi: hi, Parts: parts}
}

// reaching is a robot of two variables, of which a tip comes closest to something where both joints are at 0.
type reaching struct {
	robot    *urdf.Robot
	a, b     string
	oneSide  bool // the closest points are always on one plane's sides
	distance func(q [2]float64) float64
}

// stretched draws an arm that reaches for a wall, or two arms that reach for each other. The arm's second joint turns about z as the first
// does, or about y, or slides; it may follow a third one. At its tip is a ball, or it is a rod.
func stretched(d robots.Dice) reaching {
	first, second, radius, gap := d.In(0.05, 0.3), d.In(0.05, 0.3), d.In(0.01, 0.05), d.In(0.006, 0.014)
	lo := [2]float64{d.In(-0.8, -0.4), d.In(-0.8, -0.4)}
	ball := func(x float64) []urdf.Collision { return robots.Part(robots.At(x, 0, 0), robots.Ball(radius)) }
	tip, thin := ball(second), 0.0
	if d.IntN(2) == 0 { // its corners are all but on its axis
		radius, thin = 0, 1e-7
		tip = robots.Part(robots.At(second/2, 0, 0), robots.Box(second, 2*thin, 2*thin))
	}
	l0, l1, l2 := robots.LinkName(0), robots.LinkName(1), robots.LinkName(2)
	face := first + second + radius + gap
	slide := 0.3
	wall := func(x float64) []urdf.Collision { return robots.Part(robots.At(x+0.5, 0, 0), robots.Box(1, 3, 3)) }
	arm := []robots.Hinge{hinge(0, 0, lo[0], lo[0]+1.2, nil), hinge(1, first, lo[1], lo[1]+1.2, tip)}
	off := radius + 4*thin
	switch d.IntN(6) {
	case 0:
		return reaching{robots.Of(wall(face), arm...), l0, l2, true, func(q [2]float64) float64 {
			return face - off - first*math.Cos(q[0]) - second*math.Cos(q[0]+q[1])
		}}
	case 1:
		arm[1].Axis = geom.Vec{Y: 1}
		return reaching{robots.Of(wall(face), arm...), l0, l2, true, func(q [2]float64) float64 {
			return face - off - (first+second*math.Cos(q[1]))*math.Cos(q[0])
		}}
	case 2:
		arm[1].Kind, arm[1].Axis, arm[1].Lo, arm[1].Hi = urdf.Prismatic, geom.Vec{X: 1}, -slide, slide
		return reaching{robots.Of(wall(face+slide), arm...), l0, l2, true, func(q [2]float64) float64 {
			return face + slide - off - (first+second+q[1])*math.Cos(q[0])
		}}
	case 3: // the variable of the second joint is that of a third one, turned the other way and farther
		arm[1].Mimics, arm[1].Mult, arm[1].Offset = 3, -1.5, 0.1
		driver := hinge(0, 9, lo[1], lo[1]+1.2, nil)
		return reaching{robots.Of(wall(face), arm[0], arm[1], driver), l0, l2, true, func(q [2]float64) float64 {
			return face - off - first*math.Cos(q[0]) - second*math.Cos(q[0]-1.5*q[1]+0.1)
		}}
	}
	if d.IntN(2) == 0 { // so is that of a slide
		const mult, offset, least = -2, 0.1, -0.2
		arm[1].Kind, arm[1].Axis, arm[1].Mimics, arm[1].Mult, arm[1].Offset = urdf.Prismatic, geom.Vec{X: 1}, 3, mult, offset
		driver := robots.Hinge{Kind: urdf.Prismatic, Origin: robots.At(0, 9, 0), Axis: ez, Lo: least, Hi: 0.05}
		far := face + mult*least + offset
		return reaching{robots.Of(wall(far), arm[0], arm[1], driver), l0, l2, true, func(q [2]float64) float64 {
			return far - off - (first+second+mult*q[1]+offset)*math.Cos(q[0])
		}}
	}
	radius = d.In(0.01, 0.05)
	apart := first + second + 2*radius + gap
	two := robots.Of(nil, hinge(0, 0, lo[0], lo[0]+1.2, ball(first)), hinge(0, apart, lo[1], lo[1]+1.2, ball(-second)))
	return reaching{two, l1, l2, false, func(q [2]float64) float64 {
		x := apart - first*math.Cos(q[0]) - second*math.Cos(q[1])
		y := first*math.Sin(q[0]) + second*math.Sin(q[1])
		return math.Hypot(x, y) - 2*radius
	}}
}

// Bounds hold where an arm is stretched within a cell, which its corners alone do not show, and are nearly as large as they may be.
func TestBoundsOfStretchedArms(t *testing.T) {
	bounds, bent := 0, 0
	var s Scratch // of all robots in turns
	for i := range 200 {
		arm := stretched(robots.NewDice(401, uint64(i)))
		m := compiled(t, arm.robot, nil)
		table := Of(m, pairOf(t, m, arm.a, arm.b))
		for of := range table.grids {
			g := &table.grids[of]
			for x := range g.along[0].count {
				for y := range g.along[1].count {
					least, corner := arm.over([2][2]float64{g.along[0].interval(x), g.along[1].interval(y)})
					bound := table.bound(&s, of, cell{x, y})
					switch {
					case bound > least+1e-9 || bound > s.measure(table, g, cell{x, y}) || bound <= 0:
						t.Errorf("case %d, grid %d, cell %d, %d: bound %g, distance %g", i, of, x, y, bound, least)
					case bound > 0:
						bounds++
						if corner-g.bend/4 > least {
							bent++
						}
					}
					if arm.oneSide && least < g.enough && least > 3*g.bend && !(bound > least-3*g.bend-1e-6) {
						t.Errorf("case %d, grid %d, cell %d, %d: bound %g, distance %g, bend %g", i, of, x, y, bound, least, g.bend)
					}
				}
			}
		}
	}
	t.Logf("%d bounds, %d of cells where corners alone tell too much", bounds, bent)
	if bounds < 1000 || bent < 100 {
		t.Error("a poor test")
	}
}

// What is told of a box holds in all of it, also where it reaches into many cells.
func TestBoxesOfStretchedArms(t *testing.T) {
	told, wide := 0, 0
	for i := range 300 {
		d := robots.NewDice(403, uint64(i))
		arm := stretched(d)
		m := compiled(t, arm.robot, nil)
		table := Of(m, pairOf(t, m, arm.a, arm.b))
		var s Scratch
		for range 20 {
			var box Box
			for v := range box {
				lo := d.In(-0.4, 0.3)
				box[v] = [2]float64{lo, lo + d.Spread(1e-3, 0.5)}
			}
			need := d.In(0, mostTold)
			least, _ := arm.over(box)
			if !table.Apart(&s, &box, need) {
				if least > 0.1 {
					wide++
				}
				continue
			}
			if told++; least < need {
				t.Errorf("case %d: told to be %g apart in %v, but is %g", i, need, box, least)
			}
		}
	}
	if t.Logf("%d boxes of which something is told, %d of which nothing is though it could be", told, wide); told < 1000 || wide > told/4 {
		t.Error("a poor test")
	}
}

// over returns the least distance in a box, and at its corners.
func (r *reaching) over(c [2][2]float64) (least, corner float64) {
	least, corner = math.Inf(1), math.Inf(1)
	const n = 32
	for a := range n + 1 {
		for b := range n + 1 {
			x := r.distance([2]float64{c[0][0] + (c[0][1]-c[0][0])*float64(a)/n, c[1][0] + (c[1][1]-c[1][0])*float64(b)/n})
			least = min(least, x)
			if a%n == 0 && b%n == 0 {
				corner = min(corner, x)
			}
		}
	}
	return least, corner
}

// A prismatic joint moves along a straight line: the bound is the distance at a corner.
func TestBoundsAlongASlide(t *testing.T) {
	slide := robots.Hinge{Kind: urdf.Prismatic, Origin: robots.At(0, 0, 0), Axis: geom.Vec{X: 1}, Lo: -0.1, Hi: 0.1, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.05))}
	m := compiled(t, robots.Of(robots.Part(robots.At(0.66, 0, 0), robots.Box(1, 1, 1)), slide), nil)
	table := Of(m, pairOf(t, m, robots.LinkName(0), robots.LinkName(1)))
	var s Scratch
	told := 0
	for of := range table.grids {
		a := &table.grids[of].along[0]
		for i := range a.count {
			least := 0.11 - a.interval(i)[1]
			switch bound := table.bound(&s, of, cell{i}); {
			case least < 1e-6:
				if bound > 0 {
					t.Errorf("bound %g, distance %g", bound, least)
				}
			case !(math.Abs(bound-least) < 1e-6):
				t.Errorf("bound %g, distance %g", bound, least)
			default:
				told++
			}
		}
	}
	if told < 10 {
		t.Error("a poor test")
	}
}

// A body inside another is no closer to its surface than the bounds say, and yet they touch.
func TestNothingIsToldOfWhatIsInside(t *testing.T) {
	around := robots.Mesh(meshes.Cube(0.2), meshes.At(geom.Vec{X: 1}, meshes.Cube(0.01)))
	urchin := robots.Mesh(meshes.Undecidable())
	for name, c := range map[string]struct {
		outer, inner *shape.Shape
		at           float64
		told         bool
	}{
		"a mesh inside":  {around, robots.Mesh(meshes.Elbow(0.02)), 0, false},
		"a ball inside":  {around, robots.Ball(0.02), 0, false},
		"points inside":  {around, robots.Points(0.01, geom.Vec{}, geom.Vec{X: 0.03}), 0, false},
		"a mesh outside": {around, robots.Mesh(meshes.Elbow(0.02)), 0.4, true},
		"a ball outside": {around, robots.Ball(0.02), 0.4, true},
		"perhaps inside": {urchin, robots.Ball(0.02), 0, false},
		"surely outside": {urchin, robots.Ball(0.02), 1.5, true},
		"points outside": {around, robots.Points(0.01, geom.Vec{}, geom.Vec{X: 0.03}), 0.4, true},
	} {
		m := compiled(t, robots.Of(robots.Part(robots.At(0, 0, 0), c.outer), hinge(0, c.at, -1, 1, robots.Part(robots.At(0, 0, 0), c.inner))), nil)
		table := Of(m, pairOf(t, m, robots.LinkName(0), robots.LinkName(1)))
		var s Scratch
		if told := table.Apart(&s, &Box{{-0.1, 0.1}}, 0); told != c.told {
			t.Errorf("%s: told %v", name, told)
		}
	}
}

// Tables are those of the robot's links in all worlds, of what it holds in one.
func TestTablesAreShared(t *testing.T) {
	ball := robots.Part(robots.At(0, 0, 0), robots.Ball(0.02))
	r := robots.Of(ball, hinge(0, 0.1, -1, 1, ball), hinge(1, 0.1, -1, 1, ball))
	held := robots.Object("held", robots.Ball(0.01), robots.At(0.1, 0, 0))
	held.AttachedTo = robots.LinkName(2)
	lib := &model.Library{}
	m, err := model.New(r, robots.World(held), nil, lib)
	if err != nil {
		t.Fatal(err)
	}
	paired(m)
	in := func(padding model.Padding) *model.Model {
		other, err := m.In(context.Background(), r, robots.World(held, robots.Object("wall", robots.Ball(1), robots.At(9, 0, 0))), padding, lib)
		if err != nil {
			t.Fatal(err)
		}
		return paired(other)
	}
	of := func(m *model.Model, a, b string) *Table { return Of(m, pairOf(t, m, a, b)) }
	l0, l1, l2 := robots.LinkName(0), robots.LinkName(1), robots.LinkName(2)
	elsewhere, padded := in(nil), in(func(string) float64 { return 0.01 })
	one := of(m, l0, l1)
	if one == nil || of(elsewhere, l0, l1) != one || of(m, l0, l1) != one {
		t.Error("links have another table in another world")
	}
	if of(padded, l0, l1) == one || of(padded, l0, l1) == nil {
		t.Error("padded links have the same table")
	}
	if two := of(m, l1, l2); two == one || two == nil {
		t.Error("other links of the same shape have the same table")
	}
	if h := of(m, l0, "held"); h == nil || h == of(elsewhere, l0, "held") {
		t.Error("what is held has the same table in another world, or none")
	}
}

// No table is kept of what depends on three joints, on two that move together, on one without limits, or on the world.
func TestOfWhatTablesAreKept(t *testing.T) {
	ball := robots.Part(robots.At(0.05, 0, 0), robots.Ball(0.02))
	mimic := hinge(1, 0.1, -1, 1, ball)
	mimic.Mimics, mimic.Mult = 1, -1
	free := hinge(0, 0.1, 0, 0, ball) // -1e6 to 1e6
	endless := free
	endless.Kind = urdf.Continuous
	far := hinge(0, 0.1, -2000, 2000, ball)
	wide := hinge(0, 0.1, -10, 10, ball)
	many := func(n int) (parts []urdf.Collision) {
		for range n {
			parts = append(parts, ball...)
		}
		return parts
	}
	world := robots.World(robots.Object("wall", robots.Ball(1), robots.At(9, 0, 0)))
	chain := robots.Of(ball, hinge(0, 0.1, -1, 1, ball), hinge(1, 0.1, -1, 1, ball), hinge(2, 0.1, -1, 1, ball))
	fork := robots.Of(ball, hinge(0, 0.1, -1, 1, ball), hinge(0, -0.1, -1, 1, ball))
	for name, c := range map[string]struct {
		robot     *urdf.Robot
		a, b      string
		variables int
	}{
		"one joint":        {chain, "l0", "l1", 1},
		"two joints":       {chain, "l1", "l3", 2},
		"three joints":     {chain, "l0", "l3", 0},
		"two branches":     {fork, "l1", "l2", 2},
		"moving together":  {robots.Of(ball, hinge(0, 0.1, -1, 1, ball), mimic), "l0", "l2", 0},
		"without limits":   {robots.Of(ball, free), "l0", "l1", 0},
		"endless":          {robots.Of(ball, endless), "l0", "l1", 1},
		"too far":          {robots.Of(ball, far), "l0", "l1", 0},
		"wide":             {robots.Of(ball, wide), "l0", "l1", 1},
		"both too wide":    {robots.Of(ball, wide, hinge(1, 0.1, -10, 10, ball)), "l0", "l2", 0},
		"many shapes":      {robots.Of(ball, hinge(0, 0.1, -1, 1, many(8)), hinge(1, 0.1, -1, 1, many(8))), "l1", "l2", 1},
		"too many shapes":  {robots.Of(ball, hinge(0, 0.1, -1, 1, many(8)), hinge(1, 0.1, -1, 1, many(9))), "l1", "l2", 0},
		"one and many":     {robots.Of(ball, hinge(0, 0.1, -1, 1, many(64))), "l0", "l1", 1},
		"one and too many": {robots.Of(ball, hinge(0, 0.1, -1, 1, many(65))), "l0", "l1", 0},
		"the world":        {chain, "l1", "wall", 0},
	} {
		m := compiled(t, c.robot, world)
		n := 0
		if table := Of(m, pairOf(t, m, c.a, c.b)); table != nil {
			n = table.Variables()
		}
		if n != c.variables {
			t.Errorf("%s: a table of %d variables, not %d", name, n, c.variables)
		}
		for i := range m.GroupPairs {
			var members []*Table
			for _, k := range m.PairsOf[i] {
				members = append(members, Of(m, &m.Pairs[k]))
			}
			if none := OfGroups(m, i, members) == nil; none != slices.Contains(members, nil) {
				t.Errorf("%s: the table of groups is missing: %v, those of members: %v", name, none, members)
			}
		}
	}
}

// Nothing is told beyond the limits, of too many cells, of no numbers, and where errors are too large.
func TestBoxesOfWhichNothingIsTold(t *testing.T) {
	ball := robots.Part(robots.At(0.05, 0, 0), robots.Ball(0.02))
	m := compiled(t, robots.Of(ball, hinge(0, 1, -3, 3, ball), hinge(1, 0.3, -3, 3, ball)), nil)
	table := Of(m, pairOf(t, m, "l0", "l2"))
	var s Scratch
	turning := hinge(0, 1, 0, 0, ball)
	turning.Kind = urdf.Continuous
	endless := compiled(t, robots.Of(ball, turning), nil)
	for _, x := range []float64{-3.1, 0, 3.1} {
		if !Of(endless, pairOf(t, endless, "l0", "l1")).Apart(&s, &Box{{x - 0.01, x + 0.01}}, 0) {
			t.Errorf("nothing is told of a joint that turns without end, at %g", x)
		}
	}
	nan := math.NaN()
	for _, c := range []struct {
		box  Box
		need float64
		told bool
	}{
		{Box{{-0.1, 0.1}, {-0.1, 0.1}}, 0, true},
		{Box{{-0.1, 0.1}, {-0.1, 0.1}}, mostTold / 2, true},
		{Box{{-0.1, 0.1}, {-0.1, 0.1}}, math.Nextafter(mostTold, 1), false},
		{Box{{-0.1, 0.1}, {-0.1, 0.1}}, nan, false},
		{Box{{-0.1, 0.1}, {-0.1, 0.1}}, -1, false},
		{Box{{2.9, 3}, {-3, -2.9}}, 0, true},
		{Box{{2.9, 3.5}, {0, 0}}, 0, false},
		{Box{{0, 0}, {-3.5, -2.9}}, 0, false},
		{Box{{-1.5, 1.5}, {-1.5, 1.5}}, 0, false},
		{Box{{nan, 0}, {0, 0}}, 0, false},
		{Box{{0, 0}, {0, nan}}, 0, false},
		{Box{{0.1, -0.1}, {0, 0}}, 0, false},
	} {
		if told := table.Apart(&s, &c.box, c.need); told != c.told {
			t.Errorf("%v, %g: told %v", c.box, c.need, told)
		}
	}
	for _, slack := range []float64{nan, math.Inf(1)} {
		s.place(table, &table.grids[0], cell{12, 12})
		table.slack = slack
		if p := s.between(table, parts{a: volume.Whole, b: volume.Whole}); !math.IsInf(p.apart, -1) {
			t.Errorf("with errors of %g a bound is %g", slack, p.apart)
		}
	}
}

// Cells that are looked up hold what they are looked up for, with room for what is rounded.
func TestCellsAroundRanges(t *testing.T) {
	for i := range 20000 {
		d := robots.NewDice(402, uint64(i))
		a := along{lo: d.In(-1, 1) * d.Spread(10, 1e6), width: d.Spread(1e-3, 1), count: 1 + d.IntN(512)}
		if d.IntN(2) == 0 { // nothing is rounded
			a.lo, a.width = float64(d.IntN(10)), math.Ldexp(1, -d.IntN(8))
		}
		a.scale = 1 / a.width
		x := a.lo + a.width*d.In(0, float64(a.count))
		if d.IntN(2) == 0 { // about where two cells meet
			x = a.lo + a.width*float64(d.IntN(a.count+1))
			for range d.IntN(4) {
				x = math.Nextafter(x, d.In(-99, 99))
			}
		}
		r := [2]float64{x, x + d.Spread(1e-9, 1)*float64(d.IntN(2))}
		from, to, ok := a.cells(r)
		if !ok {
			if r[0] > a.lo+a.width/2 && r[1] < a.lo+a.width*(float64(a.count)-0.5) {
				t.Errorf("%v is not in %+v", r, a)
			}
			continue
		}
		room := 1e-13 * (10 + math.Abs(a.lo))
		if from < 0 || to >= a.count || a.interval(from)[0] > r[0]-room || a.interval(to)[1] < r[1]+room {
			t.Errorf("%v is not in cells %d to %d of %+v", r, from, to, a)
		}
		for k := from; k < to; k++ {
			if a.interval(k)[1] < a.interval(k + 1)[0] {
				t.Errorf("a gap between cells of %+v", a)
			}
		}
	}
}

// The errors of where both elements are placed are those of the whole table, of both of its variables.
func TestErrorsOfTables(t *testing.T) {
	for i := range 100 {
		d := robots.NewDice(404, uint64(i))
		part := func() []urdf.Collision {
			far := geom.Vec{X: d.In(-1, 1), Y: d.In(-1, 1)}
			if d.IntN(2) == 0 { // far from where the element is
				return robots.Part(robots.At(0, 0, 0), robots.Points(0.1, far, geom.Vec{X: far.X, Y: far.Y, Z: d.In(0.01, 1)}))
			}
			return robots.Part(robots.At(far.X, far.Y, 0), robots.Box(d.In(0.01, 1), 0.1, 0.1))
		}
		lo := d.In(-60, 40)
		m := compiled(t, robots.Of(part(), hinge(0, d.In(0, 2), lo, lo+d.In(0, 10), part()), hinge(1, d.In(0, 2), lo, lo+10, part())), nil)
		table := Of(m, pairOf(t, m, "l0", "l2"))
		st := kin.NewState(m.Tree)
		dofs := make([]kin.Around, len(m.Tree.Dofs))
		for k := range dofs {
			dofs[k].MaxAbs = max(math.Abs(m.Tree.Dofs[k].Lo), math.Abs(m.Tree.Dofs[k].Hi))
		}
		st.Bound(dofs)
		want := 0.0
		for _, e := range []*model.Element{&table.a, &table.b} {
			slack := rules.SlackOf(st, e, geom.Norm(e.Center)+2*e.Radius)
			want += slack.Within(0)
		}
		if !(table.slack >= want*(1-1e-12)) || table.slack > 4*want {
			t.Errorf("case %d: errors of %g, not %g", i, table.slack, want)
		}
	}
}

// A mesh of one triangle has no smaller parts.
func TestBoundsOfSingleTriangles(t *testing.T) {
	triangle := &mesh.Mesh{Vertices: []geom.Vec{{}, {Y: 0.1}, {Z: 0.1}}, Triangles: [][3]int32{{0, 1, 2}}}
	link := robots.Part(robots.At(0, 0, 0), robots.Mesh(triangle))
	slide := robots.Hinge{Kind: urdf.Prismatic, Origin: robots.At(0.1, 0, 0), Axis: geom.Vec{X: 1}, Lo: -0.1, Hi: 0.1, Parts: link}
	m := compiled(t, robots.Of(link, slide), nil)
	table := Of(m, pairOf(t, m, "l0", "l1"))
	var s Scratch
	if x := -0.1 + 0.03; !table.Apart(&s, &Box{{x, x}}, 0.001) || table.Apart(&s, &Box{{-0.1, -0.1}}, 0) {
		t.Error("triangles are not told apart, or told apart where they touch")
	}
}

// Goroutines that fill a table together are told what each would be told alone.
func TestGoroutinesShareTables(t *testing.T) {
	arm := stretched(robots.NewDice(405, 0))
	tell := func(table *Table, seed uint64) (told []bool) {
		d := robots.NewDice(406, seed)
		var s Scratch
		for range 400 {
			var box Box
			for v := range box {
				lo := d.In(-0.4, 0.3)
				box[v] = [2]float64{lo, lo + d.Spread(1e-3, 0.3)}
			}
			told = append(told, table.Apart(&s, &box, d.In(0, mostTold)))
		}
		return told
	}
	const goroutines = 4
	var want, got [goroutines][]bool
	for i := range want {
		m := compiled(t, arm.robot, nil)
		want[i] = tell(Of(m, pairOf(t, m, arm.a, arm.b)), uint64(i))
	}
	m := compiled(t, arm.robot, nil)
	q := pairOf(t, m, arm.a, arm.b)
	var all sync.WaitGroup
	for i := range got {
		all.Add(1)
		go func() {
			defer all.Done()
			got[i] = tell(Of(m, q), uint64(i))
		}()
	}
	all.Wait()
	for i := range want {
		if !slices.Equal(got[i], want[i]) || !slices.Contains(want[i], true) || !slices.Contains(want[i], false) {
			t.Errorf("goroutine %d is told otherwise than alone", i)
		}
	}
}
