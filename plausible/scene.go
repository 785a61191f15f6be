package plausible

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// Thresholds for scenes. docs/plausibility.md says why.
const (
	farScene      = 10    // times the reach, and
	leastFar      = 10    // m, beyond which a scene is out of reach as a whole
	farObject     = 50    // times the reach, and
	leastFarAway  = 200   // m, beyond which an object among others is too far
	smallObject   = 0.002 // m
	largeMesh     = 100   // m
	smallShare    = 0.03  // of the reach that the largest object must measure
	farAttachment = 1     // m from the link that carries it, and more than its own size
)

// sceneModel is what is known of a world, and of how far the robot reaches into it. The frame is
// that of the scene, in which the root link stands at the origin unless a motion moves it.
type sceneModel struct {
	findings []Finding // wherever the root link is
	still    []Finding // where it stands at the origin
	reach    []ball    // of the links that move; nil if nothing bounds them
	around   float64   // radius of a ball around the root link's origin with all links in it
	objects  []placedBox
}

type ball struct {
	center geom.Vec
	radius float64
}

type placedBox struct {
	id  string
	box geom.Box
}

func measureScene(r *robotModel, world *scene.Snapshot, b *boxMaker) *sceneModel {
	s := &sceneModel{}
	if world == nil {
		return s
	}
	m := r.measured()
	s.reach = reach(r, m, world, b)
	s.around = farthest(m.bodies[0].box, geom.Vec{})
	for _, b := range s.reach {
		s.around = max(s.around, geom.Norm(b.center)+b.radius)
	}
	for i := range world.Objects {
		if o := &world.Objects[i]; o.AttachedTo == "" && o.Shape != nil {
			s.objects = append(s.objects, placedBox{o.ID, b.around(o.Shape, o.PoseWS)})
		}
	}
	s.findings = append(ofReader(world.Gaps), s.sizes(world, b)...)
	s.findings = append(s.findings, farAttached(r, m, world, b)...)
	s.findings = append(s.findings, samePose(world)...)
	s.findings = append(s.findings, notChecked(r, world)...)
	s.findings = slices.Clip(append(s.findings, quaternionOrder(world)...))
	s.still = slices.Clip(s.standing())
	return s
}

// reach is where the links that move can be: for each joint of the root body a ball around it.
// It is nil if a joint has no bound.
func reach(r *robotModel, m *measuredRobot, world *scene.Snapshot, boxes *boxMaker) []ball {
	carried := make([]float64, len(m.bodies)) // how far attached objects stick out
	for i := range world.Objects {
		o := &world.Objects[i]
		if link := r.Link(o.AttachedTo); o.AttachedTo != "" && link >= 0 && o.Shape != nil {
			b := m.bodyOf[link]
			carried[b] = max(carried[b], farthest(attachedBox(m, link, o, boxes), geom.Vec{}))
		}
	}
	var balls []ball
	of, along := make([]int, len(m.bodies)), make([]float64, len(m.bodies))
	for i := 1; i < len(m.bodies); i++ {
		b := &m.bodies[i]
		if b.parent == 0 {
			of[i], balls = len(balls), append(balls, ball{center: b.origin})
		} else {
			of[i], along[i] = of[b.parent], along[b.parent]+geom.Norm(b.origin)
		}
		way, bounded := travel(&r.Joints[b.joint])
		if !bounded {
			return nil
		}
		along[i] += way
		k := &balls[of[i]]
		k.radius = max(k.radius, along[i]+max(farthest(b.box, geom.Vec{}), carried[i]))
	}
	return balls
}

// attachedBox is a box around an attached object in the frame of its link's body.
func attachedBox(m *measuredRobot, link int, o *scene.Object, boxes *boxMaker) geom.Box {
	b := &m.bodies[m.bodyOf[link]]
	return boxes.around(o.Shape, b.poseBL[slices.Index(b.links, link)].Mul(o.PoseWS))
}

// longest is the largest radius of the robot's reach.
func (s *sceneModel) longest() float64 {
	most := 0.0
	for _, b := range s.reach {
		most = max(most, b.radius)
	}
	return most
}

