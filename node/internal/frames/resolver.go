package frames

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Robot is where the links of a robot are. Its own links are placed by its joints, never by
// tf: tf repeats what the joint states say, later and by another clock.
type Robot struct {
	Model *urdf.Robot
	// Poses returns the poses of all links in the root link's frame, by their names, and the
	// stamp of the joints' measurements that they come from: the ones at a stamp, or the newest
	// for the zero time. It fails where the joints are not known.
	Poses func(at time.Time) (poses map[string]geom.Pose, stamp time.Time, err error)
}

// Resolver places frames relative to a robot.
type Resolver struct {
	Buffer *Buffer
	Robot  Robot
}

// Place is where a frame is in the robot's root link or in another of its links.
type Place struct {
	Pose geom.Pose
	// Fixed reports that the frame never moves against that link: only fixed joints and static
	// transforms lead to it. It holds while Buffer.Changes stays the same.
	Fixed bool
	// Joints reports that the pose rests on the positions of joints at Stamp: the frame is that
	// of a link that moves, or hangs on one.
	Joints bool
	// Moving lists the frames of tf on the way that move, or may move. Where there are any, the
	// place held at Stamp and says nothing of any other moment.
	Moving []string
	// Stamp is the moment of the answer, the zero time if the place is fixed.
	Stamp time.Time
	// Gap is the longest time between the two samples of tf that a frame on the way is between.
	// Between them it is taken to be on the straight line and the shortest turn.
	Gap time.Duration
}

// Premises words what a pose rests on that was given in the frame and is used in the robot's.
// A frame of tf that moves is a gap: the obstacle may be elsewhere by now. One that was placed
// by the robot's joints stays where it was at the stamp, as in MoveIt; that is no gap.
func (p *Place) Premises(object, frame string) []premise.Premise {
	if len(p.Moving) == 0 {
		return nil
	}
	return []premise.Premise{{
		Kind: premise.MovingFrame, Names: []string{object, frame}, Value: p.Gap.Seconds(),
		Detail: fmt.Sprintf("%s is given in the frame %s, which tf moves against the robot (by %s), and stands where it was at %s", object, frame, p.Moving[0], p.Stamp.Format("15:04:05.000")),
		Remedy: "give it in a frame that does not move against the root link, or publish the transform on tf_static",
	}}
}

// Resolve returns the pose of a frame in the robot's root link at a stamp; the zero time stands
// for the newest. A link of the robot is placed by the joints; another frame by tf, from the
// nearest link of the robot above it, or else from a frame that both it and the root link are
// in. Its errors say what to do; those of tf are of type *Error.
func (r *Resolver) Resolve(frame string, at time.Time) (Place, error) {
	model := r.Robot.Model
	root := model.Links[model.Root].Name
	return r.In(root, frame, at)
}

// In is Resolve for another link of the robot than its root.
func (r *Resolver) In(link, frame string, at time.Time) (Place, error) {
	model := r.Robot.Model
	k := model.Link(link)
	if k < 0 {
		return Place{}, fmt.Errorf("the robot has no link %s", link)
	}
	frame = r.meant(plain(frame))
	if i := model.Link(frame); i >= 0 {
		return r.ofLink(k, i, at)
	}
	base, t, err := r.byTF(frame, at)
	if err != nil {
		return Place{}, err
	}
	moment := at
	if !t.Static {
		moment = t.Stamp
	}
	p, err := r.ofLink(k, base, moment)
	if err != nil {
		return Place{}, err
	}
	p.Pose = p.Pose.Mul(t.Pose)
	p.Fixed = p.Fixed && t.Static
	p.Moving, p.Gap = t.Moving, t.Gap
	if !t.Static {
		p.Stamp = t.Stamp
	}
	return p, nil
}

// meant returns the name of the root link for the frames that stand for it: no frame, and
// those that the SRDF fixes the root link to.
func (r *Resolver) meant(frame string) string {
	model := r.Robot.Model
	root := model.Links[model.Root].Name
	if frame == "" {
		return root
	}
	if model.Semantic != nil && model.Link(frame) < 0 {
		for _, j := range model.Semantic.VirtualJoints {
			if j.Type == "fixed" && j.ParentFrame == frame && j.ChildLink == root {
				return root
			}
		}
	}
	return frame
}

// byTF returns the pose of a frame in a link of the robot: the first above it, or the root
// link if there is none.
func (r *Resolver) byTF(frame string, at time.Time) (link int, t Transform, err error) {
	model := r.Robot.Model
	link = model.Root
	above := r.Buffer.above(frame, at, func(name string) bool { return model.Link(name) >= 0 })
	if above != "" {
		link = model.Link(above)
	}
	name := model.Links[link].Name
	if at.IsZero() {
		t, err = r.Buffer.Latest(name, frame)
	} else {
		t, err = r.Buffer.Lookup(name, frame, at)
	}
	return link, t, err
}

// above returns the first frame above one that is wanted, or "".
func (b *Buffer) above(name string, at time.Time, wanted func(string) bool) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	name = plain(name)
	stamp := at.UnixNano()
	if at.IsZero() {
		stamp = b.latest(name)
	}
	c, _ := b.chain(name, stamp)
	for _, n := range c.names[1:] {
		if wanted(n) {
			return n
		}
	}
	return ""
}

// ofLink returns the pose of link b of the robot in link a.
func (r *Resolver) ofLink(a, b int, at time.Time) (Place, error) {
	if pose, fixed := rigid(r.Robot.Model, a, b); fixed {
		return Place{Pose: pose, Fixed: true}, nil
	}
	name := r.Robot.Model.Links[b].Name
	if r.Robot.Poses == nil {
		return Place{}, fmt.Errorf("the frame of link %s moves with the robot's joints, whose positions are not known", name)
	}
	poses, stamp, err := r.Robot.Poses(at)
	if err != nil {
		return Place{}, fmt.Errorf("the frame of link %s moves with the robot's joints: %w", name, err)
	}
	poseRA, hasA := poses[r.Robot.Model.Links[a].Name]
	poseRB, hasB := poses[name]
	if !hasA || !hasB {
		return Place{}, errors.New("the poses of the robot's links are not known")
	}
	return Place{Pose: poseRA.Inv().Mul(poseRB), Joints: true, Stamp: stamp}, nil
}

// rigid returns the pose of link b in link a if only fixed joints are between them.
func rigid(model *urdf.Robot, a, b int) (pose geom.Pose, fixed bool) {
	up, down := toRoot(model, a), toRoot(model, b)
	for len(up) > 0 && len(down) > 0 && up[len(up)-1] == down[len(down)-1] {
		up, down = up[:len(up)-1], down[:len(down)-1]
	}
	if slices.ContainsFunc(slices.Concat(up, down), func(j int) bool { return model.Joints[j].Type != urdf.Fixed }) {
		return pose, false
	}
	along := func(joints []int) geom.Pose {
		pose := geom.IdentityPose()
		for _, j := range joints {
			pose = model.Joints[j].PosePC.Mul(pose)
		}
		return pose
	}
	if len(up) == 0 {
		return along(down), true
	}
	return along(up).Inv().Mul(along(down)), true
}

// toRoot lists the joints from a link to the root.
func toRoot(model *urdf.Robot, link int) (joints []int) {
	for j := model.Links[link].ParentJoint; j >= 0; j = model.Links[model.Joints[j].Parent].ParentJoint {
		joints = append(joints, j)
	}
	return joints
}
