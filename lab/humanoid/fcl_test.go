package main

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
)

// FCL, reading the committed files through urdfdom and assimp, finds the same
// distances and the same moments of contact as the judge that wrote
// expected.yaml.
func TestFCLAgrees(t *testing.T) {
	o := startFCL(t)
	w, ms := measured()
	var names []string
	for _, j := range w.robot.active() {
		names = append(names, j.name)
	}
	check(t, o.Joints(names...))
	positions := func(q state) []float64 {
		var xs []float64
		for _, n := range names {
			xs = append(xs, q[n])
		}
		return xs
	}
	for _, m := range ms {
		const samples = 15
		for i := range samples {
			at := m.path.length() * float64(i) / (samples - 1)
			q := m.path.at(at)
			theirs, err := o.AllPairs(oracle.Both, positions(q))
			check(t, err)
			agree(t, m.id, at, w.nearest(q, warn), theirs)
		}
		for _, f := range m.facts {
			for _, s := range f.touch {
				for _, c := range []struct {
					at   float64
					want bool
				}{{s[0] - 0.002, false}, {s[0] + 0.002, true}, {s[1] - 0.002, true}, {s[1] + 0.002, false}} {
					if c.at < 0 || c.at > m.path.length() {
						continue
					}
					d, err := o.PairDistance(oracle.Pair{A: f.a, B: f.b}, positions(m.path.at(c.at)))
					check(t, err)
					if (d <= 0) != c.want {
						t.Errorf("%s: FCL puts %s and %s %.5f m apart at %.4f s, touching must be %v", m.id, f.a, f.b, d, c.at, c.want)
					}
				}
			}
		}
	}
}

func startFCL(t *testing.T) *oracle.Oracle {
	o := oracletest.Start(t)
	check(t, o.Solid(true))
	_, err := o.Robot(folder+"/humanoid_urdf10.urdf", folder)
	check(t, err)
	disabled, unknown, err := o.SRDF(folder + "/humanoid.srdf")
	check(t, err)
	if want := len(humanoid().disabled()); disabled != want || unknown != 0 {
		t.Fatalf("the SRDF disables %d pairs with %d unknown, want %d and 0", disabled, unknown, want)
	}
	for _, ob := range obstacles() {
		check(t, o.AddObject(fclObject(ob)))
	}
	return o
}

func fclObject(ob obstacle) oracle.Object {
	out := oracle.Object{ID: ob.id, Type: ob.kind, Position: [3]float64{ob.xyz.X, ob.xyz.Y, ob.xyz.Z}}
	if ob.rpy != (vec{}) { // only turns about x are used
		s, c := math.Sincos(ob.rpy.X / 2)
		out.Rotation = [4]float64{s, 0, 0, c}
	}
	switch ob.kind {
	case "box":
		out.Size = []float64{ob.size.X, ob.size.Y, ob.size.Z}
	case "sphere":
		out.Size = []float64{ob.radius}
	case "mesh":
		out.File, out.Size = folder+"/humanoid_description/meshes/"+ob.mesh+".stl", []float64{1, 1, 1}
	default:
		out.Size = []float64{ob.length, ob.radius}
	}
	return out
}

// agree compares the pairs that either side finds nearer than warn.
func agree(t *testing.T, name string, at float64, ours []near, theirs []oracle.PairDistance) {
	t.Helper()
	mine := map[[2]string]float64{}
	for _, x := range ours {
		mine[[2]string{x.a, x.b}] = x.distance
		if _, ok := find(theirs, x.a, x.b); !ok {
			t.Errorf("%s: FCL does not check %s and %s", name, x.a, x.b)
		}
	}
	for _, x := range theirs {
		d, ok := mine[[2]string{x.A, x.B}]
		if !ok {
			if d, ok = mine[[2]string{x.B, x.A}]; !ok {
				d = warn
			}
		}
		if want := math.Min(x.Distance, warn); math.Abs(math.Max(d, 0)-math.Max(want, 0)) > 1e-3 {
			t.Errorf("%s at %.3f s: %s and %s are %.5f m apart, by FCL %.5f m", name, at, x.A, x.B, d, x.Distance)
		}
	}
}

func find(all []oracle.PairDistance, a, b string) (float64, bool) {
	for _, x := range all {
		if (x.A == a && x.B == b) || (x.A == b && x.B == a) {
			return x.Distance, true
		}
	}
	return 0, false
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
