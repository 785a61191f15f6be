package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
)

// question is a humanoid asked for one distance at many configurations.
type question struct {
	name  string
	pairs [][2]int32
}

// humanoid is g1 by itself and in the kitchen, in two kinds of trees.
type humanoid struct {
	robots    map[kind]*robot
	kitchen   map[kind]*spheretree.Tree // one tree, in the kitchen's frame
	triangles [2]int                    // of the robot and of the kitchen
	stands    geom.Pose                 // the kitchen in the robot's root frame
	path      [][]float64
	self      question
	world     question
}

// compared are the kinds of trees that the humanoid is measured with.
var compared = []kind{compact, greedy}

func newHumanoid(data string, queries int) (*humanoid, error) {
	h := &humanoid{robots: map[kind]*robot{}, kitchen: map[kind]*spheretree.Tree{}}
	for _, k := range compared {
		r, err := load(filepath.Join(data, "robots/g1/g1.urdf"), "", k)
		if err != nil {
			return nil, err
		}
		h.robots[k] = r
		s, err := kitchen(filepath.Join(data, "scenes/iai_apartment/apartment.urdf"))
		if err != nil {
			return nil, err
		}
		h.triangles[1] = len(s.Triangles)
		if h.kitchen[k], err = plant(s, k); err != nil {
			return nil, err
		}
	}
	r := h.robots[compact]
	for i := range r.urdf.Links {
		for _, c := range r.urdf.Links[i].Collisions {
			if c.Shape.Mesh != nil {
				h.triangles[0] += len(c.Shape.Mesh.Triangles)
			}
		}
	}
	h.self = question{"alone", r.partPairs(r.linkPairs())}
	h.world = question{name: "in the kitchen"}
	for i := range r.parts {
		h.world.pairs = append(h.world.pairs, [2]int32{int32(i), int32(len(r.parts))})
	}
	h.walk(queries)
	return h, nil
}

// kitchen reads an apartment, every door closed, as one surface in its root's frame.
func kitchen(path string) (spheretree.Surface, error) {
	var all spheretree.Surface
	r, err := load(path, "", compact)
	if err != nil {
		return all, err
	}
	placed := r.place(make([]float64, len(r.joints)), nil)
	k := 0
	for i := range r.urdf.Links {
		for _, c := range r.urdf.Links[i].Collisions {
			s, err := spheretree.OfShape(c.Shape, facets)
			if err != nil {
				return all, err
			}
			s = s.At(placed[k].PoseWT)
			k++
			all.Triangles = append(all.Triangles, s.Triangles...)
			all.Deviation = max(all.Deviation, s.Deviation)
		}
	}
	return all, nil
}

// walk chooses where the humanoid stands and moves: half as far from its middle
// configuration as its limits allow, twenty steps to each of several such
// configurations in turn, at a place in the kitchen where it touches nothing at first.
func (h *humanoid) walk(queries int) {
	r := h.robots[compact]
	d := rand.New(rand.NewPCG(6, 6))
	target := func() []float64 {
		q := r.somewhere(d)
		for i := range q {
			q[i] = (q[i] + (r.lo[i]+r.hi[i])/2) / 2
		}
		return q
	}
	const steps = 20
	from, to := target(), target()
	for i := range queries {
		if i > 0 && i%steps == 0 {
			from, to = to, target()
		}
		q := make([]float64, len(from))
		for j := range q {
			q[j] = from[j] + (to[j]-from[j])*float64(i%steps)/steps
		}
		h.path = append(h.path, q)
	}
	center, radius := h.kitchen[compact].Root()
	for range 1000 {
		at := geom.Vec{X: center.X + radius*(d.Float64()-0.5), Y: center.Y + radius*(d.Float64()-0.5), Z: 0.8}
		h.stands = geom.Pose{R: geom.RPY(0, 0, 6*d.Float64()), P: at}.Inv()
		_, found := spheretree.NewRanking(h.world.pairs).Closest(h.placed(compact, h.path[0], nil), spheretree.Query{Max: 0.3})
		if found.Outcome == spheretree.Found && found.Lower > 0.02 {
			return
		}
	}
}

// placed is the robot's parts and the kitchen after them.
func (h *humanoid) placed(k kind, q []float64, to []spheretree.Placed) []spheretree.Placed {
	return append(h.robots[k].place(q, to), spheretree.Placed{Tree: h.kitchen[k], PoseWT: h.stands})
}

// outcome is what a walk took and found.
type outcome struct {
	time     time.Duration // a query
	distance float64       // mean of the upper bounds found
	found    int
	work     spheretree.Work
}

// ask asks along the whole walk, poses not counted, each query starting from what the
// one before found.
func (h *humanoid) ask(k kind, about question, q spheretree.Query) outcome {
	return h.askWith(k, about, q, spheretree.NewRanking(about.pairs))
}

