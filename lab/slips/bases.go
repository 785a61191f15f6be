package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// base is a question whose answer is CONTACT.
type base struct {
	name string
	in   *input
	said *answer // the answer without a slip
}

// bases finds the questions: of each kind the first candidate that is free at its start and
// collides later.
func bases(c *command, shared string) ([]base, error) {
	var found []base
	for _, kind := range []struct {
		name       string
		candidates func(shared string, k int) (*input, error)
	}{
		{"panda, shelf", problem("panda", "bookshelf_small", asTrajectory, true)},
		{"ur5, table", problem("ur5", "table_under_pick", asCSV, false)},
		{"baxter, boxes", problem("baxter", "bookshelf_tall_both_arms_medium", asDisplay, true)},
		{"g1, dance", dance},
		{"kinova, mesh", besideMesh},
		{"dual panda", twoArms},
		{"open manipulator", desk},
		{"fanuc, box", cell},
		{"ur5, recording", recording(problem("ur5", "bookshelf_small", asCSV, true), asEcho)},
		{"panda, recording as CSV", recording(problem("panda", "box", asCSV, true), asEchoCSV)},
		{"kinova, PlotJuggler", recording(besideMesh, asPlot)},
	} {
		b, err := search(c, kind.name, func(k int) (*input, error) { return kind.candidates(shared, k) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.name, err)
		}
		found = append(found, b)
	}
	return found, nil
}

// search tries candidates until one collides after its start, without a gap.
func search(c *command, name string, candidate func(k int) (*input, error)) (base, error) {
	const tries = 100
	for k := range tries {
		in, err := candidate(k)
		if err != nil {
			return base{}, err
		}
		said, err := c.ask(in)
		if err != nil {
			return base{}, err
		}
		if said.status == "contact" && said.toc > 0.1*said.duration {
			return base{name, in, said}, nil
		}
		if said.status == "invalid" {
			return base{}, fmt.Errorf("candidate %d: %s", k, said.message)
		}
	}
	return base{}, fmt.Errorf("none of %d candidates collides after its start", tries)
}

// recording makes a recording of another base's motion.
func recording(of func(string, int) (*input, error), form int) func(string, int) (*input, error) {
	return func(shared string, k int) (*input, error) {
		in, err := of(shared, k)
		if err == nil {
			in.motion = in.motion.measured(form)
		}
		return in, err
	}
}

// problem takes the problems of a set of MotionBenchMaker: the straight line from start to
// goal, in four seconds.
func problem(robot, set string, form int, planning bool) func(string, int) (*input, error) {
	return func(shared string, k int) (*input, error) {
		data, err := os.ReadFile(filepath.Join(shared, "scenes/motionbenchmaker", robot+".json"))
		if err != nil {
			return nil, err
		}
		var file struct {
			Joints []string
			Sets   map[string][]struct {
				Start, Goal []float64
				Objects     []struct {
					ID, Type       string
					XYZ            [3]float64
					Quat           [4]float64 `json:"quat_xyzw"`
					Size           [3]float64
					Length, Radius float64
				}
			}
		}
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, err
		}
		p := file.Sets[set][k%len(file.Sets[set])]
		in := &input{
			robot: filepath.Join(shared, "robots", robot), urdf: robot + ".urdf", srdf: robot + ".srdf",
			scene:  &scene{frame: rootOf[robot], planning: planning},
			motion: line(form, file.Joints, p.Start, p.Goal),
		}
		for _, o := range p.Objects {
			in.scene.objects = append(in.scene.objects, object{
				id: o.ID, kind: o.Type, size: o.Size, length: o.Length, radius: o.Radius, xyz: o.XYZ, quat: o.Quat,
			})
		}
		if robot == "baxter" {
			in.args = []string{"--no-self"} // its SRDF leaves pairs on that always touch
		}
		return in, nil
	}
}

var rootOf = map[string]string{"panda": "panda_link0", "ur5": "offset_link", "baxter": "base"}

// line is the straight line between two configurations in five points and four seconds.
func line(form int, joints []string, from, to []float64) *table {
	t := &table{form: form, joints: joints, start: map[string]float64{}}
	for i := range 5 {
		row := make([]float64, len(joints))
		for k := range row {
			row[k] = from[k] + (to[k]-from[k])*float64(i)/4
		}
		t.rows, t.times = append(t.rows, row), append(t.times, float64(i))
	}
	for k, name := range joints {
		t.start[name] = from[k]
	}
	return t
}

