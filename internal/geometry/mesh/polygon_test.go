package mesh

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func triangulate(t rapid.TB, pos []geom.Vec) [][3]int32 {
	t.Helper()
	poly := make([]int32, len(pos))
	for i := range poly {
		poly[i] = int32(i)
	}
	var out [][3]int32
	cut := triangulator{emit: func(a, b, c int32) error {
		out = append(out, [3]int32{a, b, c})
		return nil
	}}
	if err := cut.cut(pos, poly); err != nil {
		t.Fatal(err)
	}
	return out
}

// edge names the edge between two vertices, whichever comes first.
func edge(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// checkOutline holds for every polygon, however crooked.
func checkOutline(t rapid.TB, n int, tris [][3]int32) {
	t.Helper()
	if len(tris) != n-2 {
		t.Fatalf("%d corners became %d triangles", n, len(tris))
	}
	odd := map[uint64]bool{}
	for _, tr := range tris {
		for c := range tr {
			odd[edge(tr[c], tr[(c+1)%3])] = !odd[edge(tr[c], tr[(c+1)%3])]
		}
	}
	for i := range n {
		e := edge(int32(i), int32((i+1)%n))
		if !odd[e] {
			t.Fatalf("outline edge %d lies in an even number of triangles", i)
		}
		delete(odd, e)
	}
	for e, o := range odd {
		if o {
			t.Fatalf("inner edge %d-%d lies in an odd number of triangles", e>>32, uint32(e))
		}
	}
}

// area returns the sum of the triangles' areas.
func area(pos []geom.Vec, tris [][3]int32) float64 {
	var a float64
	for _, t := range tris {
		a += r3.Norm(r3.Cross(r3.Sub(pos[t[1]], pos[t[0]]), r3.Sub(pos[t[2]], pos[t[0]]))) / 2
	}
	return a
}

// inPlane carries points of the xy plane into a random plane.
func inPlane(t *rapid.T, flat []point) []geom.Vec {
	ang := func(name string) float64 { return rapid.Float64Range(-math.Pi, math.Pi).Draw(t, name) }
	pose := geom.Pose{R: geom.RPY(ang("roll"), ang("pitch"), ang("yaw")), P: geom.Vec{X: ang("x"), Y: ang("y")}}
	out := make([]geom.Vec, len(flat))
	for i, p := range flat {
		out[i] = pose.Apply(geom.Vec{X: p.x, Y: p.y})
	}
	return out
}

// shoelace is the signed area that an outline encloses.
func shoelace(flat []point) float64 {
	var a float64
	for i, p := range flat {
		q := flat[(i+1)%len(flat)]
		a += (p.x*q.y - p.y*q.x) / 2
	}
	return a
}

// checkArea compares what the triangles cover with the area of the outline they
// were cut from. The two agree only if no triangles overlap and none lies outside.
func checkArea(t rapid.TB, pos []geom.Vec, tris [][3]int32, want float64) {
	t.Helper()
	if got := area(pos, tris); math.Abs(got-want) > 1e-9*(1+want) {
		t.Fatalf("area %g, want %g", got, want)
	}
}

func TestSimplePolygonsAreCoveredOnce(t *testing.T) {
	shapes := map[string]func(t *rapid.T) []point{
		"star": func(t *rapid.T) []point {
			n := rapid.IntRange(4, 40).Draw(t, "n")
			out := make([]point, n)
			for i := range out {
				s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
				r := rapid.Float64Range(0.1, 2).Draw(t, "r")
				out[i] = point{r * c, r * s}
			}
			return out
		},
		"comb": func(t *rapid.T) []point {
			teeth := rapid.IntRange(1, 20).Draw(t, "teeth")
			out := []point{{float64(2 * teeth), 0}, {0, 0}}
			for i := range 2 * teeth {
				y := 1.0
				if i%2 == 0 {
					y = rapid.Float64Range(1.5, 4).Draw(t, "y")
				}
				out = append(out, point{float64(i), y})
			}
			// clockwise as built: start anywhere
			k := rapid.IntRange(0, len(out)-1).Draw(t, "start")
			return append(out[k:len(out):len(out)], out[:k]...)
		},
		"spiral": func(t *rapid.T) []point {
			n := rapid.IntRange(6, 60).Draw(t, "n")
			var out, in []point
			for i := range n {
				s, c := math.Sincos(0.3 * float64(i))
				r := 1 + 0.2*float64(i)
				out = append(out, point{r * c, r * s})
				in = append(in, point{(r + 1) * c, (r + 1) * s})
			}
			for i := len(in) - 1; i >= 0; i-- {
				out = append(out, in[i])
			}
			return out
		},
		"hole reached by a bridge": func(t *rapid.T) []point {
			x, y := rapid.Float64Range(1, 7).Draw(t, "x"), rapid.Float64Range(1, 7).Draw(t, "y")
			w := rapid.Float64Range(0.1, 1.9).Draw(t, "w")
			a, b, c, d := point{x, y}, point{x, y + w}, point{x + w, y + w}, point{x + w, y}
			out := []point{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, a, b, c, d, a}
			k := rapid.IntRange(0, len(out)-1).Draw(t, "start")
			return append(out[k:len(out):len(out)], out[:k]...)
		},
		"two holes reached from one corner": func(t *rapid.T) []point {
			out := []point{{9, 0}, {9, 9}, {0, 9}}
			for _, o := range []point{{1, 5}, {5, 1}} {
				x, y := o.x+rapid.Float64Range(0, 1).Draw(t, "x"), o.y+rapid.Float64Range(0, 1).Draw(t, "y")
				a := point{x, y}
				out = append(out, point{0, 0}, a, point{x, y + 1}, point{x + 1, y + 1}, point{x + 1, y}, a)
			}
			out = append(out, point{0, 0})
			k := rapid.IntRange(0, len(out)-1).Draw(t, "start")
			return append(out[k:len(out):len(out)], out[:k]...)
		},
		"squares of a grid": func(t *rapid.T) []point {
			return drawCells(t, 30).outline
		},
		"stairs with straight corners": func(t *rapid.T) []point {
			n := rapid.IntRange(2, 12).Draw(t, "steps")
			out := []point{{0, 0}}
			for i := range n {
				x, y := float64(i), float64(i)
				out = append(out, point{x + 0.5, y}, point{x + 1, y}, point{x + 1, y + 1})
			}
			return append(out, point{0, float64(n)})
		},
	}
	for name, shape := range shapes {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			flat := shape(t)
			pos := inPlane(t, flat)
			tris := triangulate(t, pos)
			checkOutline(t, len(flat), tris)
			checkArea(t, pos, tris, math.Abs(shoelace(flat)))
		}))
	}
}

