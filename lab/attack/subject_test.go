package attack

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
	"github.com/firstcontact-ros/firstcontact/lab/static"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// shared is a collection of robots and scenes beside the repository.
const shared = "../../../shared"

// robots by how long their samples take: light ones are tried always.
var (
	light = []string{"panda", "baxter", "anymal_c", "allegro_hand", "atlas", "dual_panda", "pr2", "nextage"}
	heavy = []string{"ur5", "g1", "romeo", "kinova_gen3", "iiwa14", "fanuc", "h1", "booster_k1", "open_manipulator", "puzzle_piece_workcell", "car_seat_demo", "abb_irb2400", "ur5e", "double_pendulum"}
)

func subjects() []string {
	if switches.Long.Set() {
		return append(append([]string(nil), light...), heavy...)
	}
	return light
}

// subject is a robot as both sides know it, with the same pairs left out.
type subject struct {
	name    string
	path    string // of the URDF
	robot   *urdf.Robot
	checker *ccd.Checker // without a world
	oracle  *oracle.Oracle
	still   *static.Judge // where there is one
	joints  []string
	lo, hi  []float64 // the joints' ranges
	reach   float64   // how far from the root the links get

	fixed map[string]bool // links that no joint moves

	world  []obstacle     // that it was last put in
	meshed *oracle.Oracle // which takes primitives as meshes, once it was asked for
}

// startOracle builds and starts the judge, or skips where it cannot be built.
func startOracle(t *testing.T) *oracle.Oracle {
	t.Helper()
	if _, err := os.Stat(filepath.Join(shared, "robots")); err != nil {
		t.Skip("no collection of robots beside the repository")
	}
	return oracletest.Start(t)
}

// meet loads a robot on both sides.
func meet(t *testing.T, o *oracle.Oracle, name string) *subject {
	t.Helper()
	folder := filepath.Join(shared, "robots", name)
	path, opts := filepath.Join(folder, name+".urdf"), urdf.Options{}
	if srdf := filepath.Join(folder, name+".srdf"); exists(srdf) {
		opts.SRDF = srdf
	}
	s := &subject{name: name, path: path, oracle: o}
	var err error
	if s.robot, err = urdf.Load(path, opts); err != nil {
		t.Fatal(err)
	}
	if s.checker, err = ccd.New(s.robot, nil, ccd.Options{}); err != nil {
		t.Fatal(err)
	}
	oracletest.Load(t, o, path, s.checker, true)
	s.joints = s.checker.ActiveJoints()
	s.lo, s.hi = oracletest.Ranges(s.robot, s.joints)
	for i := range s.joints {
		s.lo[i], s.hi[i] = math.Max(s.lo[i], -math.Pi), math.Min(s.hi[i], math.Pi)
	}
	s.fixed = fixedLinks(s.robot)
	s.measure(t)
	s.allow(t)
	return s
}

// fixedLinks are those that stand still with the root, by name.
func fixedLinks(r *urdf.Robot) map[string]bool {
	fixed := map[string]bool{r.Links[r.Root].Name: true}
	for more := true; more; {
		more = false
		for i := range r.Joints {
			j := &r.Joints[i]
			if child := r.Links[j.Child].Name; j.Type == urdf.Fixed && fixed[r.Links[j.Parent].Name] && !fixed[child] {
				fixed[child], more = true, true
			}
		}
	}
	return fixed
}

// allow leaves out the pairs that touch wherever the joints stand, as of robots
// without an SRDF some do: with them every motion would begin in contact.
func (s *subject) allow(t *testing.T) {
	t.Helper()
	const tries = 12
	d, touching := dice{chance.New(2, 2)}, map[oracle.Pair]int{}
	for range tries {
		pairs, err := s.oracle.Pose(oracle.Self, d.configuration(s))
		must(t, err)
		for _, p := range pairs {
			touching[p]++
		}
	}
	var always [][2]string
	for p, n := range touching {
		if n > tries*2/3 {
			always = append(always, [2]string{p.A, p.B})
			must(t, s.oracle.Disable(p.A, p.B))
		}
	}
	if len(always) == 0 {
		return
	}
	slices.SortFunc(always, func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	var err error
	s.checker, err = ccd.New(s.robot, nil, ccd.Options{Allowed: always})
	must(t, err)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// measure notes how far links get from the root in a few configurations.
func (s *subject) measure(t *testing.T) {
	t.Helper()
	d := dice{chance.New(1, 1)}
	for range 20 {
		q := d.configuration(s)
		for i := range s.robot.Links {
			if len(s.robot.Links[i].Collisions) == 0 {
				continue
			}
			p, _, err := s.oracle.LinkPose(s.robot.Links[i].Name, q)
			must(t, err)
			s.reach = math.Max(s.reach, math.Sqrt(p[0]*p[0]+p[1]*p[1]+p[2]*p[2]))
		}
	}
}

// positions names a configuration's numbers.
func (s *subject) positions(q []float64) map[string]float64 {
	m := make(map[string]float64, len(q))
	for i, x := range q {
		m[s.joints[i]] = x
	}
	return m
}

// in puts the same obstacles on both sides.
func (s *subject) in(t *testing.T, obstacles []obstacle) *ccd.Checker {
	t.Helper()
	s.world = slices.Clone(obstacles)
	must(t, s.oracle.ClearObjects())
	for i := range obstacles {
		must(t, s.oracle.AddObject(obstacles[i].judged()))
	}
	objects := objectsOf(t, obstacles)
	if s.still != nil {
		must(t, s.still.Surround(objects))
	}
	if len(objects) == 0 {
		return s.checker
	}
	world, err := scene.New("", objects...)
	must(t, err)
	c, err := s.checker.WithWorld(world)
	must(t, err)
	return c
}

func objectsOf(t *testing.T, obstacles []obstacle) []scene.Object {
	t.Helper()
	objects := make([]scene.Object, len(obstacles))
	for i := range obstacles {
		objects[i] = obstacles[i].object(t)
	}
	return objects
}

// dice draws what is tried.
type dice struct{ chance.Dice }

func (d dice) configuration(s *subject) []float64 {
	q := make([]float64, len(s.joints))
	for i := range q {
		q[i] = d.In(s.lo[i], s.hi[i])
	}
	return q
}

// near draws a configuration within the limits, each joint at most step away.
func (d dice) near(s *subject, from []float64, step float64) []float64 {
	q := make([]float64, len(from))
	for i := range q {
		q[i] = math.Max(s.lo[i], math.Min(s.hi[i], from[i]+d.In(-step, step)))
	}
	return q
}
