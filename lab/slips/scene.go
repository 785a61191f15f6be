package main

import (
	"fmt"
	"strings"
)

// object is an obstacle: a box (size), a cylinder (length, radius), a sphere (radius) or a
// mesh (file, scale), with the pose of its centre.
type object struct {
	id, kind       string
	size           [3]float64
	length, radius float64
	file           string
	scale          float64
	xyz            [3]float64
	quat           [4]float64 // x, y, z, w
	rpy            *[3]float64
	unplaced       bool
	operation      string // of a CollisionObject: ADD or REMOVE
	frame          string // where it is not the scene's
}

// scene is obstacles, written as a PlanningScene or in the package's own form.
type scene struct {
	frame    string
	objects  []object
	planning bool   // as a PlanningScene
	further  string // lines at the end
}

// each applies a change to all objects.
func (s *scene) each(change func(*object)) {
	for i := range s.objects {
		change(&s.objects[i])
	}
}

func (s *scene) String() string {
	if s.planning {
		return s.message()
	}
	var b strings.Builder
	if s.frame != "" {
		fmt.Fprintf(&b, "frame: %s\n", s.frame)
	}
	b.WriteString("objects:\n")
	for i := range s.objects {
		s.objects[i].own(&b)
	}
	return b.String() + s.further
}

// own writes an object in the package's form.
func (o *object) own(b *strings.Builder) {
	fmt.Fprintf(b, "  - id: %s\n    type: %s\n", o.id, o.kind)
	switch o.kind {
	case "box":
		fmt.Fprintf(b, "    size: %s\n", list(o.size[:]))
	case "cylinder":
		fmt.Fprintf(b, "    length: %v\n    radius: %v\n", o.length, o.radius)
	case "sphere":
		fmt.Fprintf(b, "    radius: %v\n", o.radius)
	case "mesh":
		fmt.Fprintf(b, "    mesh: %s\n", o.file)
		if o.scale != 0 {
			fmt.Fprintf(b, "    scale: %v\n", o.scale)
		}
	}
	if o.unplaced {
		return
	}
	fmt.Fprintf(b, "    xyz: %s\n", list(o.xyz[:]))
	if o.rpy != nil {
		fmt.Fprintf(b, "    rpy: %s\n", list(o.rpy[:]))
	} else {
		fmt.Fprintf(b, "    quat_xyzw: %s\n", list(o.quat[:]))
	}
}

// message writes the scene as `ros2 topic echo` prints a PlanningScene.
func (s *scene) message() string {
	var b strings.Builder
	b.WriteString("name: ''\nrobot_model_name: ''\nis_diff: false\nworld:\n  collision_objects:\n")
	for i := range s.objects {
		s.objects[i].message(&b, s.frame)
	}
	return b.String() + s.further
}

func (o *object) message(b *strings.Builder, frame string) {
	if o.frame != "" {
		frame = o.frame
	}
	pose := func(indent string) {
		fmt.Fprintf(b, "%sposition: {x: %v, y: %v, z: %v}\n%sorientation: {x: %v, y: %v, z: %v, w: %v}\n",
			indent, o.xyz[0], o.xyz[1], o.xyz[2], indent, o.quat[0], o.quat[1], o.quat[2], o.quat[3])
	}
	fmt.Fprintf(b, "  - header:\n      stamp: {sec: 0, nanosec: 0}\n      frame_id: %s\n    id: %s\n", frame, o.id)
	b.WriteString("    pose:\n      position: {x: 0.0, y: 0.0, z: 0.0}\n      orientation: {x: 0.0, y: 0.0, z: 0.0, w: 1.0}\n")
	kind, sizes := 1, o.size[:]
	switch o.kind {
	case "sphere":
		kind, sizes = 2, []float64{o.radius}
	case "cylinder":
		kind, sizes = 3, []float64{o.length, o.radius}
	}
	fmt.Fprintf(b, "    primitives:\n    - type: %d\n      dimensions: %s\n", kind, list(sizes))
	if o.unplaced {
		b.WriteString("    primitive_poses: []\n")
	} else {
		b.WriteString("    primitive_poses:\n    - \n")
		pose("      ")
	}
	operation := 0
	if o.operation == "REMOVE" {
		operation = 1
	}
	fmt.Fprintf(b, "    operation: %d\n", operation)
}

func list(xs []float64) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		words[i] = fmt.Sprintf("%.9g", x)
	}
	return "[" + strings.Join(words, ", ") + "]"
}
