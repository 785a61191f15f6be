package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
	"github.com/firstcontact-ros/firstcontact/lab/spheretree"
)

const shared = "../../../shared"

func startOracle(t *testing.T) *oracle.Oracle {
	t.Helper()
	if _, err := os.Stat(filepath.Join(shared, "robots")); err != nil {
		t.Skip("no collection of robots beside the repository")
	}
	return oracletest.Start(t)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func loadRobot(t *testing.T, name string) *robot {
	t.Helper()
	folder := filepath.Join(shared, "robots", name)
	srdf := filepath.Join(folder, name+".srdf")
	if _, err := os.Stat(srdf); err != nil {
		srdf = ""
	}
	r, err := load(filepath.Join(folder, name+".urdf"), srdf, compact)
	must(t, err)
	return r
}

// asSTL returns a robot whose COLLADA meshes, as we read them, have become STL files
// that both sides load: the library that reads COLLADA for FCL keeps coordinates as
// single floats, which is off by more than what is compared here.
func asSTL(t *testing.T, r *robot) *robot {
	t.Helper()
	text, err := os.ReadFile(r.urdf.Path)
	must(t, err)
	folder := t.TempDir()
	number := 0
	text = regexp.MustCompile(`filename="[^"]+\.dae"`).ReplaceAllFunc(text, func(found []byte) []byte {
		file := strings.TrimSuffix(strings.TrimPrefix(string(found), `filename="`), `"`)
		m, err := mesh.Load(filepath.Join(filepath.Dir(r.urdf.Path), strings.TrimPrefix(file, "package://")), geom.Vec{X: 1, Y: 1, Z: 1})
		must(t, err)
		number++
		path := filepath.Join(folder, strconv.Itoa(number)+".stl")
		must(t, os.WriteFile(path, stl(m), 0o600))
		return []byte(`filename="` + path + `"`)
	})
	if number == 0 {
		t.Fatalf("%s has no COLLADA meshes", r.name)
	}
	path := filepath.Join(folder, "robot.urdf")
	must(t, os.WriteFile(path, text, 0o600))
	out, err := load(path, r.urdf.Semantic.Path, compact)
	must(t, err)
	return out
}

// stl writes a mesh as binary STL.
func stl(m *mesh.Mesh) []byte {
	out := binary.LittleEndian.AppendUint32(make([]byte, 80), uint32(len(m.Triangles)))
	for _, x := range m.Triangles {
		out = append(out, make([]byte, 12)...) // the normal: readers work it out
		for _, k := range x {
			v := m.Vertices[k]
			for _, c := range [3]float64{v.X, v.Y, v.Z} {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(c)))
			}
		}
		out = append(out, 0, 0)
	}
	return out
}

// agreement is to how much FCL's distances must be ours: exactly, on triangles, but
// for the rounding of both; where curved sides are at hand, for which FCL asks a
// general convex solver and we take facets, to what these promise.
func agreement(round bool) float64 {
	if round {
		return facets + 3e-8
	}
	return 1e-9
}

// Distances of random configurations are FCL's: of the closest pair of all, and of one
// pair at random, wherever the two do not overlap; with a tolerance the bounds hold
// FCL's distance too. A short form by default; FIRSTCONTACT_LONG=N tries
// 10,000 N configurations of each robot.
func TestDistancesAreFCLs(t *testing.T) {
	for _, c := range []struct {
		name  string
		short int
	}{{"panda", 150}, {"ur5", 0}, {"g1", 0}, {"romeo", 0}} {
		t.Run(c.name, func(t *testing.T) {
			n := c.short
			if switches.Long.Set() {
				n = switches.Long.Times(10_000, 1)
			}
			if n == 0 {
				t.Skip("its trees take seconds to build: FIRSTCONTACT_LONG=1 tries 10,000 configurations")
			}
			compareWithFCL(t, c.name, n)
		})
	}
}

func compareWithFCL(t *testing.T, name string, n int) {
	o := startOracle(t)
	r := loadRobot(t, name)
	if name == "romeo" {
		r = asSTL(t, r)
	}
	_, err := o.Robot(r.urdf.Path, "")
	must(t, err)
	must(t, o.Joints(r.names()...))
	pairs := r.linkPairs()
	enabled := map[[2]int]bool{}
	for _, p := range pairs {
		enabled[p] = true
	}
	link := func(i int) string { return r.urdf.Links[i].Name }
	for a := range r.urdf.Links {
		for b := a + 1; b < len(r.urdf.Links); b++ {
			if !enabled[[2]int{a, b}] {
				must(t, o.Disable(link(a), link(b)))
			}
		}
	}
	partPairs := r.partPairs(pairs)
	all := spheretree.NewRanking(partPairs)
	d := rand.New(rand.NewPCG(1, 1))
	var tried, apart, closest int
	var worst, worstRound float64
	compare := func(what string, ours spheretree.Result, theirs float64, round bool) bool {
		tried++
		tolerance := agreement(round)
		if theirs <= 0 || ours.Distance == 0 {
			if math.Max(theirs, ours.Distance) > tolerance {
				t.Errorf("%s: FCL %g, ours %+v", what, theirs, ours)
			}
			return false
		}
		apart++
		off := math.Abs(ours.Distance - theirs)
		if round {
			worstRound = max(worstRound, off)
		} else {
			worst = max(worst, off)
		}
		if !(off <= tolerance) || ours.Lower > theirs+tolerance || ours.Upper < theirs-tolerance {
			t.Errorf("%s: FCL %.12g, ours %+v", what, theirs, ours)
		}
		return true
	}
	for k := range n {
		if k > 0 && k%1000 == 0 {
			t.Logf("%s: %d configurations so far, %d distances, %d apart, off by at most %.2g m, of curved sides %.2g m", name, k, tried, apart, worst, worstRound)
		}
		q := r.somewhere(d)
		placed := r.place(q, nil)
		theirs, ok, err := o.Distance(oracle.Self, q)
		must(t, err)
		i, ours := all.Closest(placed, spheretree.Query{})
		if !ok || i < 0 {
			t.Fatal("no pair is enabled")
		}
		round := r.parts[partPairs[i][0]].round || r.parts[partPairs[i][1]].round
		if compare(name+", closest", ours, theirs.Distance, round) {
			closest++
		}
		p := pairs[d.IntN(len(pairs))]
		one := r.partPairs([][2]int{p})
		i, ours = spheretree.NewRanking(one).Closest(placed, spheretree.Query{})
		distance, err := o.PairDistance(oracle.Pair{A: link(p[0]), B: link(p[1])}, q)
		must(t, err)
		round = r.parts[one[i][0]].round || r.parts[one[i][1]].round
		what := name + ", " + link(p[0]) + " and " + link(p[1])
		if compare(what, ours, distance, round) {
			alpha := d.Float64() * 0.9
			_, rough := spheretree.NewRanking(one).Closest(placed, spheretree.Query{Alpha: alpha})
			off := agreement(round)
			if rough.Lower > distance+off || rough.Upper < distance-off || rough.Lower < (1-alpha)*rough.Upper-off {
				t.Errorf("%s, alpha %g: %+v, FCL %g", what, alpha, rough, distance)
			}
		}
	}
	t.Logf("%s: %d configurations, %d pairs of links, %d distances, %d apart (%d of them of the closest pair), off by at most %.2g m, of curved sides %.2g m",
		name, n, len(pairs), tried, apart, closest, worst, worstRound)
	if apart < n/2 {
		t.Errorf("%s: only %d of %d distances are of pairs apart", name, apart, tried)
	}
}
