// Package markers draws what the node says, for RViz and Foxglove: witness points, the bodies in
// contact, the robot at the time of contact and the way there. A drawing proves nothing: meshes
// may be thinned, and a way is shown at some of its configurations.
package markers

import (
	"maps"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/visualizationmsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Triangles that a body is drawn with, at most: where it is drawn once, and where it is drawn at
// each of many configurations.
const (
	fine   = 5000
	coarse = 150
)

// Robot is a robot prepared for drawing. It is immutable and may be shared.
type Robot struct{ links map[string]*body }

// Artist draws a robot and what is around it. It is immutable and may be shared.
type Artist struct {
	frame string // of the scene and of points
	links map[string]*body
	world *scene.Snapshot // nil if there is nothing
}

// body is a link or an object.
type body struct {
	frame        string    // it is fixed to
	pose         geom.Pose // there
	fine, coarse []part
}

// Prepare takes what is shown of each link.
func Prepare(robot *urdf.Robot) *Robot {
	a := &Robot{links: map[string]*body{}}
	for i := range robot.Links {
		l := &robot.Links[i]
		b := &body{frame: l.Name, pose: geom.IdentityPose()}
		for k := range l.Collisions {
			c := &l.Collisions[k]
			b.fine = append(b.fine, partsOf(c.Shape, c.PoseLS, fine)...)
			b.coarse = append(b.coarse, partsOf(c.Shape, c.PoseLS, coarse)...)
		}
		a.links[l.Name] = b
	}
	return a
}

// In returns what draws the robot in a world, which may be nil. frame is that of the messages'
// points.
func (r *Robot) In(frame string, world *scene.Snapshot) *Artist {
	return &Artist{frame, r.links, world}
}

// of returns a body that a message names, or nil.
func (a *Artist) of(b *fcmsgs.Body) *body {
	if b.Kind == fcmsgs.BodyRobotLink {
		return a.links[b.Name]
	}
	if a.world == nil {
		return nil
	}
	i := a.world.Object(b.Name)
	if i < 0 {
		return nil
	}
	o := &a.world.Objects[i]
	out := &body{frame: a.frame, pose: o.PoseWS, fine: partsOf(o.Shape, geom.IdentityPose(), fine)}
	if o.AttachedTo != "" {
		out.frame = o.AttachedTo
	}
	return out
}

// Colours, by the level of a state.
var levels = map[uint8]stdmsgs.ColorRGBA{
	fcmsgs.CollisionStateUnknown:   {R: 0.6, G: 0.6, B: 0.6, A: 1},
	fcmsgs.CollisionStateFree:      {R: 0.2, G: 0.8, B: 0.3, A: 1},
	fcmsgs.CollisionStateWarn:      {R: 1, G: 0.8, B: 0.1, A: 1},
	fcmsgs.CollisionStateStop:      {R: 1, G: 0.45, B: 0.1, A: 1},
	fcmsgs.CollisionStateCollision: {R: 0.9, G: 0.1, B: 0.1, A: 1},
}

// stateTime is how long the markers of a state are shown: they disappear with a node that
// falls silent.
const stateTime = 500 * time.Millisecond

// State draws the closest pairs of a state with their witness points, and, from STOP on, the two
// bodies that decided its level.
func (a *Artist) State(s *fcmsgs.CollisionState) *visualizationmsgs.MarkerArray {
	d := &drawing{stamp: s.Header.Stamp, lifetime: stateTime}
	colour := levels[s.Level]
	pairs := s.ClosestPairs
	if len(pairs) == 0 && s.Pair.A.Name != "" {
		pairs = []fcmsgs.PairDistance{{Pair: s.Pair, PointA: s.PointA, PointB: s.PointB, Lower: s.DistanceLower, Upper: s.DistanceUpper}}
	}
	d.witnesses("state", a.frame, pairs, colour)
	if s.Level >= fcmsgs.CollisionStateStop {
		colour.A = 0.5
		for _, b := range [...]*fcmsgs.Body{&s.Pair.A, &s.Pair.B} {
			if of := a.of(b); of != nil {
				d.frame = of.frame // the viewer's own transforms place it
				d.body("state bodies", of.pose, of.fine, colour)
			}
		}
	}
	return &d.out
}

// Spheres draws spheres that hold links, by the link's name, in the links' frames.
func (a *Artist) Spheres(of map[string][]ccd.Sphere, stays time.Duration) *visualizationmsgs.MarkerArray {
	d := &drawing{lifetime: stays}
	for _, link := range slices.Sorted(maps.Keys(of)) {
		d.frame = link
		for _, s := range of[link] {
			round := geometrymsgs.Vector3{X: 2 * s.Radius, Y: 2 * s.Radius, Z: 2 * s.Radius}
			at := poseOf(geom.Translation(s.Center))
			d.add("spheres", visualizationmsgs.Marker{Type: visualizationmsgs.MarkerSphere, Pose: at, Scale: round, Color: stdmsgs.ColorRGBA{R: 0.2, G: 0.5, B: 0.9, A: 0.25}})
		}
	}
	return &d.out
}

// Way is where the links are at a time of a motion, in the frame of the scene.
type Way func(t float64) (map[string]geom.Pose, error)

// samples is at how many configurations a way is shown.
const samples = 12

// Verdict draws the answer about a motion that is not free: the robot at the time of contact, or
// where the proof ends, the two bodies, the witness points, and the way there.
func (a *Artist) Verdict(v *fcmsgs.Verdict, way Way) (*visualizationmsgs.MarkerArray, error) {
	d := &drawing{stamp: v.Header.Stamp, frame: a.frame}
	d.clear()
	at := v.ProvenUntil
	if v.Status == fcmsgs.VerdictContact || v.Status == fcmsgs.VerdictClearance {
		at = v.TOCUpper
	}
	poses, err := way(at)
	if err != nil {
		return nil, err
	}
	grey, red := stdmsgs.ColorRGBA{R: 0.5, G: 0.55, B: 0.6, A: 0.35}, levels[fcmsgs.CollisionStateCollision]
	for name, b := range a.links {
		colour := grey
		if v.Pair.A.Name == name && v.Pair.A.Kind == fcmsgs.BodyRobotLink || v.Pair.B.Name == name && v.Pair.B.Kind == fcmsgs.BodyRobotLink {
			colour = red
			colour.A = 0.7
		}
		d.body("verdict robot", poses[name], b.fine, colour)
	}
	for _, b := range [...]*fcmsgs.Body{&v.Pair.A, &v.Pair.B} {
		if b.Kind == fcmsgs.BodyRobotLink {
			continue
		}
		if of := a.of(b); of != nil {
			d.body("verdict object", a.placed(of, poses), of.fine, red)
		}
	}
	if v.Pair.A.Name != "" {
		pair := fcmsgs.PairDistance{Pair: v.Pair, PointA: v.PointA, PointB: v.PointB, Upper: distance(v.PointA, v.PointB)}
		d.witnesses("verdict", a.frame, []fcmsgs.PairDistance{pair}, red)
	}
	return &d.out, a.swept(d, way, at)
}

func (a *Artist) placed(b *body, links map[string]geom.Pose) geom.Pose {
	if link, ok := links[b.frame]; ok && b.frame != a.frame {
		return link.Mul(b.pose)
	}
	return b.pose
}

// swept draws where the links pass that move, thinly, at some configurations from the start to a
// time.
func (a *Artist) swept(d *drawing, way Way, until float64) error {
	start, err := way(0)
	if err != nil {
		return err
	}
	colour := stdmsgs.ColorRGBA{R: 0.9, G: 0.4, B: 0.2, A: 0.08}
	for i := range samples {
		poses, err := way(until * float64(i) / samples)
		if err != nil {
			return err
		}
		for name, b := range a.links {
			if i > 0 && poses[name] == start[name] {
				continue // it stands where it is drawn already
			}
			d.body("verdict way", poses[name], b.coarse, colour)
		}
	}
	return nil
}
