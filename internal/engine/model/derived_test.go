package model

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func TestDerivedIsMadeOnce(t *testing.T) {
	type first struct{}
	type second struct{}
	var l Leaves
	var made atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if got := l.Derived(first{}, func() any { return made.Add(1) }); got != int32(1) {
				t.Errorf("made %v", got)
			}
		}()
	}
	all.Wait()
	if got := l.Derived(second{}, func() any { return made.Add(1) }); got != int32(2) || made.Load() != 2 {
		t.Errorf("another key: %v, made %d times", got, made.Load())
	}
	var other Leaves
	if got := other.Derived(first{}, func() any { return made.Add(1) }); got != int32(3) {
		t.Errorf("another shape: %v", got)
	}
}

// ballsAt are collision elements of a link, at places along x.
func ballsAt(at ...float64) (out []urdf.Collision) {
	for _, x := range at {
		out = append(out, urdf.Collision{Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}, PoseLS: geom.Translation(geom.Vec{X: x})})
	}
	return out
}

// What is derived of an element of a link, or of a group of links alone, is made once for all worlds; of the world's, of an object that a
// link carries, and of a group with one it is made for each; and of a link that is padded otherwise, too.
func TestDerivedOfTheRobotIsMadeOnce(t *testing.T) {
	robot := &urdf.Robot{
		Name:   "arm",
		Links:  []urdf.Link{{Name: "base", ParentJoint: -1, Collisions: ballsAt(0)}, {Name: "arm", Collisions: ballsAt(0, 1)}},
		Joints: []urdf.Joint{{Name: "turn", Type: urdf.Continuous, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}}},
	}
	library := &Library{}
	first, err := New(robot, nil, nil, library)
	if err != nil {
		t.Fatal(err)
	}
	wall := scene.Object{ID: "wall", PoseWS: geom.Translation(geom.Vec{X: 5}), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 1}}
	tool := scene.Object{ID: "tool", PoseWS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.05}, AttachedTo: "arm"}
	type key struct{}
	type other struct{}
	number := 0
	// made returns numbers of what is derived of a model's elements, a new number for each that was made.
	made := func(m *Model, key any) (of []int) {
		for i := range m.Elements {
			of = append(of, m.OfElement(i, key, func() any { number++; return number }).(int))
		}
		return of
	}
	in := func(padding Padding, objects ...scene.Object) *Model {
		m, err := first.In(t.Context(), robot, &scene.Snapshot{Objects: objects}, padding, library)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	padded := func(link string) float64 { return map[string]float64{"arm": 0.01}[link] }
	for _, step := range []struct {
		what string
		got  []int
		want []int
	}{
		{"links and their group", made(first, key{}), []int{1, 2, 3, 4}},
		{"again", made(first, key{}), []int{1, 2, 3, 4}},
		{"another key", made(first, other{}), []int{5, 6, 7, 8}},
		{"with a wall", made(in(nil, wall), key{}), []int{1, 2, 3, 9, 4}},
		{"with a wall, again", made(in(nil, wall), key{}), []int{1, 2, 3, 10, 4}},
		{"with a tool", made(in(nil, tool), key{}), []int{1, 2, 3, 11, 12}},
		{"without it", made(in(nil), key{}), []int{1, 2, 3, 4}},
		{"padded", made(in(padded), key{}), []int{13, 14, 15, 16}},
	} {
		if !slices.Equal(step.got, step.want) {
			t.Errorf("%s: %v, want %v", step.what, step.got, step.want)
		}
	}
}

