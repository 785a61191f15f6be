package scene

import (
	"errors"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// frameTree resolves the frames of a PlanningScene as MoveIt does: the model's frame, the
// robot's links at the scene's robot state, objects and their subframes, and
// fixed_frame_transforms.
//
// The model's frame is the parent frame of a virtual joint that moves the root link, else the
// root link. Without a robot it is the frame of which the message says that it is, and if it
// does not, all objects may be in one frame of any name.
type frameTree struct {
	planning string               // the planning frame's name, if known
	poseWF   map[string]geom.Pose // frames fixed in the planning frame

	robot    *urdf.Robot // may be nil
	links    linkFrames
	moving   string   // the frame in which the SRDF lets the root link move, "" if it does not
	fixed    []string // the frames that the SRDF fixes the root link to
	parents  []string // all frames that the SRDF connects the root link to
	placed   bool     // poseWR is known
	placedBy string
	placedAt Place
	byOwn    bool      // placedBy is a joint of the URDF below a root link that stands for the world
	poseWR   geom.Pose // of what placedBy carries, in the planning frame: the root link, or what is below it

	inPlanning bool   // some object is in the planning frame
	foreign    string // or all are in this frame of unknown pose

	object  func(name string) *sceneObject
	objects func() []string
	outside Frames            // of frames that neither the robot nor the scene has; nil: there are none
	gaps    []premise.Premise // that outside has left since they were taken

	received int64 // ns: when the message came; 0: that is not known
	again    bool  // it is not heard for the first time, and the robot may have moved since
}

// when is a message about an object, with the time (ns) at which its frame was there.
type when struct {
	Place
	object string
	stamp  int64
	heard  bool // the stamp is when the message came
}

// later is when a frame was there that is not known yet, and is looked for again.
func (t *frameTree) later(at when) when {
	if at.stamp == 0 {
		at.stamp, at.heard = t.received, true
	}
	return at
}

func newFrameTree(robot *urdf.Robot) frameTree {
	t := frameTree{robot: robot, links: linkFrames{robot: robot, joints: map[string]float64{}, multi: map[string]geom.Pose{}}}
	if robot == nil || robot.Semantic == nil {
		return t
	}
	for _, v := range robot.Semantic.VirtualJoints {
		if v.ChildLink != t.root() || v.ParentFrame == "" {
			continue
		}
		t.parents = append(t.parents, v.ParentFrame)
		switch {
		case v.Type == "fixed":
			t.fixed = append(t.fixed, v.ParentFrame)
		case t.moving == "":
			t.moving = v.ParentFrame
		}
	}
	return t
}

// forget forgets what messages have said, but not where the joints are.
func (t *frameTree) forget() {
	t.planning, t.poseWF, t.inPlanning, t.foreign, t.placed = "", nil, false, "", false
}

func (t *frameTree) root() string { return t.robot.Links[t.robot.Root].Name }

// readTransforms reads fixed_frame_transforms.
func (m *PlanningMessage) readTransforms(v document.Value) error {
	items, err := v.List("fixed_frame_transforms")
	if err != nil {
		return err
	}
	m.Transforms = make([]FrameTransform, len(items))
	for i, item := range items {
		if m.Transforms[i], err = frameTransform(item); err != nil {
			return err
		}
	}
	return nil
}

func frameTransform(v document.Value) (t FrameTransform, err error) {
	f, err := v.Fields("fixed_frame_transforms", "header", "child_frame_id", "transform")
	if err != nil {
		return t, err
	}
	t.From = v
	if t.Frame, err = headerFrame(f); err != nil {
		return t, err
	}
	c, err := f.Need("fixed_frame_transforms", "child_frame_id")
	if err != nil {
		return t, err
	}
	if t.Child, err = frameName(c, "child_frame_id"); err != nil {
		return t, err
	}
	tv, err := f.Need("fixed_frame_transforms", "transform")
	if err != nil {
		return t, err
	}
	t.Pose, err = rosTransform(tv)
	return t, err
}

// read takes fixed_frame_transforms. An empty list says nothing.
func (t *frameTree) read(list []FrameTransform) error {
	if len(list) == 0 {
		return nil
	}
	t.poseWF = map[string]geom.Pose{}
	for i := range list {
		f := &list[i]
		if err := t.name(f.From, f.Frame); err != nil {
			return err
		}
		if old, twice := t.poseWF[f.Child]; twice && old != f.Pose {
			return f.From.Errorf("frame %s has two transforms: keep one", f.Child)
		}
		t.poseWF[f.Child] = f.Pose
	}
	return nil
}

// name takes the planning frame's name from the header of a message in that frame.
func (t *frameTree) name(at Place, name string) error {
	if name == "" {
		return nil
	}
	if t.planning != "" && t.planning != name && !(t.names(t.planning) && t.names(name)) {
		return at.Errorf("the planning frame is both %s and %s: give all in one", t.planning, name)
	}
	if t.planning == "" {
		t.planning = name
	}
	return nil
}

// names reports whether the robot says that a frame is the model's.
func (t *frameTree) names(frame string) bool {
	switch {
	case t.robot == nil:
		return false
	case t.moving != "":
		return frame == t.moving
	}
	_, transformed := t.poseWF[frame]
	return frame == t.root() || slices.Contains(t.fixed, frame) && !transformed
}

// rootPose returns the pose of the root link in the planning frame, if it is known.
func (t *frameTree) rootPose() (pose geom.Pose, known bool) {
	switch {
	case t.placed && !t.byOwn:
		return t.poseWR, true
	case t.robot == nil || t.moving != "":
		return pose, false
	}
	return geom.IdentityPose(), t.planning == "" || t.names(t.planning)
}

// Frames returns the pose, in the robot's root link, that a frame had at a time (ns; 0 is the
// newest that is known), and what that leaves open for the object that is to be placed. An error
// says why the pose is not known.
type Frames func(object, frame string, stamp int64) (poseRF geom.Pose, gaps []premise.Premise, err error)

// resolve returns the pose of a frame in the snapshot's frame.
func (t *frameTree) resolve(at when, name string) (geom.Pose, error) {
	pose, err := t.own(at, name)
	if err != nil && t.outside != nil {
		return t.fromOutside(at, name)
	}
	return pose, err
}

// own resolves the frames that the robot and the scene have.
func (t *frameTree) own(at when, name string) (geom.Pose, error) {
	if t.foreign == "" && t.isPlanning(name) {
		t.inPlanning = true
		return geom.IdentityPose(), nil
	}
	if t.robot != nil && t.robot.Link(name) >= 0 {
		return t.ofLink(at, t.robot.Link(name))
	}
	if pose, known, err := t.ofObject(at, name); known {
		return pose, err
	}
	if pose, known := t.poseWF[name]; known && t.foreign == "" {
		t.inPlanning = true
		return pose, nil
	}
	if t.mayBeForeign(name) {
		t.foreign = name
		return geom.IdentityPose(), nil
	}
	return geom.Pose{}, t.unknown(at, name)
}

// fromOutside resolves a frame that somebody else knows.
func (t *frameTree) fromOutside(at when, name string) (geom.Pose, error) {
	if t.again {
		at = t.later(at)
	}
	poseRF, gaps, err := t.outside(at.object, name, at.stamp)
	if err != nil {
		return poseRF, at.Errorf("is in the frame %s: %w", name, err)
	}
	t.gaps = append(t.gaps, gaps...)
	poseWR, known := t.rootPose()
	if !known || t.foreign != "" {
		return poseRF, at.Errorf("is in the frame %s, and where the root link %s is in the planning frame is unknown", name, t.root())
	}
	t.inPlanning = true
	if t.planning == "" && !t.placed {
		t.planning = t.root()
	}
	return poseWR.Mul(poseRF), nil
}

// mayBeForeign reports whether all objects may be in a frame of unknown pose. With a robot, that
// is one to which the SRDF connects the root link.
func (t *frameTree) mayBeForeign(name string) bool {
	if t.inPlanning || t.planning != "" || t.poseWF != nil || name == "" || t.foreign != "" && t.foreign != name {
		return false
	}
	return t.robot == nil || slices.Contains(t.parents, name)
}

// isPlanning reports whether a name is the planning frame's, and keeps it.
func (t *frameTree) isPlanning(name string) bool {
	if name == "" || name == t.planning {
		return true
	}
	if !t.names(name) || t.planning != "" && !t.names(t.planning) || t.placed && !t.byOwn && t.moving == "" {
		return false
	}
	if t.planning == "" {
		t.planning = name
	}
	return true
}

// ofLink returns the pose of a link of the robot.
func (t *frameTree) ofLink(at when, link int) (geom.Pose, error) {
	poseRL, err := t.links.between(t.robot.Root, link)
	if err != nil {
		return poseRL, at.Errorf("%w", err)
	}
	poseWR, known := t.rootPose()
	switch {
	case known && t.foreign == "":
		t.inPlanning = true
		if t.planning == "" && !t.placed {
			t.planning = t.root()
		}
		return poseWR.Mul(poseRL), nil
	case !known && !t.inPlanning && (t.foreign == "" || t.foreign == t.root()):
		t.foreign = t.root()
		return poseRL, nil
	}
	return poseRL, at.Errorf("is in the frame of link %s, and where the root link %s is in the other objects' frame is unknown: give the pose of its virtual joint in robot_state.multi_dof_joint_state",
		t.robot.Links[link].Name, t.root())
}

// ofObject returns the pose of an object, or of a subframe (object/subframe).
func (t *frameTree) ofObject(at when, name string) (pose geom.Pose, known bool, err error) {
	if t.object == nil || name == "" {
		return pose, false, nil
	}
	o, subframe := t.object(name), ""
	if o == nil {
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return pose, false, nil
		}
		if o, subframe = t.object(name[:i]), name[i+1:]; o == nil {
			return pose, false, nil
		}
	}
	for _, g := range o.gaps {
		if ofFrame(g) {
			t.gaps = append(t.gaps, g)
		}
	}
	if o.fault != nil {
		return pose, true, following(at, o)
	}
	pose = o.pose
	if subframe != "" {
		poseOF, has := o.subframes[subframe]
		if !has {
			return pose, false, nil
		}
		pose = pose.Mul(poseOF)
	}
	if o.on == nil {
		return pose, true, nil
	}
	poseWL, err := t.linkOf(at, o.on.link)
	return poseWL.Mul(pose), true, err
}

