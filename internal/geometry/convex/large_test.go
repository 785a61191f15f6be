package convex

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// largePoints are the vertices of large meshes: rings of points around an axis, as of bodies that
// are turned on a lathe.
func largePoints(shape string, rings, around int) []geom.Vec {
	r := rand.New(rand.NewSource(1))
	out := make([]geom.Vec, 0, rings*around)
	for i := range rings {
		for k := range around {
			u, v := math.Pi*(float64(i)+0.5)/float64(rings), 2*math.Pi*float64(k)/float64(around)
			l := 0.3
			switch shape {
			case "bumpy": // a scanned ball
				l *= 1 + 0.05*math.Sin(9*u)*math.Sin(7*v) + 1e-4*r.Float64()
			case "rough": // scanned, with most points near the hull
				l *= 1 + 1e-4*r.Float64()
			}
			s, c := math.Sincos(u)
			sv, cv := math.Sincos(v)
			p := geom.Vec{X: l * s * cv, Y: l * s * sv, Z: l * c}
			if shape == "box" { // finely meshed flat sides, turned out of the axes
				m := max(math.Abs(p.X), max(math.Abs(p.Y), math.Abs(p.Z)))
				p = scale(0.3/m, p)
				p = geom.Vec{X: 0.8*p.X - 0.6*p.Y, Y: 0.6*p.X + 0.8*p.Y, Z: p.Z}
			}
			if shape == "ring" { // the points of each of its circles are in a plane with the axis
				out = append(out, geom.Vec{X: (0.2 + 0.05*cv) * math.Cos(2*u), Y: (0.2 + 0.05*cv) * math.Sin(2*u), Z: 0.05 * sv})
				continue
			}
			out = append(out, p)
		}
	}
	return out
}

// BenchmarkHullOfLarge makes hulls of large meshes' vertices.
func BenchmarkHullOfLarge(b *testing.B) {
	for _, shape := range []string{"bumpy", "rough", "ball", "box", "ring"} {
		b.Run(shape, func(b *testing.B) {
			ps := largePoints(shape, 700, 700)
			for b.Loop() {
				c, err := HullOf(ps)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(c.Vertices)), "vertices")
				b.ReportMetric(c.Radius*1e15, "fm")
			}
		})
	}
}

// The facets that quickhull found make verification cheap and change no proof: the bound is no
// larger than without them but for rounding, and a point that is outside is found whatever they are.
func TestFacetsAreGuesses(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for _, shape := range []string{"bumpy", "rough", "ball", "box", "ring"} {
		ps, err := distinct(largePoints(shape, 30, 30))
		if err != nil {
			t.Fatal(err)
		}
		o, err := outlineOf(ps, hullRounding*extentOf(ps))
		if err != nil {
			t.Fatal(err)
		}
		whole := coreOf(ps, o.ids)
		tol := 32 * hullRounding * extentOf(ps)
		exact, _ := whole.verify(ps, nil, tol)
		far, missing := whole.verify(ps, o.facets, tol)
		if len(o.facets) == 0 || len(missing) > 0 || far > max(exact, 1.25*combination*whole.Extent()) {
			t.Errorf("%s: %d facets, bound %g with them, %g without, missing %v", shape, len(o.facets), far, exact, missing)
		}
		out := r.Intn(len(o.ids))
		less := coreOf(ps, slices.Concat(o.ids[:out], o.ids[out+1:]))
		wanted, without := less.verify(ps, nil, tol)
		scrambled := slices.Clone(o.facets)
		for i := range scrambled {
			for k := range 3 {
				scrambled[i].v[k] = o.ids[(out+1+r.Intn(len(o.ids)-1))%len(o.ids)] // any vertex that is left
				scrambled[i].next[k] = int32(r.Intn(len(scrambled)))
			}
		}
		for name, facets := range map[string][]starFacet{"of the whole hull": o.facets, "scrambled": scrambled} {
			far, missing := less.verify(ps, facets, tol)
			if !slices.Contains(missing, ps[o.ids[out]]) || len(missing) != len(without) || far != wanted {
				t.Errorf("%s without a vertex, facets %s: bound %g, want %g; %d missing, want %d", shape, name, far, wanted, len(missing), len(without))
			}
		}
	}
}

// Most points that are inside are found to be so by their facet alone.
func TestStarsFindPoints(t *testing.T) {
	for _, shape := range []string{"bumpy", "rough", "box", "ring"} {
		ps := largePoints(shape, 40, 40)
		o, err := outlineOf(ps, hullRounding*extentOf(ps))
		if err != nil {
			t.Fatal(err)
		}
		c := coreOf(ps, o.ids)
		s := starOf(&c, ps, o.facets)
		found := 0
		for i := range ps {
			p := scale(0.999, ps[i])
			if f, ok := s.facet(p); ok {
				if _, inside := s.exact(f, p); inside {
					found++
				}
			}
		}
		if found < len(ps)*999/1000 {
			t.Errorf("%s: %d of %d points", shape, found, len(ps))
		}
	}
}
