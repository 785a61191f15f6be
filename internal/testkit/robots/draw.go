package robots

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Dice draws random robots, worlds and motions. Equal seeds draw equal ones.
type Dice struct{ chance.Dice }

// NewDice returns the dice of case i of a seed.
func NewDice(seed, i uint64) Dice { return Dice{chance.New(seed, i)} }

// Plan says what a random robot may be made of. The zero value of a field stands for
// what its comment says.
type Plan struct {
	Joints int // 0: one to five
	// Kinds are drawn from evenly, so that one that is there twice is twice as frequent;
	// nil: two revolute, and one continuous, prismatic, planar and fixed. The first joint
	// is the first kind where all that were drawn would be fixed.
	Kinds []urdf.JointType
	// Branch: one joint in so many starts at any link, the others at the last one; 0: 3.
	Branch int
	// Mimic: one joint in so many follows an earlier one, where there is one that can be
	// followed; 0: 4.
	Mimic int
	Gear  float64 // multipliers of such joints are at most so large; 0: 2
	// Odd: one joint in so many is of a kind where errors show that other joints hide:
	// parallel to the axis before it, on the spot, at a tiny distance or within Far, with a
	// range of no width, or one-to-one (or not at all) with the joint that it follows; 0: none.
	Odd    int
	Far    float64                         // 0: no joint is far
	Origin func() geom.Pose                // of a joint in the link before it; nil: any turn, within 0.4 m
	Axis   func() geom.Vec                 // nil: along a coordinate axis or any
	Limit  func(urdf.JointType) urdf.Limit // of one that slides or turns; nil: ±10
	Parts  func() []urdf.Collision         // of a link but the root; nil: one or two shapes of all forms
	Base   func() []urdf.Collision         // of the root; nil: as Parts half of the time, else none
}

// Robot draws a tree of joints.
func (d Dice) Robot(p Plan) *urdf.Robot {
	d.complete(&p)
	r := &urdf.Robot{Name: "random", Links: []urdf.Link{{Name: "base", ParentJoint: -1, Collisions: p.Base()}}}
	moves := false
	for i := range p.Joints {
		j := d.joint(r, i, &p)
		moves = moves || j.Type != urdf.Fixed
		if !moves && i == p.Joints-1 {
			j.Type = p.Kinds[0]
			d.bound(&j, &p)
		}
		r.Joints = append(r.Joints, j)
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("link", i), ParentJoint: i, Collisions: p.Parts()})
	}
	return r
}

func (d Dice) complete(p *Plan) {
	if p.Joints == 0 {
		p.Joints = 1 + d.IntN(5)
	}
	if p.Kinds == nil {
		p.Kinds = []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Planar, urdf.Fixed}
	}
	if p.Branch == 0 {
		p.Branch = 3
	}
	if p.Mimic == 0 {
		p.Mimic = 4
	}
	if p.Gear == 0 {
		p.Gear = 2
	}
	if p.Origin == nil {
		p.Origin = func() geom.Pose { return d.Pose(0.4) }
	}
	if p.Axis == nil {
		p.Axis = d.Axis
	}
	if p.Limit == nil {
		p.Limit = func(urdf.JointType) urdf.Limit { return urdf.Limit{Bounded: true, Lower: -10, Upper: 10} }
	}
	if p.Parts == nil {
		p.Parts = func() []urdf.Collision { return d.Parts(1+d.IntN(2), 0.15, 0.12) }
	}
	if p.Base == nil {
		p.Base = func() []urdf.Collision {
			if d.IntN(2) == 0 {
				return nil
			}
			return p.Parts()
		}
	}
}

// Parts draws n shapes of a link, within reach of its frame.
func (d Dice) Parts(n int, reach, size float64, forms ...Form) (parts []urdf.Collision) {
	for range n {
		parts = append(parts, urdf.Collision{PoseLS: d.Pose(reach), Shape: d.Shape(size, forms...)})
	}
	return parts
}

func (d Dice) joint(r *urdf.Robot, i int, p *Plan) urdf.Joint {
	j := urdf.Joint{Name: fmt.Sprint("joint", i), Type: p.Kinds[d.IntN(len(p.Kinds))], Parent: len(r.Links) - 1, Child: i + 1, PosePC: p.Origin(), Axis: p.Axis()}
	if d.IntN(p.Branch) == 0 {
		j.Parent = d.IntN(len(r.Links))
	}
	d.bound(&j, p)
	if d.IntN(p.Mimic) == 0 && hasOneVariable(j.Type) {
		d.follow(r, &j, p.Gear)
	}
	if p.Odd > 0 && d.IntN(p.Odd) == 0 {
		d.odd(r, &j, p.Far)
	}
	return j
}

