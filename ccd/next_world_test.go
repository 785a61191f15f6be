package ccd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"weak"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// drift is a world that changes step by step around a robot of few links.
type drift struct {
	*rand.Rand
	links []string
	world *scene.Snapshot
	next  int // number of the next object
}

func (d *drift) link() string { return d.links[d.IntN(len(d.links))] }

// body is the name of a link or an object.
func (d *drift) body() string {
	if n := len(d.world.Objects); n > 0 && d.IntN(2) == 0 {
		return d.world.Objects[d.IntN(n)].ID
	}
	return d.link()
}

// fresh is an object that the world lacks.
func (d *drift) fresh() scene.Object {
	d.next++
	o := scene.Object{ID: fmt.Sprint("object_", d.next), PoseWS: d.pose(), Shape: anyShape(d.Rand)}
	if d.IntN(4) == 0 {
		o.Padding = 0.02 * d.Float64()
	}
	return o
}

func (d *drift) pose() geom.Pose {
	p := geom.Vec{X: 3*d.Float64() - 1.5, Y: 3*d.Float64() - 1.5, Z: 2*d.Float64() - 1}
	if d.IntN(3) == 0 {
		return geom.Translation(p)
	}
	return geom.Pose{R: geom.RPY(d.Float64(), d.Float64(), d.Float64()), P: p}
}

// edit makes the next world.
func (d *drift) edit() (*scene.Snapshot, error) {
	if len(d.world.Objects) == 0 {
		return d.world.With(d.fresh(), d.fresh(), d.fresh())
	}
	o := d.world.Objects[d.IntN(len(d.world.Objects))]
	switch d.IntN(10) {
	case 0:
		return d.world.With(d.fresh())
	case 1:
		return d.world.Without(o.ID)
	case 2:
		o.Shape = anyShape(d.Rand)
	case 3:
		o.Padding = 0.03 * d.Float64()
	case 4, 5:
		o.AttachedTo, o.TouchLinks = d.link(), []string{d.link()}
		o.PoseWS = geom.Translation(geom.Vec{X: 0.3 * d.Float64(), Z: 0.3})
	case 6:
		return d.world.WithAllowed([2]string{d.body(), d.body()}, [2]string{d.link(), o.ID})
	case 7:
		return d.world.WithLinkPadding(map[string]float64{d.link(): 0.02 * d.Float64()})
	case 8: // a copy of it elsewhere
		d.next++
		o.ID = fmt.Sprint("object_", d.next)
		o.PoseWS, o.AttachedTo, o.TouchLinks = d.pose(), "", nil
	default:
		o.PoseWS, o.AttachedTo, o.TouchLinks = d.pose(), "", nil
	}
	return d.world.With(o)
}

// likeNew fails unless a checker is what New makes of its robot, world and options.
func likeNew(t *testing.T, c, anew *Checker, r *rand.Rand) {
	t.Helper()
	if c.World().Hash != anew.World().Hash || c.World().Version != anew.World().Version {
		t.Fatalf("the world is %x, version %d; anew %x, %d", c.World().Hash, c.World().Version, anew.World().Hash, anew.World().Version)
	}
	for what, pair := range map[string][2]any{
		"pairs":            {c.Pairs(), anew.Pairs()},
		"premises":         {c.Premises(), anew.Premises()},
		"findings":         {c.Plausible().Findings(), anew.Plausible().Findings()},
		"state":            {c.State(), anew.State()},
		"bodies":           {c.model.Bodies, anew.model.Bodies},
		"pairs of bodies":  {c.model.Pairs, anew.model.Pairs},
		"assumed pairs":    {c.model.Assumed, anew.model.Assumed},
		"groups":           {[]any{c.model.GroupOf, c.model.GroupPairs, c.model.PairsOf, c.model.Single}, []any{anew.model.GroupOf, anew.model.GroupPairs, anew.model.PairsOf, anew.model.Single}},
		"rows":             {c.model.Against, anew.model.Against},
		"tree of pieces":   {c.model.World.Tree, anew.model.World.Tree},
		"pieces":           {c.model.World.Items, anew.model.World.Items},
		"error of pieces":  {c.model.World.Err, anew.model.World.Err},
		"box of pieces":    {c.model.World.Box, anew.model.World.Box},
		"elements":         {elementsOf(c.model), elementsOf(anew.model)},
		"paddings, frames": {[]any{c.model.First, c.model.Real, c.model.Far}, []any{anew.model.First, anew.model.Real, anew.model.Far}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Fatalf("%s differ:\n%v\nanew\n%v", what, pair[0], pair[1])
		}
	}
	if r.IntN(4) == 0 {
		sameAnswers(t, c, anew, r)
	}
}

