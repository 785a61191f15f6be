package model

import (
	"slices"
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

// What is derived of an element of a link, or of a group of links alone, is made once for all worlds; of the world's, of an object that a
// link carries, and of a group with one it is made for each; and of a link that is padded otherwise, too.
func TestDerivedOfTheRobotIsMadeOnce(t *testing.T) {
	ball := func(at float64) []urdf.Collision {
		return []urdf.Collision{{Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}, PoseLS: geom.Translation(geom.Vec{X: at})}}
	}
	robot := &urdf.Robot{
		Name:   "arm",
		Links:  []urdf.Link{{Name: "base", Collisions: ball(0)}, {Name: "arm", Collisions: append(ball(0), ball(1)...)}},
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
