package laws

import (
	"fmt"
	"os"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// asked is a subject as the product has it.
type asked struct {
	of      *subject
	robot   *urdf.Robot
	world   *scene.Snapshot
	checker *ccd.Checker
	motion  *motion.Motion
	files   bool // read from files
}

// end is when the motion ends.
func (a *asked) end() float64 { return a.motion.Pieces[len(a.motion.Pieces)-1].End }

// shape returns the product's shape of a body.
func (b *body) shape() *shape.Shape {
	switch b.kind {
	case "box":
		return &shape.Shape{Kind: shape.Box, Size: b.size}
	case "sphere":
		return &shape.Shape{Kind: shape.Sphere, Radius: b.radius}
	case "cylinder":
		return &shape.Shape{Kind: shape.Cylinder, Radius: b.radius, Length: b.length}
	case "capsule":
		return &shape.Shape{Kind: shape.Capsule, Radius: b.radius, Length: b.length}
	case "cone":
		return &shape.Shape{Kind: shape.Cone, Radius: b.radius, Length: b.length}
	case "points":
		return scene.NewPoints("", geom.IdentityPose(), b.points, b.radius).Shape
	}
	if b.kind == "cells" {
		return scene.NewCells("", geom.IdentityPose(), b.cells).Shape
	}
	return scene.NewMesh("", geom.IdentityPose(), b.mesh.v, b.mesh.t).Shape
}

var kinds = map[string]urdf.JointType{
	"fixed": urdf.Fixed, "revolute": urdf.Revolute, "continuous": urdf.Continuous,
	"prismatic": urdf.Prismatic, "planar": urdf.Planar, "floating": urdf.Floating,
}

// asRobot makes the robot without any file but the SRDF's text.
func (s *subject) asRobot() (*urdf.Robot, error) {
	r := &urdf.Robot{Name: "random"}
	index := map[string]int{}
	for i := range s.links {
		l := urdf.Link{Name: s.links[i].name, ParentJoint: -1}
		for k := range s.links[i].shapes {
			p := &s.links[i].shapes[k]
			l.Collisions = append(l.Collisions, urdf.Collision{PoseLS: p.pose.geom(), Shape: p.body.shape()})
		}
		index[l.Name] = len(r.Links)
		r.Links = append(r.Links, l)
	}
	r.Root = index[s.rootLink()]
	at := map[string]int{}
	for i := range s.joints {
		at[s.joints[i].name] = i
	}
	for i := range s.joints {
		j := &s.joints[i]
		axis, _ := geom.Unit(j.axis)
		if j.kind == "fixed" {
			axis = geom.Vec{X: 1} // as where a file gives none
		}
		out := urdf.Joint{Name: j.name, Type: kinds[j.kind], Parent: index[j.parent], Child: index[j.child], PosePC: j.pose.geom(), Axis: axis}
		if j.kind == "revolute" || j.kind == "prismatic" {
			out.Limit = urdf.Limit{Bounded: true, Lower: j.lower, Upper: j.upper, Velocity: 1}
		}
		if j.follows != "" {
			out.Mimic = &urdf.Mimic{Joint: at[j.follows], Multiplier: j.mult, Offset: j.offset}
		}
		r.Links[out.Child].ParentJoint = i
		r.Joints = append(r.Joints, out)
	}
	if !s.srdf {
		return r, nil
	}
	return urdf.ParseSRDF(r, s.srdfText())
}

// rootLink names the link that no joint moves.
func (s *subject) rootLink() string {
	for i := range s.links {
		if !slices.ContainsFunc(s.joints, func(j joint) bool { return j.child == s.links[i].name }) {
			return s.links[i].name
		}
	}
	return ""
}

func (o *object) asObject() scene.Object {
	return scene.Object{ID: o.id, PoseWS: o.pose.geom(), Shape: o.body.shape(), Padding: o.padding, AttachedTo: o.attached, TouchLinks: o.touch}
}

func (s *subject) asWorld() (*scene.Snapshot, error) {
	var objects []scene.Object
	for i := range s.objects {
		objects = append(objects, s.objects[i].asObject())
	}
	w, err := scene.New(s.frame, objects...)
	if err == nil && len(s.allowed) > 0 {
		w, err = w.WithAllowed(s.allowed...)
	}
	if err == nil && len(s.padded) > 0 {
		w, err = w.WithLinkPadding(s.padded)
	}
	return w, err
}

func (s *subject) asMotion() *motion.Motion {
	return &motion.Motion{Joints: s.names, Pieces: s.pieces, Root: s.root, KeepTurns: s.keepTurns}
}

func (s *subject) options() ccd.Options {
	return ccd.Options{State: s.state, Allowed: s.optAllowed, Padding: s.padding, LinkPadding: s.optPadded}
}

func (s *subject) query() motion.Query {
	return motion.Query{Clearance: s.clearance, Tolerance: s.tolerance, Tube: s.tube}
}

// inMemory builds a subject through the Go API alone.
func (s *subject) inMemory() (*asked, error) {
	a := &asked{of: s, motion: s.asMotion()}
	var err error
	if a.robot, err = s.asRobot(); err != nil {
		return nil, fmt.Errorf("robot: %w", err)
	}
	if a.world, err = s.asWorld(); err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	if a.checker, err = ccd.New(a.robot, a.world, s.options()); err != nil {
		return nil, fmt.Errorf("checker: %w", err)
	}
	return a, nil
}

// fromFiles builds a subject through the readers of files in a folder of its own.
func (s *subject) fromFiles() (*asked, error) {
	dir, err := os.MkdirTemp("", "laws")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	f, err := s.write(dir)
	if err != nil {
		return nil, err
	}
	a := &asked{of: s, motion: s.asMotion(), files: true}
	if a.robot, err = urdf.Load(f.urdf, urdf.Options{SRDF: f.srdf}); err != nil {
		return nil, fmt.Errorf("robot: %w", err)
	}
	if a.world, err = scene.Load(f.scene, scene.Options{Robot: a.robot}); err != nil {
		return nil, fmt.Errorf("scene: %w", err)
	}
	if f.motion != "" {
		loaded, err := motionfile.Load(f.motion, motionfile.Options{Interpolation: "linear"})
		if err != nil {
			return nil, fmt.Errorf("motion: %w", err)
		}
		a.motion = loaded[0].Motion
	}
	if a.checker, err = ccd.New(a.robot, a.world, s.options()); err != nil {
		return nil, fmt.Errorf("checker: %w", err)
	}
	return a, nil
}
