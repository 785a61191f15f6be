package main

import "fmt"

func sceneSlips() []slip {
	place := func(change func(o *object)) func(in *input) bool {
		return func(in *input) bool {
			if in.scene == nil {
				return false
			}
			in.scene.each(change)
			return true
		}
	}
	const right = "the file says just this"
	return []slip{
		{name: "quaternions w first", kind: "frame", cannot: "both orders are rotations", make: place(func(o *object) {
			o.quat = [4]float64{o.quat[3], o.quat[0], o.quat[1], o.quat[2]}
		})},
		{name: "quaternions of zeros", kind: "frame", make: place(func(o *object) { o.quat, o.rpy = [4]float64{}, nil })},
		{name: "quaternions not normalized", kind: "frame", make: place(func(o *object) {
			for k := range o.quat {
				o.quat[k] *= 3
			}
			o.rpy = nil
		})},
		{name: "y up", kind: "frame", cannot: right, make: place(func(o *object) { o.xyz[1], o.xyz[2] = o.xyz[2], -o.xyz[1] })},
		{name: "mirrored", kind: "frame", cannot: right, make: place(func(o *object) { o.xyz[0], o.xyz[1] = -o.xyz[0], -o.xyz[1] })},
		{name: "an unknown frame", kind: "frame", make: frame("camera_optical_frame")},
		{name: "frame with a slip", kind: "frame", make: frame("base_lnik")},
		{name: "poses left out", kind: "frame", make: place(func(o *object) { o.unplaced = true })},
		{name: "ten metres away", kind: "frame", make: place(func(o *object) { o.xyz[0] += 10 })},
		{name: "a metre away", kind: "frame", cannot: right, make: place(func(o *object) { o.xyz[0] -= 1 })},
		{name: "the object that is touched is missing", kind: "obstacle", cannot: right, make: func(in *input) bool {
			if in.scene == nil || len(in.scene.objects) < 2 {
				return false
			}
			in.scene.objects = in.scene.objects[:len(in.scene.objects)/2]
			return true
		}},
		{name: "no objects", kind: "obstacle", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			in.scene.objects = nil
			return true
		}},
		{name: "operation REMOVE", kind: "obstacle", make: func(in *input) bool {
			if in.scene == nil || !in.scene.planning {
				return false
			}
			in.scene.each(func(o *object) { o.operation = "REMOVE" })
			return true
		}},
		{name: "one name for all objects", kind: "obstacle", make: func(in *input) bool {
			if in.scene == nil || len(in.scene.objects) < 2 {
				return false
			}
			in.scene.each(func(o *object) { o.id = "object" })
			return true
		}},
		{name: "negative sizes", kind: "obstacle", make: place(func(o *object) {
			o.size[0], o.radius, o.scale = -o.size[0], -o.radius, -1
		})},
		{name: "sizes of zero", kind: "obstacle", make: place(func(o *object) {
			o.size, o.radius, o.length = [3]float64{}, 0, 0
			if o.kind == "mesh" {
				o.scale = 1e-300
			}
		})},
		{name: "an unknown key", kind: "obstacle", make: func(in *input) bool {
			if in.scene == nil {
				return false
			}
			in.scene.further = "obstacle_list: [wall]\n"
			return true
		}},
		{name: "the scene of another robot's frame", kind: "frame", make: frame("panda_link0_base")},
	}
}

// frame gives all objects another frame.
func frame(name string) func(in *input) bool {
	return func(in *input) bool {
		if in.scene == nil {
			return false
		}
		in.scene.frame = name
		return true
	}
}

// allowed are the lines that allow the robot to touch every object.
func allowed(in *input) string {
	text := "allowed:\n"
	for _, o := range in.scene.objects {
		for _, link := range links(in.text(in.urdf)) {
			text += fmt.Sprintf("  - [%s, %s]\n", o.id, link)
		}
	}
	return text
}
