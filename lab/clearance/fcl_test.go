package clearance

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// robots are those whose distances are compared.
var robots = []oracletest.Robot{oracletest.Humanoid, oracletest.Shared("panda", true), oracletest.Shared("ur5", true), oracletest.Shared("g1", false), oracletest.Shared("romeo", true)}

// configurations is how many are compared for each robot: a few, or 10,000 times
// FIRSTCONTACT_LONG.
func configurations() int {
	if switches.Long.Set() {
		return switches.Long.Times(10_000, 1)
	}
	return 12
}

// equal is how far (m) our distances and FCL's may be apart.
const equal = 1e-9

// Distances of pairs that do not overlap equal FCL's; so does the smallest of all
// where none does. The tolerance is honoured: with a part alpha of the distance, the
// bounds hold what FCL says and are no farther apart than that.
func TestDistancesEqualFCL(t *testing.T) {
	eachRobot(t, 11, func(t *testing.T, j *jury, d *rand.Rand) {
		for range configurations() {
			j.compare(t, d, j.draw(d))
			if j.tried%1000 == 0 {
				t.Log(j)
			}
		}
		t.Log(j)
		if j.pairs < 2*j.tried {
			t.Errorf("only %d pairs compared", j.pairs)
		}
	})
}

// eachRobot runs a test of its own for each robot.
func eachRobot(t *testing.T, seed uint64, run func(t *testing.T, j *jury, d *rand.Rand)) {
	oracletest.Each(t, robots, func(t *testing.T, program string, r oracletest.Robot) {
		run(t, newJury(t, program, r.File, r.SRDF), rand.New(rand.NewPCG(2026, seed)))
	})
}

// jury is FCL and our checker for one robot.
type jury struct {
	fcl    *oracle.Oracle
	c      *ccd.Checker
	joints []string
	lo, hi []float64
	gauge  *ccd.DistanceTracker // of the smallest distance
	rough  *ccd.DistanceTracker // the same, to alpha
	all    *ccd.DistanceTracker

	robot *urdf.Robot

	tried, clear, pairs, smallest int
	nearer                        int // where FCL does not find the closest points
	worst, worstSmallest          float64
}

func (j *jury) String() string {
	return fmt.Sprintf("%d configurations, %d without overlap; %d pairs compared, the worst %.3g m apart, %d nearer than FCL finds them; %d smallest distances, the worst %.3g m",
		j.tried, j.clear, j.pairs, j.worst, j.nearer, j.smallest, j.worstSmallest)
}

// alpha is the part of the distance that the rough gauge may be off.
const alpha = 0.1

func newJury(t *testing.T, program, file, srdf string) *jury {
	t.Helper()
	file = sameMeshes(t, file)
	robot, err := urdf.Load(file, urdf.Options{SRDF: srdf})
	must(t, err)
	j := &jury{robot: robot}
	j.c, err = ccd.New(robot, nil, ccd.Options{})
	must(t, err)
	j.gauge, err = j.c.DistanceTracker(motion.DistanceQuery{})
	must(t, err)
	j.rough, err = j.c.DistanceTracker(motion.DistanceQuery{Relative: alpha})
	must(t, err)
	j.all, err = j.c.DistanceTracker(motion.DistanceQuery{K: -1})
	must(t, err)
	j.fcl = oracletest.Run(t, program)
	oracletest.Load(t, j.fcl, file, j.c, false)
	j.joints = j.c.ActiveJoints()
	j.lo, j.hi = oracletest.Ranges(robot, j.joints)
	return j
}

// sameMeshes returns a URDF whose meshes are STL files, written here where they were
// COLLADA: assimp reads numbers in text as single floats before it multiplies them,
// and the model is to be the same to the last bit.
func sameMeshes(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	folder := t.TempDir()
	collada := regexp.MustCompile(`filename="(?:package://)?([^"]+\.dae)"`)
	written := map[string]string{}
	out := collada.ReplaceAllStringFunc(string(text), func(attribute string) string {
		name := collada.FindStringSubmatch(attribute)[1]
		if written[name] == "" {
			m, err := mesh.Load(filepath.Join(filepath.Dir(file), name), geom.Vec{X: 1, Y: 1, Z: 1})
			must(t, err)
			written[name] = filepath.Join(folder, fmt.Sprintf("%d.stl", len(written)))
			must(t, os.WriteFile(written[name], stl(m), 0o600))
		}
		return fmt.Sprintf("filename=%q", "file://"+written[name])
	})
	if len(written) == 0 {
		return file
	}
	path := filepath.Join(folder, "robot.urdf")
	must(t, os.WriteFile(path, []byte(out), 0o600))
	return path
}

