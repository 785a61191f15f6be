package convex

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// encloses holds c's supports against points that it must reach.
func encloses(t *testing.T, name string, r *rand.Rand, c *Core, points []geom.Vec) {
	t.Helper()
	size := extentOf(points)
	for range 50 {
		u, ok := geom.Unit(randomVec(r, 1))
		if !ok {
			continue
		}
		top := c.SupportValue(u) + c.Radius
		for i, p := range points {
			if dot(u, p) > top+16*0x1p-53*size {
				t.Fatalf("%s: point %d is %g outside", name, i, dot(u, p)-top)
			}
		}
	}
}

// The plan of a hull makes it again: the same vertices in the same order and groups,
// and a radius that is no larger, but for rounding. Making it twice gives the same
// core to the last bit.
func TestPlanMakesTheCore(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	for name, ps := range clouds(r) {
		full, err := HullOf(ps)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []Core{full, full.Simplified(60, 1e-3), full.Simplified(12, 0)} {
			plan := PlanOf(ps, &c)
			made, err := plan.Core(ps)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if made.Kind != c.Kind || len(made.Vertices) != len(c.Vertices) || len(made.groups) != len(c.groups) || made.extent != c.extent {
				t.Fatalf("%s: %v with %d vertices in %d groups, not %v with %d in %d", name, made.Kind, len(made.Vertices), len(made.groups), c.Kind, len(c.Vertices), len(c.groups))
			}
			for i := range made.Vertices {
				if made.Vertices[i] != c.Vertices[i] {
					t.Fatalf("%s: vertex %d is %v, not %v", name, i, made.Vertices[i], c.Vertices[i])
				}
			}
			for i := range made.groups {
				if made.groups[i] != c.groups[i] {
					t.Fatalf("%s: group %d is %v, not %v", name, i, made.groups[i], c.groups[i])
				}
			}
			backward := backwards(plan)
			turned, err := backward.Core(ps)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, k := range backward.Vertices {
				if turned.Vertices[i] != ps[k] {
					t.Fatalf("%s: vertex %d of the core is not vertex %d of the plan", name, i, i)
				}
			}
			encloses(t, name, r, &turned, ps)
			if slack := 256 * 0x1p-53 * extentOf(ps); made.Radius > c.Radius+slack {
				t.Errorf("%s: radius %g, not %g", name, made.Radius, c.Radius)
			}
			encloses(t, name, r, &made, ps)
			again, err := plan.Core(ps)
			if err != nil || again.Radius != made.Radius {
				t.Errorf("%s: radius %g, then %g (%v)", name, made.Radius, again.Radius, err)
			}
		}
	}
}

// backwards is the plan with its vertices in the opposite order.
func backwards(p Plan) Plan {
	q := Plan{Vertices: slices.Clone(p.Vertices), Near: slices.Clone(p.Near)}
	slices.Reverse(q.Vertices)
	for i := range q.Near {
		for k, v := range q.Near[i] {
			if v >= 0 {
				q.Near[i][k] = int32(len(q.Vertices)) - 1 - v
			}
		}
	}
	return q
}

// Whatever a plan says, the core that it makes reaches all points, or there is none.
func TestForgedPlans(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	made, refused := 0, 0
	for name, ps := range clouds(r) {
		c, err := HullOf(ps)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			plan := PlanOf(ps, &c)
			switch r.Intn(5) {
			case 0: // other vertices
				for i := range plan.Vertices {
					plan.Vertices[i] = int32(r.Intn(len(ps)))
				}
			case 1: // fewer
				plan.Vertices = plan.Vertices[:1+r.Intn(len(plan.Vertices))]
			case 2: // other neighbours
				for i := range plan.Near {
					for k := range plan.Near[i] {
						plan.Near[i][k] = int32(r.Intn(len(plan.Vertices)+2) - 1)
					}
				}
			case 3: // neighbours that are one
				for i := range plan.Near {
					k := int32(r.Intn(len(plan.Vertices)))
					plan.Near[i] = [4]int32{k, k, k, k}
				}
			case 4: // one point or neighbour out of range
				if r.Intn(2) == 0 {
					plan.Vertices[r.Intn(len(plan.Vertices))] = []int32{-1, int32(len(ps)), math.MaxInt32}[r.Intn(3)]
				} else {
					plan.Near[r.Intn(len(plan.Near))] = [4]int32{int32(len(plan.Vertices)) + int32(r.Intn(9)), 0, 0, 0}
				}
			}
			core, err := plan.Core(ps)
			if err != nil {
				refused++
				continue
			}
			made++
			if core.Validate() != nil {
				t.Fatalf("%s: %v", name, core.Validate())
			}
			encloses(t, name, r, &core, ps)
		}
		for _, p := range []Plan{{}, {Vertices: []int32{0}}, {Near: make([][4]int32, len(ps))}} {
			if _, err := p.Core(ps); err == nil && len(ps) > 0 {
				t.Errorf("%s: an empty plan makes a core", name)
			}
		}
	}
	if made < 300 || refused < 200 {
		t.Errorf("one-sided: %d made, %d refused", made, refused)
	}
}

// A radius one bit smaller than what the plan's vertices ask for must not come out:
// of points at known distances the radius is at least the largest.
func TestPlanRadius(t *testing.T) {
	ps := []geom.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}, {X: 0.25, Y: 0.25, Z: 0.25}, {X: -0.5}, {X: 2, Y: 0.1}}
	plan := Plan{Vertices: []int32{0, 1, 2, 3}}
	for range ps {
		plan.Near = append(plan.Near, [4]int32{0, 1, 2, 3})
	}
	c, err := plan.Core(ps)
	if want := math.Hypot(1, 0.1); err != nil || c.Radius < want || c.Radius > want*(1+1e-14) {
		t.Errorf("radius %v, want %v; %v", c.Radius, want, err)
	}
}
