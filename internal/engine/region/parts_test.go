package region

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sliding is a robot of one slide along x, from -0.1 to 0.1 m.
func sliding(still, moved []urdf.Collision) *urdf.Robot {
	return robots.Of(still, robots.Hinge{Kind: urdf.Prismatic, Origin: robots.At(0, 0, 0), Axis: geom.Vec{X: 1}, Lo: -0.1, Hi: 0.1, Parts: moved})
}

// cubes are 0.2 m large, at places along x, as one mesh.
func cubes(at ...float64) []urdf.Collision {
	var all []*shape.TriangleMesh
	for _, x := range at {
		all = append(all, meshes.At(geom.Vec{X: x}, meshes.Cube(0.2)))
	}
	return robots.Part(robots.At(0, 0, 0), robots.Mesh(all...))
}

// Links whose hulls overlap are apart by what their parts are, or the parts of these; by as much as those that are closest.
func TestPartsAreToldApart(t *testing.T) {
	for _, c := range []struct {
		still, moved []urdf.Collision
		told         bool
	}{
		{cubes(0, 1, 2, 3), cubes(0.5, 1.5, 2.5), true},
		{cubes(0, 1), cubes(0.5), true},
		{cubes(0, 1), cubes(0.21), false},
		{cubes(0, 1), cubes(0.79), false},
		{cubes(0.5), cubes(0, 1), true},
		{cubes(0.21), cubes(0, 1), false},
		{cubes(0.79), cubes(0, 1), false},
	} {
		m := compiled(t, sliding(c.still, c.moved), nil)
		table := Of(m, pairOf(t, m, robots.LinkName(0), robots.LinkName(1)))
		var s Scratch
		for range 2 {
			if told := table.Apart(&s, &Box{}, mostTold); told != c.told {
				t.Errorf("cubes between cubes: told %v", told)
			}
		}
	}
}

// A table of groups tells of what their members tell, where all are told apart, and of what the groups' hulls do, whose members are
// not looked at.
func TestTablesOfGroups(t *testing.T) {
	ball := func(x float64) urdf.Collision { return robots.Part(robots.At(x, 0, 0), robots.Ball(0.1))[0] }
	still := []urdf.Collision{ball(1)}
	for name, c := range map[string]struct {
		moved       []urdf.Collision
		told, asked bool
	}{
		"hulls apart":            {[]urdf.Collision{ball(2), ball(3)}, true, false},
		"members apart":          {[]urdf.Collision{ball(0.5), ball(3)}, true, true},
		"the first touches":      {[]urdf.Collision{ball(1), ball(3)}, false, true},
		"the last touches":       {[]urdf.Collision{ball(3), ball(1)}, false, true},
		"the first is too close": {[]urdf.Collision{ball(0.78), ball(3)}, false, true},
		"the last is too close":  {[]urdf.Collision{ball(3), ball(0.78)}, false, true},
	} {
		m := compiled(t, sliding(still, c.moved), nil)
		if len(m.GroupPairs) != 1 {
			t.Fatalf("%s: %d pairs of groups", name, len(m.GroupPairs))
		}
		var members []*Table
		for _, k := range m.PairsOf[0] {
			members = append(members, Of(m, &m.Pairs[k]))
		}
		table := OfGroups(m, 0, members)
		var s Scratch
		if told := table.Apart(&s, &Box{}, mostTold); told != c.told {
			t.Errorf("%s: told %v", name, told)
		}
		asked := false
		for _, member := range members {
			for i := range member.grids {
				for k := range member.grids[i].cells {
					asked = asked || member.grids[i].cells[k].Load() != unknown
				}
			}
		}
		if asked != c.asked {
			t.Errorf("%s: members were looked at: %v", name, asked)
		}
	}
}

// What a joint reaches is as far as a slide beyond it goes to either side, at its limits; so it is where the slide follows another.
func TestBendReachesBeyondASlide(t *testing.T) {
	const first, radius, lo, hi, offset, mult = 0.2, 0.05, -1.5, 0.5, -0.3, 2
	ball := robots.Part(robots.At(0, 0, 0), robots.Ball(radius))
	slide := robots.Hinge{Parent: 1, Kind: urdf.Prismatic, Origin: robots.At(first, 0, 0), Axis: geom.Vec{X: 1}, Lo: lo, Hi: hi, Parts: ball}
	driver, follower := slide, slide
	driver.Parent, driver.Parts = 0, nil
	follower.Mimics, follower.Mult, follower.Offset = 3, mult, offset
	for name, c := range map[string]struct {
		joints []robots.Hinge
		reach  float64
	}{
		"slide":    {[]robots.Hinge{slide}, first - lo + radius},
		"follower": {[]robots.Hinge{follower, driver}, first - mult*lo - offset + radius},
	} {
		m := compiled(t, robots.Of(ball, append([]robots.Hinge{hinge(0, 5, -0.1, 0.1, nil)}, c.joints...)...), nil)
		table := Of(m, pairOf(t, m, robots.LinkName(0), robots.LinkName(2)))
		for i := range table.grids {
			g := &table.grids[i]
			w := g.along[0].width
			least := c.reach * w * w / 8
			// The slide's cells go on beyond its limits.
			most := least + mult*2*g.along[1].width*w*w/8
			if b := bend(table, g, 0, &table.b) + bend(table, g, 0, &table.a); !(b >= least && b <= most) {
				t.Errorf("%s: a bend of %g in cells of %g rad, not from %g to %g", name, b, w, least, most)
			}
			if b := bend(table, g, 1, &table.b); b != 0 {
				t.Errorf("%s: a slide bends by %g", name, b)
			}
		}
	}
}

