package markers

import (
	"fmt"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/visualizationmsgs"
)

// drawing collects markers.
type drawing struct {
	out      visualizationmsgs.MarkerArray
	stamp    builtininterfaces.Time
	frame    string
	lifetime time.Duration // 0 for ever
	ids      map[string]int32
}

// clear removes what was drawn before: the markers of states come again soon.
func (d *drawing) clear() {
	m := visualizationmsgs.Marker{Action: visualizationmsgs.MarkerDeleteall}
	m.Header.FrameID, m.Header.Stamp = d.frame, d.stamp
	d.out.Markers = append(d.out.Markers, m)
}

func (d *drawing) add(ns string, m visualizationmsgs.Marker) {
	if d.ids == nil {
		d.ids = map[string]int32{}
	}
	d.ids[ns]++
	m.Ns, m.ID, m.Action = ns, d.ids[ns], visualizationmsgs.MarkerAdd
	m.Header.FrameID = d.frame
	if d.lifetime > 0 {
		m.Lifetime = builtininterfaces.DurationOf(d.lifetime)
		m.FrameLocked = true
	} else {
		m.Header.Stamp = d.stamp
	}
	d.out.Markers = append(d.out.Markers, m)
}

func (d *drawing) body(ns string, at geom.Pose, parts []part, colour stdmsgs.ColorRGBA) {
	for i := range parts {
		p := &parts[i]
		d.add(ns, visualizationmsgs.Marker{Type: p.kind, Pose: poseOf(at.Mul(p.pose)), Scale: geometrymsgs.Vector3(p.scale), Color: colour, Points: pointsOf(p.points)})
	}
}

// witnesses draws a point on each body of pairs, the line between them, and at the first the
// distance.
func (d *drawing) witnesses(ns, frame string, pairs []fcmsgs.PairDistance, colour stdmsgs.ColorRGBA) {
	d.frame = frame
	var points []geometrymsgs.Point
	for i := range pairs {
		points = append(points, pairs[i].PointA, pairs[i].PointB)
	}
	if len(points) == 0 {
		return
	}
	level := poseOf(geom.IdentityPose())
	d.add(ns, visualizationmsgs.Marker{Type: visualizationmsgs.MarkerSphereList, Pose: level, Scale: geometrymsgs.Vector3{X: 0.015, Y: 0.015, Z: 0.015}, Color: colour, Points: points})
	d.add(ns, visualizationmsgs.Marker{Type: visualizationmsgs.MarkerLineList, Pose: level, Scale: geometrymsgs.Vector3{X: 0.004}, Color: colour, Points: points})
	first := &pairs[0]
	middle := level
	middle.Position = geometrymsgs.Point{X: (first.PointA.X + first.PointB.X) / 2, Y: (first.PointA.Y + first.PointB.Y) / 2, Z: (first.PointA.Z+first.PointB.Z)/2 + 0.05}
	text := fmt.Sprintf("%s, %s: %.1f mm", first.Pair.A.Name, first.Pair.B.Name, 1000*first.Upper)
	d.add(ns+" text", visualizationmsgs.Marker{Type: visualizationmsgs.MarkerTextViewFacing, Pose: middle, Scale: geometrymsgs.Vector3{Z: 0.04}, Color: colour, Text: text})
}

func distance(a, b geometrymsgs.Point) float64 {
	return math.Hypot(math.Hypot(a.X-b.X, a.Y-b.Y), a.Z-b.Z)
}

func pointsOf(list []geom.Vec) []geometrymsgs.Point {
	if len(list) == 0 {
		return nil
	}
	out := make([]geometrymsgs.Point, len(list))
	for i, v := range list {
		out[i] = geometrymsgs.Point(v)
	}
	return out
}

func poseOf(p geom.Pose) geometrymsgs.Pose {
	return geometrymsgs.Pose{Position: geometrymsgs.Point(p.P), Orientation: quaternion(&p.R)}
}

// quaternion returns the unit quaternion of a rotation, from the largest of its four components.
func quaternion(r *geom.Rot) geometrymsgs.Quaternion {
	w, x, y, z := 1+r.XX+r.YY+r.ZZ, 1+r.XX-r.YY-r.ZZ, 1-r.XX+r.YY-r.ZZ, 1-r.XX-r.YY+r.ZZ
	var q geometrymsgs.Quaternion
	switch m := max(w, x, y, z); m {
	case w:
		q = geometrymsgs.Quaternion{X: r.ZY - r.YZ, Y: r.XZ - r.ZX, Z: r.YX - r.XY, W: m}
	case x:
		q = geometrymsgs.Quaternion{X: m, Y: r.XY + r.YX, Z: r.XZ + r.ZX, W: r.ZY - r.YZ}
	case y:
		q = geometrymsgs.Quaternion{X: r.XY + r.YX, Y: m, Z: r.YZ + r.ZY, W: r.XZ - r.ZX}
	default:
		q = geometrymsgs.Quaternion{X: r.XZ + r.ZX, Y: r.YZ + r.ZY, Z: m, W: r.YX - r.XY}
	}
	l := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W)
	return geometrymsgs.Quaternion{X: q.X / l, Y: q.Y / l, Z: q.Z / l, W: q.W / l}
}
