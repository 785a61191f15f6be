package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// planningScene reads a moveit_msgs/PlanningScene: objects and attached objects with every
// shape, the octomap, the allowed collision matrix and the link padding. Planes and scaled
// links affect collisions but are not supported: errors. Colours, types, subframes and joint
// positions do not, and are ignored.
//
// Poses are in the planning frame. If the state places the robot in it by a virtual joint (the
// one multi-DOF joint), poses are in the robot's root link instead, because the robot is
// checked in that frame.
func (r *reader) planningScene(doc document.Value) (*Snapshot, error) {
	f, err := doc.Fields("PlanningScene", "name", "robot_state", "robot_model_name", "fixed_frame_transforms",
		"allowed_collision_matrix", "link_padding", "link_scale", "object_colors", "world", "is_diff")
	if err != nil {
		return nil, err
	}
	p := &planningScene{reader: r, parts: map[string][]string{}}
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
		{"allowed_collision_matrix", p.allowed}, // after the objects, whose names it uses
	} {
		if v, ok := f.Get(part.key); ok {
			if err := part.read(v); err != nil {
				return nil, err
			}
		}
	}
	return p.finish()
}

// planningSceneWorld reads a moveit_msgs/PlanningSceneWorld.
func (r *reader) planningSceneWorld(doc document.Value) (*Snapshot, error) {
	p := &planningScene{reader: r, parts: map[string][]string{}}
	if err := p.world(doc); err != nil {
		return nil, err
	}
	return p.finish()
}

type planningScene struct {
	*reader
	scene  Snapshot
	frames frameTree
	parts  map[string][]string // the objects of each collision object

	robotPlaced bool
	poseWR      geom.Pose // of the robot's root link in the planning frame, if placed
}

func (p *planningScene) warn(v document.Value, format string, args ...any) {
	p.scene.Warnings = append(p.scene.Warnings, v.Errorf(format, args...).Error())
}

func (p *planningScene) finish() (*Snapshot, error) {
	p.scene.Frame = p.frames.frame()
	if p.robotPlaced {
		if err := p.intoRootLink(); err != nil {
			return nil, err
		}
	}
	return p.seal(&p.scene)
}

// intoRootLink transforms the obstacles from the planning frame into the root link.
func (p *planningScene) intoRootLink() error {
	atOrigin := p.poseWR == geom.IdentityPose()
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
	poseRW := p.poseWR.Inv()
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
		const detail = "is_diff is set: only the contents of this message are checked, not the scene that it modifies"
		p.warn(v, detail)
		p.scene.Gaps = append(p.scene.Gaps, premise.Premise{
			Kind: premise.NotUnderstood, Names: []string{"is_diff"}, Detail: v.Errorf(detail).Error(),
			Remedy: "give the whole scene, with is_diff false",
		})
	}
	return err
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
	padding := map[string]float64{}
	p.scene.LinkPadding = padding
	return eachLink(v, "link_padding", "padding", func(item document.Value, link string, x float64) error {
		if _, twice := padding[link]; twice {
			return item.Errorf("link_padding of link %s appears twice: keep one", link)
		}
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
		if err := p.collisionObject(item.Of(fmt.Sprintf("collision_objects[%d]", i)), nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *planningScene) robotState(v document.Value) error {
	f, err := v.Fields("robot_state", "joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff")
	if err != nil {
		return err
	}
	if m, ok := f.Get("multi_dof_joint_state"); ok {
		if err := p.placeRobot(m); err != nil {
			return err
		}
	}
	attached, ok := f.Get("attached_collision_objects")
	if !ok {
		return nil
	}
	items, err := attached.List("attached_collision_objects")
	if err != nil {
		return err
	}
	for i, item := range items {
		if err := p.attachedObject(item.Of(fmt.Sprintf("attached_collision_objects[%d]", i))); err != nil {
			return err
		}
	}
	return nil
}

// placeRobot reads the virtual joint of the robot's root link.
func (p *planningScene) placeRobot(v document.Value) error {
	f, err := v.Fields("multi_dof_joint_state", "header", "joint_names", "transforms", "twist", "wrench")
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "joint_names", document.Value.Strs)
	if err != nil {
		return err
	}
	transforms, err := document.Optional(f, "transforms", document.Value.List)
	if err != nil {
		return err
	}
	if len(names) != len(transforms) {
		return v.Errorf("multi_dof_joint_state has %d joint_names and %d transforms: give one each", len(names), len(transforms))
	}
	if len(names) == 0 {
		return nil
	}
	if len(names) > 1 {
		return v.Errorf("multi_dof_joint_state has the joints %v: only one, the virtual joint of the root link, is supported", names)
	}
	if err := p.frames.name(f); err != nil {
		return err
	}
	if names[0] == "" {
		return v.Errorf("multi_dof_joint_state has a joint without a name: name the virtual joint of the root link")
	}
	p.robotPlaced = true
	if p.poseWR, err = rosTransform(transforms[0]); err != nil {
		return err
	}
	if p.poseWR != geom.IdentityPose() {
		p.scene.PlacedBy = names[0]
		p.warn(v, "the obstacles are moved into the root link by the pose of joint %s, taken as the virtual joint that carries the root link", names[0])
	}
	return nil
}
