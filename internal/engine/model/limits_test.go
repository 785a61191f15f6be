package model

import (
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A number so large that products of it overflow makes no model.
func TestModelsOfHugeNumbersAreRefused(t *testing.T) {
	for _, huge := range []float64{2e9, 1e39, 1e155, math.MaxFloat64} {
		far := geom.Translation(geom.Vec{Y: -huge})
		small := &shape.Shape{Kind: shape.Sphere, Radius: 1}
		for name, change := range map[string]func(r *urdf.Robot, o *scene.Object){
			"object": func(_ *urdf.Robot, o *scene.Object) { o.PoseWS = far },
			"radius": func(_ *urdf.Robot, o *scene.Object) { o.Shape = &shape.Shape{Kind: shape.Sphere, Radius: huge} },
			"size": func(_ *urdf.Robot, o *scene.Object) {
				o.Shape = &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 1, Y: huge, Z: 1}}
			},
			"point": func(_ *urdf.Robot, o *scene.Object) {
				o.Shape = &shape.Shape{Kind: shape.Points, Points: []geom.Vec{{X: huge}}}
			},
			"cell": func(_ *urdf.Robot, o *scene.Object) {
				o.Shape = &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Min: geom.Vec{X: -huge}, Max: geom.Vec{X: 1, Y: 1, Z: 1}}}}
			},
			"padding":    func(_ *urdf.Robot, o *scene.Object) { o.Padding = huge },
			"collision":  func(r *urdf.Robot, _ *scene.Object) { r.Links[1].Collisions[0].PoseLS = far },
			"joint":      func(r *urdf.Robot, _ *scene.Object) { r.Joints[0].PosePC = far },
			"multiplier": func(r *urdf.Robot, _ *scene.Object) { r.Joints[1].Mimic.Multiplier = huge },
			"offset":     func(r *urdf.Robot, _ *scene.Object) { r.Joints[1].Mimic.Offset = -huge },
			"vertex": func(_ *urdf.Robot, o *scene.Object) {
				o.Shape = &shape.Shape{Kind: shape.Mesh, Source: "m", Mesh: &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {Y: huge}}, Triangles: [][3]int32{{0, 1, 2}}}}
			},
		} {
			joint := func(name string, parent int) urdf.Joint {
				return urdf.Joint{Name: name, Type: urdf.Revolute, Parent: parent, Child: parent + 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{Z: 1}}
			}
			r := &urdf.Robot{
				Name:   "r",
				Links:  []urdf.Link{{Name: "l0", ParentJoint: -1}, {Name: "l1", Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: small}}}, {Name: "l2", ParentJoint: 1}},
				Joints: []urdf.Joint{joint("a", 0), joint("b", 1)},
			}
			r.Joints[1].Mimic = &urdf.Mimic{Joint: 0, Multiplier: 1}
			o := scene.Object{ID: "o", Shape: small, PoseWS: geom.IdentityPose()}
			if _, err := New(r, &scene.Snapshot{Objects: []scene.Object{o}}, nil, &Library{}); err != nil {
				t.Fatal(err)
			}
			change(r, &o)
			_, err := New(r, &scene.Snapshot{Objects: []scene.Object{o}}, nil, &Library{})
			if err == nil || !strings.Contains(err.Error(), "1e+06") {
				t.Errorf("%s of %g: %v", name, huge, err)
			}
		}
	}
}
