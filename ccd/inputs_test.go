package ccd

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// shared lists what two values have in common that can be changed: slices, maps and
// pointers, unexported ones too.
func shared(a, b reflect.Value, at string) (out []string) {
	if a.Kind() != b.Kind() {
		return nil
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			out = append(out, shared(a.Field(i), b.Field(i), at+"."+a.Type().Field(i).Name)...)
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return nil
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return []string{at}
		}
		return shared(a.Elem(), b.Elem(), at)
	case reflect.Slice:
		if a.Len() > 0 && b.Len() > 0 && a.Pointer() == b.Pointer() {
			return []string{at}
		}
		for i := range min(a.Len(), b.Len()) {
			out = append(out, shared(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", at, i))...)
		}
	case reflect.Map:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return []string{at}
		}
		for _, k := range a.MapKeys() {
			if v := b.MapIndex(k); v.IsValid() {
				out = append(out, shared(a.MapIndex(k), v, fmt.Sprintf("%s[%v]", at, k))...)
			}
		}
	}
	return out
}

// fill gives every field of a type a value that is not its zero value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*urdf.Robot]() {
			v.Set(reflect.ValueOf(&urdf.Robot{Warnings: []string{"x"}})) // a part, which has no parts
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 4))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		k, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(k)
		fill(x)
		v.SetMapIndex(k, x)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	}
}

// TestClonesShareNothing: what is kept of inputs is a copy in every field, also in one
// that is added later.
func TestClonesShareNothing(t *testing.T) {
	var o Options
	fill(reflect.ValueOf(&o).Elem())
	var q motion.DistanceQuery
	fill(reflect.ValueOf(&q).Elem())
	var r urdf.Robot
	fill(reflect.ValueOf(&r).Elem())
	copyShapes := func(c *urdf.Collision) { c.Shape = c.Shape.Clone() }
	var s shape.Shape
	fill(reflect.ValueOf(&s).Elem())
	var w scene.Snapshot
	fill(reflect.ValueOf(&w).Elem())
	w.Objects = []scene.Object{scene.NewBox("x", geom.IdentityPose(), geom.Vec{X: 1, Y: 1, Z: 1}).Attach("hand", geom.IdentityPose(), "x")}
	world, err := w.Clone((*shape.Shape).Clone)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]any{
		"Options": {o, o.clone()}, "DistanceQuery": {q, q.Clone()}, "Robot": {r, *r.Clone(copyShapes)},
		"Shape": {s, *s.Clone()}, "Snapshot": {w, *world},
	} {
		for _, field := range shared(reflect.ValueOf(pair[0]), reflect.ValueOf(pair[1]), name) {
			t.Errorf("%s is shared with the copy", field)
		}
	}
}

// cage is a robot and a world made of shapes of every kind that has slices, in code.
type cage struct {
	robot *urdf.Robot
	world *scene.Snapshot
	opts  Options
}

func newCage(t *testing.T) *cage {
	t.Helper()
	robot := arm(t)
	robot.Links[2].Collisions[0].Shape = cubeMesh(0.1)
	world, err := scene.New("",
		scene.NewMesh("mesh", geom.Translation(geom.Vec{X: -1, Y: 1}), cubeMesh(0.2).Mesh.Vertices, cubeMesh(0.2).Mesh.Triangles),
		scene.NewPoints("points", geom.Translation(geom.Vec{X: -1, Y: -1}), []geom.Vec{{}, {X: 0.1}}, 0.05),
		scene.NewCells("cells", geom.Translation(geom.Vec{Z: -1}), []geom.Box{{Max: geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}}}),
		scene.NewBox("box", geom.Translation(geom.Vec{Z: 1}), geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}),
		scene.NewSphere("tool", geom.IdentityPose(), 0.03).Attach("hand", geom.Translation(geom.Vec{X: 0.3, Z: 0.1}), "upper"),
	)
	if err != nil {
		t.Fatal(err)
	}
	if world, err = world.WithLinkPadding(map[string]float64{"hand": 0.001}); err != nil {
		t.Fatal(err)
	}
	if world, err = world.WithAllowed([2]string{"base", "box"}); err != nil {
		t.Fatal(err)
	}
	none, err := pairproof.None(robot, pairproof.Options{LinkPadding: map[string]float64{"upper": 0.001}})
	if err != nil {
		t.Fatal(err)
	}
	return &cage{robot, world, Options{
		State: map[string]float64{"wrist": 0.1}, Allowed: [][2]string{{"base", "upper"}, {"upper", "hand"}},
		LinkPadding: map[string]float64{"upper": 0.001}, Proofs: &none,
	}}
}