func (h *humanoid) askWith(k kind, about question, q spheretree.Query, r *spheretree.Ranking) outcome {
	var where [][]spheretree.Placed
	for _, c := range h.path {
		where = append(where, h.placed(k, c, nil))
	}
	var o outcome
	o.time = median(3, func() {
		o.distance, o.found, o.work = 0, 0, spheretree.Work{}
		for _, placed := range where {
			i, got := r.Closest(placed, q)
			o.work.Add(got.Work)
			if i >= 0 {
				o.found++
				o.distance += got.Upper
			}
		}
	}) / time.Duration(len(h.path))
	o.distance /= float64(max(o.found, 1))
	return o
}

// volumes sums the balls of all trees.
func (h *humanoid) volumes(w io.Writer) {
	fmt.Fprintf(w, "\nAll balls of g1 (%d triangles) and of the kitchen (%d): number and volume, m³\n", h.triangles[0], h.triangles[1])
	for _, k := range compared {
		balls, volume := 0, 0.0
		for _, p := range h.robots[k].parts {
			balls, volume = balls+len(p.tree.Nodes), volume+p.tree.Volume()
		}
		fmt.Fprintf(w, "| %s | %d | %.4g | %d | %.4g |\n", k, balls, volume, len(h.kitchen[k].Nodes), h.kitchen[k].Volume())
	}
}

// limits measures time against the largest distance of interest (SPHERE Figure 9b).
func (h *humanoid) limits(w io.Writer, out string) error {
	for _, about := range []question{h.self, h.world} {
		f := figure{title: "g1 " + about.name + ": time against the maximum distance", x: "maximum distance, m", y: "ms a query", logX: true}
		fmt.Fprintf(w, "\ng1 %s, %d pairs, %d configurations: ms a query against Max\n| Max, m | compact | greedy | found | mean distance, m |\n", about.name, len(about.pairs), len(h.path))
		curves := map[kind]plotter.XYs{}
		for _, most := range logRange(0.003, 3, 7) {
			var row [2]outcome
			for i, k := range compared {
				row[i] = h.ask(k, about, spheretree.Query{Max: most})
				curves[k] = append(curves[k], plotter.XY{X: most, Y: micros(row[i].time) / 1000})
			}
			fmt.Fprintf(w, "| %.3g | %.3f | %.3f | %d | %.4f |\n", most, micros(row[0].time)/1000, micros(row[1].time)/1000, row[0].found, row[0].distance)
		}
		for _, k := range compared {
			f.lines = append(f.lines, line{string(k), curves[k]})
		}
		if err := f.draw(out, map[string]string{"alone": "limit-self", "in the kitchen": "limit-kitchen"}[about.name]); err != nil {
			return err
		}
	}
	return nil
}

// tolerances measures time, and the distance found, against the relative tolerance,
// with and without a minimum distance of 10 mm (SPHERE Figure 10).
func (h *humanoid) tolerances(w io.Writer, out string) error {
	for _, about := range []question{h.self, h.world} {
		f := figure{title: "g1 " + about.name + ": time against the tolerance", x: "alpha", y: "ms a query"}
		fmt.Fprintf(w, "\ng1 %s: ms a query against alpha\n| alpha | Min, m | compact | greedy | mean distance found, m |\n", about.name)
		for _, least := range []float64{0, 0.01} {
			curves := map[kind]plotter.XYs{}
			for _, alpha := range []float64{0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9} {
				var row [2]outcome
				for i, k := range compared {
					row[i] = h.ask(k, about, spheretree.Query{Alpha: alpha, Min: least})
					curves[k] = append(curves[k], plotter.XY{X: alpha, Y: micros(row[i].time) / 1000})
				}
				fmt.Fprintf(w, "| %g | %g | %.3f | %.3f | %.4f |\n", alpha, least, micros(row[0].time)/1000, micros(row[1].time)/1000, row[0].distance)
			}
			for _, k := range compared {
				f.lines = append(f.lines, line{fmt.Sprintf("%s, min %g m", k, least), curves[k]})
			}
		}
		if err := f.draw(out, map[string]string{"alone": "tolerance-self", "in the kitchen": "tolerance-kitchen"}[about.name]); err != nil {
			return err
		}
	}
	return nil
}

// savings measures what cached centres (SPHERE II-C) and warm starts save.
func (h *humanoid) savings(w io.Writer, _ string) error {
	fmt.Fprintln(w, "\nWhat is saved by cached centres and warm starts: ms a query, work a query\n| | ms | pairs of balls | along a direction | triangles | points transformed |")
	n := len(h.path)
	for _, about := range []question{h.self, h.world} {
		for _, c := range []struct {
			name        string
			cold, again bool
		}{{"both", false, false}, {"no warm start", true, false}, {"no cached centres", false, true}, {"neither", true, true}} {
			o := h.askWith(compact, about, spheretree.Query{}, spheretree.NewRanking(about.pairs).Without(c.cold, c.again))
			fmt.Fprintf(w, "| %s, %s | %.3f | %d | %d | %d | %d |\n", about.name, c.name, micros(o.time)/1000,
				o.work.Spheres/n, o.work.Gaps/n, o.work.Triangles/n, o.work.Transforms/n)
		}
	}
	return nil
}