// dance is a second of motion capture, with a post in the way.
func dance(shared string, k int) (*input, error) {
	var format struct{ Columns []string }
	data, err := os.ReadFile(filepath.Join(shared, "scenes/g1_moves/format.json"))
	if err == nil {
		err = json.Unmarshal(data, &format)
	}
	if err != nil {
		return nil, err
	}
	data, err = os.ReadFile(filepath.Join(shared, "scenes/g1_moves/B_HandsUp.csv"))
	if err != nil {
		return nil, err
	}
	t := &table{form: asCSV, joints: format.Columns}
	for i, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i < 200 || i > 320 {
			continue
		}
		var row []float64
		for _, cell := range strings.Split(strings.TrimSpace(text), ",") {
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, err
			}
			row = append(row, x)
		}
		t.rows, t.times = append(t.rows, row), append(t.times, float64(len(t.times))/60)
	}
	dice := rand.New(rand.NewPCG(uint64(k), 1))
	turn := 2 * math.Pi * dice.Float64()
	in := &input{
		robot: filepath.Join(shared, "robots/g1"), urdf: "g1.urdf", motion: t,
		scene: &scene{objects: []object{
			{id: "post", kind: "cylinder", length: 2, radius: 0.03, quat: unit, xyz: [3]float64{t.rows[0][0] + 0.35*math.Cos(turn), t.rows[0][1] + 0.35*math.Sin(turn), 1}},
			{id: "ball", kind: "sphere", radius: 0.1, quat: unit, xyz: [3]float64{t.rows[0][0] + 2, t.rows[0][1], 1}},
		}},
	}
	return in, nil
}

var unit = [4]float64{0, 0, 0, 1}

// besideMesh is an arm that sweeps past a mesh.
func besideMesh(shared string, k int) (*input, error) {
	in := arm(shared, "kinova_gen3", asCSV, k,
		[]string{"joint_1", "joint_2", "joint_3", "joint_4", "joint_5", "joint_6", "joint_7"},
		[]float64{-1.2, 0.9, 0, 1.1, 0, 0.6, 0}, []float64{1.2, 1.0, 0.2, 1.0, 0.1, 0.7, 0.3})
	data, err := os.ReadFile(filepath.Join(shared, "scenes/mesh_formats/torso_lift_convex.stlb"))
	if err != nil {
		return nil, err
	}
	in.files = map[string][]byte{"part.stl": data}
	in.scene.objects[0].kind, in.scene.objects[0].file = "mesh", "robot/part.stl"
	return in, nil
}

// desk is a small arm whose meshes are in millimetres, at a box.
func desk(shared string, k int) (*input, error) {
	in := arm(shared, "open_manipulator", asTrajectory, k, []string{"joint1", "joint2", "joint3", "joint4", "gripper"},
		[]float64{-1.2, 0.3, -0.3, 0.2, 0}, []float64{1.2, 0.6, -0.4, 0.3, 0.01})
	in.srdf = ""
	o := &in.scene.objects[0]
	o.size, o.xyz = [3]float64{0.05, 0.05, 0.3}, [3]float64{o.xyz[0] * 0.3, o.xyz[1] * 0.3, 0.15}
	return in, nil
}

// cell is an industrial arm at a box, its pose as Euler angles.
func cell(shared string, k int) (*input, error) {
	in := arm(shared, "fanuc", asTrajectory, k, []string{"joint_1", "joint_2", "joint_3", "joint_4", "joint_5", "joint_6"},
		[]float64{-1, 0.5, -0.3, 0, -0.4, 0}, []float64{1, 0.7, -0.2, 0.3, -0.6, 0.5})
	o := &in.scene.objects[0]
	o.size, o.rpy = [3]float64{0.04, 1.2, 0.2}, &[3]float64{0, 0, math.Atan2(o.xyz[1], o.xyz[0])}
	o.xyz = [3]float64{1.6 * o.xyz[0], 1.6 * o.xyz[1], 0.5}
	return in, nil
}

// arm is an arm that sweeps past a box, whose place is drawn.
func arm(shared, robot string, form, k int, joints []string, from, to []float64) *input {
	dice := rand.New(rand.NewPCG(uint64(k), 2))
	turn, far := 1.6*(dice.Float64()-0.5), 0.3+0.4*dice.Float64()
	return &input{
		robot: filepath.Join(shared, "robots", robot), urdf: robot + ".urdf", srdf: robot + ".srdf",
		motion: line(form, joints, from, to),
		scene: &scene{objects: []object{{
			id: "part", kind: "box", size: [3]float64{0.1, 0.1, 0.6}, quat: unit,
			xyz: [3]float64{far * math.Cos(turn), far * math.Sin(turn), 0.3},
		}}},
	}
}

// twoArms moves two arms until one touches the other.
func twoArms(shared string, k int) (*input, error) {
	dice := rand.New(rand.NewPCG(uint64(k), 3))
	var joints []string
	var from, to []float64
	rest := []float64{0, -0.5, 0, -2, 0, 1.6, 0.8}
	for _, side := range []string{"left", "right"} {
		for i, x := range rest {
			joints = append(joints, fmt.Sprintf("%s_panda_joint%d", side, i+1))
			far := 1.6
			if i < 2 {
				far = 3 // the shoulder
			}
			from, to = append(from, x), append(to, x+far*(dice.Float64()-0.5))
		}
	}
	return &input{
		robot: filepath.Join(shared, "robots/dual_panda"), urdf: "dual_panda.urdf", srdf: "dual_panda.srdf",
		motion: line(asCSV, joints, from, to), args: []string{"--no-world"},
	}, nil
}