// Of pairs and of pairs of groups what is derived is made once where both are the robot's, and for each world where one is not.
func TestDerivedOfPairsOfTheRobotIsMadeOnce(t *testing.T) {
	robot := &urdf.Robot{
		Name:  "arm",
		Links: []urdf.Link{{Name: "base", ParentJoint: -1, Collisions: ballsAt(0)}, {Name: "arm", Collisions: ballsAt(0, 1)}, {Name: "hand", ParentJoint: 1, Collisions: ballsAt(2, 3)}},
		Joints: []urdf.Joint{
			{Name: "turn", Type: urdf.Continuous, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}},
			{Name: "bend", Type: urdf.Continuous, Parent: 1, Child: 2, PosePC: geom.IdentityPose(), Axis: geom.Vec{Y: 1}},
		},
	}
	library := &Library{}
	first, err := New(robot, nil, nil, library)
	if err != nil {
		t.Fatal(err)
	}
	tiny := &shape.Shape{Kind: shape.Sphere, Radius: 0.05}
	small := func(link string) scene.Object {
		return scene.Object{ID: "object", PoseWS: geom.IdentityPose(), Shape: tiny, AttachedTo: link}
	}
	const object = "5" // the element that is not the robot's
	number, known := 0, map[string]int{}
	seen := 0
	for _, objects := range [][]scene.Object{nil, {small("")}, {small("arm")}, {small("hand")}, nil, {small("arm")}} {
		m, err := first.In(t.Context(), robot, &scene.Snapshot{Objects: objects}, nil, library)
		if err != nil {
			t.Fatal(err)
		}
		m.PairUp(func(_, _ *Body) string { return "" })
		before := number
		build := func() any { number++; return number }
		check := func(what string, q *Pair, got int) {
			for _, e := range [...]int{q.A, q.B} {
				members := slices.Sorted(slices.Values(m.Elements[e].Members))
				if members == nil {
					members = []int32{int32(e)}
				}
				what += fmt.Sprint(members)
			}
			if strings.Contains(what, object) {
				if seen++; got <= before {
					t.Errorf("%s: taken from another world", what)
				}
				return
			}
			if want, ok := known[what]; ok && got != want {
				t.Errorf("%s: made again", what)
			}
			known[what] = got
		}
		for i := range m.Pairs {
			check("pair", &m.Pairs[i], m.OfPair(&m.Pairs[i], build).(int))
		}
		for i := range m.GroupPairs {
			check("groups", &m.GroupPairs[i], m.OfGroupPair(i, build).(int))
		}
	}
	of := map[int]string{}
	for what, n := range known {
		if other, taken := of[n]; taken {
			t.Errorf("%s has that of %s", what, other)
		}
		of[n] = what
	}
	if len(known) < 10 || seen < 20 {
		t.Errorf("%d pairs of the robot, %d of others: a poor test", len(known), seen)
	}
}

// What is derived of a pair of groups is that of the pairs of their members that are checked.
func TestDerivedOfGroupsIsOfTheCheckedPairs(t *testing.T) {
	joint := func(name string, kind urdf.JointType, parent, child int) urdf.Joint {
		return urdf.Joint{Name: name, Type: kind, Parent: parent, Child: child, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}}
	}
	robot := &urdf.Robot{
		Name: "arm",
		Links: []urdf.Link{
			{Name: "base", ParentJoint: -1, Collisions: ballsAt(0)},
			{Name: "arm", Collisions: ballsAt(0)},
			{Name: "palm", ParentJoint: 1, Collisions: ballsAt(1)},
			{Name: "tip", ParentJoint: 2, Collisions: ballsAt(2)},
			{Name: "finger", ParentJoint: 3, Collisions: ballsAt(3)},
		},
		Joints: []urdf.Joint{joint("turn", urdf.Continuous, 0, 1), joint("first", urdf.Fixed, 1, 2), joint("second", urdf.Fixed, 1, 3), joint("bend", urdf.Continuous, 1, 4)},
	}
	m, err := New(robot, nil, nil, &Library{})
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	without := func(link string) (numbers []int) {
		m.PairUp(func(a, b *Body) string {
			if a.Name == link || b.Name == link || a.Name != "base" && b.Name != "finger" {
				return "not checked"
			}
			return ""
		})
		for i := range m.GroupPairs {
			numbers = append(numbers, m.OfGroupPair(i, func() any { number++; return number }).(int))
		}
		return numbers
	}
	for _, step := range []struct {
		without string
		want    []int // of the base and the arm, of the arm and the finger
	}{{"palm", []int{1, 2}}, {"tip", []int{3, 4}}, {"", []int{5, 6}}, {"palm", []int{1, 2}}, {"tip", []int{3, 4}}} {
		if got := without(step.without); !slices.Equal(got, step.want) {
			t.Errorf("without %q: %v, want %v", step.without, got, step.want)
		}
	}
}

// Of pairs of groups no more than mostGroupPairs are kept.
func TestDerivedOfManyGroupPairs(t *testing.T) {
	var d derived
	kept := map[*once]bool{}
	for range 2 {
		for key := range mostGroupPairs + 10 {
			switch o := d.entry(key, &d.few); {
			case (o != nil) != (key < mostGroupPairs):
				t.Fatalf("key %d: kept %v", key, o != nil)
			case o != nil:
				kept[o] = true
			}
		}
	}
	if len(kept) != mostGroupPairs || d.entry("another", nil) == nil {
		t.Errorf("%d are kept", len(kept))
	}
}
