package workload

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Every solid is closed and turned outward at every number of triangles, and comes
// as near to the number as its form allows.
func TestSolids(t *testing.T) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	for name, c := range map[string]struct {
		solid solid
		least int // triangles from which on the number is met
	}{
		"box":      {box(1, 2, 0.5), 100},
		"cylinder": {cylinder(0.3, 2), 60},
		"lathe":    {lathe(smooth(0, 0), corner(1, 0.1), corner(0.4, 0.3), smooth(0.8, 1), smooth(0, 1.2)), 100},
		"ball":     {ball(1), 60},
		"limb":     {limb(v(0, 0, 0), v(1, 0, 0), 0.2, 0.1, 0.3), 60},
		"pipe":     {pipe(0.1, route(0.2, v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), v(1, 1, 2))...), 100},
		"torus":    {torus(1, 0.1), 100},
		"sheet":    {sheet(0.02, func(u, w float64) geom.Vec { return v(2*u, w, 0.3*math.Sin(3*u)) }), 100},
		"ground":   {ground(3, 2, 0.5, func(x, y float64) float64 { return 0.2 + 0.1*math.Sin(3*x)*math.Cos(2*y) }), 100},
		"bar":      {bar(v(0, 0, 0), v(1, 2, 3), 0.02), 5000}, // long and thin: the number goes in steps
	} {
		for _, n := range []int{12, 60, 100, 555, 4000} {
			s := c.solid.tessellate(n)
			got := len(s.triangles)
			if n >= c.least && math.Abs(float64(got-n)) > 0.12*float64(n) {
				t.Errorf("%s: %d triangles instead of %d", name, got, n)
			}
			if err := outward(s.shape(name).Mesh); err != nil {
				t.Errorf("%s in %d triangles: %v", name, got, err)
			}
		}
	}
}

// outward reports what keeps a mesh from being closed, its triangles
// counterclockwise seen from outside: each edge runs once in either direction, and
// the volume of each component is positive.
func outward(m *mesh.Mesh) error {
	edges := map[[2]int32]int{}
	for i, tri := range m.Triangles {
		a, b, c := m.Vertices[tri[0]], m.Vertices[tri[1]], m.Vertices[tri[2]]
		if geom.Norm(r3.Cross(r3.Sub(b, a), r3.Sub(c, a))) < 1e-12 {
			return fmt.Errorf("triangle %d has no area: %v %v %v", i, a, b, c)
		}
		for k := range 3 {
			edges[[2]int32{tri[k], tri[(k+1)%3]}]++
		}
	}
	for e, n := range edges {
		if back := edges[[2]int32{e[1], e[0]}]; back != n {
			return fmt.Errorf("edge %v at %v runs %d times forth and %d back", e, m.Vertices[e[0]], n, back)
		}
	}
	for i, c := range mesh.ComponentsOf(m) {
		volume := 0.0
		for _, k := range c.Triangles {
			tri := m.Triangles[k]
			volume += r3.Dot(m.Vertices[tri[0]], r3.Cross(m.Vertices[tri[1]], m.Vertices[tri[2]])) / 6
		}
		if !(volume > 0) {
			return fmt.Errorf("component %d has volume %g", i, volume)
		}
	}
	return nil
}

// names are those of all workloads; under the race detector, which takes ten times as
// long and finds little where one goroutine works alone, of every fifth.
func names() []string {
	all := Names()
	if !race.Enabled {
		return all
	}
	var few []string
	for i := 0; i < len(all); i += 5 {
		few = append(few, all[i])
	}
	return few
}

// sizeTolerance is how far our figures may be from the papers'.
const sizeTolerance = 0.05

// In full size the models have the papers' numbers of links, objects and triangles.
func TestSizesAreThoseOfThePapers(t *testing.T) {
	for _, name := range names() {
		w, err := ByName(name, Options{GeometryOnly: true})
		if err != nil {
			t.Error(err)
			continue
		}
		if len(w.Sizes) == 0 {
			t.Errorf("%s: no size is compared", name)
		}
		for _, s := range w.Sizes {
			if math.Abs(s.Off()) > sizeTolerance {
				t.Errorf("%s: %d %s, in the paper %d", name, s.Ours, s.What, s.Paper)
			}
		}
	}
}