// follows is the error of an object in the frame of another, whose pose is not known. A chain of
// such objects names the first.
type follows struct {
	error
	first error
}

func following(at when, o *sceneObject) error {
	first := o.fault
	var f *follows
	if errors.As(first, &f) {
		first = f.first
	}
	return &follows{at.Errorf("is in the frame of object %s, whose pose is not known: %w", o.id, first), first}
}

// linkOf returns the pose of the link of that name.
func (t *frameTree) linkOf(at when, link string) (geom.Pose, error) {
	if t.robot == nil {
		return geom.Pose{}, at.Errorf("needs the pose of link %s, and the scene is read without a robot: give scene.Options.Robot", link)
	}
	k := t.robot.Link(link)
	if k < 0 {
		return geom.Pose{}, at.Errorf("needs the pose of link %s, which the robot does not have%s: correct the name", link, spelling.Hint(link, t.linkNames()))
	}
	pose, err := t.ofLink(at, k)
	if err != nil && t.outside != nil {
		return t.fromOutside(at, link)
	}
	return pose, err
}

func (t *frameTree) linkNames() []string {
	names := make([]string, len(t.robot.Links))
	for i := range names {
		names[i] = t.robot.Links[i].Name
	}
	return names
}

// inLink returns the pose of a frame in a link. Only the joints between the two have to be
// known.
func (t *frameTree) inLink(at when, frame, link string) (geom.Pose, error) {
	if t.robot != nil && t.robot.Link(frame) >= 0 && t.robot.Link(link) >= 0 {
		pose, err := t.links.between(t.robot.Link(link), t.robot.Link(frame))
		switch {
		case err == nil:
			return pose, nil
		case t.outside == nil:
			return pose, at.Errorf("is attached to link %s but given in the frame %s: %w", link, frame, err)
		}
	}
	if t.robot == nil {
		return geom.Pose{}, at.Errorf("is attached to link %s but given in the frame %s: give its poses in the link, or read the scene with its robot", link, frame)
	}
	poseWL, err := t.linkOf(at, link)
	if err != nil {
		return poseWL, err
	}
	poseWF, err := t.resolve(at, frame)
	return poseWL.Inv().Mul(poseWF), err
}

