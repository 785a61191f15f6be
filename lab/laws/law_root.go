package laws

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// moved puts the scene's objects elsewhere, but those that the robot carries.
func (s *subject) moved(to geom.Pose) {
	for i := range s.objects {
		if o := &s.objects[i]; o.attached == "" {
			o.pose = posed(to.Mul(o.pose.geom()))
		}
	}
}

// rootAtRest: a root link that rests elsewhere, with the world moved along, changes
// nothing.
func rootAtRest(t *trial) {
	s := t.subject()
	at := t.pose(1)
	to := at.geom()
	s.moved(to)
	for range s.pieces {
		s.root = append(s.root, motion.RootPiece{Start: to, Point: to.P})
	}
	t.alike(s)
}

// hungElsewhere: a robot that hangs on a new root by a fixed joint, with the world
// moved along, is the same.
func hungElsewhere(t *trial) {
	s := t.subject()
	t.said(s)
	root, at := s.rootLink(), t.pose(1)
	s.moved(at.geom())
	s.links = append(s.links, link{name: "stand"})
	s.joints = append(s.joints, joint{name: "bolt", kind: "fixed", parent: "stand", child: root, pose: at, axis: geom.Vec{X: 1}})
	t.alike(s)
}

// rootAsJoints: a root link that moves at a constant velocity and turns at a constant
// rate is a robot that hangs on a slide and a hinge.
func rootAsJoints(t *trial) {
	byRoot, byJoints := t.subject(), t.subject()
	t.said(byRoot)
	t.said(byJoints)
	root := byJoints.rootLink()
	start, point := t.pose(0.3), t.pose(0.5).xyz
	way, axis := t.Unit(), t.Unit()
	speed, rate := t.In(0, 0.5), t.In(-2, 2)
	from := start.geom()
	for i := range byRoot.pieces {
		u := byRoot.pieces[i].Start
		turn := geom.AxisAngle(axis, rate*u)
		at := r3.Add(point, r3.Scale(speed*u, way))
		byRoot.root = append(byRoot.root, motion.RootPiece{
			Start: geom.Pose{R: turn.Mul(from.R), P: r3.Add(at, turn.Apply(r3.Sub(from.P, point)))},
			Point: at, Velocity: r3.Scale(speed, way), Turn: r3.Scale(rate, axis),
		})
		p := &byJoints.pieces[i]
		p.Ctrl = append(p.Ctrl, []float64{speed * p.Start, speed * p.End}, []float64{rate * p.Start, rate * p.End})
	}
	byJoints.links = append(byJoints.links, link{name: "stand"}, link{name: "slide"}, link{name: "hinge"})
	byJoints.joints = append(byJoints.joints,
		joint{name: "slider", kind: "prismatic", parent: "stand", child: "slide", axis: way, lower: -10, upper: 10},
		joint{name: "hinger", kind: "revolute", parent: "slide", child: "hinge", pose: pose{xyz: point}, axis: axis, lower: -10, upper: 10},
		joint{name: "bolt", kind: "fixed", parent: "hinge", child: root, pose: pose{xyz: r3.Sub(start.xyz, point), rpy: start.rpy}, axis: geom.Vec{X: 1}})
	byJoints.names = append(byJoints.names, "slider", "hinger")
	x, ok := t.ask(byRoot)
	if !ok {
		return
	}
	if y, ok := t.ask(byJoints); ok {
		t.same(x, y, true)
	}
}

// joinedAlone: a robot joined with no other, somewhere in a cell, is that robot.
func joinedAlone(t *trial) {
	s := t.subject()
	s.optPadded, s.padded, s.allowed, s.optAllowed, s.state, s.tube = nil, nil, nil, nil, nil, nil
	x, ok := t.ask(s)
	if !ok {
		return
	}
	if p := x.a.checker.Pairs(); p.Self+p.World == 0 {
		return
	}
	s = s.clone()
	at := t.pose(1).geom()
	robot, err := urdf.Join("cell", []urdf.Part{{Name: "r", Robot: x.a.robot, PoseW: at}})
	if err != nil {
		t.contradicts("not joined: %v", err)
		return
	}
	s.moved(at)
	s.frame = urdf.JoinRoot
	for i := range s.objects {
		o := &s.objects[i]
		if o.attached != "" {
			o.attached = "r/" + o.attached
		}
		for k := range o.touch {
			o.touch[k] = "r/" + o.touch[k]
		}
	}
	for i := range s.names {
		s.names[i] = "r/" + s.names[i]
	}
	a := &asked{of: s, robot: robot, motion: s.asMotion()}
	if a.world, err = s.asWorld(); err == nil {
		a.checker, err = ccd.New(robot, a.world, s.options())
	}
	if err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	if y, ok := t.check(a, s.query()); ok {
		t.same(x, y, true)
	}
}