// Every link and object is a closed surface that is turned outward.
func TestSurfacesAreClosed(t *testing.T) {
	for _, name := range names() {
		w := inSmall(t, name)
		for _, m := range meshes(w) {
			if err := outward(m); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// meshes are all meshes of robot and world.
func meshes(w *Workload) []*mesh.Mesh {
	var out []*mesh.Mesh
	for i := range w.Robot.Links {
		for _, c := range w.Robot.Links[i].Collisions {
			out = append(out, c.Shape.Mesh)
		}
	}
	if w.World != nil {
		for i := range w.World.Objects {
			out = append(out, w.World.Objects[i].Shape.Mesh)
		}
	}
	return out
}

// small is what the tests of motions run on.
var small = Options{Scale: 0.02, Motions: 25}

var made = map[string]*Workload{}

// inSmall makes a workload once.
func inSmall(t *testing.T, name string) *Workload {
	if made[name] == nil {
		w, err := ByName(name, small)
		if err != nil {
			t.Fatal(err)
		}
		made[name] = w
	}
	return made[name]
}

// At rest no robot touches itself, but for the pairs that are allowed to.
func TestRest(t *testing.T) {
	for _, name := range names() {
		w := inSmall(t, name)
		m, err := motion.Path(w.Joints, [][]float64{w.Rest}, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		v, err := check(w, m, motion.Query{Question: motion.IsFree, NoWorld: true})
		if err != nil || v.Status != motion.Free {
			t.Errorf("%s at rest: %v %v %v", name, v.Status, v.Contact.Pair, err)
		}
		if withinLimits(w.Robot, m) != "" {
			t.Errorf("%s: joint %s rests beyond its limits", name, withinLimits(w.Robot, m))
		}
	}
}

// check asks the default engine.
func check(w *Workload, m *motion.Motion, q motion.Query) (motion.Verdict, error) {
	c, err := w.Checker()
	if err != nil {
		return motion.Verdict{}, err
	}
	return c.Check(context.Background(), m, q)
}

// withinLimits returns the first joint that a straight motion moves past its limits.
func withinLimits(r *urdf.Robot, m *motion.Motion) string {
	for i, name := range m.Joints {
		j := &r.Joints[r.Joint(name)]
		for _, p := range m.Pieces {
			lo, hi := slices.Min(p.Ctrl[i]), slices.Max(p.Ctrl[i])
			if j.Limit.Bounded && (lo < j.Limit.Lower || hi > j.Limit.Upper) {
				return name
			}
		}
	}
	return ""
}

// Motions keep to the limits and start free, and each workload has both motions that
// collide and motions that do not.
func TestMotions(t *testing.T) {
	for _, name := range names() {
		w := inSmall(t, name)
		if len(w.Motions) == 0 {
			t.Errorf("%s: no motions", name)
		}
		free, colliding := 0, 0
		for _, m := range w.Motions {
			if j := withinLimits(w.Robot, m); j != "" {
				t.Errorf("%s: joint %s moves beyond its limits", m.ID, j)
			}
			v, err := check(w, m, motion.Query{NoSelf: w.Ask.NoSelf})
			switch {
			case err != nil:
				t.Errorf("%s: %v", m.ID, err)
			case v.Status == motion.Free:
				free++
			case v.TOC.Hi == 0:
				t.Errorf("%s starts in contact: %v", m.ID, v.Contact.Pair)
			default:
				colliding++
			}
		}
		if bad := strings.HasPrefix(name, "ssl04-bad"); bad && colliding > 0 {
			t.Errorf("%s: %d motions collide, but all are to pass with a clearance", name, colliding)
		} else if !bad && (free == 0 || colliding == 0) {
			t.Errorf("%s: %d motions are free and %d collide", name, free, colliding)
		}
	}
}

// The same name and options give the same robot, world and motions, and a set does
// not depend on how many motions there are.
func TestReproducible(t *testing.T) {
	for _, name := range names() {
		a, fewer := inSmall(t, name), small
		fewer.Motions = 3
		b, err := ByName(name, fewer)
		if err != nil {
			t.Error(err)
			continue
		}
		if !reflect.DeepEqual(a.Robot, b.Robot) {
			t.Errorf("%s: two robots of that name differ", name)
		}
		if a.World != nil && a.World.Hash != b.World.Hash {
			t.Errorf("%s: two worlds of that name differ", name)
		}
		for i, set := range b.Sets {
			for k, m := range set.Motions {
				if k < len(a.Sets[i].Motions) && !reflect.DeepEqual(m, a.Sets[i].Motions[k]) {
					t.Errorf("%s differs from run to run", m.ID)
					break
				}
			}
		}
	}
}

func TestByNameRefuses(t *testing.T) {
	if _, err := ByName("rklm04", Options{}); err == nil {
		t.Error("an unknown name is accepted")
	}
	if _, err := ByName(Names()[0], Options{Scale: -1}); err == nil {
		t.Error("a negative scale is accepted")
	}
}
