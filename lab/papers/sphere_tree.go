package papers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
)

// The ways to build a sphere tree that SPHERE compares, and one between them.
const (
	compactTree = "compact"
	nestedTree  = "nested" // the compact tree's grouping, the greedy tree's balls
	greedyTree  = "greedy"
)

func plant(s spheretree.Surface, kind string) (*spheretree.Tree, error) {
	if kind == greedyTree {
		return s.Greedy(0)
	}
	t, err := s.Compact()
	if err == nil && kind == nestedTree {
		t = t.Nested()
	}
	return t, err
}

// block is the triangles of a box, each face cut into equal ones n times along a side.
func block(sides, center geom.Vec, n int) ([]tri.Triangle, error) {
	s, err := spheretree.OfShape(&shape.Shape{Kind: shape.Box, Size: sides}, 1)
	if err != nil {
		return nil, err
	}
	var out []tri.Triangle
	for _, t := range s.At(geom.Translation(center)).Triangles {
		out = append(out, cut(t, n)...)
	}
	return out, nil
}

// cut cuts a triangle into n² equal ones.
func cut(t tri.Triangle, n int) []tri.Triangle {
	at := func(i, j int) geom.Vec {
		x, y := float64(i)/float64(n), float64(j)/float64(n)
		mix := func(a, b, c float64) float64 { return a + x*(b-a) + y*(c-a) }
		return geom.Vec{X: mix(t[0].X, t[1].X, t[2].X), Y: mix(t[0].Y, t[1].Y, t[2].Y), Z: mix(t[0].Z, t[1].Z, t[2].Z)}
	}
	var out []tri.Triangle
	for i := range n {
		for j := range n - i {
			out = append(out, tri.Triangle{at(i, j), at(i+1, j), at(i, j+1)})
			if i+j < n-1 {
				out = append(out, tri.Triangle{at(i+1, j), at(i+1, j+1), at(i, j+1)})
			}
		}
	}
	return out
}

// anL is like the mesh of SPHERE Figure 4: an L with a thickness, of two boxes.
func anL() ([]tri.Triangle, error) {
	long, err := block(geom.Vec{X: 1, Y: 0.3, Z: 0.3}, geom.Vec{X: 0.5, Y: 0.15, Z: 0.15}, 8)
	if err != nil {
		return nil, err
	}
	short, err := block(geom.Vec{X: 0.3, Y: 0.7, Z: 0.3}, geom.Vec{X: 0.15, Y: 0.65, Z: 0.15}, 8)
	return append(long, short...), err
}

// combineTwo measures SPHERE Figure 2: the balls of one tree's nodes, combined greedily
// of the children's balls and compactly of what is below.
func combineTwo(*Bench) (*Result, error) {
	triangles, err := anL()
	if err != nil {
		return nil, err
	}
	compact, err := spheretree.Compact(triangles)
	if err != nil {
		return nil, err
	}
	nested := compact.Nested()
	sum, inner := 0.0, 0
	for i := range compact.Nodes {
		if !compact.Nodes[i].Leaf() {
			sum, inner = sum+nested.Nodes[i].Radius/compact.Nodes[i].Radius, inner+1
		}
	}
	return &Result{
		Setup:  []string{fmt.Sprintf("The L of Figure 4, %d nodes that have children: the same two children combined both ways.", inner)},
		Values: values{"radii": sum / float64(inner)},
	}, nil
}

// cubeCentre measures SPHERE Figure 3: where the centre of a cube's ball is.
func cubeCentre(*Bench) (*Result, error) {
	cube, err := block(geom.Vec{X: 1, Y: 1, Z: 1}, geom.Vec{}, 4)
	if err != nil {
		return nil, err
	}
	t, err := spheretree.Compact(cube)
	if err != nil {
		return nil, err
	}
	center, radius := t.Root()
	return &Result{
		Setup:  []string{"A cube of side 1 m."},
		Values: values{"off": geom.Norm(center), "radius": radius / (math.Sqrt(3) / 2)},
	}, nil
}