// standing looks for objects that are too far from the root link at the origin.
func (s *sceneModel) standing() []Finding {
	if len(s.reach) == 0 {
		return nil
	}
	nearest := math.Inf(1)
	var far []measured
	most := max(farObject*s.longest(), leastFarAway)
	for _, o := range s.objects {
		away := math.Inf(1)
		for _, b := range s.reach {
			away = min(away, distance(o.box, b.center)-b.radius)
		}
		nearest = min(nearest, away)
		if away > most {
			far = append(far, measured{
				about: o.id, value: away,
				detail: fmt.Sprintf("object %s is %.4g m beyond the robot's reach of %.3g m", o.id, away, s.longest()),
			})
		}
	}
	if len(far) == len(s.objects) {
		far = nil // the scene as a whole
	}
	return append(s.farAway(nearest), collect("far-object", most, far, more)...)
}

// beyond looks whether a motion that moves the root link brings it near any object.
func (s *sceneModel) beyond(m *motion.Motion) []Finding {
	if len(s.reach) == 0 {
		return nil
	}
	nearest := math.Inf(1)
	for i := range m.Root {
		piece := &m.Root[i]
		at := piece.Start.P
		// The point moves along a line, and the root link's origin turns about it.
		lever := geom.Vec{X: piece.Point.X - at.X, Y: piece.Point.Y - at.Y, Z: piece.Point.Z - at.Z}
		way := geom.Norm(piece.Velocity)*(m.Pieces[i].End-m.Pieces[i].Start) + 2*geom.Norm(lever)
		for _, o := range s.objects {
			if nearest = min(nearest, distance(o.box, at)-s.around-way); nearest <= 0 {
				return nil
			}
		}
	}
	return s.farAway(nearest)
}

// farAway judges how far beyond the robot's reach the nearest object is.
func (s *sceneModel) farAway(nearest float64) []Finding {
	if len(s.objects) == 0 || nearest <= 0 {
		return nil
	}
	most := max(farScene*s.longest(), leastFar)
	detail := fmt.Sprintf("the nearest of the scene's %d objects is %.4g m beyond the robot's reach of %.3g m", len(s.objects), nearest, s.longest())
	if nearest > most {
		return []Finding{found("scene-out-of-reach", nearest, most, detail)}
	}
	return []Finding{found("scene-beyond-reach", nearest, 0, detail)}
}

// sizes looks for objects that are too small, and for meshes that are too large.
func (s *sceneModel) sizes(world *scene.Snapshot, b *boxMaker) []Finding {
	var small, large []measured
	for i := range world.Objects {
		o := &world.Objects[i]
		if o.Shape == nil {
			continue
		}
		size := extent(b.around(o.Shape, geom.IdentityPose()))
		of := measured{about: o.ID, file: o.Shape.Source, value: size, detail: fmt.Sprintf("object %s measures %.3g m", o.ID, size)}
		switch o.Shape.Kind {
		case shape.Points:
			if len(o.Shape.Points) > 1 && size < smallObject {
				small = append(small, of)
			}
		case shape.Mesh:
			if size > largeMesh && !scene.IsPlane(o.Shape) {
				large = append(large, of)
			}
			fallthrough
		default:
			if size < smallObject {
				small = append(small, of)
			}
		}
	}
	out := append(collect("tiny-object", smallObject, small, less), collect("huge-object", largeMesh, large, more)...)
	if len(small) > 0 {
		return out
	}
	return append(out, s.smallScene()...)
}

// smallScene finds a scene whose largest object is tiny beside the robot.
func (s *sceneModel) smallScene() []Finding {
	size, most := 0.0, smallShare*s.longest()
	for _, o := range s.objects {
		size = max(size, extent(o.box))
	}
	if len(s.objects) == 0 || size >= most {
		return nil
	}
	return []Finding{found("small-scene", size, most, fmt.Sprintf("the largest of the scene's %d objects measures %.3g m, the robot's reach is %.3g m", len(s.objects), size, s.longest()))}
}