// stl is a mesh as a binary STL file.
func stl(m *mesh.Mesh) []byte {
	out := make([]byte, 80, 84+50*len(m.Triangles))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(m.Triangles)))
	for _, t := range m.Triangles {
		out = append(out, make([]byte, 12)...) // the normal
		for _, v := range t {
			for _, x := range [...]float64{m.Vertices[v].X, m.Vertices[v].Y, m.Vertices[v].Z} {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
			}
		}
		out = append(out, 0, 0)
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// draw returns a configuration: anywhere within the limits, or near the middle,
// where less overlaps.
func (j *jury) draw(d *rand.Rand) []float64 {
	shrink := [...]float64{1, 0.5, 0.2}[d.IntN(3)]
	q := make([]float64, len(j.joints))
	for i := range q {
		q[i] = (j.lo[i]+j.hi[i])/2 + (j.hi[i]-j.lo[i])/2*shrink*(2*d.Float64()-1)
	}
	return q
}

// smallestEvery is how seldom FCL is asked for the smallest of all distances, which
// takes it a second.
const smallestEvery = 20

func (j *jury) compare(t *testing.T, d *rand.Rand, q []float64) {
	t.Helper()
	j.tried++
	got, err := j.all.Distance(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var apart []int
	for i := range got.Pairs {
		if got.Pairs[i].Distance > 1e-6 {
			apart = append(apart, i)
		}
	}
	for k := range min(3, len(apart)) {
		i := apart[0] // the closest
		if k > 0 {
			i = apart[d.IntN(len(apart))]
		}
		p := &got.Pairs[i]
		want, err := j.fcl.PairDistance(oracle.Pair{A: p.Pair.A.Name, B: p.Pair.B.Name}, q)
		if err != nil {
			t.Fatal(err)
		}
		j.pairs++
		off := math.Max(want-p.Bounds.Hi, p.Bounds.Lo-want)
		if off > equal && want > p.Bounds.Hi && j.onSurfaces(p) {
			j.nearer++
			continue
		}
		j.worst = math.Max(j.worst, off)
		if off > equal {
			t.Errorf("%v at %v: %v, for FCL %.12g", p.Pair, q, p.Bounds, want)
		}
	}
	if len(apart) < len(got.Pairs) {
		return
	}
	if j.clear++; j.clear%smallestEvery == 1 {
		j.compareSmallest(t, q)
	}
}

// onSurfaces reports whether the two points that are as close as we say are points of the
// links' surfaces.
func (j *jury) onSurfaces(p *motion.PairDistance) bool {
	a, b := &j.robot.Links[j.robot.Link(p.Pair.A.Name)], &j.robot.Links[j.robot.Link(p.Pair.B.Name)]
	return onSurface(a, p.OnA) < 1e-12 && onSurface(b, p.OnB) < 1e-12
}

func (j *jury) compareSmallest(t *testing.T, q []float64) {
	t.Helper()
	want, ok, err := j.fcl.Distance(oracle.Self, q)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for _, g := range []*ccd.DistanceTracker{j.gauge, j.rough} {
		got, err := g.Distance(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		b := got.Self
		off := math.Max(want.Distance-b.Hi, b.Lo-want.Distance)
		wide := equal
		if g == j.rough {
			off, wide = b.Lo-want.Distance, alpha*b.Hi+equal
		}
		j.worstSmallest = math.Max(j.worstSmallest, off)
		if off > equal || b.Hi < want.Distance-equal || b.Hi-b.Lo > wide {
			t.Errorf("at %v: %v, for FCL %v are %.12g apart", q, b, want.Pair, want.Distance)
		}
	}
	j.smallest++
}