// unknown is the error of a frame that cannot be resolved.
func (t *frameTree) unknown(at when, name string) error {
	if name == "" {
		name = "of the scene"
	}
	relative, remedy := "relative to the other objects' frames ", "give all objects in one frame"
	if t.robot != nil {
		relative, remedy = "", "give poses in the root link "+t.root()
	}
	var known []string
	for f := range t.poseWF {
		known = append(known, f)
	}
	if t.robot != nil {
		known = append(append(known, t.linkNames()...), t.parents...)
	}
	known = append(known, t.objects()...)
	slices.Sort(known)
	return at.Errorf("is in the frame %s, whose pose %sis unknown%s: %s, or add the frame to fixed_frame_transforms", name, relative, spelling.Hint(name, known), remedy)
}

// taken returns what outside has left open since the last call.
func (t *frameTree) taken() []premise.Premise {
	gaps := t.gaps
	t.gaps = nil
	return gaps
}

// frame returns the name of the objects' frame.
func (t *frameTree) frame() string {
	if t.foreign != "" {
		return t.foreign
	}
	return t.planning
}

// headerFrame returns header.frame_id, empty if there is none.
func headerFrame(f document.Fields) (string, error) {
	h, ok := f.Get("header")
	if !ok {
		return "", nil
	}
	g, err := h.Fields("header", "seq", "stamp", "frame_id")
	if err != nil {
		return "", err
	}
	return document.Optional(g, "frame_id", frameName)
}

// frameName reads a frame's name, without the leading slash of tf (ROS 1).
func frameName(v document.Value, key string) (string, error) {
	s, err := v.Str(key)
	return strings.TrimPrefix(s, "/"), err
}
