package scene

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// planningScene reads messages of MoveIt: PlanningScene, PlanningSceneWorld, CollisionObject and
// AttachedCollisionObject, each with the changes that it makes to the scene of those before it,
// as ros2 topic echo records them. Objects and attached objects of every shape, the octomap, the
// allowed collision matrix and the link padding are read. Scaled links affect collisions but
// are not supported: an error. Colours and types do not, and are ignored.
//
// Poses are in the planning frame. If the state places the robot in it by a virtual joint (the
// one multi-DOF joint), poses are in the robot's root link instead, because the robot is
// checked in that frame.
func (r *reader) planningScene(docs []document.Value, ends bool) (*Snapshot, error) {
	p := &planningScene{reader: r, frames: newFrameTree(r.opts.Robot)}
	p.frames.object, p.frames.objects = p.object, p.objectNames
	for i, doc := range docs {
		f, err := doc.AnyFields("PlanningScene")
		if err != nil {
			return nil, err
		}
		if f.Has("scene") && len(f.Keys()) == 1 { // the reply of get_planning_scene
			doc, _ = f.Get("scene")
		}
		if i == len(docs)-1 && cutOff(doc, ends && len(docs) > 1) {
			return nil, doc.Errorf("the last message ends early, as if the file was cut off: record it anew; if it is whole, write is_diff: false and a line --- at its end")
		}
		if err := p.message(doc); err != nil {
			return nil, err
		}
	}
	return p.finish()
}

// isPlanningScene reports whether the keys are those of one of MoveIt's messages.
func isPlanningScene(f document.Fields) bool {
	return f.HasAny("world", "robot_state", "allowed_collision_matrix", "fixed_frame_transforms", "robot_model_name", "collision_objects") ||
		f.Has("link_name") && f.Has("object") ||
		f.Has("id") && f.HasAny("operation", "primitives", "meshes", "planes", "primitive_poses") ||
		f.Has("scene") && len(f.Keys()) == 1
}

// cutOff reports whether a message that ROS printed lacks its end. unended is set where
// messages before it are ended by a line ---, and it is not.
func cutOff(doc document.Value, unended bool) bool {
	f, err := doc.AnyFields("message")
	if err != nil {
		return false // told later
	}
	last := "is_diff"
	switch {
	case f.Has("object"):
		last = "weight"
	case f.Has("id"):
		last = "operation"
	case f.Has("collision_objects"):
		last = "octomap"
	}
	if f.Has(last) {
		return false
	}
	keys := doc.Keys()
	return unended || len(keys) > 1 && keys[0] == "name" && keys[1] == "robot_state"
}

// message reads one message, with the changes that it makes.
func (p *planningScene) message(doc document.Value) error {
	f, err := doc.AnyFields("PlanningScene")
	if err != nil {
		return err
	}
	p.given = map[string]bool{}
	switch {
	case f.Has("link_name") && f.Has("object"):
		p.changes(doc)
		return p.attachedObject(doc, true)
	case f.Has("id"):
		p.changes(doc)
		return p.collisionObject(doc)
	case f.Has("collision_objects"):
		p.based = true
		p.clear(true)
		return p.world(doc)
	}
	return p.wholeScene(doc)
}