// Outlines that other ways of telling ears got wrong, from each corner on.
func TestTouchingPolygonsAreCoveredOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		pose geom.Pose
		flat []point
		want float64
	}{
		{
			// The corner (2, 7) lies on the line from (9, 0) to (0, 9), but for
			// rounding in the pose.
			"two holes, one with a corner on a diagonal",
			geom.Pose{R: geom.RPY(0x1p-53, 1, 1), P: geom.Vec{X: 1, Y: 1}},
			[]point{{9, 0}, {9, 9}, {0, 9}, {0, 0}, {1 + 0x1p-51, 6}, {1 + 0x1p-51, 7}, {2 + 0x1p-51, 7}, {2 + 0x1p-51, 6}, {1 + 0x1p-51, 6}, {0, 0}, {5.5, 1.25}, {5.5, 2.25}, {6.5, 2.25}, {6.5, 1.25}, {5.5, 1.25}, {0, 0}},
			79,
		},
		{
			"two squares that meet in a corner",
			geom.IdentityPose(),
			[]point{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}},
			2,
		},
		{
			"two triangles that meet in a corner, with a gap like an ear", // (0, 6), (0, 0), (6, 0)
			geom.IdentityPose(),
			[]point{{0, 0}, {6, 0}, {6, 2}, {0, 0}, {2, 6}, {0, 6}},
			12,
		},
		{
			"an antenna that bends",
			geom.IdentityPose(),
			[]point{{0, 0}, {1, -2}, {3, -3}, {1, -2}, {1, 0}},
			1,
		},
		{
			"two triangles at the ends of a bent line",
			geom.IdentityPose(),
			[]point{{1, 0}, {2, -1}, {3, -1}, {4, -1}, {4, 0}, {3, -1}, {2, -1}, {1, 0}, {1, 1}, {0, 1}},
			1,
		},
		{
			"a spike that must go before the ear beside it",
			geom.IdentityPose(),
			[]point{{0, -2}, {2, -2}, {2, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -2}, {0, -2}, {0, 0}, {0, -1}, {1, -1}, {0, -1}},
			7,
		},
		{
			"a spike that an ear leaves",
			geom.IdentityPose(),
			[]point{{-1, 1}, {-1, 2}, {0, 2}, {0, 1}, {1, 1}, {1, 3}, {-1, 3}, {-1, 2}, {-2, 2}, {-2, 1}, {-2, 0}, {-1, 0}, {0, 0}, {0, -1}, {1, -1}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}, {0, 2}, {-1, 2}},
			10,
		},
		{
			"an ear that the outline enters at a corner",
			geom.IdentityPose(),
			[]point{{0, 1}, {0, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}, {0, 2}, {-1, 2}, {-1, 1}},
			4,
		},
		{
			"an ear that the outline leaves at a corner",
			geom.IdentityPose(),
			[]point{{1, -2}, {1, -3}, {3, -3}, {3, -2}, {2, -2}, {4, -2}, {4, -1}, {3, -1}, {3, 0}, {1, 0}, {1, 1}, {-1, 1}, {1, 1}, {1, 2}, {-2, 2}, {-2, 1}, {-1, 1}, {-1, 0}, {1, 0}, {1, -1}, {2, -1}, {2, -2}},
			11,
		},
		{
			"folds along an axis",
			geom.IdentityPose(),
			[]point{{0, 3}, {0, 2}, {1, 2}, {1, 1}, {0, 1}, {0, 2}, {-1, 2}, {-1, 3}, {-2, 3}, {-2, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 4}, {-1, 4}, {-1, 3}},
			8,
		},
		{
			"a corner that touches a side from outside",
			geom.IdentityPose(),
			[]point{{0, 0}, {4, 0}, {4, 3}, {3, 3}, {2, 0}, {1, 3}, {0, 3}},
			9,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for k := range c.flat {
				flat := slices.Concat(c.flat[k:], c.flat[:k])
				pos := make([]geom.Vec, len(flat))
				for i, p := range flat {
					pos[i] = c.pose.Apply(geom.Vec{X: p.x, Y: p.y})
				}
				tris := triangulate(t, pos)
				checkOutline(t, len(pos), tris)
				checkArea(t, pos, tris, c.want)
			}
		})
	}
}

