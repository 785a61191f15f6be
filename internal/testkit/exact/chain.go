package exact

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Joint is a joint with the numbers of its file, before any loader rounded them, and the
// curve of its variable.
type Joint struct {
	Parent       int            // a link: joint i of a chain moves link i+1, link 0 is the root
	Kind         urdf.JointType // Fixed, Prismatic; all others turn
	XYZ, RPY     geom.Vec
	Axis         geom.Vec // of any length but zero
	Mimics       bool     // its position is Mult q + Offset
	Mult, Offset float64
	// Ctrl are control points of the variable, on [0, 1]. A joint that mimics another has
	// the other's.
	Ctrl []float64
}

// Chain is the joints of a robot, parents first.
type Chain []Joint

// Twist is the velocity field Lin + Ang x x.
type Twist struct{ Lin, Ang Vec }

// At returns the velocity at x.
func (t Twist) At(x Vec) Vec { return t.Lin.Plus(t.Ang.Cross(x)) }

// Minus returns the difference of two fields.
func (t Twist) Minus(s Twist) Twist { return Twist{t.Lin.Minus(s.Lin), t.Ang.Minus(s.Ang)} }

// Link is a link at a time, in the root's frame.
type Link struct {
	Pose  Pose
	Twist Twist // relative to the root
	Rate  Twist // how Twist changes
	// Axis is the unit axis of the joint that moves the link, Origin a point of it. A
	// fixed joint has none.
	Axis, Origin Vec
}

// Links places all links at the time t.
func (c Chain) Links(t float64) []Link {
	at := Of(t)
	return c.LinksAt(func(int) Num { return at })
}

// LinksAt places all links, each joint at a time of its own.
func (c Chain) LinksAt(time func(joint int) Num) []Link {
	zero := VecOf(geom.Vec{})
	still := Twist{zero, zero}
	links := []Link{{Pose: Pose{Identity(), zero}, Twist: still, Rate: still}}
	for i := range c {
		links = append(links, c[i].moves(links[c[i].Parent], time(i)))
	}
	return links
}

// moves returns the link that the joint moves, from the one before it.
func (j *Joint) moves(up Link, t Num) Link {
	at := Link{Twist: up.Twist, Rate: up.Rate}
	at.Pose.P = up.Pose.Apply(VecOf(j.XYZ))
	at.Pose.R = up.Pose.R.Times(RPY(j.RPY))
	if j.Kind == urdf.Fixed {
		return at
	}
	q, qd, qdd := Curve(j.Ctrl, t)
	if j.Mimics {
		q, qd, qdd = Of(j.Mult).Times(q).Plus(Of(j.Offset)), Of(j.Mult).Times(qd), Of(j.Mult).Times(qdd)
	}
	u := VecOf(j.Axis).Unit()
	at.Axis, at.Origin = at.Pose.R.Apply(u), at.Pose.P
	w := at.Axis.Scaled(qd)
	// The axis turns with the link before it.
	wRate := at.Axis.Scaled(qdd).Plus(up.Twist.Ang.Cross(w))
	if j.Kind == urdf.Prismatic {
		at.Pose.P = at.Pose.P.Plus(at.Axis.Scaled(q))
		at.Twist.Lin = up.Twist.Lin.Plus(w)
		at.Rate.Lin = up.Rate.Lin.Plus(wRate)
		return at
	}
	at.Pose.R = at.Pose.R.Times(Turn(u, q))
	at.Twist.Ang = up.Twist.Ang.Plus(w)
	at.Twist.Lin = up.Twist.Lin.Plus(at.Origin.Cross(w))
	// (o x w)' by the product rule: the link before carries o.
	at.Rate.Ang = up.Rate.Ang.Plus(wRate)
	at.Rate.Lin = up.Rate.Lin.Plus(up.Twist.At(at.Origin).Cross(w)).Plus(at.Origin.Cross(wRate))
	return at
}
