package romtree

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/defaultpairs"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sharedRobot loads a robot from the collection beside the repository; without an
// SRDF, neighbours and what touches at zero are off.
func sharedRobot(t testing.TB, name string, world *scene.Snapshot) (*urdf.Robot, *model.Model) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "..", "shared", "robots", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs ../shared/robots")
	}
	o := urdf.Options{}
	if srdf := filepath.Join(dir, name+".srdf"); exists(srdf) {
		o.SRDF = srdf
	}
	r, err := urdf.Load(filepath.Join(dir, name+".urdf"), o)
	if err != nil {
		t.Fatal(err)
	}
	lib := &model.Library{}
	m, err := model.New(r, world, nil, lib)
	if err != nil {
		t.Fatal(err)
	}
	off := map[[2]int]bool{}
	if r.Semantic != nil {
		for _, p := range r.Semantic.Disabled {
			off[[2]int{p.A, p.B}] = true
		}
	}
	if r.Semantic == nil || name == "baxter" { // whose SRDF leaves on what always overlaps

		bare, err := model.New(r, nil, nil, lib)
		if err != nil {
			t.Fatal(err)
		}
		defaults, err := defaultpairs.Defaults(r, bare, middle(bare))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range defaults {
			off[[2]int{p.A, p.B}] = true
		}
	}
	m.PairUp(func(a, b *model.Body) string {
		if off[[2]int{min(a.Link, b.Link), max(a.Link, b.Link)}] {
			return "off"
		}
		return ""
	})
	return r, m
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// middle is zero, or the middle of the range where the limits leave zero out.
func middle(m *model.Model) []float64 {
	q := make([]float64, len(m.Tree.Dofs))
	for i := range q {
		if d := &m.Tree.Dofs[i]; d.Bounded && (d.Lo > 0 || d.Hi < 0) {
			q[i] = (d.Lo + d.Hi) / 2
		}
	}
	return q
}

// Real robots: three steps come to what the loop over all pairs comes to, no vertex
// leaves its balls, and tables hold.
func TestSharedRobots(t *testing.T) {
	robots := []string{"panda", "ur5e", "allegro_hand"}
	if race.Enabled {
		robots = robots[2:]
	}
	if switches.Long.Set() {
		robots = []string{"panda", "ur5e", "kinova_gen3", "allegro_hand", "g1", "romeo", "pr2", "baxter", "ur5", "anymal_c", "open_manipulator", "h1", "iiwa14"}
	}
	for _, name := range robots {
		t.Run(name, func(t *testing.T) {
			_, m := sharedRobot(t, name, nil)
			box := LimitsBox(m.Tree, nil)
			o := RomOptions{Points: 64}
			rom, tables := NewRangeOfMotion(m, box, o), NewTables(m, box, nil, o)
			d, w := diceOf(1), distance.New(m)
			s := variant{name, NewSelfQuery(m, rom, tables), Question{}}
			for range 15 {
				q := d.configuration(box)
				want := allPairs(t, w, q).Self
				got, err := s.s.Distance(context.Background(), q, Question{})
				if err != nil {
					t.Fatal(err)
				}
				checkSame(t, 0, &s, &got, want.Lo, want.Hi)
				checkWitness(t, m, s.s, q, &got)
				spread(t, m, rom, s.s.w, nil)
			}
		})
	}
}

// spread checks that every point of the robot's shapes is in the balls of the subtrees
// it belongs to, and, where reach is given, keeps the points seen from each frame that
// are farthest in one of some directions.
func spread(t testing.TB, m *model.Model, rom *RangeOfMotion, w *distance.Searcher, reach []extent) {
	st := w.State()
	for i := range m.Elements[:m.Real] {
		e := &m.Elements[i]
		points := e.Core.Vertices
		if len(points) == 0 {
			points = []geom.Vec{{}}
		}
		st.Ensure(e.Frame)
		for _, p := range points {
			x := st.PoseWF[e.Frame].Apply(e.PoseFE.Apply(p))
			for k := e.Frame; k >= 0; k = m.Tree.Frames[k].Parent {
				seen := st.PoseWF[k].ApplyInv(x)
				if b := &rom.Subtree[k]; b.Known && r3.Norm(r3.Sub(seen, b.Center)) > b.Radius+1e-9 {
					t.Fatalf("element %d leaves the ball of frame %d", i, k)
				}
				if reach != nil {
					reach[k].take(seen)
				}
			}
		}
	}
}

// extent is the points seen that are farthest in some directions: the ball around them
// is no larger than the smallest around the range of motion.
type extent struct {
	dirs   []geom.Vec
	far    []float64
	points []geom.Vec
}

func newExtent() extent {
	d := directions(60)
	e := extent{dirs: d, far: make([]float64, len(d)), points: make([]geom.Vec, len(d))}
	for i := range e.far {
		e.far[i] = math.Inf(-1)
	}
	return e
}

func (e *extent) take(x geom.Vec) {
	for i, n := range e.dirs {
		if h := r3.Dot(n, x); h > e.far[i] {
			e.far[i], e.points[i] = h, x
		}
	}
}

func (e *extent) radius() float64 {
	if math.IsInf(e.far[0], -1) {
		return 0
	}
	return convex.MinBall(e.points).Radius
}
