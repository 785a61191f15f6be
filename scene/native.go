package scene

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// native reads the package's own format.
func (r *reader) native(doc document.Value) (*Snapshot, error) {
	f, err := doc.Fields("scene", "frame", "objects", "allowed", "link_padding")
	if err != nil {
		return nil, err
	}
	s := &Snapshot{}
	if v, ok := f.Get("frame"); ok {
		if s.Frame, err = v.Str("frame"); err != nil {
			return nil, err
		}
	}
	v, err := f.Need("scene", "objects")
	if err != nil {
		return nil, err
	}
	if s.Objects, err = r.objects(v); err != nil {
		return nil, err
	}
	if v, ok := f.Get("allowed"); ok {
		if s.Allowed, err = namePairs(v); err != nil {
			return nil, err
		}
	}
	if v, ok := f.Get("link_padding"); ok {
		if s.LinkPadding, err = paddingByLink(v); err != nil {
			return nil, err
		}
	}
	return r.seal(s)
}

func namePairs(v document.Value) ([][2]string, error) {
	items, err := v.List("allowed")
	if err != nil {
		return nil, err
	}
	pairs := make([][2]string, len(items))
	for i, item := range items {
		names, err := item.Strs("allowed pair")
		if err != nil {
			return nil, err
		}
		if len(names) != 2 {
			return nil, item.Errorf("allowed pair has %d names: give two, as in [table, panda_link0]", len(names))
		}
		pairs[i] = [2]string(names)
	}
	return pairs, nil
}

func paddingByLink(v document.Value) (map[string]float64, error) {
	f, err := v.AnyFields("link_padding")
	if err != nil {
		return nil, err
	}
	padding := map[string]float64{}
	for _, link := range f.Keys() {
		p, _ := f.Get(link)
		if padding[link], err = p.Float("link_padding of " + link); err != nil {
			return nil, err
		}
	}
	return padding, nil
}