// samePose finds primitives that stand at exactly the same pose, as those do whose pose was left
// out. Meshes are often all in the coordinates of the scene.
func samePose(world *scene.Snapshot) []Finding {
	at := map[geom.Pose][]string{}
	var list []measured
	for i := range world.Objects {
		o := &world.Objects[i]
		if o.Shape == nil || o.AttachedTo != "" {
			continue
		}
		switch o.Shape.Kind {
		case shape.Box, shape.Sphere, shape.Cylinder, shape.Capsule, shape.Cone:
			at[o.PoseWS] = append(at[o.PoseWS], o.ID)
		}
	}
	for _, o := range world.Objects {
		if same := at[o.PoseWS]; len(same) > 1 && slices.Contains(same, o.ID) {
			list = append(list, measured{about: o.ID, value: float64(len(same)), detail: fmt.Sprintf("%d objects stand at exactly the pose of object %s", len(same), o.ID)})
		}
	}
	return collect("same-pose", 1, list, more)
}

// notChecked finds objects that the scene allows to touch every link.
func notChecked(r *robotModel, world *scene.Snapshot) []Finding {
	allowed, links := map[string]map[int]bool{}, 0
	for i := range r.Links {
		if len(r.Links[i].Collisions) > 0 {
			links++
		}
	}
	for _, p := range world.Allowed {
		for k := range 2 {
			if link := r.Link(p[1-k]); link >= 0 && len(r.Links[link].Collisions) > 0 {
				if allowed[p[k]] == nil {
					allowed[p[k]] = map[int]bool{}
				}
				allowed[p[k]][link] = true
			}
		}
	}
	var list []measured
	for i := range world.Objects {
		if o := &world.Objects[i]; links > 0 && len(allowed[o.ID]) == links {
			list = append(list, measured{about: o.ID, value: float64(links), detail: fmt.Sprintf("the scene allows object %s to touch all %d links: nothing is checked against it", o.ID, links)})
		}
	}
	return collect("object-not-checked", 0, list, more)
}

// farAttached looks for attached objects that are far from the link which carries them.
func farAttached(r *robotModel, m *measuredRobot, world *scene.Snapshot, boxes *boxMaker) []Finding {
	var list []measured
	for i := range world.Objects {
		o := &world.Objects[i]
		link := r.Link(o.AttachedTo)
		if o.AttachedTo == "" || link < 0 || o.Shape == nil {
			continue
		}
		box, b := attachedBox(m, link, o, boxes), &m.bodies[m.bodyOf[link]]
		away := apart(box, b.box.Extend(b.poseBL[slices.Index(b.links, link)].P))
		if away > max(farAttachment, extent(box)) {
			list = append(list, measured{
				about: o.ID, value: away,
				detail: fmt.Sprintf("object %s is attached to link %s, but %.3g m away from it", o.ID, o.AttachedTo, away),
			})
		}
	}
	return collect("far-attached", farAttachment, list, more)
}

// quaternionOrder looks for the rotation that 1, 0, 0, 0 stands for: no rotation if w comes
// first, half a turn about x as it is read. Shapes that look the same afterwards do not matter.
func quaternionOrder(world *scene.Snapshot) []Finding {
	var list []measured
	for i := range world.Objects {
		o := &world.Objects[i]
		if o.Shape == nil || !turnedOver(o.PoseWS.R) {
			continue
		}
		switch o.Shape.Kind {
		case shape.Mesh, shape.Cone, shape.Points, shape.Cells:
			list = append(list, measured{
				about: o.ID, value: math.Pi,
				detail: fmt.Sprintf("object %s is turned by exactly half a turn about x, as the quaternion 1, 0, 0, 0 says", o.ID),
			})
		}
	}
	return collect("quaternion-order", 0, list, more)
}

// turnedOver reports whether a rotation is exactly half a turn about x.
func turnedOver(r geom.Rot) bool {
	x, y, z := r.Apply(geom.Vec{X: 1}), r.Apply(geom.Vec{Y: 1}), r.Apply(geom.Vec{Z: 1})
	return x == geom.Vec{X: 1} && y == geom.Vec{Y: -1} && z == geom.Vec{Z: -1}
}
