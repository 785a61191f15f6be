package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
)

var kinds = []kind{compact, nested, greedy}

// grid cuts every triangle into n² equal ones.
func grid(ts []tri.Triangle, n int) []tri.Triangle {
	var out []tri.Triangle
	for _, t := range ts {
		at := func(i, j int) geom.Vec {
			x, y := float64(i)/float64(n), float64(j)/float64(n)
			mix := func(a, b, c float64) float64 { return a + x*(b-a) + y*(c-a) }
			return geom.Vec{X: mix(t[0].X, t[1].X, t[2].X), Y: mix(t[0].Y, t[1].Y, t[2].Y), Z: mix(t[0].Z, t[1].Z, t[2].Z)}
		}
		for i := range n {
			for j := range n - i {
				out = append(out, tri.Triangle{at(i, j), at(i+1, j), at(i, j+1)})
				if i+j < n-1 {
					out = append(out, tri.Triangle{at(i+1, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return out
}

// box is the triangles of a box with the given sides about a centre.
func box(sides, center geom.Vec) []tri.Triangle {
	s, err := spheretree.OfShape(&shape.Shape{Kind: shape.Box, Size: sides}, 1)
	if err != nil {
		panic(err) // the sides are constants of this file
	}
	return s.At(geom.Translation(center)).Triangles
}

// lShape is like the mesh of SPHERE Figure 4: an L with a thickness.
func lShape() []tri.Triangle {
	return grid(append(box(geom.Vec{X: 1, Y: 0.3, Z: 0.3}, geom.Vec{X: 0.5, Y: 0.15, Z: 0.15}),
		box(geom.Vec{X: 0.3, Y: 0.7, Z: 0.3}, geom.Vec{X: 0.15, Y: 0.65, Z: 0.15})...), 8)
}

// levels compares the trees level by level (SPHERE Figure 4).
func levels(w io.Writer, data, out string) error {
	m, err := mesh.Load(filepath.Join(data, "robots/g1/meshes/torso_link_rev_1_0.STL"), geom.Vec{X: 1, Y: 1, Z: 1})
	if err != nil {
		return err
	}
	for _, c := range []struct {
		name, title string
		triangles   []tri.Triangle
	}{{"levels-l", "An L of 1536 triangles", lShape()}, {"levels-torso", "The torso of g1", spheretree.OfMesh(m)}} {
		f := figure{title: c.title, x: "level", y: "mean radius, m", logY: true}
		var all [][]spheretree.Level
		fmt.Fprintf(w, "\n%s (%d triangles)\n| level |", c.title, len(c.triangles))
		for _, k := range kinds {
			t, err := plant(spheretree.Surface{Triangles: c.triangles}, k)
			if err != nil {
				return err
			}
			l := t.Levels()
			all = append(all, l)
			fmt.Fprintf(w, " %s: balls | mean radius, m | volume, m³ |", k)
			var xy plotter.XYs
			for i := range min(len(l), 16) {
				xy = append(xy, plotter.XY{X: float64(i), Y: l[i].Mean})
			}
			f.lines = append(f.lines, line{string(k), xy})
		}
		fmt.Fprintln(w)
		for i := range 12 {
			fmt.Fprintf(w, "| %d |", i)
			for _, l := range all {
				fmt.Fprintf(w, " %d | %.4g | %.4g |", l[i].Balls, l[i].Mean, l[i].Volume)
			}
			fmt.Fprintln(w)
		}
		fmt.Fprint(w, "| all |")
		for _, l := range all {
			balls, volume := 0, 0.0
			for i := range l {
				balls, volume = balls+l[i].Balls, volume+l[i].Volume
			}
			fmt.Fprintf(w, " %d | | %.4g |", balls, volume)
		}
		fmt.Fprintln(w)
		if err := f.draw(out, c.name); err != nil {
			return err
		}
	}
	return nil
}

// cubes compares the time of distances between two cubes, by how far they are apart
// (SPHERE Figure 9a): 15 turns at each distance.
func cubes(w io.Writer, out string) error {
	triangles := grid(box(geom.Vec{X: 1, Y: 1, Z: 1}, geom.Vec{}), 16)
	trees := map[kind]*spheretree.Tree{}
	for _, k := range kinds {
		t, err := plant(spheretree.Surface{Triangles: triangles}, k)
		if err != nil {
			return err
		}
		trees[k] = t
	}
	fmt.Fprintf(w, "\nTwo cubes of %d triangles, side 1 m: time a distance, us\n", len(triangles))
	fmt.Fprintln(w, "| apart, m | alpha | compact | nested | greedy | nested takes more, % | greedy takes more, % |")
	f := figure{title: "Two cubes: what other trees take more than compact ones", x: "distance, m", y: "%", logX: true}
	for _, alpha := range []float64{0, 0.3} {
		curves := map[kind]plotter.XYs{}
		for _, apart := range []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10} {
			times := map[kind]time.Duration{}
			for _, k := range kinds {
				times[k] = cubeTime(trees[k], apart, alpha)
			}
			more := func(k kind) float64 { return 100 * (float64(times[k])/float64(times[compact]) - 1) }
			fmt.Fprintf(w, "| %g | %g | %.1f | %.1f | %.1f | %.0f | %.0f |\n",
				apart, alpha, micros(times[compact]), micros(times[nested]), micros(times[greedy]), more(nested), more(greedy))
			for _, k := range kinds[1:] {
				curves[k] = append(curves[k], plotter.XY{X: apart, Y: more(k)})
			}
		}
		for _, k := range kinds[1:] {
			f.lines = append(f.lines, line{fmt.Sprintf("%s, alpha %g", k, alpha), curves[k]})
		}
	}
	return f.draw(out, "cubes")
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// cubeTime is the mean time of a query, of cubes turned at random and then moved apart
// until the distance is as asked for.
func cubeTime(t *spheretree.Tree, apart, alpha float64) time.Duration {
	d := rand.New(rand.NewPCG(4, 4))
	var s spheretree.Scratch
	var poses []geom.Pose
	for range 15 {
		rot, err := geom.Quat(d.NormFloat64(), d.NormFloat64(), d.NormFloat64(), d.NormFloat64())
		dir, ok := geom.Unit(geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()})
		if err != nil || !ok {
			continue
		}
		far := 2 + apart
		for range 8 { // the distance grows by no more than the step along dir
			p := geom.Pose{R: rot, P: geom.Vec{X: far * dir.X, Y: far * dir.Y, Z: far * dir.Z}}
			far += apart - spheretree.Distance(t, t, p, spheretree.Query{}, &s).Distance
		}
		poses = append(poses, geom.Pose{R: rot, P: geom.Vec{X: far * dir.X, Y: far * dir.Y, Z: far * dir.Z}})
	}
	return median(5, func() {
		for _, p := range poses {
			spheretree.Distance(t, t, p, spheretree.Query{Alpha: alpha}, &s)
		}
	}) / time.Duration(len(poses))
}

// median is the median computing time of f over a few runs, each of as many calls as
// take a while, after one that does not count.
func median(runs int, f func()) time.Duration {
	const aWhile = 5 * time.Millisecond
	calls := 1 + int(aWhile/max(computing(f), 10*time.Microsecond))
	var all []time.Duration
	for range runs {
		all = append(all, computing(func() {
			for range calls {
				f()
			}
		})/time.Duration(calls))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// logRange is n values from lo to hi, evenly by their logarithms.
func logRange(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo * math.Pow(hi/lo, float64(i)/float64(n-1))
	}
	return out
}
