package ccd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// folding is an arm of three bars in a plane, about z: the third folds back onto the
// first where the second joint is at 3. A fourth link turns about its own axis at the
// end. scale scales the shapes and not the joints, as meshes in millimetres do.
func folding(scale float64) *urdf.Robot {
	bar := &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.4 * scale, Y: 0.1 * scale, Z: 0.1 * scale}}
	link := func(name string, parent int) urdf.Link {
		return urdf.Link{Name: name, ParentJoint: parent, Collisions: []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: 0.25}), Shape: bar}}}
	}
	joint := func(name string, parent, child int, axis geom.Vec) urdf.Joint {
		return urdf.Joint{
			Name: name, Type: urdf.Revolute, Parent: parent, Child: child, Axis: axis,
			PosePC: geom.Translation(geom.Vec{X: 0.5}), Limit: urdf.Limit{Bounded: true, Lower: -3.1, Upper: 3.1},
		}
	}
	return &urdf.Robot{
		Name:  "folding",
		Links: []urdf.Link{link("base", -1), link("upper", 0), link("fore", 1), link("tool", 2)},
		Joints: []urdf.Joint{
			joint("shoulder", 0, 1, geom.Vec{Z: 1}), joint("elbow", 1, 2, geom.Vec{Z: 1}), joint("wrist", 2, 3, geom.Vec{X: 1}),
		},
	}
}

// Which pairs are checked does not depend on the state that is asked about: a robot
// folded onto itself is in contact, however it is said to be folded.
func TestPairsDoNotDependOnTheQuestion(t *testing.T) {
	ctx := context.Background()
	folded := map[string]float64{"elbow": 3.0, "shoulder": 0, "wrist": 0}
	asked, err := New(folding(1), nil, Options{State: folded})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := New(folding(1), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := asked.Pairs().Assumed, plain.Pairs().Assumed; !slices.Equal(a, b) {
		t.Errorf("with a state %v are left out, without %v", a, b)
	}
	d, err := asked.Distance(ctx, nil, motion.DistanceQuery{K: 1})
	if err != nil || d.Self.Hi != 0 {
		t.Errorf("the folded robot is %v apart (%v), want 0", d.Self, err)
	}
	wrist, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range everyMethod {
		if v := ask(t, asked, wrist, motion.Query{Method: method}); v.Status != motion.Contact {
			t.Errorf("%v: the wrist of a folded robot turns: %v, want contact", method, v.Status)
		}
	}
	again, err := plain.WithState(folded)
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, again, wrist, motion.Query{}); v.Status != motion.Contact {
		t.Errorf("with another state: %v, want contact", v.Status)
	}
}

