package node

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// cube is an obstacle on the carts' rail, 0.2 m wide.
func cube(id string, x float64) scene.Object {
	return scene.Object{ID: id, Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.2, Y: 0.2, Z: 0.2}}, PoseWS: geom.Pose{R: geom.Identity(), P: geom.Vec{X: x}}}
}

// adding is a layer that adds objects.
func adding(objects ...scene.Object) layer {
	return func(_ context.Context, _ *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
		return below.With(objects...)
	}
}

// elsewhere is a model in a world with a cube far from the carts.
func elsewhere(t testing.TB, m *model, y float64) *model {
	t.Helper()
	far := cube("far", 0)
	far.PoseWS.P.Y = y
	world, err := m.origin.file.With(far)
	if err == nil {
		m, err = m.in(context.Background(), world, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// inWorlds is a watched monitor of the carts whose world changes.
type inWorlds struct {
	*watched
	t      testing.TB
	worlds *worlds
}

func changing(t testing.TB, more map[string]any) *inWorlds {
	v := values(t, railParameters(t, more))
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		t.Fatal(err)
	}
	w := &inWorlds{watched: watch(m), t: t}
	l := newLoader(config.Defaults(), pins{}, quiet(), w.use)
	w.worlds = newWorlds(l, w.await, w.measured)
	w.given = w.worlds.count.Load
	l.mu.Lock()
	l.set(m, "")
	l.mu.Unlock()
	return w
}

// put uses a layer and returns what became of it.
func (w *inWorlds) put(from worldSource, l layer) swapped {
	w.t.Helper()
	done := make(chan swapped, 1)
	w.worlds.put(from, l, func(s swapped) { done <- s })
	if err := w.worlds.use(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	return <-done
}

// news is the state that a step publishes by itself.
func (w *inWorlds) news() *fcmsgs.CollisionState {
	w.t.Helper()
	n := len(w.said)
	w.step(context.Background(), false)
	if len(w.said) == n {
		w.t.Fatal("the step published nothing")
	}
	return w.said[len(w.said)-1]
}

// The present configuration is judged in a new world without a joint state, and the chain of
// motions goes on in it.
func TestWorldChangesUnderTheRobot(t *testing.T) {
	w := changing(t, nil)
	before := w.at(0, 0, 1)
	wantLevel(t, before, fcmsgs.CollisionStateFree, "")
	if s := w.put(fromPlanningScene, adding(cube("crate", 0.1))); s.err != nil || s.version != before.SceneVersion+1 || s.hash == before.SceneHash {
		t.Fatalf("%+v", s)
	}
	s := w.news()
	wantLevel(t, s, fcmsgs.CollisionStateCollision, "crate")
	if s.SceneVersion != 2 {
		t.Errorf("scene version %d", s.SceneVersion)
	}
	w.put(fromPlanningScene, adding(cube("crate", -1)))
	wantLevel(t, w.news(), fcmsgs.CollisionStateFree, "")
	s = w.at(ms, 0, 1.2) // through nothing, but the crate was there when the motion began
	wantLevel(t, s, fcmsgs.CollisionStateCollision, "in version 2 of the scene")
	wantCounts(t, s, 1, 0)
	w.put(fromPlanningScene, adding(cube("crate", 0.5)))
	s = w.at(2*ms, 1, 1.2) // left passes the crate, which has just come
	wantLevel(t, s, fcmsgs.CollisionStateCollision, "crate")
	wantCounts(t, s, 2, 0)
	w.put(fromPlanningScene, adding())
	wantLevel(t, w.news(), fcmsgs.CollisionStateFree, "")
	if s := w.put(fromPlanningScene, adding()); s.version != 5 || s.err != nil {
		t.Errorf("the same world again: %+v", s)
	}
	n := len(w.said)
	if w.step(context.Background(), false); len(w.said) > n+1 || w.said[len(w.said)-1].SceneVersion != 5 {
		t.Errorf("%d states follow an unchanged world", len(w.said)-n)
	}
}

// A layer that comes before the first model is in it, or follows it; its giver is told, and nothing waits.
func TestLayerBeforeTheModel(t *testing.T) {
	v := values(t, railParameters(t, nil))
	for _, early := range []bool{true, false} {
		w := watch(railModel(t))
		l := newLoader(v, pins{}, quiet(), w.use)
		all := newWorlds(l, w.await, w.measured)
		done := make(chan swapped, 1)
		put := func() {
			all.put(fromPlanningScene, adding(cube("crate", -2)), func(s swapped) { done <- s })
			time.Sleep(20 * ms) // it has looked for a model
		}
		dress := l.dress
		l.dress = func(ctx context.Context, m *model) (*model, error) {
			if early {
				put()
			}
			m, err := dress(ctx, m)
			if !early {
				put()
			}
			return m, err
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- all.run(ctx) }()
		if _, err := l.load(ctx, describe(v), false); err != nil {
			t.Fatal(err)
		}
		select {
		case s := <-done:
			if m := l.kept(); s.err != nil || m.checker.World().Object("crate") < 0 {
				t.Errorf("early %t: %v", early, s.err)
			}
		case <-time.After(patience):
			t.Errorf("early %t: the layer is not used", early)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if w.awaited.Load() != nil {
			t.Errorf("early %t: a layer still waits", early)
		}
	}
}

func TestLayersLieUponEachOther(t *testing.T) {
	w := changing(t, nil)
	w.at(0, 0, 1)
	w.put(fromPointClouds, adding(cube("cloud", 1)))
	w.put(fromPlanningScene, adding(cube("crate", -1)))
	m, _ := w.worlds.loader.current()
	if world := m.checker.World(); len(world.Objects) != 3 || world.Object("crate") != 1 || world.Object("cloud") != 2 || m.sceneVersion != 3 {
		t.Errorf("%d objects in version %d", len(world.Objects), m.sceneVersion)
	}
}

// A world that cannot be checked leaves the one before, in which nothing is FREE.
func TestUnusableWorld(t *testing.T) {
	for name, bad := range map[string]layer{
		"layer": func(context.Context, *urdf.Robot, *scene.Snapshot) (*scene.Snapshot, error) {
			return nil, errors.New("torn")
		},
		"frame": func(context.Context, *urdf.Robot, *scene.Snapshot) (*scene.Snapshot, error) { return scene.New("moon") },
		"link":  adding(scene.Object{ID: "tool", Shape: cube("", 0).Shape, PoseWS: geom.IdentityPose(), AttachedTo: "hand"}),
	} {
		t.Run(name, func(t *testing.T) {
			w := changing(t, nil)
			w.at(0, 0, 1)
			s := w.put(fromPlanningScene, bad)
			if s.err == nil || s.version != 1 {
				t.Fatalf("%+v", s)
			}
			wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "the newest scene cannot be checked")
			wantLevel(t, w.at(ms, 0, -0.9), fcmsgs.CollisionStateCollision, "cannot be checked")
			w.at(2*ms, 0, 1)
			v := newValidator(w.worlds.loader.current, w.measured, func(*fcmsgs.Verdict) {})
			v.outdated = w.whyOutdated
			if a := v.answer(context.Background(), asking(t, "a")); a.Status != fcmsgs.VerdictUndecided || a.SceneVersion != 1 {
				t.Errorf("status %d: %s", a.Status, a.Message)
			}
			if s := w.put(fromPlanningScene, adding()); s.err != nil {
				t.Fatalf("%+v", s)
			}
			wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
			if a := v.answer(context.Background(), asking(t, "a")); a.Status != fcmsgs.VerdictFree {
				t.Errorf("status %d: %s", a.Status, a.Message)
			}
		})
	}
}

func TestFaultInALayer(t *testing.T) {
	w := changing(t, nil)
	w.worlds.put(fromPlanningScene, func(context.Context, *urdf.Robot, *scene.Snapshot) (*scene.Snapshot, error) { panic("a fault") }, nil)
	if err := w.worlds.use(context.Background()); !errors.Is(err, ErrInternal) {
		t.Errorf("error %v", err)
	}
}

// Ranges of objects that the live scene adds and takes away hold while these are there.
func TestRangesOfObjectsThatComeAndGo(t *testing.T) {
	given := map[string]any{"distance_range.pairs": []string{"left:crate:0.2:0.5"}}
	v := values(t, railParameters(t, given))
	if _, err := build(context.Background(), describe(v), v); err == nil {
		t.Error("no live scene will ever have the object")
	}
	given["world.topics"] = []string{"monitored_planning_scene"}
	w := changing(t, given)
	if m, _ := w.worlds.loader.current(); len(m.awaited()) != 1 {
		t.Errorf("awaited: %v", m.awaited())
	}
	wantLevel(t, w.at(0, 0, 1), fcmsgs.CollisionStateFree, "")
	w.put(fromPlanningScene, adding(cube("crate", -0.35)))
	wantLevel(t, w.news(), fcmsgs.CollisionStateStop, "crate")
	w.put(fromPlanningScene, adding(cube("box", -0.35)))
	wantLevel(t, w.news(), fcmsgs.CollisionStateFree, "")
}

// A layer that is not in use in time lets nothing be FREE.
func TestWaitingWorld(t *testing.T) {
	w := changing(t, nil)
	wantLevel(t, w.at(0, 0, 1), fcmsgs.CollisionStateFree, "")
	w.await(time.Now().Add(-time.Second))
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "is not in use yet")
	w.await(time.Time{})
	wantLevel(t, w.at(ms, 0, 1), fcmsgs.CollisionStateFree, "")
}

// The newest layer wins, every giver is told once, and nobody waits.
func TestNewestLayerWins(t *testing.T) {
	w := changing(t, nil)
	results := make(chan swapped, 10)
	for i := range 10 {
		w.worlds.put(fromPlanningScene, adding(cube(fmt.Sprint(i), 2)), func(s swapped) { results <- s })
	}
	if w.awaited.Load() == nil {
		t.Error("no layer waits")
	}
	if err := w.worlds.use(context.Background()); err != nil {
		t.Fatal(err)
	}
	used := 0
	for range 10 {
		if s := <-results; s.err == nil {
			used++
		} else if !errors.Is(s.err, errSuperseded) {
			t.Error(s.err)
		}
	}
	if m, _ := w.worlds.loader.current(); used != 1 || m.checker.World().Object("9") < 0 || w.awaited.Load() != nil {
		t.Errorf("%d layers are used", used)
	}
	w.worlds.put(fromPlanningScene, adding(), func(s swapped) { results <- s })
	w.worlds.end()
	w.worlds.put(fromPlanningScene, adding(), func(s swapped) { results <- s })
	for range 2 {
		if s := <-results; s.err == nil {
			t.Error("a layer is used after the end")
		}
	}
}

// A source that changes faster than worlds are made waits no longer than since the first change
// that the world in use lacks.
func TestLayersFasterThanWorlds(t *testing.T) {
	w := changing(t, nil)
	var before time.Time
	slow := func(ctx context.Context, robot *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
		time.Sleep(time.Millisecond)
		before = time.Now()
		for range 3 { // while this world is made
			w.worlds.put(fromPlanningScene, adding(cube("newer", 2)), nil)
			time.Sleep(time.Millisecond)
		}
		return adding(cube("older", 2))(ctx, robot, below)
	}
	for range 3 {
		w.worlds.put(fromPlanningScene, slow, nil)
		if err := w.worlds.use(context.Background()); err != nil {
			t.Fatal(err)
		}
		since := w.awaited.Load()
		if since == nil || since.Before(before) || time.Since(*since) < 2*time.Millisecond {
			t.Fatalf("three layers wait since %v, the first of them came at %v", since, before)
		}
	}
}

// A model of another description begins in the present world.
func TestAnotherModelInThePresentWorld(t *testing.T) {
	w := changing(t, nil)
	w.put(fromPlanningScene, adding(cube("crate", 2)))
	dressed, err := w.worlds.dress(context.Background(), railModel(t))
	if err != nil || dressed.checker.World().Object("crate") < 0 || dressed.sceneVersion != 3 {
		t.Fatalf("version %d: %v", dressed.sceneVersion, err)
	}
	w.worlds.loader.set(dressed, "")
	if err := w.worlds.use(context.Background()); err != nil {
		t.Fatal(err)
	}
	if m, _ := w.worlds.loader.current(); m != dressed {
		t.Error("the same world was made again")
	}
}

// The world changes while the model may not be used, too.
func TestWorldOfAnInactiveNode(t *testing.T) {
	w := changing(t, nil)
	l := w.worlds.loader
	l.enter(stage{withheld: "the node is inactive"})
	if s := w.put(fromPlanningScene, adding(cube("crate", 2))); s.err != nil {
		t.Fatal(s.err)
	}
	if m, _ := l.current(); m != nil {
		t.Fatal("a change of the world makes the node active")
	}
	l.enter(stage{})
	if m, _ := l.current(); m.checker.World().Object("crate") < 0 {
		t.Error("the node becomes active in an old world")
	}
}

// Questions are judged again in the newest world, but not for ever.
func TestWorldsThatChangeWhileAQuestionIsAnswered(t *testing.T) {
	w := changing(t, nil)
	w.at(0, 0, 1)
	asked := 0
	v := newValidator(func() (*model, string) {
		if asked++; asked > 1 {
			w.put(fromPlanningScene, adding(cube("crate", -2-float64(asked)/100)))
		}
		return w.worlds.loader.current()
	}, w.measured, func(*fcmsgs.Verdict) {})
	a := v.answer(context.Background(), asking(t, "a"))
	if a.Status != fcmsgs.VerdictFree || a.SceneVersion < 2 || asked != 2*maxAttempts {
		t.Errorf("status %d in version %d after %d looks: %s", a.Status, a.SceneVersion, asked, a.Message)
	}
}

// A layer that came while the model was made, and that only the model before has, is not forgotten:
// until the new model has it, too, nothing is FREE.
func TestLayerWhileAnotherModelIsMade(t *testing.T) {
	w := changing(t, nil)
	l := w.worlds.loader
	wantLevel(t, w.at(0, 0, 1), fcmsgs.CollisionStateFree, "")
	dress := l.dress
	l.dress = func(ctx context.Context, m *model) (*model, error) {
		m, err := dress(ctx, m)
		if s := w.put(fromPlanningScene, adding(cube("crate", 0.1))); s.err != nil {
			t.Error(s.err)
		}
		wantLevel(t, w.news(), fcmsgs.CollisionStateCollision, "crate")
		return m, err
	}
	if _, err := l.load(t.Context(), describe(values(t, railParameters(t, nil))), false); err != nil {
		t.Fatal(err)
	}
	wantLevel(t, w.at(ms, 0, 1), fcmsgs.CollisionStateUnknown, "the scene changed while the model was loaded")
	if m, _ := l.current(); w.whyOutdated(m) == "" {
		t.Error("questions are answered in the world without the crate")
	}
	if err := w.worlds.use(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantLevel(t, w.at(2*ms, 0, 1), fcmsgs.CollisionStateCollision, "crate")
	if m, _ := l.current(); w.whyOutdated(m) != "" {
		t.Error(w.whyOutdated(m))
	}
}

// A layer that a model has which is replaced just then waits for the world of the other one.
func TestLayerOfAModelThatIsReplaced(t *testing.T) {
	w := changing(t, nil)
	before, _ := w.worlds.loader.current()
	told := make(chan swapped, 1)
	w.worlds.put(fromPlanningScene, adding(cube("crate", 2)), func(s swapped) { told <- s })
	other := elsewhere(t, before, 5)
	if !w.worlds.loader.swap(before, other) {
		t.Fatal("the model is not replaced")
	}
	if _, upTo := w.worlds.take(); w.worlds.settle(before, upTo) || w.awaited.Load() == nil {
		t.Error("the layer is in use in a model that is not")
	}
	if err := w.worlds.use(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := <-told; s.err != nil || w.awaited.Load() != nil {
		t.Errorf("%+v", s)
	}
}