// cubeMesh is a cube without one corner's worth of symmetry: a mesh with a hierarchy.
func cubeMesh(half float64) *shape.Shape {
	o := scene.NewMesh("", geom.IdentityPose(), []geom.Vec{
		{X: -half, Y: -half, Z: -half},
		{X: half, Y: -half, Z: -half},
		{X: half, Y: half, Z: -half},
		{X: -half, Y: half, Z: -half},
		{Z: 0.2 * half},
	}, [][3]int32{{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}})
	return o.Shape
}

// spoil changes everything that New was given, as far as it can be reached.
func (c *cage) spoil() {
	for i := range c.robot.Joints {
		j := &c.robot.Joints[i]
		j.Name, j.PosePC, j.Axis, j.Limit = "gone", geom.Pose{}, geom.Vec{}, urdf.Limit{}
	}
	for i := range c.robot.Links {
		l := &c.robot.Links[i]
		l.Name = "gone"
		for k := range l.Collisions {
			l.Collisions[k].PoseLS = geom.Pose{}
			spoilShape(l.Collisions[k].Shape)
		}
	}
	c.robot.Root = 2
	for i := range c.world.Objects {
		o := &c.world.Objects[i]
		spoilShape(o.Shape)
		o.ID, o.PoseWS, o.AttachedTo = "gone", geom.Pose{}, ""
		for k := range o.TouchLinks {
			o.TouchLinks[k] = "gone"
		}
	}
	c.world.Frame = "gone"
	for i := range c.world.Allowed {
		c.world.Allowed[i] = [2]string{"hand", "mesh"}
	}
	c.world.LinkPadding["hand"] = 3
	c.opts.State["wrist"] = 2
	c.opts.LinkPadding["upper"] = 3
	for i := range c.opts.Allowed {
		c.opts.Allowed[i] = [2]string{"hand", "mesh"}
	}
	c.opts.Proofs.Variables[0].Lo = 3
	for i := range c.opts.Proofs.Pairs {
		c.opts.Proofs.Pairs[i].Meets = pairproof.Never
	}
}

func spoilShape(s *shape.Shape) {
	if s.Mesh != nil {
		for i := range s.Mesh.Vertices {
			s.Mesh.Vertices[i] = geom.Vec{X: 1e3}
		}
		for i := range s.Mesh.Triangles {
			s.Mesh.Triangles[i] = [3]int32{}
		}
	}
	for i := range s.Points {
		s.Points[i].X = 1e3
	}
	for i := range s.Cells {
		s.Cells[i].Max.X = 1e3
	}
	s.Size, s.Radius, s.Length = geom.Vec{}, 1e-5, 1e-5
}

// answers asks one checker everything that has an answer.
func answers(t *testing.T, c *Checker) string {
	t.Helper()
	m, err := motion.Between([]string{"shoulder"}, []float64{-1}, []float64{2.5}, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var out string
	for _, q := range []motion.Query{{}, {Question: motion.IsFree}, {Question: motion.MinClearance, Tube: map[string]float64{"wrist": 0.001}}} {
		v, err := c.Check(ctx, m, q)
		out += fmt.Sprintln(v.Status, v.ProvenUntil, v.TOC, v.Contact, v.MinClearance.Bounds, v.Held, v.OpenMeshes, v.AssumedPairs, err)
	}
	d, err := c.Distance(ctx, map[string]float64{"shoulder": 0.3}, motion.DistanceQuery{K: -1})
	out += fmt.Sprintln(d, err, c.Pairs().Assumed, c.State())
	return out + fmt.Sprintf("%x", c.World().Hash)
}

// TestInputsAreCopied: whatever is changed after New or WithWorld, every answer stays,
// and what is asked at the same time meets no race.
func TestInputsAreCopied(t *testing.T) {
	for name, build := range map[string]func(*cage) (*Checker, error){
		"New": func(g *cage) (*Checker, error) { return New(g.robot, g.world, g.opts) },
		"WithWorld": func(g *cage) (*Checker, error) {
			c, err := New(g.robot, nil, g.opts)
			if err != nil {
				return nil, err
			}
			return c.WithWorld(g.world)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newCage(t)
			c, err := build(g)
			if err != nil {
				t.Fatal(err)
			}
			want := answers(t, c)
			var done sync.WaitGroup
			done.Add(1)
			go func() {
				defer done.Done()
				answers(t, c)
			}()
			g.spoil()
			done.Wait()
			if got := answers(t, c); got != want {
				t.Errorf("after its inputs were changed the checker says\n%s\nbefore\n%s", got, want)
			}
		})
	}
}

