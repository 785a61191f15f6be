package scene

import (
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// frameTree holds the frames of the obstacles in a PlanningScene.
type frameTree struct {
	planning string               // the planning frame's name, if known
	poseWF   map[string]geom.Pose // frames fixed in the planning frame

	inPlanning bool   // some object is in the planning frame
	foreign    string // or all are in this frame of unknown pose
}

// read reads fixed_frame_transforms.
func (t *frameTree) read(v document.Value) error {
	items, err := v.List("fixed_frame_transforms")
	if err != nil {
		return err
	}
	t.poseWF = map[string]geom.Pose{}
	for _, item := range items {
		if err := t.readOne(item); err != nil {
			return err
		}
	}
	return nil
}

func (t *frameTree) readOne(v document.Value) error {
	f, err := v.Fields("fixed_frame_transforms", "header", "child_frame_id", "transform")
	if err != nil {
		return err
	}
	if err := t.name(f); err != nil {
		return err
	}
	c, err := f.Need("fixed_frame_transforms", "child_frame_id")
	if err != nil {
		return err
	}
	child, err := frameName(c, "child_frame_id")
	if err != nil {
		return err
	}
	tv, err := f.Need("fixed_frame_transforms", "transform")
	if err != nil {
		return err
	}
	pose, err := rosTransform(tv)
	if err != nil {
		return err
	}
	if old, twice := t.poseWF[child]; twice && old != pose {
		return v.Errorf("frame %s has two transforms: keep one", child)
	}
	t.poseWF[child] = pose
	return nil
}

// name takes the planning frame's name from the header of a message in that frame.
func (t *frameTree) name(f document.Fields) error {
	name, err := headerFrame(f)
	if err != nil || name == "" {
		return err
	}
	if t.planning != "" && t.planning != name {
		return f.Errorf("the planning frame is both %s and %s: give all in one", t.planning, name)
	}
	t.planning = name
	return nil
}

// resolve returns the pose, in the snapshot's frame, of the frame of the object v.
func (t *frameTree) resolve(v document.Value, name string) (geom.Pose, error) {
	pose, known := t.poseWF[name]
	if name == "" || name == t.planning {
		pose, known = geom.IdentityPose(), true
	}
	switch {
	case known && t.foreign == "":
		t.inPlanning = true
		return pose, nil
	case !known && !t.inPlanning && t.planning == "" && t.poseWF == nil && (t.foreign == "" || t.foreign == name):
		t.foreign = name
		return geom.IdentityPose(), nil
	}
	if name == "" {
		name = "of the scene"
	}
	return pose, v.Errorf("is in the frame %s, whose pose relative to the other objects' frames is unknown: give all objects in one frame, or add the frame to fixed_frame_transforms", name)
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