// In a plane across an axis coordinates stay as they are. There even an outline
// with corners on its own sides is covered once.
func TestTouchingSidesAreCoveredOnce(t *testing.T) {
	axes := [3]func(p point) geom.Vec{
		func(p point) geom.Vec { return geom.Vec{X: 0.1, Y: p.x, Z: p.y} },
		func(p point) geom.Vec { return geom.Vec{X: p.x, Y: 0.1, Z: p.y} },
		func(p point) geom.Vec { return geom.Vec{X: p.x, Y: p.y, Z: 0.1} },
	}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCells(t, 30)
		c.dropStraight(t)
		place := rapid.SampledFrom(axes[:]).Draw(t, "axis")
		pos := make([]geom.Vec, len(c.outline))
		for i, p := range c.outline {
			pos[i] = place(p)
		}
		if rapid.Bool().Draw(t, "clockwise") {
			slices.Reverse(pos)
		}
		tris := triangulate(t, pos)
		checkOutline(t, len(pos), tris)
		checkArea(t, pos, tris, float64(len(c.filled)))
	})
}

// Whatever the outline, every point it winds around is covered.
func TestNothingInsideIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 14).Draw(t, "n")
		flat := make([]point, n)
		pos := make([]geom.Vec, n)
		for i := range flat {
			// A coarse grid makes crossings, touching corners and straight ones common.
			flat[i] = point{float64(rapid.IntRange(0, 6).Draw(t, "x")), float64(rapid.IntRange(0, 6).Draw(t, "y"))}
			pos[i] = geom.Vec{X: flat[i].x, Y: flat[i].y}
		}
		tris := triangulate(t, pos)
		checkOutline(t, n, tris)
		for range 20 {
			// Sixty-fourths keep every product of this test exact.
			p := point{float64(rapid.IntRange(0, 384).Draw(t, "px")) / 64, float64(rapid.IntRange(0, 384).Draw(t, "py")) / 64}
			if w := winding(flat, p); w != 0 && !covered(flat, tris, p) {
				t.Fatalf("%v, around which %v winds %d times, is in no triangle of %v", p, flat, w, tris)
			}
		}
	})
}

func winding(flat []point, p point) int {
	w := 0
	for i, a := range flat {
		b := flat[(i+1)%len(flat)]
		side := (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x)
		switch {
		case a.y <= p.y && b.y > p.y && side > 0:
			w++
		case a.y > p.y && b.y <= p.y && side < 0:
			w--
		}
	}
	return w
}

func covered(flat []point, tris [][3]int32, p point) bool {
	for _, t := range tris {
		a, b, c := flat[t[0]], flat[t[1]], flat[t[2]]
		s := func(a, b point) float64 { return (b.x-a.x)*(p.y-a.y) - (b.y-a.y)*(p.x-a.x) }
		u, v, w := s(a, b), s(b, c), s(c, a)
		if u >= 0 && v >= 0 && w >= 0 || u <= 0 && v <= 0 && w <= 0 {
			return true
		}
	}
	return false
}

func TestLargePolygons(t *testing.T) {
	for _, n := range []int{maxEars, maxEars + 2} { // clipped, fanned
		pos := make([]geom.Vec, n)
		for i := range pos { // a ring open at one side: concave, not a fan
			k, r := i, 1.0
			if i >= n/2 {
				k, r = n-1-i, 2
			}
			s, c := math.Sincos(6 * float64(k) / float64(n/2))
			pos[i] = geom.Vec{X: r * c, Y: r * s}
		}
		start := time.Now()
		tris := triangulate(t, pos)
		t.Logf("%d corners: %v", n, time.Since(start))
		checkOutline(t, n, tris)
		want := 0.0 // clipped it is covered exactly, fanned with too much
		for i := range pos {
			j := (i + 1) % n
			want += (pos[i].X*pos[j].Y - pos[i].Y*pos[j].X) / 2
		}
		if got := area(pos, tris); (math.Abs(got-math.Abs(want)) < 1e-9) != (n <= maxEars) || got < math.Abs(want)-1e-9 {
			t.Errorf("%d corners: area %g, outline's %g", n, got, want)
		}
	}
}