// TestChangedShapeIsSeen: a shape that was changed is checked as it is when the world
// is given, whether a snapshot was made anew or not, and the hash tells.
func TestChangedShapeIsSeen(t *testing.T) {
	m, err := motion.Between([]string{"shoulder"}, []float64{-1}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		object scene.Object
		grow   func(*shape.Shape)
	}{
		"box":    {scene.NewBox("thing", geom.Translation(geom.Vec{X: 3}), geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}), func(s *shape.Shape) { s.Size.X = 5 }},
		"sphere": {scene.NewSphere("thing", geom.Translation(geom.Vec{X: 3}), 0.1), func(s *shape.Shape) { s.Radius = 2.5 }},
		"mesh": {scene.Object{ID: "thing", PoseWS: geom.Translation(geom.Vec{X: 3}), Shape: cubeMesh(0.1)}, func(s *shape.Shape) {
			s.Mesh.Vertices[0].X, s.Mesh.Vertices[3].X = -2.5, -2.5
			s.Mesh.Vertices[0].Z, s.Mesh.Vertices[3].Z = 0, 0
		}},
		"points": {scene.NewPoints("thing", geom.Translation(geom.Vec{X: 3}), []geom.Vec{{}}, 0.1), func(s *shape.Shape) { s.Points[0].X = -2 }},
		"cells": {scene.NewCells("thing", geom.Translation(geom.Vec{X: 3}), []geom.Box{{Max: geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}}}), func(s *shape.Shape) {
			s.Cells[0].Min.X = -2
		}},
	} {
		t.Run(name, func(t *testing.T) {
			world, err := scene.New("", tc.object)
			if err != nil {
				t.Fatal(err)
			}
			c, err := New(arm(t), world, Options{})
			if err != nil {
				t.Fatal(err)
			}
			status := func(c *Checker) motion.Status {
				v, err := c.Check(context.Background(), m, motion.Query{})
				if err != nil {
					t.Fatal(err)
				}
				return v.Status
			}
			if got := status(c); got != motion.Free {
				t.Fatalf("%v before the shape grew", got)
			}
			tc.grow(tc.object.Shape)
			if got := status(c); got != motion.Free {
				t.Errorf("%v by the checker made before the shape grew", got)
			}
			anew, err := scene.New("", tc.object)
			if err != nil {
				t.Fatal(err)
			}
			for how, w := range map[string]*scene.Snapshot{"made anew": anew, "of before": world} {
				d, err := c.WithWorld(w)
				if err != nil {
					t.Fatal(err)
				}
				if got := status(d); got != motion.Contact {
					t.Errorf("%v in the snapshot %s after the shape grew", got, how)
				}
				if d.World().Hash != anew.Hash || d.World().Hash == c.World().Hash {
					t.Errorf("the hash of the snapshot %s is not that of its content", how)
				}
			}
		})
	}
}

// TestDistanceQueryIsCopied: a query that is changed in place is another one.
func TestDistanceQueryIsCopied(t *testing.T) {
	c, err := New(arm(t), nil, Options{Allowed: [][2]string{{"base", "upper"}}})
	if err != nil {
		t.Fatal(err)
	}
	q := motion.DistanceQuery{K: -1, DistanceRanges: motion.DistanceRanges{SelfRange: &motion.DistanceRange{}, Ranges: []motion.PairRange{{A: "base", B: "hand", DistanceRange: motion.DistanceRange{Max: 1e-3}}}}}
	count := func() int {
		d, err := c.Distance(context.Background(), nil, q)
		if err != nil {
			t.Fatal(err)
		}
		return len(d.Pairs)
	}
	before := count()
	g, err := c.DistanceTracker(q)
	if err != nil {
		t.Fatal(err)
	}
	q.Ranges[0].Max = 0
	if after := count(); after != before+1 {
		t.Errorf("%d pairs where the pair's range ends at 1 mm, %d without end", before, after)
	}
	q.Ranges = nil
	if after := count(); after != before+1 {
		t.Errorf("%d pairs without a limit", after)
	}
	*q.SelfRange = motion.DistanceRange{Max: 1e-9}
	if after := count(); after != 0 {
		t.Errorf("%d pairs closer than 1 nm", after)
	}
	d, err := g.Distance(context.Background(), make([]float64, 2))
	if err != nil || len(d.Pairs) != before {
		t.Errorf("a tracker whose query was changed finds %d pairs, %d before (%v)", len(d.Pairs), before, err)
	}
}
