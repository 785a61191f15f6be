package romtree

import (
	"context"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// measured tells that figures are wanted, and keeps to one thread, whose computing
// time they are.
func measured(t *testing.T) {
	t.Helper()
	if !switches.Long.Set() {
		t.Skip("FIRSTCONTACT_LONG=1 measures")
	}
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
}

// scopeOf is made once for all queries of a kind.
func scopeOf(t *testing.T, m *model.Model, q motion.DistanceQuery) *distance.Scope {
	t.Helper()
	s, err := distance.NewScope(m, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// stood is a scene as a robot sees it that stands at a place in it.
func stood(w *scene.Snapshot, at geom.Pose) *scene.Snapshot {
	out := &scene.Snapshot{}
	for _, o := range w.Objects {
		o.PoseWS = at.Inv().Mul(o.PoseWS)
		out.Objects = append(out.Objects, o)
	}
	return out
}

// Against the world: what docs/self-collision.md publishes.
func TestWorldFigures(t *testing.T) {
	measured(t)
	file := filepath.Join("..", "..", "..", "..", "shared", "peers", "corpus", "panda_pipes190k.scene")
	if !exists(file) {
		t.Skip("needs ../shared/peers")
	}
	c, err := corpus.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	pipes := modelOf(t, c.Robot, c.World, 0, nil)
	worldFigures(t, "panda among pipes190k", []*model.Model{pipes}, 1)
	apartment, err := scene.Load(filepath.Join("..", "..", "..", "..", "shared", "scenes", "iai_apartment", "apartment.urdf"), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, robot := range []struct {
		name string
		up   float64
	}{{"g1", 0.82}, {"romeo", 0.9}} {
		var rooms []*model.Model
		d := diceOf(21)
		for len(rooms) < 3 {
			at := geom.Pose{R: geom.RPY(0, 0, d.In(-3, 3)), P: geom.Vec{X: d.In(1, 9), Y: d.In(1, 5), Z: robot.up}}
			_, m := sharedRobot(t, robot.name, stood(apartment, at))
			w := distance.New(m)
			all, err := w.Distances(context.Background(), middle(m), motion.DistanceQuery{NoSelf: true})
			if err != nil {
				t.Fatal(err)
			}
			if all.World.Lo > 0.01 && all.World.Lo < 2 {
				rooms = append(rooms, m)
			}
		}
		worldFigures(t, robot.name+" in the apartment", rooms, 0.3)
	}
}

// worldFigures asks at configurations within a share of the limits around the middle.
func worldFigures(t *testing.T, name string, models []*model.Model, share float64) {
	type way struct {
		name string
		flat bool
		rom  bool
		q    Question
	}
	ways := []way{
		{name: "all pairs"},
		{name: "all pairs, warm"},
		{name: "every shape for itself", flat: true},
		{name: "down the tree, cold", q: Question{Cold: true}},
		{name: "down the tree, warm"},
		{name: "and ranges of motion", rom: true},
		{name: "and to 10 %", rom: true, q: Question{Relative: 0.1}},
		{name: "shapes, within 5 cm", flat: true, q: Question{Max: 0.05}},
		{name: "the tree, within 5 cm", rom: true, q: Question{Max: 0.05}},
	}
	times, work := make([][]float64, len(ways)), make([]WorldWork, len(ways))
	sum := 0.0
	for _, m := range models {
		box, d := LimitsBox(m.Tree, nil), diceOf(31)
		rom, w := NewRangeOfMotion(m, box, RomOptions{NoSampled: true}), distance.New(m)
		scope := scopeOf(t, m, motion.DistanceQuery{NoSelf: true})
		queries := make([]*WorldQuery, len(ways))
		for i, v := range ways {
			queries[i] = NewWorldQuery(m, nil)
			if v.rom {
				queries[i].rom = rom
			}
			queries[i].flat = v.flat
		}
		a, b := middle(m), d.configuration(box)
		for i := range 160 {
			if i%20 == 0 { // from time to time somewhere else, on a path in between
				a, b = b, d.configuration(box)
				for k := range b {
					b[k] = middle(m)[k] + share*(b[k]-middle(m)[k])
				}
				if i == 0 {
					a = middle(m)
				}
			}
			q := make([]float64, len(a))
			for k := range q {
				q[k] = a[k] + (b[k]-a[k])*float64(i%20)/20
			}
			var all motion.Distances
			if err := w.Measure(context.Background(), q, scope, false, &all); err != nil {
				t.Fatal(err)
			}
			if all.World.Lo <= 0 {
				continue
			}
			sum += all.World.Hi
			for i, v := range ways {
				var err error
				begin := engine.ThreadTime().Seconds()
				if i < 2 {
					err = w.Measure(context.Background(), q, scope, i == 1, &all)
				} else {
					var got WorldDistance
					got, err = queries[i].Distance(context.Background(), q, v.q)
					work[i].Tests += got.Work.Tests
					work[i].Boxes += got.Work.Boxes
					work[i].Subtrees += got.Work.Subtrees
					work[i].Measured += got.Work.Measured
				}
				times[i] = append(times[i], engine.ThreadTime().Seconds()-begin)
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	n := len(times[0])
	t.Logf("%s: %d configurations, %.3f m apart on average", name, n, sum/float64(n))
	for i := range ways {
		slices.Sort(times[i])
		f := func(x int) float64 { return float64(x) / float64(n) }
		t.Logf("  %-24s median %7.1f us, %.2f; tests %.1f, boxes %.1f, subtrees left out %.1f, pairs measured %.1f",
			ways[i].name, times[i][n/2]*1e6, times[i][n/2]/times[0][n/2], f(work[i].Tests), f(work[i].Boxes), f(work[i].Subtrees), f(work[i].Measured))
	}
}

// Figures, with FIRSTCONTACT_LONG: what docs/self-collision.md publishes.
func TestFigures(t *testing.T) {
	measured(t)
	t.Log("robot            joints  pairs proved of    on  proved   rigid  motion    s rom s tables")
	for _, name := range []string{"panda", "ur5", "g1", "romeo", "pr2", "baxter"} {
		_, m := sharedRobot(t, name, nil)
		box := LimitsBox(m.Tree, nil)
		begin := engine.ThreadTime().Seconds()
		rom := NewRangeOfMotion(m, box, RomOptions{})
		took := engine.ThreadTime().Seconds() - begin
		begin = engine.ThreadTime().Seconds()
		tables := NewTables(m, box, nil, RomOptions{})
		tookTables := engine.ThreadTime().Seconds() - begin
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

// What searches over boxes of joint positions prove goes into the same tables.
func TestTablesFromSearchFigures(t *testing.T) {
	measured(t)
	for _, name := range []string{"panda", "ur5", "g1", "romeo"} {
		r, m := sharedRobot(t, name, nil)
		box := LimitsBox(m.Tree, nil)
		by := NewTables(m, box, nil, RomOptions{})
		report, err := pairproof.All(context.Background(), r, pairproof.Options{Boxes: 500, Deadline: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		var proved []Apart
		for i := range report.Pairs {
			if p := &report.Pairs[i]; p.Meets == pairproof.Never {
				proved = append(proved, Apart{p.A, p.B, 0})
			}
		}
		both := NewTables(m, box, proved, RomOptions{})
		count := func(tb *Tables) (all, on int) {
			for a := range m.Bodies {
				for b := range a {
					if tb.Never(a, b, 0) {
						all++
						if tb.Asked(a, b) {
							on++
						}
					}
				}
			}
			return all, on
		}
		a1, o1 := count(by)
		a2, o2 := count(both)
		t.Logf("%-8s %d pairs; by ranges of motion %d, of those that are on %d; with the search %d, %d", name, len(report.Pairs), a1, o1, a2, o2)
	}
}

// figureBalls compares the radii of both forms with what samples reach.
func figureBalls(t *testing.T, m *model.Model, rom *RangeOfMotion) {
	d, w := diceOf(9), distance.New(m)
	reach := make([]extent, len(m.Tree.Frames))
	for k := range reach {
		reach[k] = newExtent()
	}
	for range 2000 / (1 + len(m.Elements)/10) {
		w.At(context.Background(), d.configuration(rom.Box), false)
		spread(t, m, rom, w, reach)
	}
	stretch(m, rom.Box, w, &reach[0])
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

// stretch looks for configurations that reach far from the base, joint by joint: what
// is drawn at random hardly ever stretches all joints at once.
func stretch(m *model.Model, box *JointBox, w *distance.Searcher, e *extent) {
	d := diceOf(12)
	along := func(q []float64, n geom.Vec, take func(geom.Vec)) float64 {
		w.At(context.Background(), q, false)
		far := math.Inf(-1)
		for i := range m.Elements[:m.Real] {
			el := &m.Elements[i]
			w.State().Ensure(el.Frame)
			for _, p := range el.Core.Vertices {
				x := w.State().PoseWF[el.Frame].Apply(el.PoseFE.Apply(p))
				far = max(far, r3.Dot(n, x))
				if take != nil {
					take(x)
				}
			}
		}
		return far
	}
	for _, n := range e.dirs[:40] {
		q := d.configuration(box)
		best := along(q, n, nil)
		for range 2 {
			for k := range q {
				for range 8 {
					was := q[k]
					q[k] = d.configuration(box)[k]
					if h := along(q, n, nil); h > best {
						best = h
					} else {
						q[k] = was
					}
				}
			}
		}
		along(q, n, e.take)
	}
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
			path[i][k] = a[k] + (b[k]-a[k])*float64(i)/8000
		}
	}
	for _, set := range []struct {
		name string
		at   [][]float64
	}{{"anywhere", far}, {"on a path", path}} {
		w := distance.New(m)
		ways := []variant{
			{"all pairs", nil, Question{Cold: true}},
			{"all pairs, warm", nil, Question{}},
			{"three steps, bare", NewSelfQuery(m, nil, nil), Question{Cold: true}},
			{"with tables and balls", NewSelfQuery(m, rom, tables), Question{Cold: true}},
			{"and warm", NewSelfQuery(m, rom, tables), Question{}},
			{"never pairs left out", NewSelfQuery(m, rom, tables), Question{LeaveOutNever: true}},
		}
		var all motion.Distances
		scope := scopeOf(t, m, motion.DistanceQuery{NoWorld: true})
		workers := []*distance.Searcher{distance.New(m), distance.New(m)}
		times := make([][]float64, len(ways))
		work := make([]SelfWork, len(ways))
		looks := make([]int, len(ways))
		for _, q := range set.at {
			if allPairs(t, w, q).Self.Hi == 0 {
				continue // where links overlap, whoever meets them first is done
			}
			for i, v := range ways {
				begin := engine.ThreadTime().Seconds()
				if v.s == nil {
					w := workers[i]
					if err := w.Measure(context.Background(), q, scope, !v.q.Cold, &all); err != nil {
						t.Fatal(err)
					}
					times[i] = append(times[i], engine.ThreadTime().Seconds()-begin)
					looks[i] += w.Looks()
					continue
				}
				got, err := v.s.Distance(context.Background(), q, v.q)
				times[i] = append(times[i], engine.ThreadTime().Seconds()-begin)
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
