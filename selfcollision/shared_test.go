package selfcollision

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/ccd/spacetime"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/model"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// sharedRobot loads a robot from the collection beside the repository; without an
// SRDF, neighbours and what touches at zero are off.
func sharedRobot(t testing.TB, name string, world *scene.Snapshot) (*urdf.Robot, *model.Model) {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "robots", name)
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
		for _, p := range Defaults(r, bare, middle(bare)) {
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
	if os.Getenv("FIRSTCONTACT_LONG") != "" {
		robots = []string{"panda", "ur5e", "kinova_gen3", "allegro_hand", "g1", "romeo", "pr2", "baxter", "ur5", "anymal_c", "open_manipulator", "h1", "iiwa14"}
	}
	for _, name := range robots {
		t.Run(name, func(t *testing.T) {
			_, m := sharedRobot(t, name, nil)
			box := LimitsBox(m.Tree, nil)
			rom, tables := NewRangeOfMotion(m, box, RomOptions{}), NewTables(m, box, nil, RomOptions{})
			d, w := diceOf(1), spacetime.NewWorker(m)
			s := variant{name, NewSelfQuery(m, rom, tables), Question{}}
			n := 15
			if raceEnabled {
				n = 4
			}
			for range n {
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
func spread(t testing.TB, m *model.Model, rom *RangeOfMotion, w *spacetime.Worker, reach []extent) {
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

// Figures, with FIRSTCONTACT_LONG: what docs/self-collision.md publishes.
func TestFigures(t *testing.T) {
	if os.Getenv("FIRSTCONTACT_LONG") == "" {
		t.Skip("FIRSTCONTACT_LONG=1 measures")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t.Log("robot            joints  pairs proved of    on  proved   rigid  motion    s rom s tables")
	for _, name := range []string{"panda", "ur5", "g1", "romeo", "pr2", "baxter"} {
		_, m := sharedRobot(t, name, nil)
		box := LimitsBox(m.Tree, nil)
		begin := threadTime()
		rom := NewRangeOfMotion(m, box, RomOptions{})
		took := threadTime() - begin
		begin = threadTime()
		tables := NewTables(m, box, nil, RomOptions{})
		tookTables := threadTime() - begin
		pairs, proved, all := 0, 0, 0
		for a := range m.Bodies {
			for b := range a {
				if tables.Never(a, b, 0) {
					all++
				}
				if tables.Asked(a, b) {
					pairs++
					if tables.Never(a, b, 0) {
						proved++
					}
				}
			}
		}
		frames := len(m.Tree.Frames)
		rigid, motion := 0, 0
		for i := range frames {
			for j := range frames {
				if x := tables.Rigid(i, j); i != j && x >= 0 && !math.IsInf(x, 1) {
					rigid++
				}
				if x := tables.Motion(i, j); i < j && x >= 0 && !math.IsInf(x, 1) {
					motion++
				}
			}
		}
		t.Logf("%-16s %6d %6d %9d %6d %7d %7d %7d %8.2f %8.2f", name, frames-1, len(m.Bodies)*(len(m.Bodies)-1)/2, all, pairs, proved, rigid, motion, took, tookTables)
		figureBalls(t, m, rom)
		figureCost(t, m, rom, tables)
	}
}

// figureBalls compares the radii of both forms with what samples reach.
func figureBalls(t *testing.T, m *model.Model, rom *RangeOfMotion) {
	d, w := diceOf(9), spacetime.NewWorker(m)
	reach := make([]extent, len(m.Tree.Frames))
	for k := range reach {
		reach[k] = newExtent()
	}
	for range 2000 / (1 + len(m.Elements)/10) {
		w.At(context.Background(), d.configuration(rom.Box))
		spread(t, m, rom, w, reach)
	}
	var exacts, samples []float64
	smaller := 0
	for k := range reach {
		b := &rom.Subtree[k]
		if seen := reach[k].radius(); b.Known && b.Radius > 0 && seen > 0 {
			exacts, samples = append(exacts, b.Exact/seen), append(samples, b.Sampled/seen)
			if b.Sampled < b.Exact {
				smaller++
			}
		}
	}
	slices.Sort(exacts)
	slices.Sort(samples)
	mid, last := len(exacts)/2, len(exacts)-1
	t.Logf("  radii over what samples reach, median and worst of %d: exact %.3f %.3f, sampled %.3f %.3f (smaller for %d); base %.3f %.3f m, seen %.3f",
		len(exacts), exacts[mid], exacts[last], samples[mid], samples[last], smaller, rom.Subtree[0].Exact, rom.Subtree[0].Sampled, reach[0].radius())
}

// figureCost compares the cost of three steps with that of the loop over all pairs,
// one after the other at the same configurations.
func figureCost(t *testing.T, m *model.Model, rom *RangeOfMotion, tables *Tables) {
	d := diceOf(10)
	far := make([][]float64, 400)
	for i := range far {
		far[i] = d.configuration(rom.Box)
	}
	// A motion in small steps: what a monitor asks.
	path := make([][]float64, 400)
	a, b := middle(m), d.configuration(rom.Box)
	for i := range path {
		path[i] = make([]float64, len(a))
		for k := range a {
			path[i][k] = a[k] + (b[k]-a[k])*float64(i)/4000
		}
	}
	for _, set := range []struct {
		name string
		at   [][]float64
	}{{"anywhere", far}, {"on a path", path}} {
		w := spacetime.NewWorker(m)
		ways := []variant{
			{"all pairs", nil, Question{}},
			{"three steps, bare", NewSelfQuery(m, nil, nil), Question{Cold: true}},
			{"with tables and balls", NewSelfQuery(m, rom, tables), Question{Cold: true}},
			{"and warm", NewSelfQuery(m, rom, tables), Question{}},
			{"never pairs left out", NewSelfQuery(m, rom, tables), Question{LeaveOutNever: true}},
		}
		times := make([][]float64, len(ways))
		work := make([]SelfWork, len(ways))
		looks := make([]int, len(ways))
		for _, q := range set.at {
			if allPairs(t, w, q).Self.Hi == 0 {
				continue // where links overlap, whoever meets them first is done
			}
			for i, v := range ways {
				begin := threadTime()
				if v.s == nil {
					allPairs(t, w, q)
					times[i] = append(times[i], threadTime()-begin)
					looks[i] += w.Looks()
					continue
				}
				got, err := v.s.Distance(context.Background(), q, v.q)
				times[i] = append(times[i], threadTime()-begin)
				if err != nil {
					t.Fatal(err)
				}
				looks[i] += v.s.w.Looks()
				work[i].Balls += got.Work.Balls
				work[i].Hulls += got.Work.Hulls
				work[i].Measured += got.Work.Measured
				work[i].ByTable += got.Work.ByTable
			}
		}
		n := len(times[0])
		if n == 0 {
			t.Logf("  %s: links overlap everywhere", set.name)
			continue
		}
		for i := range ways {
			total := 0.0
			for _, x := range times[i] {
				total += x
			}
			slices.Sort(times[i])
			t.Logf("  %-10s %-22s median %7.1f us, mean %7.1f us, %.2f; balls %d, by table %d, hulls %.1f, shapes measured %.1f, closest points %.1f (of %d configurations)",
				set.name, ways[i].name, times[i][n/2]*1e6, total/float64(n)*1e6, times[i][n/2]/times[0][n/2],
				work[i].Balls/n, work[i].ByTable/n, float64(work[i].Hulls)/float64(n), float64(work[i].Measured)/float64(n), float64(looks[i])/float64(n), n)
		}
	}
}