// levelsOfAnL measures SPHERE Figure 4.
func levelsOfAnL(*Bench) (*Result, error) {
	triangles, err := anL()
	if err != nil {
		return nil, err
	}
	kinds := []string{compactTree, nestedTree, greedyTree}
	chart := Chart{Name: "sphere-figure4", Title: "An L: balls of the trees by level", X: "level", Y: "mean radius, m", LogY: true}
	t := Table{Head: []string{"level"}}
	var all [][]spheretree.Level
	volumes := map[string]float64{}
	for _, k := range kinds {
		tree, err := plant(spheretree.Surface{Triangles: triangles}, k)
		if err != nil {
			return nil, err
		}
		levels := tree.Levels()
		all = append(all, levels)
		volumes[k] = tree.Volume()
		s := Series{Name: k}
		for i := range min(len(levels), 14) {
			s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, levels[i].Mean)
		}
		chart.Series = append(chart.Series, s)
		t.Head = append(t.Head, k+": mean radius, m", "volume, m³")
	}
	for i := range 6 {
		row := []any{fmt.Sprintf("L%d", i+1)}
		for _, l := range all {
			row = append(row, l[i].Mean, l[i].Volume)
		}
		t.add(row...)
	}
	return &Result{
		Setup: []string{fmt.Sprintf("An L of %s triangles; its first six levels, as in the paper.", digits(float64(len(triangles))))}, Tables: []Table{t}, Charts: []Chart{chart},
		Values: values{"volumes": volumes[greedyTree] / volumes[compactTree], "sixth": all[2][5].Mean / all[0][5].Mean},
	}, nil
}

// cubes measures SPHERE Figure 9(a): what other trees take more, by distance.
func cubes(b *Bench) (Table, Chart, values, error) {
	cube, err := block(geom.Vec{X: 1, Y: 1, Z: 1}, geom.Vec{}, 16)
	if err != nil {
		return Table{}, Chart{}, nil, err
	}
	trees := map[string]*spheretree.Tree{}
	for _, k := range []string{compactTree, greedyTree} {
		if trees[k], err = plant(spheretree.Surface{Triangles: cube}, k); err != nil {
			return Table{}, Chart{}, nil, err
		}
	}
	t := Table{
		Title: fmt.Sprintf("Two cubes of %s triangles, 1 m a side, at %d turns: µs a query", digits(float64(len(cube))), b.pick(3, 15)),
		Head:  []string{"apart, m", "compact, α = 0", "greedy", "greedy takes more, %", "compact, α = 0.3", "greedy", "greedy takes more, %"},
	}
	chart := Chart{Name: "sphere-figure9a", Title: "Two cubes: what greedy trees take more", X: "distance, m", Y: "%", LogX: true, Series: []Series{{Name: "α = 0"}, {Name: "α = 0.3"}}}
	var more [2][]float64
	apart := []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10}
	for _, d := range apart {
		row := []any{digits(d)}
		for i, alpha := range []float64{0, 0.3} {
			c, g := b.cubeTime(trees[compactTree], d, alpha), b.cubeTime(trees[greedyTree], d, alpha)
			percent := 100 * (g/c - 1)
			row = append(row, c, g, percent)
			chart.Series[i].X, chart.Series[i].Y = append(chart.Series[i].X, d), append(chart.Series[i].Y, percent)
			more[i] = append(more[i], percent)
		}
		t.add(row...)
	}
	middle := func(x []float64) float64 { return (x[2] + x[3] + x[4]) / 3 } // 0.1 to 1 m
	return t, chart, values{"more at 0": middle(more[0]), "more at 0.3": middle(more[1]), "more at 0.3, 1 cm": more[1][0]}, nil
}

// cubeTime is the mean time of a query in µs, of cubes turned at random and then moved
// apart until their distance is as asked for.
func (b *Bench) cubeTime(t *spheretree.Tree, apart, alpha float64) float64 {
	d := rand.New(rand.NewPCG(4, 4))
	var s spheretree.Scratch
	var poses []geom.Pose
	for range b.pick(3, 15) {
		rot, err := geom.Quat(d.NormFloat64(), d.NormFloat64(), d.NormFloat64(), d.NormFloat64())
		dir, ok := geom.Unit(geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()})
		if err != nil || !ok {
			continue
		}
		far := 2 + apart
		at := func() geom.Pose {
			return geom.Pose{R: rot, P: geom.Vec{X: far * dir.X, Y: far * dir.Y, Z: far * dir.Z}}
		}
		for range 8 { // the distance grows by no more than the step along dir
			far += apart - spheretree.Distance(t, t, at(), spheretree.Query{}, &s).Distance
		}
		poses = append(poses, at())
	}
	return micros(b.median(func() {
		for _, p := range poses {
			spheretree.Distance(t, t, p, spheretree.Query{Alpha: alpha}, &s)
		}
	})) / float64(len(poses))
}

// median is the median computing time of f over a few runs, each of as many calls as
// take a while, after one that does not count.
func (b *Bench) median(f func()) time.Duration {
	while, runs := 5*time.Millisecond, 5
	if b.scale == Quick {
		while, runs = 200*time.Microsecond, 1
	}
	calls := 1 + int(while/max(computing(f), 10*time.Microsecond))
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