// bound gives a joint the limits of its type, and a planar one its axis.
func (d Dice) bound(j *urdf.Joint, p *Plan) {
	switch j.Type {
	case urdf.Revolute, urdf.Prismatic:
		j.Limit = p.Limit(j.Type)
	case urdf.Planar:
		j.Axis = geom.Vec{Z: 1}
	}
}

// follow makes a joint follow any earlier one that follows none itself.
func (d Dice) follow(r *urdf.Robot, j *urdf.Joint, gear float64) {
	var leads []int
	for i := range r.Joints {
		if hasOneVariable(r.Joints[i].Type) && r.Joints[i].Mimic == nil {
			leads = append(leads, i)
		}
	}
	if len(leads) > 0 {
		j.Mimic = &urdf.Mimic{Joint: leads[d.IntN(len(leads))], Multiplier: d.In(-gear, gear), Offset: d.In(-1, 1)}
	}
}

// odd makes a joint one where errors show that others hide.
func (d Dice) odd(r *urdf.Robot, j *urdf.Joint, far float64) {
	switch d.IntN(6) {
	case 0: // parallel to the axis before it
		if k := r.Links[j.Parent].ParentJoint; k >= 0 && j.Type != urdf.Planar {
			j.PosePC.R, j.Axis = geom.Identity(), r.Joints[k].Axis
		}
	case 1: // on the spot, as in a wrist
		j.PosePC.P = geom.Vec{}
	case 2:
		j.PosePC.P = d.Vec(1e-6)
	case 3:
		j.PosePC.P = d.Vec(far)
	case 4: // it cannot move
		if j.Limit.Bounded {
			j.Limit.Upper = j.Limit.Lower
		}
	case 5:
		if hasOneVariable(j.Type) {
			d.follow(r, j, 1)
		}
		if j.Mimic != nil {
			j.Mimic.Multiplier, j.Mimic.Offset = [...]float64{1, -1, 0}[d.IntN(3)], 0
		}
	}
}

func hasOneVariable(t urdf.JointType) bool {
	return t == urdf.Revolute || t == urdf.Continuous || t == urdf.Prismatic
}

// Scenery says what a random world may be made of.
type Scenery struct {
	Objects int     // 0: one to six
	Size    float64 // of the shapes; 0: 0.2 m
	Reach   float64 // objects are within so far of the origin along each axis; 0: 0.9 m
	Forms   []Form  // nil: All
	Padded  bool    // one in five is padded, by up to 5 cm
	// Held: one world in three has an object that this link holds; "": none.
	Held string
}

// World draws a world.
func (d Dice) World(s Scenery) *scene.Snapshot {
	w := &scene.Snapshot{}
	if s.Objects == 0 {
		s.Objects = 1 + d.IntN(6)
	}
	size, reach := orElse(s.Size, 0.2), orElse(s.Reach, 0.9)
	for i := range s.Objects {
		o := Object(fmt.Sprint("object", i), d.Shape(size, s.Forms...), d.Pose(reach))
		if s.Padded && d.IntN(5) == 0 {
			o.Padding = d.In(0, 0.05)
		}
		w.Objects = append(w.Objects, o)
	}
	if s.Held != "" && d.IntN(3) == 0 {
		o := Object("held", d.Shape(size/2, s.Forms...), d.Pose(0.2))
		o.AttachedTo = s.Held
		w.Objects = append(w.Objects, o)
	}
	return w
}

func orElse(x, other float64) float64 {
	if x == 0 {
		return other
	}
	return x
}

// Configuration draws a position within the limits of each variable that a motion of the
// robot may name, in the order of Variables: at an end of the limits now and then.
func (d Dice) Configuration(r *urdf.Robot) map[string]float64 {
	q := map[string]float64{}
	corner := d.IntN(3) == 0
	for _, name := range Variables(r) {
		q[name] = d.In(-math.Pi, math.Pi)
		for i := range r.Joints {
			if j := &r.Joints[i]; j.Name == name && j.Limit.Bounded {
				q[name] = min(d.In(j.Limit.Lower, j.Limit.Upper), j.Limit.Upper)
				if corner {
					q[name] = [...]float64{j.Limit.Lower, j.Limit.Upper}[d.IntN(2)]
				}
			}
		}
	}
	return q
}