// The bend has room for what is rounded.
func TestBendIsRoundedUp(t *testing.T) {
	const at, radius = 0.3, 0.05
	m := compiled(t, robots.Of(robots.Part(robots.At(5, 0, 0), robots.Ball(radius)), hinge(0, 0, -0.5, 0.5, robots.Part(robots.At(at, 0, 0), robots.Ball(radius)))), nil)
	table := Of(m, pairOf(t, m, robots.LinkName(0), robots.LinkName(1)))
	for i := range table.grids {
		g := &table.grids[i]
		w := g.along[0].width
		if b, exact := bend(table, g, 0, &table.a)+bend(table, g, 0, &table.b), (at+radius)*w*w/8; !(b >= exact*(1+4e-7) && b <= exact*(1+1e-5)) {
			t.Errorf("a bend of %g, exactly %g", b, exact)
		}
	}
}

// Nothing is apart by more than its bound: neither when it is computed nor later.
func TestNoMoreIsToldThanTheBound(t *testing.T) {
	ball := func(x float64) []urdf.Collision { return robots.Part(robots.At(x, 0, 0), robots.Ball(0.05)) }
	fresh := func() *Table {
		m := compiled(t, sliding(ball(0.29), ball(0.1)), nil)
		return Of(m, pairOf(t, m, robots.LinkName(0), robots.LinkName(1)))
	}
	var s Scratch
	told, all := 0, fresh()
	for x := -0.1; x < 0.1; x += 0.005 {
		box := Box{{x, x}}
		table := fresh()
		most := 0.0
		for i := range table.grids {
			from, to, ok := table.grids[i].along[0].cells(box[0])
			if !ok || from != to {
				t.Fatalf("cells %d to %d of one position", from, to)
			}
			if d := table.bound(&s, i, cell{from}); d > most { // not where it is no number
				most = d
			}
		}
		if !(most > 0 && most < mostTold) {
			all.Apart(&s, &box, 0)
			continue
		}
		told++
		first := fresh()
		for _, table := range []*Table{first, first, all} { // once more, when it is known
			if table.Apart(&s, &box, most) {
				t.Errorf("at %g: apart by more than %g", x, most)
			}
		}
		if less := math.Nextafter(most, 0); !fresh().Apart(&s, &box, less) || !first.Apart(&s, &box, less) {
			t.Errorf("at %g: not apart by more than %g", x, less)
		}
	}
	if told < 3 {
		t.Error("a poor test")
	}
}

// The table of a pair of groups is kept for all worlds of a robot, of each choice of the pairs that are checked another: what is apart
// without a pair of members may touch with it.
func TestTablesOfGroupsAreOfTheCheckedPairs(t *testing.T) {
	ball := func(x float64) []urdf.Collision { return robots.Part(robots.At(x, 0, 0), robots.Ball(0.1)) }
	fixed := robots.Hinge{Parent: 1, Kind: urdf.Fixed, Origin: robots.At(0, 0, 0), Parts: ball(1)} // where the root's ball is
	slide := robots.Hinge{Kind: urdf.Prismatic, Origin: robots.At(0, 0, 0), Axis: geom.Vec{X: 1}, Lo: -0.1, Hi: 0.1, Parts: append(ball(3), ball(4)...)}
	robot := robots.Of(ball(1), slide, fixed)
	first := compiled(t, robot, nil)
	tableOf := func(without string) *Table {
		m, err := first.In(t.Context(), robot, nil, nil, &model.Library{})
		if err != nil {
			t.Fatal(err)
		}
		m.PairUp(func(a, b *model.Body) string {
			if a.Name == without || b.Name == without || a.Name != robots.LinkName(0) {
				return "not checked"
			}
			return ""
		})
		if len(m.GroupPairs) != 1 {
			t.Fatalf("without %q: %d pairs of groups", without, len(m.GroupPairs))
		}
		var members []*Table
		for _, k := range m.PairsOf[0] {
			members = append(members, Of(m, &m.Pairs[k]))
		}
		return OfGroups(m, 0, members)
	}
	few, all := tableOf(robots.LinkName(2)), tableOf("")
	if few == nil || all == nil || few == all || few != tableOf(robots.LinkName(2)) || all != tableOf("") {
		t.Fatal("a table is missing, made twice, or that of other pairs")
	}
	var s Scratch
	if !few.Apart(&s, &Box{}, mostTold) || all.Apart(&s, &Box{}, mostTold) {
		t.Error("a table tells of pairs that are not its own")
	}
}