// elementsOf lists what can be compared of a model's elements.
func elementsOf(m *model.Model) (out []any) {
	for i := range m.Elements {
		e := &m.Elements[i]
		out = append(out, e.Body, e.Frame, e.PoseFE, e.ErrR, e.ErrP, e.Core, e.Exact, e.Rough, e.Center, e.Radius, e.Members, e.Padding)
	}
	return out
}

func sameAnswers(t *testing.T, c, anew *Checker, r *rand.Rand) {
	t.Helper()
	from, to := make([]float64, len(c.ActiveJoints())), make([]float64, len(c.ActiveJoints()))
	at := map[string]float64{}
	for i, name := range c.ActiveJoints() {
		from[i], to[i] = r.Float64()-0.5, r.Float64()-0.5
		at[name] = from[i]
	}
	m, err := motion.Between(c.ActiveJoints(), from, to, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []motion.Query{{}, {Question: motion.MinClearance, Clearance: 0.01}} {
		got, err1 := c.Check(context.Background(), m, q)
		want, err2 := anew.Check(context.Background(), m, q)
		got.Compute, want.Compute = 0, 0
		if !reflect.DeepEqual(got, want) || fmt.Sprint(err1) != fmt.Sprint(err2) {
			t.Fatalf("the answer is\n%+v, %v\nanew\n%+v, %v", got, err1, want, err2)
		}
	}
	near, err1 := c.Distance(context.Background(), at, motion.DistanceQuery{K: 3})
	nearAnew, err2 := anew.Distance(context.Background(), at, motion.DistanceQuery{K: 3})
	if !reflect.DeepEqual(near, nearAnew) || fmt.Sprint(err1) != fmt.Sprint(err2) {
		t.Fatalf("the distances are\n%+v, %v\nanew\n%+v, %v", near, err1, nearAnew, err2)
	}
}

// After any sequence of changes of its world, a checker is what New makes of the last one.
func TestChangedWorldsAreLikeNew(t *testing.T) {
	sequences, steps := long(20), 40
	if race.Enabled {
		sequences = 2
	}
	robot := arm(t)
	for seed := range sequences {
		changeWorlds(t, robot, Options{Padding: 0.001}, uint64(seed), steps)
	}
	changeWorlds(t, humanoidRobot(t), Options{}, 1000, 12)
}

func changeWorlds(t *testing.T, robot *urdf.Robot, opts Options, seed uint64, steps int) {
	t.Helper()
	d := &drift{Rand: rand.New(rand.NewPCG(seed, 7))}
	for i := range robot.Links {
		d.links = append(d.links, robot.Links[i].Name)
	}
	var err error
	if d.world, err = scene.New(""); err != nil {
		t.Fatal(err)
	}
	c, err := New(robot, d.world, opts)
	if err != nil {
		t.Fatal(err)
	}
	for step := range steps {
		world, err := d.edit()
		if err != nil {
			t.Fatal(err)
		}
		next, err := c.WithNextWorld(context.Background(), world)
		if d.IntN(5) == 0 {
			next, err = c.WithWorld(world)
		}
		anew, wrong := New(robot, world, opts)
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Fatalf("seed %d, step %d: error %v, anew %v", seed, step, err, wrong)
		}
		if err != nil {
			continue // the world before stays
		}
		d.world, c = world, next
		likeNew(t, c, anew, d.Rand)
	}
}

// A checker does not keep those of the worlds before.
func TestWorldsBeforeAreForgotten(t *testing.T) {
	c, err := New(arm(t), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var before []weak.Pointer[Checker]
	for i := range 20 {
		world, err := scene.New("", scene.NewSphere("ball", geom.Translation(geom.Vec{X: 2 + float64(i)}), 0.1))
		if err != nil {
			t.Fatal(err)
		}
		before = append(before, weak.Make(c))
		if c, err = c.WithNextWorld(context.Background(), world); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		runtime.GC()
	}
	kept := 0
	for _, b := range before {
		if b.Value() != nil {
			kept++
		}
	}
	if kept > 1 { // the first, which made what does not depend on the world
		t.Errorf("%d of %d checkers are kept", kept, len(before))
	}
	if d, err := c.Distance(context.Background(), nil, motion.DistanceQuery{}); err != nil || math.IsInf(d.World.Lo, 0) {
		t.Error(err, d.World)
	}
}