// Meshes a thousand times too large touch each other at the default state: the pairs
// that drop out are no reason to call a motion free.
func TestTooManyPairsTouch(t *testing.T) {
	wrist, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	huge, err := New(folding(1000), sceneAt(9e4), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range everyMethod {
		v := ask(t, huge, wrist, motion.Query{Method: method})
		if v.Status != motion.Undecided {
			t.Fatalf("%v: a robot whose links all touch is %v, want undecided", method, v.Status)
		}
	}
	accepted, err := New(folding(1000), sceneAt(9e4), Options{Accept: premise.Accept{"default-pairs:folding", "implausible"}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := accepted.Check(context.Background(), wrist, motion.Query{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(v.Premises, func(p premise.Premise) bool { return p.Kind == premise.DefaultPairs })
	if i < 0 || !v.Premises[i].Accepted || v.Premises[i].Value != 1 {
		t.Errorf("the accepted gap is not listed: %v", v.Premises)
	}
	other, err := New(folding(1000), sceneAt(9e4), Options{Accept: premise.Accept{"default-pairs:another", "start"}})
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, other, wrist, motion.Query{}); v.Status != motion.Undecided || !strings.Contains(v.Reason, "touch at the default state") {
		t.Errorf("accepting another robot's pairs: %v (%s)", v.Status, v.Reason)
	}
}

// scene1 is a world with a small ball far away.
func scene1() *scene.Snapshot { return sceneAt(12) }

func sceneAt(x float64) *scene.Snapshot {
	w, err := scene.New("", scene.NewSphere("far", geom.Translation(geom.Vec{X: x}), 0.1))
	if err != nil {
		panic(err)
	}
	return w
}

// Each gap of a motion or a scene makes Undecided of Free, with its reason and its
// remedy; accepted by name it is listed and no more. A contact stays one, but nothing
// is said of the time before it.
func TestGaps(t *testing.T) {
	world := func(gaps ...premise.Premise) *scene.Snapshot {
		w := *scene1()
		w.Gaps = gaps
		return &w
	}
	late := func() *motion.Motion {
		m, err := motion.Path([]string{"wrist"}, [][]float64{{0}, {1}}, []float64{2, 3})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	plain := func(gaps ...premise.Premise) *motion.Motion {
		m, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		m.Gaps = gaps
		return m
	}
	lost := premise.Premise{Kind: premise.Unplaced, Names: []string{"crate"}, Detail: "crate has no pose", Remedy: "give one"}
	mug := premise.Premise{Kind: premise.Attached, Names: []string{"mug"}, Detail: "the robot carries mug", Remedy: "attach it"}
	odd := premise.Premise{Kind: premise.NotUnderstood, Detail: "something", Remedy: "explain it"}
	for _, c := range []struct {
		name   string
		world  *scene.Snapshot
		m      *motion.Motion
		accept string
	}{
		{"late start", world(), late(), "start"},
		{"unplaced object", world(lost), plain(), "unplaced-object:crate"},
		{"attached object", world(), plain(mug), "attached-objects:mug"},
		{"not understood", world(odd), plain(), "not-understood"},
	} {
		t.Run(c.name, func(t *testing.T) {
			strict, err := New(folding(1), c.world, Options{})
			if err != nil {
				t.Fatal(err)
			}
			lax, err := New(folding(1), c.world, Options{Accept: premise.Accept{c.accept}})
			if err != nil {
				t.Fatal(err)
			}
			for _, method := range everyMethod {
				for _, question := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
					q := motion.Query{Method: method, Question: question}
					v := ask(t, strict, c.m, q)
					if v.Status != motion.Undecided || v.ProvenUntil != 0 || v.MinClearance.Known || !strings.Contains(v.Reason, "accept "+c.accept) {
						t.Errorf("%v, question %d: %v until %g (%s)", method, question, v.Status, v.ProvenUntil, v.Reason)
					}
					if v := ask(t, lax, c.m, q); v.Status != motion.Free || firstOpen(v.Premises) != nil {
						t.Errorf("%v, question %d: %v though %s is accepted (%s)", method, question, v.Status, c.accept, v.Reason)
					}
				}
			}
			if v, err := strict.Certify(context.Background(), c.m, motion.Query{}, failingWriter{}); err != nil || v.Status != motion.Undecided {
				t.Errorf("a certificate: %v, %v", v.Status, err)
			}
			path, err := strict.PathChecker(motion.Query{Question: motion.IsFree})
			if err != nil {
				t.Fatal(err)
			}
			if v, err := path.Check(context.Background(), c.m); err != nil || v.Status != motion.Undecided {
				t.Errorf("a path: %v, %v", v.Status, err)
			}
		})
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { panic("a certificate is written without a proof") }

// A contact is one whatever else is not covered.
func TestGapsLeaveContacts(t *testing.T) {
	m, err := motion.Between([]string{"elbow"}, []float64{0}, []float64{3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Gaps = []premise.Premise{{Kind: premise.Attached, Names: []string{"mug"}}}
	c := newChecker(t, folding(1), nil)
	v := ask(t, c, m, motion.Query{})
	if v.Status != motion.Contact || v.TOC.Lo != 0 || v.TOC.Hi == 0 || v.ProvenUntil != 0 {
		t.Errorf("%v at %v, proved until %g", v.Status, v.TOC, v.ProvenUntil)
	}
}

// An object that the scene attaches is no gap of a motion that says it is carried.
func TestAttachedInTheScene(t *testing.T) {
	m, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.Gaps = []premise.Premise{{Kind: premise.Attached, Names: []string{"mug"}, Detail: "the robot carries mug"}}
	mug := scene.Object{ID: "mug", PoseWS: geom.Translation(geom.Vec{X: 0.6}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.05}, AttachedTo: "tool"}
	for _, attached := range []bool{true, false} {
		if !attached {
			mug.AttachedTo, mug.PoseWS = "", geom.Translation(geom.Vec{Y: 5})
		}
		world, err := scene.New("", mug)
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]motion.Status{true: motion.Free, false: motion.Undecided}[attached]
		if v := ask(t, newChecker(t, folding(1), world), m, motion.Query{}); v.Status != want {
			t.Errorf("attached %v: %v (%s), want %v", attached, v.Status, v.Reason, want)
		}
	}
}

// Held joints are listed with where they stand, for the state that the checker has now.
func TestHeldPremises(t *testing.T) {
	c := newChecker(t, folding(1), nil)
	moved, err := c.WithState(map[string]float64{"elbow": 0.5})
	if err != nil {
		t.Fatal(err)
	}
	m, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		c    *Checker
		want float64
	}{{c, 0}, {moved, 0.5}, {c, 0}} {
		v := ask(t, tc.c, m, motion.Query{})
		i := slices.IndexFunc(v.Premises, func(p premise.Premise) bool { return p.Kind == premise.Held && p.Names[0] == "elbow" })
		if i < 0 || v.Premises[i].Value != tc.want {
			t.Errorf("held at %v, want elbow at %g", v.Premises, tc.want)
		}
	}
}

// Names of gaps that do not exist are errors.
func TestAcceptIsChecked(t *testing.T) {
	for _, entry := range []string{"", "everything", "left-out", "starts"} {
		if _, err := New(folding(1), nil, Options{Accept: premise.Accept{entry}}); err == nil {
			t.Errorf("%q is accepted", entry)
		}
	}
}

var everyMethod = []motion.Method{motion.Spacetime, motion.Articulate, motion.Catch, motion.Bisect}

// A pair that is looked at alone rests on nothing that is about other pairs.
func TestPremisesOfAPair(t *testing.T) {
	huge, err := New(folding(1000), sceneAt(9e4), Options{Accept: premise.Accept{"implausible"}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := huge.OnlyPair("tool", "far")
	if err != nil {
		t.Fatal(err)
	}
	m, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	v := ask(t, pair, m, motion.Query{})
	var kinds []premise.Kind
	for _, p := range v.Premises {
		kinds = append(kinds, p.Kind)
	}
	slices.Sort(kinds)
	if want := []premise.Kind{premise.Held, premise.Held, premise.Implausible, premise.Implausible}; v.Status != motion.Free || !slices.Equal(kinds, want) {
		t.Errorf("%v, resting on %v", v.Status, v.Premises)
	}
}

// Nor do they depend on padding: links that only their padding makes touch are checked.
func TestPaddingLeavesOutNoPairs(t *testing.T) {
	padded, err := New(folding(1), nil, Options{Padding: 0.3}) // bars 0.1 m apart and more
	if err != nil {
		t.Fatal(err)
	}
	plain := newChecker(t, folding(1), nil)
	if a, b := padded.Pairs().Assumed, plain.Pairs().Assumed; !slices.Equal(a, b) {
		t.Errorf("with padding %v are left out, without %v", a, b)
	}
	m, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if v := ask(t, padded, m, motion.Query{}); v.Status != motion.Contact {
		t.Errorf("links whose padding overlaps: %v, want contact", v.Status)
	}
}

// A gap of a robot or a scene is told whatever names it has: those of a reader are told by findings, others as they are.
func TestImplausibleGapsOfReaders(t *testing.T) {
	for _, names := range [][]string{nil, {"degrees"}, {"rpy-degrees", "wall"}, {"degrees", "wall", "x_link"}} {
		gaps := []premise.Premise{{Kind: premise.Implausible, Names: names, Detail: "looks like degrees", Remedy: "give radians"}}
		robot, plain := slider(), worldOf(object("wall", box(0.2, 2, 2), pose(5, 0, 0)))
		world := worldOf(plain.Objects...)
		world.Gaps = gaps
		odd := *robot
		odd.Gaps = gaps
		for what, made := range map[string]func() (*Checker, error){
			"scene": func() (*Checker, error) { return New(robot, world, Options{}) },
			"robot": func() (*Checker, error) { return New(&odd, plain, Options{}) },
		} {
			c, err := made()
			if err != nil {
				t.Fatal(err)
			}
			if v := ask(t, c, resting(t, "x"), motion.Query{}); v.Status != motion.Undecided {
				t.Errorf("gap %v of the %s: %v", names, what, v.Status)
			}
		}
	}
}

// Shapes of one attached object may overlap: they are one body. Two objects are not.
func TestShapesOfAnAttachedObject(t *testing.T) {
	robot := slider()
	link := robot.Links[len(robot.Links)-1].Name
	shape := func(z float64) string {
		return fmt.Sprintf("{position: {x: 0, y: 0, z: %g}, orientation: {x: 0, y: 0, z: 0, w: 1}}", z)
	}
	attached := func(id, primitives, poses string) string {
		return fmt.Sprintf(`
  - link_name: %[1]s
    touch_links: []
    object:
      id: %[2]s
      header: {frame_id: %[1]s}
      primitives: [%[3]s]
      primitive_poses: [%[4]s]
      operation: 0`, link, id, primitives, poses)
	}
	const cube = "{type: 1, dimensions: [0.2, 0.2, 0.2]}"
	for _, tc := range []struct {
		name, carried string
		want          motion.Status
	}{
		{"one of two shapes", attached("o", cube+", "+cube, shape(1)+", "+shape(1.1)), motion.Free},
		{"two", attached("o", cube, shape(1)) + attached("p", cube, shape(1.1)), motion.Contact},
		{"one of two shapes, and another", attached("o", cube+", "+cube, shape(1)+", "+shape(1.1)) + attached("p", cube, shape(1.2)), motion.Contact},
	} {
		text := "name: ''\nrobot_state:\n  joint_state: {name: [x], position: [0]}\n  attached_collision_objects:" + tc.carried + "\nis_diff: false\n"
		world, err := scene.Parse("s.yaml", []byte(text), scene.Options{Robot: robot})
		if err != nil {
			t.Fatal(err)
		}
		if world, err = world.With(object("far", ball(1), pose(50, 0, 0))); err != nil {
			t.Fatal(err)
		}
		c, err := New(robot, world, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := ask(t, c, resting(t, "x"), motion.Query{}); v.Status != tc.want {
			t.Errorf("%s: %v of %v", tc.name, v.Status, v.Contact.Pair)
		}
	}
}
