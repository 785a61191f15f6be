package articulate

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// trial is a model and a motion for both methods.
type trial struct {
	model  *model.Model
	course *kin.Course
	w      *Worker
}

func newTrial(t testing.TB, m *model.Model, mo *motion.Motion) *trial {
	t.Helper()
	if err := mo.Validate(); err != nil {
		t.Fatal(err)
	}
	c, err := kin.Bind(m.Tree, mo, make([]float64, len(m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return &trial{m, c, p.NewWorker()}
}

func (r *trial) check(q motion.Query) motion.Verdict {
	return r.w.Check(context.Background(), r.course, q)
}

func (r *trial) reference(q motion.Query) motion.Verdict {
	return spacetime.NewWorker(r.model).Check(context.Background(), r.course, q)
}

// tally counts how two methods' verdicts compare.
type tally struct {
	count          map[motion.Status]int
	ties, disagree int
}

// hold compares the verdicts of two methods about one question. A disagreement is a
// witness within the clearance at a time that the other proved free; a distance between
// the clearance and the tolerance may honestly be free to one and a contact to the other.
func (c *tally) hold(t testing.TB, name string, q motion.Query, ours, theirs motion.Verdict) {
	t.Helper()
	if c.count == nil {
		c.count = map[motion.Status]int{}
	}
	c.count[ours.Status]++
	const slack = 1e-9
	against := func(who string, a, b *motion.Verdict) {
		if a.Status != motion.Contact || a.Contact.Time >= b.ProvenUntil && b.Status != motion.Free {
			return
		}
		switch {
		case b.Status == motion.Contact && a.TOC.Hi > b.TOC.Lo-slack:
		case a.Contact.Distance > q.Clearance+slack:
			c.ties++
		default:
			c.disagree++
			t.Errorf("%s: %s has a witness %.3g apart at %.12f (TOC from %.12f), but the other is %v, proven until %.12f",
				name, who, a.Contact.Distance, a.Contact.Time, a.TOC.Lo, b.Status, b.ProvenUntil)
		}
	}
	if ours.Status == motion.Contact && ours.Contact.Distance > q.Clearance+motion.DefaultTolerance*(1+1e-9) {
		t.Errorf("%s: a contact whose witness is %.3g apart", name, ours.Contact.Distance)
	}
	against("articulate", &ours, &theirs)
	against("spacetime", &theirs, &ours)
	if ours.Status == motion.Undecided {
		t.Errorf("%s: undecided at %.12f: %s (spacetime: %v %+v)", name, ours.ProvenUntil, ours.Reason, theirs.Status, theirs.TOC)
	}
}

// closedMesh is an L of thin walls, which is not convex, or a cube that holds another.
func (d chance) closedMesh(size float64) *shape.Shape {
	if d.IntN(2) == 0 {
		return &shape.Shape{Kind: shape.Mesh, Mesh: prism([]geom.Vec{{}, {X: size}, {X: size, Y: size / 5}, {X: size / 5, Y: size / 5}, {X: size / 5, Y: size}, {Y: size}}, size/10)}
	}
	outer := prism([]geom.Vec{{X: -size, Y: -size}, {X: size, Y: -size}, {X: size, Y: size}, {X: -size, Y: size}}, size)
	inner := prism([]geom.Vec{{X: -size / 3, Y: -size / 3}, {X: size / 3, Y: -size / 3}, {X: size / 3, Y: size / 3}, {X: -size / 3, Y: size / 3}}, size/3)
	n := int32(len(outer.Vertices))
	outer.Vertices = append(outer.Vertices, inner.Vertices...)
	for _, t := range inner.Triangles {
		outer.Triangles = append(outer.Triangles, [3]int32{n + t[0], n + t[1], n + t[2]})
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: outer}
}

// prism is a star-shaped outline about its first corner, extruded both ways.
func prism(outline []geom.Vec, half float64) *mesh.Mesh {
	m, n := &mesh.Mesh{}, int32(len(outline))
	for _, z := range []float64{-half, half} {
		for _, p := range outline {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	for i := int32(1); i+1 < n; i++ {
		m.Triangles = append(m.Triangles, [3]int32{0, i + 1, i}, [3]int32{n, n + i, n + i + 1})
	}
	for i := range n {
		j := (i + 1) % n
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + n}, [3]int32{i, j + n, i + n})
	}
	return m
}

func (d chance) anyShape(size float64) *shape.Shape {
	if d.IntN(3) == 0 {
		return d.closedMesh(size)
	}
	return d.shape(size)
}

func (d chance) surroundings() *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range 1 + d.IntN(6) {
		w.Objects = append(w.Objects, scene.Object{ID: fmt.Sprint("object", i), PoseWS: d.pose(0.9), Shape: d.anyShape(0.25)})
	}
	return w
}

// randomTrial is a robot of all kinds of joints and shapes, in a world and self pairs.
func randomTrial(t testing.TB, d chance) *trial {
	t.Helper()
	moves := d.IntN(3) == 0
	padding := [...]float64{0, 0, 0.02}[d.IntN(3)]
	robot := d.robot(1 + d.IntN(5))
	for i := range robot.Links {
		if d.IntN(3) == 0 {
			robot.Links[i].Collisions[0].Shape = d.closedMesh(0.2)
		}
	}
	build := model.New
	if moves {
		build = model.NewRooted
	}
	m, err := build(robot, d.surroundings(), func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(a, b *model.Body) string {
		if a.Kind == motion.RobotLink && b.Kind == motion.RobotLink && d.IntN(3) > 0 {
			return "left out by chance"
		}
		return ""
	})
	return newTrial(t, m, d.motion(m.Tree, [...]float64{0.05, 0.3, 1}[d.IntN(3)], moves))
}

// trials is how many of n a test does: more in long campaigns, fewer under the race
// detector, which looks for something else.
func trials(n int) int {
	if race.Enabled {
		return n / 8
	}
	return n * long()
}

// long is how many times as much a campaign is to do.
func long() int {
	return switches.Long.Times(1, 10)
}

// Verdicts about random robots in random worlds never contradict those of the default
// engine, whatever the clearance and the question.
func TestAgreesWithSpacetime(t *testing.T) {
	var c tally
	n := trials(120)
	for i := range n {
		d := newChance(1, uint64(i))
		r := randomTrial(t, d)
		q := motion.Query{Question: [...]motion.Question{motion.FirstContact, motion.FirstContact, motion.IsFree}[d.IntN(3)]}
		if d.IntN(3) == 0 {
			q.Clearance = d.in(0, 0.05)
		}
		q.TimeTolerance = [...]float64{0, 0, 1e-4, 1e-2}[d.IntN(4)]
		ours := r.check(q)
		c.hold(t, fmt.Sprint("trial ", i), q, ours, r.reference(q))
		if ours.Status == motion.Contact && q.Question == motion.FirstContact && ours.TOC.Hi-ours.TOC.Lo > max(q.TimeTolerance, motion.DefaultTimeTolerance) {
			t.Errorf("trial %d: the time of contact is %v, wider than asked", i, ours.TOC)
		}
	}
	t.Logf("%d trials: %v, ties %d, disagreements %d", n, c.count, c.ties, c.disagree)
	if share := float64(c.count[motion.Contact]) / float64(n); !race.Enabled && math.Abs(share-0.5) > 0.35 {
		t.Errorf("%.0f %% of the trials collide: the test is one-sided", 100*share)
	}
	if c.count[motion.Undecided] > n/50 {
		t.Errorf("%d undecided", c.count[motion.Undecided])
	}
}

var defaultQuery motion.Query

// sphereMesh is a closed mesh whose vertices, a little more than n, are on a sphere: it is
// its own hull.
func sphereMesh(d chance, n int) *shape.Shape {
	rows := int(math.Sqrt(float64(n)/2)) + 2
	m := &mesh.Mesh{Vertices: []geom.Vec{{Z: -0.2}, {Z: 0.2}}}
	cols := int32(2 * rows)
	turn := d.in(0, 1)
	for i := 1; i < rows; i++ {
		lat := math.Pi * (float64(i)/float64(rows) - 0.5)
		for j := range cols {
			lon := turn + 2*math.Pi*float64(j)/float64(cols)
			m.Vertices = append(m.Vertices, geom.Vec{X: 0.2 * math.Cos(lat) * math.Cos(lon), Y: 0.2 * math.Cos(lat) * math.Sin(lon), Z: 0.2 * math.Sin(lat)})
		}
	}
	at := func(i, j int32) int32 { return 2 + i*cols + j%cols }
	last := int32(rows - 2)
	for j := range cols {
		m.Triangles = append(m.Triangles, [3]int32{0, at(0, j+1), at(0, j)}, [3]int32{1, at(last, j), at(last, j+1)})
		for i := range last {
			m.Triangles = append(m.Triangles, [3]int32{at(i, j), at(i, j+1), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i+1, j)})
		}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m}
}
