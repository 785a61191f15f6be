package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// planningScene reads messages of MoveIt: PlanningScene, PlanningSceneWorld, CollisionObject and
// AttachedCollisionObject, each with the changes that it makes to the scene of those before it,
// as ros2 topic echo records them. Objects and attached objects of every shape, the octomap, the
// allowed collision matrix, the link padding and, if the robot is known, the link scale are read.
// Colours and types do not affect collisions, and are ignored.
//
// Poses are in the planning frame. If the state places the robot in it by a virtual joint (the
// one multi-DOF joint), poses are in the robot's root link instead, because the robot is
// checked in that frame.
func (r *reader) planningScene(docs []document.Value, ends bool) (*Snapshot, error) {
	p := newPlanning(r.opts.Robot)
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
		if err := p.readMessage(doc); err != nil {
			return nil, err
		}
	}
	s, err := p.snapshot(r.name)
	if err != nil {
		return nil, err
	}
	return r.seal(s)
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

// readMessage reads one message and does what it says.
func (p *planning) readMessage(doc document.Value) error {
	f, err := doc.AnyFields("PlanningScene")
	if err != nil {
		return err
	}
	switch {
	case f.Has("link_name") && f.Has("object"):
		m, err := attachMessage(doc)
		if err != nil {
			return err
		}
		return p.attachedChange(&m)
	case f.Has("id"):
		m, err := objectMessage(doc)
		if err != nil {
			return err
		}
		return p.objectChange(&m)
	case f.Has("collision_objects"):
		m, err := worldMessage(doc)
		if err != nil {
			return err
		}
		return p.wholeWorld(m)
	}
	m, err := planningMessage(doc)
	if err != nil {
		return err
	}
	return p.wholeScene(m)
}

// planningMessage reads a moveit_msgs/PlanningScene.
func planningMessage(doc document.Value) (*PlanningMessage, error) {
	f, err := doc.Fields("PlanningScene", "name", "robot_state", "robot_model_name", "fixed_frame_transforms",
		"allowed_collision_matrix", "link_padding", "link_scale", "object_colors", "world", "is_diff")
	if err != nil {
		return nil, err
	}
	m := &PlanningMessage{From: doc}
	for _, part := range []struct {
		key  string
		read func(document.Value) error
	}{
		{"robot_model_name", func(v document.Value) (err error) { m.Robot, err = v.Str("robot_model_name"); return err }},
		{"is_diff", func(v document.Value) (err error) { m.Diff, err = v.Bool("is_diff"); return err }},
		{"fixed_frame_transforms", m.readTransforms},
		{"link_scale", func(v document.Value) (err error) { m.Scales, err = linkNumbers(v, "link_scale", "scale"); return err }},
		{"link_padding", func(v document.Value) (err error) {
			m.Paddings, err = linkNumbers(v, "link_padding", "padding")
			return err
		}},
		{"robot_state", func(v document.Value) (err error) { m.State, err = stateMessage(v); return err }},
		{"world", func(v document.Value) (err error) { m.World, err = worldMessage(v); return err }},
		{"allowed_collision_matrix", func(v document.Value) (err error) { m.Allowed, err = allowedMessage(v); return err }},
	} {
		if v, ok := f.Get(part.key); ok {
			if err := part.read(v); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// linkNumbers reads a list of mappings of a link_name and a number.
func linkNumbers(v document.Value, list, key string) (out []LinkNumber, err error) {
	items, err := v.List(list)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		f, err := item.Fields(list, "link_name", key)
		if err != nil {
			return nil, err
		}
		link, err := f.Need(list, "link_name")
		if err != nil {
			return nil, err
		}
		n := LinkNumber{From: item}
		if n.Link, err = link.Str("link_name"); err != nil {
			return nil, err
		}
		number, err := f.Need(list, key)
		if err != nil {
			return nil, err
		}
		if n.Value, err = number.Float(key); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// worldMessage reads a moveit_msgs/PlanningSceneWorld.
func worldMessage(v document.Value) (*WorldMessage, error) {
	f, err := v.Fields("world", "collision_objects", "octomap")
	if err != nil {
		return nil, err
	}
	m := &WorldMessage{From: v}
	if o, ok := f.Get("octomap"); ok {
		if m.Octomap, err = octomapMessage(o); err != nil {
			return nil, err
		}
	}
	items, err := document.Optional(f, "collision_objects", document.Value.List)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		o, err := objectMessage(item.Of(fmt.Sprintf("collision_objects[%d]", i)))
		if err != nil {
			return nil, err
		}
		m.Objects = append(m.Objects, o)
	}
	return m, nil
}

// attachMessage reads a moveit_msgs/AttachedCollisionObject.
func attachMessage(v document.Value) (m AttachMessage, err error) {
	f, err := v.Fields("attached object", "link_name", "object", "touch_links", "detach_posture", "weight")
	if err != nil {
		return m, err
	}
	object, err := f.Need("attached object", "object")
	if err != nil {
		return m, err
	}
	if m.Object, err = objectMessage(object); err != nil {
		return m, err
	}
	if m.Object.Operation == OpRemove {
		m.Link, err = document.Optional(f, "link_name", document.Value.Str)
		return m, err
	}
	if m.Link, err = needStr(f, "link_name"); err != nil {
		return m, err
	}
	m.TouchLinks, err = document.Optional(f, "touch_links", document.Value.Strs)
	return m, err
}
