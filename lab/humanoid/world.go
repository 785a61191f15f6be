package main

import (
	"fmt"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// obstacle is one object of the scene, posed in the pelvis.
type obstacle struct {
	id string
	solid
}

// world is the robot, the obstacles and the pairs that are checked.
type world struct {
	robot     *model
	objects   []obstacle
	obstacles map[string]body
	pairs     []near // distance unused
}

func newWorld() *world {
	w := &world{robot: humanoid(), objects: obstacles(), obstacles: map[string]body{}}
	for _, o := range w.objects {
		w.obstacles[o.id] = newBody(o.parts(geom.IdentityPose()))
	}
	off := map[[2]string]bool{}
	for _, d := range w.robot.disabled() {
		off[[2]string{d.a, d.b}] = true
		off[[2]string{d.b, d.a}] = true
	}
	for i, a := range w.robot.links {
		if len(a.solids) == 0 {
			continue
		}
		for _, b := range w.robot.links[i+1:] {
			if len(b.solids) > 0 && !off[[2]string{a.name, b.name}] {
				w.pairs = append(w.pairs, near{class: "self", a: a.name, b: b.name})
			}
		}
		for _, o := range w.objects {
			w.pairs = append(w.pairs, near{class: "world", a: a.name, b: o.id})
		}
	}
	return w
}

// obstacles is the room, in the pelvis frame: the floor would be at z = -0.85.
func obstacles() []obstacle {
	at := func(x, y, z float64) vec { return vec{X: x, Y: y, Z: z} }
	legs := func(id string, x, y float64) obstacle {
		return obstacle{id, cylinder(0.025, 0.70, at(x, y, -0.49), upright)}
	}
	return []obstacle{
		{"table_top", box(at(0.50, 1.00, 0.04), at(0.65, 0, -0.12))},
		legs("table_leg_1", 0.45, 0.45),
		legs("table_leg_2", 0.45, -0.45),
		legs("table_leg_3", 0.85, 0.45),
		legs("table_leg_4", 0.85, -0.45),
		{"bin", meshed("bin", at(0.56, 0.12, -0.10))},
		{"cone", solid{kind: "cone", radius: 0.05, length: 0.16, xyz: at(0.60, -0.20, -0.02)}},
		{"shelf_low", box(at(0.60, 0.24, 0.03), at(0.05, -0.66, -0.10))},
		{"shelf_high", box(at(0.60, 0.24, 0.03), at(0.05, -0.66, 0.35))},
		{"shelf_side", box(at(0.03, 0.24, 0.90), at(-0.265, -0.66, 0.10))},
		{"post", cylinder(0.035, 1.90, at(0.30, 0.60, 0.10), upright)},
		{"ball", sphere(0.07, at(0.52, -0.30, 0.66))},
		{"handle", solid{kind: "capsule", radius: 0.006, length: 0.12, xyz: at(0.446, -0.273, 0.214), rpy: across}},
		{"lamp", capsule(0.05, 0.20, at(0.20, 0.30, 0.95))},
	}
}

// scene writes the obstacles as a scene file.
func scene(objects []obstacle) string {
	var b strings.Builder
	b.WriteString("# The room around the humanoid, in the frame of its pelvis (floor at z = -0.85).\n")
	b.WriteString("# Written by make humanoid; edit that, not this.\n")
	b.WriteString("frame: pelvis\nobjects:\n")
	for _, o := range objects {
		fmt.Fprintf(&b, "  - {id: %s, type: %s, xyz: %s", o.id, o.kind, list(o.xyz))
		if o.rpy != (vec{}) {
			fmt.Fprintf(&b, ", rpy: %s", list(o.rpy))
		}
		switch o.kind {
		case "box":
			fmt.Fprintf(&b, ", size: %s", list(o.size))
		case "sphere":
			fmt.Fprintf(&b, ", radius: %s", num(o.radius))
		case "mesh":
			fmt.Fprintf(&b, ", mesh: humanoid_description/meshes/%s.stl", o.mesh)
		default:
			fmt.Fprintf(&b, ", radius: %s, length: %s", num(o.radius), num(o.length))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func list(v vec) string { return "[" + num(v.X) + ", " + num(v.Y) + ", " + num(v.Z) + "]" }
