package laws

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// meshesAnotherWay: a mesh with its triangles doubled, turned one by one, quartered or
// reordered, its vertices split, in another format or another unit, is the same body.
func meshesAnotherWay(t *trial) {
	s, any := t.subject(), false
	s.bodies(func(b *body) {
		if b.mesh == nil {
			return
		}
		any = true
		b.mesh = t.rewritten(b.mesh)
		b.format = formatNames[t.IntN(len(formatNames))]
		b.scale = []float64{1, 1, 0.5, 0.001}[t.IntN(4)]
	})
	if any {
		t.alike(s)
	}
}

// boxAsMesh: a box is the box made of triangles.
func boxAsMesh(t *trial) {
	s, any := t.subject(), false
	s.bodies(func(b *body) {
		if b.kind == "box" {
			any = true
			b.kind, b.mesh, b.scale = "mesh", boxMesh(b.size, geom.Vec{}), 1
		}
	})
	if any {
		t.alike(s)
	}
}

// sceneEdited: a scene that was made of another one, object by object, is the scene
// made at once, also where a shape was changed in place in between.
func sceneEdited(t *trial) {
	s := t.subject()
	want, err := s.asWorld()
	if err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	var real, other []scene.Object
	for i := range s.objects {
		o := s.objects[i].asObject()
		real = append(real, o)
		if !t.one(3) {
			o.Shape = scene.NewBox("", o.PoseWS, geom.Vec{X: 0.1, Y: 0.1, Z: 0.1}).Shape
			o.Padding = 0
			other = append(other, o)
		}
	}
	other = append(other, scene.NewSphere("extra", geom.Translation(geom.Vec{X: 0.3}), 0.2))
	was, err := scene.New(s.frame, other...)
	if err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	a := *t.base.a
	if a.checker, err = a.checker.WithWorld(was); err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	t.Shuffle(len(real), func(i, k int) { real[i], real[k] = real[k], real[i] })
	if a.checker, a.world, err = edit(a.checker, was, real, want); err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	if y, ok := t.check(&a, t.base.q); ok {
		t.same(t.base, y, true)
	}
	fresh := make([]scene.Object, len(s.objects))
	for i := range fresh {
		fresh[i] = s.objects[i].asObject()
	}
	t.inPlace(fresh, want)
}

// edit takes a scene and its checker to other objects, one after the other.
func edit(c *ccd.Checker, w *scene.Snapshot, objects []scene.Object, like *scene.Snapshot) (*ccd.Checker, *scene.Snapshot, error) {
	var err error
	for _, o := range objects {
		if w, err = w.With(o); err != nil {
			return nil, nil, err
		}
		if c, err = c.WithWorld(w); err != nil {
			return nil, nil, err
		}
	}
	if w, err = w.Without("extra"); err == nil {
		w, err = w.WithAllowed(like.Allowed...)
	}
	if err == nil {
		w, err = w.WithLinkPadding(like.LinkPadding)
	}
	if err != nil {
		return nil, nil, err
	}
	c, err = c.WithWorld(w)
	return c, w, err
}

// inPlace makes a scene of objects one of which has another shape, then changes that
// shape in place to what it should be, makes a scene of the same objects again, and
// asks there.
func (t *trial) inPlace(objects []scene.Object, like *scene.Snapshot) {
	k := t.IntN(len(objects) + 1)
	if k == len(objects) || objects[k].Shape.Points != nil {
		return
	}
	shape := objects[k].Shape
	is := *shape
	shape.Size, shape.Radius, shape.Length = r3.Scale(0.1, is.Size), 0.1*is.Radius, 0.1*is.Length
	if is.Mesh != nil {
		v := is.Mesh.Vertices
		shape.Mesh = scene.NewMesh("", geom.IdentityPose(), []geom.Vec{v[0], v[1], r3.Scale(0.5, r3.Add(v[0], v[2]))}, [][3]int32{{0, 1, 2}}).Shape.Mesh
	}
	a := *t.base.a
	for range 2 {
		w, err := scene.New(like.Frame, objects...)
		if err == nil {
			w, err = w.WithAllowed(like.Allowed...)
		}
		if err == nil {
			w, err = w.WithLinkPadding(like.LinkPadding)
		}
		if err == nil {
			a.checker, err = a.checker.WithWorld(w)
		}
		if err != nil {
			t.contradicts("refused: %v", err)
			return
		}
		a.world, *shape = w, is
	}
	if y, ok := t.check(&a, t.base.q); ok {
		t.same(t.base, y, true)
	}
}

// objectInTwo: a box cut in two, as two objects, is the same obstacle.
func objectInTwo(t *trial) {
	s := t.subject()
	for i := range s.objects {
		o := s.objects[i]
		if o.kind != "box" || o.attached != "" {
			continue
		}
		k := t.In(0.2, 0.8)
		at := o.pose.geom()
		left, right := o, o
		left.size.X, right.size.X = k*o.size.X, (1-k)*o.size.X
		left.xyz = at.Apply(geom.Vec{X: (k - 1) / 2 * o.size.X})
		right.xyz = at.Apply(geom.Vec{X: k / 2 * o.size.X})
		right.id = "rest"
		s.objects[i] = left
		s.objects = append(s.objects, right)
		for _, p := range s.allowed {
			if p[0] == o.id {
				s.allowed = append(s.allowed, [2]string{right.id, p[1]})
			}
		}
		t.alike(s)
		return
	}
}