// wholeScene reads a moveit_msgs/PlanningScene.
func (p *planningScene) wholeScene(doc document.Value) error {
	f, err := doc.Fields("PlanningScene", "name", "robot_state", "robot_model_name", "fixed_frame_transforms",
		"allowed_collision_matrix", "link_padding", "link_scale", "object_colors", "world", "is_diff")
	if err != nil {
		return err
	}
	if err := p.ofRobot(f); err != nil {
		return err
	}
	for _, part := range []struct {
		key  string
		read func(document.Value) error
	}{
		{"is_diff", p.diff},
		{"fixed_frame_transforms", p.frames.read},
		{"link_scale", p.linkScale},
		{"link_padding", p.linkPadding},
		{"robot_state", p.robotState}, // before the world: it may give the planning frame's name
		{"world", p.world},
		{"allowed_collision_matrix", p.keepMatrix},
	} {
		v, ok := f.Get(part.key)
		if !ok && part.key == "is_diff" {
			p.reset()
		}
		if ok {
			if err := part.read(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofRobot warns if the scene is another robot's.
func (p *planningScene) ofRobot(f document.Fields) error {
	name, err := document.Optional(f, "robot_model_name", document.Value.Str)
	if err == nil && name != "" && p.opts.Robot != nil && name != p.opts.Robot.Name && p.robotName != name {
		p.robotName = name
		v, _ := f.Get("robot_model_name")
		p.warn(v, "the scene is of the robot %s, and this robot is called %s", name, p.opts.Robot.Name)
	}
	return err
}

type planningScene struct {
	*reader
	scene   Snapshot
	frames  frameTree
	carried objectList          // what the robot carries
	free    objectList          // what is in the world
	parts   map[string][]string // the objects of each collision object
	matrix  *document.Value     // the allowed collision matrix
	based   bool                // the scene that messages change is known, or said to be unknown
	given   map[string]bool     // the objects that the message adds

	robotName string // of another robot, if it has been told
}

func (p *planningScene) warn(v document.Value, format string, args ...any) {
	p.scene.Warnings = append(p.scene.Warnings, v.Errorf(format, args...).Error())
}

// reset begins a whole scene.
func (p *planningScene) reset() {
	p.based, p.matrix, p.scene.LinkPadding = true, nil, nil
	p.scene.Gaps = nil
	p.clear(true)
	p.frames.forget()
}

// changes says that a message changes a scene that is not known, if it is not.
func (p *planningScene) changes(v document.Value) {
	const detail = "the message is a change (is_diff) of a scene that the file does not hold: only the contents of the file are checked"
	if p.based {
		return
	}
	p.based = true
	p.warn(v, detail)
	p.scene.Gaps = append(p.scene.Gaps, premise.Premise{
		Kind: premise.NotUnderstood, Names: []string{"is_diff"}, Detail: v.Errorf(detail).Error(),
		Remedy: "give the whole scene, with is_diff false, before its changes",
	})
}

// finish makes the snapshot of the scene after the last message.
func (p *planningScene) finish() (*Snapshot, error) {
	p.parts = map[string][]string{}
	for _, o := range slices.Concat(p.carried.all(), p.free.all()) {
		if err := p.add(o); err != nil {
			return nil, err
		}
	}
	if p.matrix != nil {
		if err := p.allowed(*p.matrix); err != nil {
			return nil, err
		}
	}
	p.scene.Frame = p.frames.frame()
	if p.frames.placed {
		if err := p.intoRootLink(); err != nil {
			return nil, err
		}
	}
	return p.seal(&p.scene)
}

// add adds the shapes of an object to the snapshot.
func (p *planningScene) add(o *sceneObject) error {
	if o.fault != nil {
		return o.fault
	}
	if _, twice := p.parts[o.id]; twice {
		return o.at.Errorf("is both attached and in the world: rename one of them")
	}
	p.scene.Warnings = append(p.scene.Warnings, o.warnings...)
	p.scene.Gaps = append(p.scene.Gaps, o.gaps...)
	if o.octree && len(o.shapes) == 0 {
		return nil
	}
	p.parts[o.id] = make([]string, len(o.shapes))
	for i, s := range o.shapes {
		part := Object{ID: partID(o.id, i, len(o.shapes)), PoseWS: o.pose.Mul(s.poseOS), Shape: s.shape}
		if o.on != nil {
			part.AttachedTo, part.TouchLinks = o.on.link, o.on.touchLinks
		}
		if err := part.Validate(); err != nil {
			return o.at.Errorf("%w", err)
		}
		p.parts[o.id][i] = part.ID
		p.scene.Objects = append(p.scene.Objects, part)
	}
	return nil
}

// intoRootLink transforms the obstacles from the planning frame into the root link.
func (p *planningScene) intoRootLink() error {
	atOrigin := p.frames.poseWR == geom.IdentityPose()
	if p.frames.foreign != "" {
		if atOrigin {
			return nil
		}
		return fmt.Errorf("%s: the obstacles are in the frame %s and the robot stands elsewhere in a frame without name: name the planning frame in fixed_frame_transforms or in the header of multi_dof_joint_state", p.name, p.frames.foreign)
	}
	p.scene.Frame = ""
	if atOrigin {
		return nil // keep the poses unchanged
	}
	p.scene.PlacedBy = p.frames.placedBy
	p.warn(p.frames.placedAt, "the obstacles are moved into the root link by the pose of joint %s, taken as the virtual joint that carries the root link", p.frames.placedBy)
	poseRW := p.frames.poseWR.Inv()
	for i := range p.scene.Objects {
		if o := &p.scene.Objects[i]; o.AttachedTo == "" {
			o.PoseWS = poseRW.Mul(o.PoseWS)
		}
	}
	return nil
}

func (p *planningScene) diff(v document.Value) error {
	d, err := v.Bool("is_diff")
	if d {
		p.changes(v)
	} else {
		p.reset()
	}
	return err
}

func (p *planningScene) keepMatrix(v document.Value) error {
	f, err := v.AnyFields("allowed_collision_matrix")
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "entry_names", document.Value.List)
	if err != nil {
		return err
	}
	if p.matrix == nil || len(names) > 0 { // in a change, none means the one before
		p.matrix = &v
	}
	return nil
}

func (p *planningScene) linkScale(v document.Value) error {
	return eachLink(v, "link_scale", "scale", func(item document.Value, link string, scale float64) error {
		if scale != 1 {
			return item.Errorf("link %s is scaled by %g, which is not supported: use link_padding", link, scale)
		}
		return nil
	})
}

func (p *planningScene) linkPadding(v document.Value) error {
	padding, given := map[string]float64{}, map[string]bool{}
	maps.Copy(padding, p.scene.LinkPadding)
	p.scene.LinkPadding = padding
	return eachLink(v, "link_padding", "padding", func(item document.Value, link string, x float64) error {
		if given[link] {
			return item.Errorf("link_padding of link %s appears twice: keep one", link)
		}
		given[link] = true
		if err := checkPadding(x); err != nil {
			return item.Errorf("link %s: %w", link, err)
		}
		padding[link] = x
		return nil
	})
}

// eachLink visits a list of mappings of a link_name and a number.
func eachLink(v document.Value, list, key string, visit func(item document.Value, link string, x float64) error) error {
	items, err := v.List(list)
	if err != nil {
		return err
	}
	for _, item := range items {
		f, err := item.Fields(list, "link_name", key)
		if err != nil {
			return err
		}
		link, err := f.Need(list, "link_name")
		if err != nil {
			return err
		}
		name, err := link.Str("link_name")
		if err != nil {
			return err
		}
		number, err := f.Need(list, key)
		if err != nil {
			return err
		}
		x, err := number.Float(key)
		if err != nil {
			return err
		}
		if err := visit(item, name, x); err != nil {
			return err
		}
	}
	return nil
}

func (p *planningScene) world(v document.Value) error {
	f, err := v.Fields("world", "collision_objects", "octomap")
	if err != nil {
		return err
	}
	if o, ok := f.Get("octomap"); ok {
		if err := p.octomap(o); err != nil {
			return err
		}
	}
	objects, ok := f.Get("collision_objects")
	if !ok {
		return nil
	}
	items, err := objects.List("collision_objects")
	if err != nil {
		return err
	}
	for i, item := range items {
		if err := p.collisionObject(item.Of(fmt.Sprintf("collision_objects[%d]", i))); err != nil {
			return err
		}
	}
	return nil
}