func (r *reader) objects(v document.Value) ([]Object, error) {
	items, err := v.List("objects")
	if err != nil {
		return nil, err
	}
	out := make([]Object, len(items))
	for i, item := range items {
		if out[i], err = r.object(item.Of(fmt.Sprintf("objects[%d]", i))); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shapeKeys are the keys that each type of object takes besides the common ones.
var shapeKeys = map[string][]string{
	"box":      {"size"},
	"cylinder": {"length", "radius"},
	"capsule":  {"length", "radius"},
	"cone":     {"length", "radius"},
	"sphere":   {"radius"},
	"mesh":     {"mesh", "scale", "up"},
	"points":   {"points", "radius", "scale"},
	"cells":    {"cells"},
	"octree":   {"octree", "unknown_is_occupied", "occupancy_threshold"},
}

var commonKeys = []string{"id", "type", "xyz", "quat_xyzw", "rpy", "padding", "attached_to", "touch_links"}

func (r *reader) object(v document.Value) (Object, error) {
	var o Object
	f, err := v.AnyFields("object")
	if err != nil {
		return o, err
	}
	if o.ID, err = needStr(f, "id"); err != nil {
		return o, err
	}
	f, v = f.Of("object "+o.ID), v.Of("object "+o.ID)
	kind, err := needStr(f, "type")
	if err != nil {
		return o, err
	}
	keys, ok := shapeKeys[kind]
	if !ok {
		return o, v.Errorf("type %q is unknown: use one of %s", kind, strings.Join(slices.Sorted(maps.Keys(shapeKeys)), ", "))
	}
	if _, err := v.Fields(kind, append(slices.Clone(commonKeys), keys...)...); err != nil {
		return o, err
	}
	if o.PoseWS, err = pose(f); err != nil {
		return o, err
	}
	if v, ok := f.Get("rpy"); ok {
		if a, err := v.Floats("rpy", 3); err == nil {
			if gap, ok := premise.Degrees("object "+o.ID, o.ID, [3]float64(a)); ok {
				r.gaps = append(r.gaps, gap)
			}
		}
	}
	if o.Shape, err = r.shape(f, o.ID, kind); err != nil {
		return o, err
	}
	if err := attachment(f, &o); err != nil {
		return o, err
	}
	if err := o.Validate(); err != nil {
		return o, v.Errorf("%w", err)
	}
	return o, nil
}

func attachment(f document.Fields, o *Object) (err error) {
	if v, ok := f.Get("padding"); ok {
		if o.Padding, err = v.Float("padding"); err != nil {
			return err
		}
	}
	if v, ok := f.Get("attached_to"); ok {
		if o.AttachedTo, err = v.Str("attached_to"); err != nil {
			return err
		}
		if o.AttachedTo == "" {
			return v.Errorf("attached_to is empty: name a link")
		}
	}
	if v, ok := f.Get("touch_links"); ok {
		o.TouchLinks, err = v.Strs("touch_links")
	}
	return err
}

func needStr(f document.Fields, key string) (string, error) {
	v, err := f.Need("object", key)
	if err != nil {
		return "", err
	}
	s, err := v.Str(key)
	if err == nil && s == "" {
		err = v.Errorf("%s is empty: write one", key)
	}
	return s, err
}

func needFloat(f document.Fields, key string) (float64, error) {
	v, err := f.Need("object", key)
	if err != nil {
		return 0, err
	}
	return v.Float(key)
}

func vec3(v document.Value, key string) (geom.Vec, error) {
	x, err := v.Floats(key, 3)
	if err != nil {
		return geom.Vec{}, err
	}
	return geom.Vec{X: x[0], Y: x[1], Z: x[2]}, nil
}

// pose reads xyz and either quat_xyzw or rpy. Missing values are zero.
func pose(f document.Fields) (geom.Pose, error) {
	p := geom.IdentityPose()
	var err error
	if v, ok := f.Get("xyz"); ok {
		if p.P, err = vec3(v, "xyz"); err != nil {
			return p, err
		}
	}
	quat, hasQuat := f.Get("quat_xyzw")
	rpy, hasRPY := f.Get("rpy")
	switch {
	case hasQuat && hasRPY:
		return p, rpy.Errorf("has both quat_xyzw and rpy: keep one")
	case hasQuat:
		q, err := quat.Floats("quat_xyzw", 4)
		if err != nil {
			return p, err
		}
		if p.R, err = unitQuat(q); err != nil {
			return p, quat.Errorf("quat_xyzw: %w", err)
		}
	case hasRPY:
		a, err := vec3(rpy, "rpy")
		if err != nil {
			return p, err
		}
		if max(math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)) > geom.MaxAngle {
			return p, rpy.Errorf("rpy is beyond %g rad: check the unit", float64(geom.MaxAngle))
		}
		p.R = geom.RPY(a.X, a.Y, a.Z)
	}
	return p, nil
}

// quatTolerance accepts files that print three digits. A quaternion whose length is farther
// from 1 was not meant as a rotation: a wrong order or a typing error would turn the obstacle
// elsewhere.
const quatTolerance = 1e-3

// unitQuat returns the rotation of the quaternion x, y, z, w.
func unitQuat(q []float64) (geom.Rot, error) {
	length := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(math.Abs(length-1) <= quatTolerance) {
		return geom.Rot{}, fmt.Errorf("quaternion (%g, %g, %g, %g) has length %g: give x, y, z, w of length 1", q[0], q[1], q[2], q[3], length)
	}
	return geom.Quat(q[0], q[1], q[2], q[3])
}

func (r *reader) shape(f document.Fields, id, kind string) (*Shape, error) {
	s := &Shape{}
	var err error
	switch kind {
	case "box":
		v, err := f.Need("box", "size")
		if err != nil {
			return nil, err
		}
		s.Kind = shape.Box
		s.Size, err = vec3(v, "size")
		return s, err
	case "sphere":
		s.Kind = shape.Sphere
		s.Radius, err = needFloat(f, "radius")
		return s, err
	case "cylinder", "capsule", "cone":
		s.Kind = map[string]shape.Kind{"cylinder": shape.Cylinder, "capsule": shape.Capsule, "cone": shape.Cone}[kind]
		if s.Length, err = needFloat(f, "length"); err != nil {
			return nil, err
		}
		s.Radius, err = needFloat(f, "radius")
		return s, err
	case "mesh":
		return r.mesh(f, id)
	case "points":
		return r.points(f, id)
	case "cells":
		return cells(f)
	case "octree":
		return r.octree(f, id)
	}
	return nil, f.Errorf("type %q is unknown", kind)
}

func (r *reader) mesh(f document.Fields, id string) (*Shape, error) {
	v, err := f.Need("mesh", "mesh")
	if err != nil {
		return nil, err
	}
	file, err := v.Str("mesh")
	if err != nil {
		return nil, err
	}
	scale := geom.Vec{X: 1, Y: 1, Z: 1}
	if sv, ok := f.Get("scale"); ok {
		if scale, err = meshScale(sv); err != nil {
			return nil, err
		}
	}
	path, err := r.path(file)
	if err != nil {
		return nil, v.Errorf("%w", err)
	}
	up, err := upAxis(f)
	if err != nil {
		return nil, err
	}
	m, err := r.readMesh(id, meshFile{path, scale, up})
	if err != nil {
		return nil, v.Errorf("%w", err)
	}
	return &Shape{Kind: shape.Mesh, Mesh: m, Source: path}, nil
}

// upAxis reads which axis of a mesh points up, "" if nothing says so.
func upAxis(f document.Fields) (string, error) {
	v, ok := f.Get("up")
	if !ok {
		return "", nil
	}
	up, err := v.Str("up")
	if err == nil && up != "y" && up != "z" {
		err = v.Errorf("up is %q: give z (the mesh as it stands) or y (turned by 90 degrees about x)", clip(up))
	}
	return up, err
}

// meshScale reads one factor for all axes or one per axis.
func meshScale(v document.Value) (geom.Vec, error) {
	if v.IsNumber() {
		k, err := v.Float("scale")
		return geom.Vec{X: k, Y: k, Z: k}, err
	}
	return vec3(v, "scale")
}
