// Package twin places the points of a robot's links by other formulas than those of
// package kin, joint by joint, with nothing composed: tests hold kin, the proof rules and
// the engines against it. Package exact does the same in numbers of 300 bits.
package twin

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Bernstein evaluates the polynomial with the given control points by its definition.
func Bernstein(ctrl []float64, s float64) (sum float64) {
	n, choose := len(ctrl)-1, 1.0
	for k, c := range ctrl {
		sum += c * choose * math.Pow(s, float64(k)) * math.Pow(1-s, float64(n-k))
		choose = choose * float64(n-k) / float64(k+1)
	}
	return sum
}

// Turned rotates v about the unit vector k by Rodrigues' formula.
func Turned(v, k geom.Vec, angle float64) geom.Vec {
	s, c := math.Sincos(angle)
	return r3.Add(r3.Add(r3.Scale(c, v), r3.Scale(s, r3.Cross(k, v))), r3.Scale(r3.Dot(k, v)*(1-c), k))
}

// Turn is the rotation about the unit vector k that Turned does.
func Turn(k geom.Vec, angle float64) geom.Rot {
	x, y, z := Turned(geom.Vec{X: 1}, k, angle), Turned(geom.Vec{Y: 1}, k, angle), Turned(geom.Vec{Z: 1}, k, angle)
	return geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
}

// Position tells the position of a joint, by its number.
type Position func(joint int) float64

// Following tells the positions of all joints from those of the joints that follow none,
// by their names.
func Following(r *urdf.Robot, variable func(name string) float64) Position {
	var at Position
	at = func(i int) float64 {
		j := &r.Joints[i]
		if j.Mimic != nil {
			return j.Mimic.Multiplier*at(j.Mimic.Joint) + j.Mimic.Offset
		}
		return variable(j.Name)
	}
	return at
}

// Out takes a point of the link that joint i moves to its parent link. The joint has one
// variable or none.
func Out(r *urdf.Robot, i int, q float64, x geom.Vec) geom.Vec {
	j := &r.Joints[i]
	switch j.Type {
	case urdf.Revolute, urdf.Continuous:
		x = Turned(x, j.Axis, q)
	case urdf.Prismatic:
		x = r3.Add(x, r3.Scale(q, j.Axis))
	case urdf.Planar, urdf.Floating:
		panic("twin: a joint with several variables")
	}
	return j.PosePC.Apply(x)
}

// In is the inverse of Out.
func In(r *urdf.Robot, i int, q float64, x geom.Vec) geom.Vec {
	j := &r.Joints[i]
	x = j.PosePC.ApplyInv(x)
	switch j.Type {
	case urdf.Revolute, urdf.Continuous:
		return Turned(x, j.Axis, -q)
	case urdf.Prismatic:
		return r3.Sub(x, r3.Scale(q, j.Axis))
	case urdf.Planar, urdf.Floating:
		panic("twin: a joint with several variables")
	}
	return x
}

// Lift takes a point of a link to a link that it hangs on.
func Lift(r *urdf.Robot, link, to int, x geom.Vec, at Position) geom.Vec {
	for link != to {
		i := r.Links[link].ParentJoint
		x, link = Out(r, i, at(i), x), r.Joints[i].Parent
	}
	return x
}

// Lower takes a point of a link to one that hangs on it.
func Lower(r *urdf.Robot, from, link int, x geom.Vec, at Position) geom.Vec {
	if link == from {
		return x
	}
	i := r.Links[link].ParentJoint
	return In(r, i, at(i), Lower(r, from, r.Joints[i].Parent, x, at))
}

// Parting returns the last link that the chains of two links share.
func Parting(r *urdf.Robot, a, b int) int {
	on := map[int]bool{r.Root: true}
	for l := a; l != r.Root; l = r.Joints[r.Links[l].ParentJoint].Parent {
		on[l] = true
	}
	for !on[b] {
		b = r.Joints[r.Links[b].ParentJoint].Parent
	}
	return b
}

// Moving is a robot with a motion whose root link stands still. Joints that the motion
// does not name stand at zero.
type Moving struct {
	Robot  *urdf.Robot
	Motion *motion.Motion
}

// Positions tells where the joints are on a piece, at its parameter s in [0, 1].
func (m *Moving) Positions(piece int, s float64) Position {
	return Following(m.Robot, func(name string) float64 {
		for row, n := range m.Motion.Joints {
			if n == name {
				return Bernstein(m.Motion.Pieces[piece].Ctrl[row], s)
			}
		}
		return 0
	})
}

// ToRoot takes a point of a link at s to the root link.
func (m *Moving) ToRoot(link, piece int, s float64, x geom.Vec) geom.Vec {
	return Lift(m.Robot, link, m.Robot.Root, x, m.Positions(piece, s))
}

// Seen takes a point of a link at s to the root link, where the link base is frozen at c.
func (m *Moving) Seen(link, base, piece int, s, c float64, x geom.Vec) geom.Vec {
	x = Lower(m.Robot, m.Robot.Root, base, m.ToRoot(link, piece, s, x), m.Positions(piece, s))
	return m.ToRoot(base, piece, c, x)
}

// Pose is that of a link at s, seen likewise, by carrying its origin and axes.
func (m *Moving) Pose(link, base, piece int, s, c float64) geom.Pose {
	o := m.Seen(link, base, piece, s, c, geom.Vec{})
	x := r3.Sub(m.Seen(link, base, piece, s, c, geom.Vec{X: 1}), o)
	y := r3.Sub(m.Seen(link, base, piece, s, c, geom.Vec{Y: 1}), o)
	z := r3.Sub(m.Seen(link, base, piece, s, c, geom.Vec{Z: 1}), o)
	return geom.Pose{P: o, R: geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}}
}

// Highest returns the largest n.x over a solid at s, seen likewise.
func (m *Moving) Highest(n geom.Vec, b *Solid, base, piece int, s, c float64) float64 {
	pose := m.Pose(b.Link, base, piece, s, c)
	local, top := pose.R.ApplyInv(n), math.Inf(-1)
	for _, x := range b.Points {
		top = math.Max(top, r3.Dot(local, x))
	}
	return top + r3.Dot(n, pose.P) + b.Radius
}

// Gap is how far apart two solids are along n at s, seen likewise.
func (m *Moving) Gap(n geom.Vec, a, b *Solid, base, piece int, s, c float64) float64 {
	return -m.Highest(n, a, base, piece, s, c) - m.Highest(r3.Scale(-1, n), b, base, piece, s, c)
}
