package scopes

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// robots are those whose contacts are compared, among random boxes, balls and cylinders.
var robots = []oracletest.Robot{oracletest.Humanoid, oracletest.Shared("panda", true), oracletest.Shared("ur5", true), oracletest.Shared("allegro_hand", false), oracletest.Shared("dual_panda", true)}

// wanted is how many contacts are compared for each robot.
func wanted() int {
	if switches.Long.Set() {
		return switches.Long.Times(250, 1)
	}
	return 20
}

// rounding (m) is how far our distances and FCL's may be apart.
const rounding = 1e-8

// The pairs that a verdict lists at the time of contact are those that FCL finds touching
// there: it finds none that is not listed, and those that are listed touch for it, or are
// within the tolerance.
func TestContactsEqualFCL(t *testing.T) {
	oracletest.Each(t, robots, func(t *testing.T, program string, r oracletest.Robot) {
		j := newJury(t, program, r.File, r.SRDF)
		d := rand.New(rand.NewPCG(2026, 13))
		for tried := 0; j.contacts < wanted() && tried < 400*wanted(); tried++ {
			j.compare(t, d)
		}
		t.Log(j)
		if j.contacts < wanted() {
			t.Errorf("only %d contacts", j.contacts)
		}
	})
}

// jury is FCL and our checker for one robot.
type jury struct {
	fcl    *oracle.Oracle
	c      *ccd.Checker
	joints []string
	lo, hi []float64

	lists, contacts, self, world, several, atStart, overlapping int
	worst                                                       float64
}

func (j *jury) String() string {
	return fmt.Sprintf("%d lists of %d contacts (%d self, %d world), %d of several, %d at the start; FCL finds %d overlapping, the others at most %.3g m beyond what is told",
		j.lists, j.contacts, j.self, j.world, j.several, j.atStart, j.overlapping, j.worst)
}

func newJury(t *testing.T, program, file, srdf string) *jury {
	t.Helper()
	robot, err := urdf.Load(file, urdf.Options{SRDF: srdf})
	must(t, err)
	world, objects := obstacles(t)
	j := &jury{fcl: oracletest.Run(t, program)}
	j.c, err = ccd.New(robot, world, ccd.Options{Accept: premise.Accept{string(premise.DefaultPairs), string(premise.Implausible)}})
	must(t, err)
	oracletest.Load(t, j.fcl, file, j.c, true)
	for _, o := range objects {
		must(t, j.fcl.AddObject(o))
	}
	j.joints = j.c.ActiveJoints()
	j.lo, j.hi = oracletest.Ranges(robot, j.joints)
	return j
}

// obstacles are the same objects for both sides.
func obstacles(t *testing.T) (world *scene.Snapshot, objects []oracle.Object) {
	t.Helper()
	d := rand.New(rand.NewPCG(7, 7))
	text := "objects:\n"
	for i := range 10 {
		at := [3]float64{1.6*d.Float64() - 0.8, 1.6*d.Float64() - 0.8, 1.4 * d.Float64()}
		if math.Hypot(at[0], at[1]) < 0.35 {
			continue // where robots stand
		}
		size := [3]float64{0.05 + 0.2*d.Float64(), 0.05 + 0.2*d.Float64(), 0.05 + 0.2*d.Float64()}
		o := oracle.Object{ID: fmt.Sprint("object", i), Position: at}
		switch i % 3 {
		case 0:
			o.Type, o.Size = "box", size[:]
			text += fmt.Sprintf("- {id: %s, type: box, xyz: [%v, %v, %v], size: [%v, %v, %v]}\n", o.ID, at[0], at[1], at[2], size[0], size[1], size[2])
		case 1:
			o.Type, o.Size = "sphere", size[:1]
			text += fmt.Sprintf("- {id: %s, type: sphere, xyz: [%v, %v, %v], radius: %v}\n", o.ID, at[0], at[1], at[2], size[0])
		default:
			o.Type, o.Size = "cylinder", []float64{size[1], size[0]}
			text += fmt.Sprintf("- {id: %s, type: cylinder, xyz: [%v, %v, %v], radius: %v, length: %v}\n", o.ID, at[0], at[1], at[2], size[0], size[1])
		}
		objects = append(objects, o)
	}
	world, err := scene.Parse("world.yaml", []byte(text), scene.Options{})
	must(t, err)
	return world, objects
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// draw returns a configuration: anywhere within the limits, or near the middle, where
// less overlaps.
func (j *jury) draw(d *rand.Rand) []float64 {
	shrink := [...]float64{1, 0.5, 0.2}[d.IntN(3)]
	q := make([]float64, len(j.joints))
	for i := range q {
		q[i] = (j.lo[i]+j.hi[i])/2 + (j.hi[i]-j.lo[i])/2*shrink*(2*d.Float64()-1)
	}
	return q
}

// compare draws a motion and, if it collides, holds the list of contacts against FCL.
func (j *jury) compare(t *testing.T, d *rand.Rand) {
	t.Helper()
	m, err := motion.Between(j.joints, j.draw(d), j.draw(d), 1)
	must(t, err)
	m.KeepTurns = true
	q := motion.Query{MaxContacts: 64, Tolerance: [...]float64{1e-6, 1e-4, 1e-3}[d.IntN(3)], Question: motion.Question(d.IntN(2))}
	v, err := j.c.Check(context.Background(), m, q)
	must(t, err)
	if v.Status != motion.Contact {
		return
	}
	j.lists++
	if v.TOC.Hi == 0 {
		j.atStart++
	}
	if v.MoreContacts || len(v.Contacts) == 0 {
		t.Fatalf("a list of %d says that there are more", len(v.Contacts))
	}
	if len(v.Contacts) > 1 {
		j.several++
	}
	at := m.At(v.TOC.Hi)
	touching, err := j.fcl.Pose(oracle.Both, at)
	must(t, err)
	listed := map[oracle.Pair]bool{}
	for i := range v.Contacts {
		w := &v.Contacts[i]
		pair := oracle.Pair{A: w.Pair.A.Name, B: w.Pair.B.Name}
		listed[pair], listed[oracle.Pair{A: pair.B, B: pair.A}] = true, true
		j.hold(t, w, q.Tolerance, touching, at)
	}
	for _, p := range touching {
		if !listed[p] {
			t.Errorf("FCL finds %s and %s touching at %v, which is not listed", p.A, p.B, at)
		}
	}
}

// hold holds one contact against FCL.
func (j *jury) hold(t *testing.T, w *motion.Witness, tolerance float64, touching []oracle.Pair, at []float64) {
	t.Helper()
	j.contacts++
	if w.Pair.World() {
		j.world++
	} else {
		j.self++
	}
	a, b := w.Pair.A.Name, w.Pair.B.Name
	for _, p := range touching {
		if p.A == a && p.B == b || p.A == b && p.B == a {
			j.overlapping++
			return
		}
	}
	distance, err := j.fcl.PairDistance(oracle.Pair{A: a, B: b}, at)
	must(t, err)
	j.worst = math.Max(j.worst, distance-w.Distance)
	if apart := geom.Norm(geom.Vec{X: w.PointA.X - w.PointB.X, Y: w.PointA.Y - w.PointB.Y, Z: w.PointA.Z - w.PointB.Z}); distance > tolerance+rounding || math.Abs(apart-w.Distance) > rounding {
		t.Errorf("%s and %s are listed, %.12g m apart (points %.12g), and FCL finds them %.12g m apart at %v", a, b, w.Distance, apart, distance, at)
	}
}
