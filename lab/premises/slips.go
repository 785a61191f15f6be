package premises

import (
	"fmt"
	"math"
	"strings"
)

// slips are mistakes that people make in files. The checker gets the mistake, the judge
// what was meant.
func slips(d dice) *query {
	all := []struct {
		name string
		make func(dice) *query
	}{
		{"padding of a link misspelt", paddingMisspelt},
		{"meshes in millimetres", millimetres},
		{"first point later", firstPointLater},
		{"objects carried in a trajectory", carriedInTrajectory},
		{"planar without axis", planarWithoutAxis},
		{"mesh missing or cut short", meshDamaged},
		{"huge numbers", hugeNumbers},
		{"pair to be checked misspelt", enabledMisspelt},
		{"joint misspelt", jointMisspelt},
		{"scene cut short", sceneCutShort},
		{"key misspelt", keyMisspelt},
		{"leader misspelt", leaderMisspelt},
		{"row that contradicts its leader", contradiction},
		{"scale misspelt", scaleMisspelt},
		{"numbers that are none", notNumbers},
	}
	s := all[d.IntN(len(all))]
	q := s.make(d)
	q.category = "slip: " + s.name
	return q
}

// misspelt exchanges two letters.
func misspelt(s string) string {
	return s[:len(s)-2] + s[len(s)-1:] + s[len(s)-2:len(s)-1]
}

func paddingMisspelt(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	s := d.world(q, 0.6)
	link := r.links[d.IntN(len(r.links))].name
	s.padding = map[string]float64{link: d.between(0.05, 0.2)}
	q.meant = &texts{urdf: r.urdf(), scene: s.yaml()}
	s.padding = map[string]float64{misspelt(link): s.padding[link]}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func millimetres(d dice) *query {
	q := &query{}
	r := d.arm(q, 3+d.IntN(4))
	q.meshes = nil
	for i := range r.links {
		size := d.between(0.08, 0.25)
		m := d.solidMesh(size)
		if i == len(r.links)-1 && d.chance(0.7) { // drawn where it stands, not about its own origin
			m = m.moved(d.unit().times(d.between(0.3, 0.6)).grid())
		}
		m = m.scaled(1000)
		r.links[i].shapes = []shapeSpec{{kind: "mesh", file: q.mesh(d, m), size: vec{0.001, 0.001, 0.001}, xyz: r.links[i].shapes[0].xyz}}
	}
	s := d.world(q, 0.7)
	if d.chance(0.5) { // the robot alone
		s = &sceneSpec{}
	}
	q.meant = &texts{urdf: r.urdf(), scene: s.yaml()}
	for i := range r.links {
		r.links[i].shapes[0].size = vec{}
	}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func firstPointLater(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.6).yaml()}
	for range motionsEach {
		n := 1 + d.IntN(3)
		q.motions = append(q.motions, d.file(len(q.motions), d.walk(r.targets(), n, false), d.times(n, d.between(0.1, 3))))
	}
	return q
}

func carriedInTrajectory(d dice) *query {
	q := &query{}
	r := d.arm(q, 2+d.IntN(2))
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.6).yaml()}
	for i := range motionsEach {
		n := 2 + d.IntN(3)
		columns := d.walk(r.targets(), n, false)
		link := r.links[d.IntN(len(r.links))].name
		size, at := vec{d.between(0.05, 0.3), d.between(0.05, 0.3), d.between(0.05, 0.3)}, d.in(0.2)
		text := fmt.Sprintf(`{"model_id": "made", "trajectory_start": {"joint_state": {"name": [], "position": []}, "attached_collision_objects": [{"link_name": %q, "touch_links": [], "object": {"id": "load", "header": {"frame_id": %q}, "pose": {"position": {"x": %.17g, "y": %.17g, "z": %.17g}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}, "primitives": [{"type": 1, "dimensions": %s}], "primitive_poses": [{"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}], "operation": 0}}]}, "trajectory": [{"joint_trajectory": %s}]}`,
			link, link, at[0], at[1], at[2], list(size), trajectory(columns, d.times(n, 0), nil))
		q.motions = append(q.motions, move{file: fmt.Sprintf("motion%d.json", i), text: text, attached: true})
	}
	return q
}

func planarWithoutAxis(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(2))
	r.links = append([]linkSpec{{name: "floor"}}, r.links...)
	r.joints = append([]jointSpec{{name: "drive", kind: "planar", parent: "floor", child: "base", axis: vec{0, 0, 1}}}, r.joints...)
	s := d.world(q, 0.6)
	q.meant = &texts{urdf: r.urdf(), scene: s.yaml()}
	r.joints[0].noAxis = true
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func meshDamaged(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(2))
	format := pick(d, "stl", "stlb", "obj", "dae")
	ending := strings.TrimSuffix(format, "b")
	data := d.boxMesh(vec{-0.25, -0.25, -0.25}, vec{0.25, 0.25, 0.25}).write(format)
	if q.meshes == nil {
		q.meshes = map[string][]byte{}
	}
	q.meshes["whole."+ending] = data
	if format != "obj" && d.chance(0.7) { // of an OBJ file nobody can know where it should end
		q.meshes["damaged."+ending] = data[:len(data)*(1+d.IntN(8))/10]
	}
	place := d.unit().times(0.6)
	text := func(file string) string {
		return (&sceneSpec{objects: []objectSpec{{id: "thing", shape: shapeSpec{kind: "mesh", file: file, xyz: place}}}}).yaml()
	}
	q.meant = &texts{urdf: r.urdf(), scene: text("whole." + ending)}
	q.given = texts{urdf: r.urdf(), scene: text("damaged." + ending)}
	d.wander(q, r, motionsEach/4, false, false)
	return q
}

// hugeNumbers cannot be computed with.
func hugeNumbers(d dice) *query {
	q := &query{refuse: true}
	r := d.arm(q, 2)
	s := d.world(q, 0.6)
	huge := math.Pow(10, d.between(13, 300)) * pick(d, -1.0, 1.0)
	where := d.IntN(5)
	switch where {
	case 0:
		r.joints[d.IntN(2)].xyz[d.IntN(3)] = huge
	case 1:
		r.links[1].shapes[0].xyz[d.IntN(3)] = huge
	case 2:
		s.objects[0].shape.xyz[d.IntN(3)] = huge
	case 3:
		for i := range r.joints {
			r.joints[i].kind, r.joints[i].lower, r.joints[i].upper = "prismatic", -1e308, 1e308
		}
	}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	for range motionsEach / 4 {
		columns := d.walk(r.targets(), 2, false)
		switch where {
		case 3:
			for i := range columns {
				columns[i].at = []float64{0, huge}
			}
		case 4:
			columns[0].at[1] = math.Abs(huge)
		default:
		}
		q.motions = append(q.motions, d.file(len(q.motions), columns, d.times(2, 0)))
	}
	return q
}

func enabledMisspelt(d dice) *query {
	q := &query{}
	r := d.arm(q, 3+d.IntN(2))
	n := len(r.links)
	a := d.IntN(n - 2)
	link, other := r.links[a].name, r.links[a+2+d.IntN(n-a-2)].name
	text := func(name string) string {
		return fmt.Sprintf("<robot name=\"made\">\n <disable_default_collisions link=%q/>\n <enable_collisions link1=%q link2=%q/>\n</robot>\n", link, link, name)
	}
	q.meant = &texts{urdf: r.urdf(), srdf: text(other)}
	q.given = texts{urdf: r.urdf(), srdf: text(misspelt(other))}
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func jointMisspelt(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.6).yaml()}
	for i := range motionsEach / 2 {
		columns := d.walk(r.targets(), 2, false)
		m := move{file: fmt.Sprintf("motion%d.csv", i), meant: table(columns, []float64{0, 1})}
		k := d.IntN(len(columns))
		columns[k].name = misspelt(columns[k].name)
		m.text = table(columns, []float64{0, 1})
		q.motions = append(q.motions, m)
	}
	return q
}

// moveit writes boxes as MoveIt's text.
func (s *sceneSpec) moveit() string {
	var b strings.Builder
	b.WriteString("made\n")
	for _, o := range s.objects {
		fmt.Fprintf(&b, "* %s\n%s\n0 0 0 1\n1\nbox\n%s\n0 0 0\n0 0 0 1\n0 0 0 0\n0\n", o.id, triple(o.shape.xyz), triple(o.shape.size))
	}
	b.WriteString(".\n")
	return b.String()
}

func (d dice) boxes() *sceneSpec {
	s := &sceneSpec{}
	for i := range 2 + d.IntN(3) {
		s.objects = append(s.objects, objectSpec{id: fmt.Sprint("box", i), shape: shapeSpec{kind: "box", size: vec{0.2, 0.15, 0.3}, xyz: d.unit().times(d.between(0.3, 0.6))}})
	}
	return s
}

func sceneCutShort(d dice) *query {
	q := &query{moveit: true}
	r := d.arm(q, 1+d.IntN(3))
	text := d.boxes().moveit()
	q.meant = &texts{urdf: r.urdf(), scene: text}
	lines := strings.SplitAfter(text, "\n")
	q.given = texts{urdf: r.urdf(), scene: strings.Join(lines[:2+d.IntN(len(lines)-3)], "")}
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func keyMisspelt(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	s := d.world(q, 0.6)
	for i := range s.objects {
		s.objects[i].padding = d.between(0.01, 0.1)
	}
	text := s.yaml()
	q.meant = &texts{urdf: r.urdf(), scene: text}
	key := pick(d, "padding", "xyz", "rpy", "objects")
	q.given = texts{urdf: r.urdf(), scene: strings.Replace(text, key, misspelt(key), 1)}
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func leaderMisspelt(d dice) *query {
	q := &query{}
	r := d.arm(q, 3)
	d.follows(r, 4)
	s := d.world(q, 0.6)
	q.meant = &texts{urdf: r.urdf(), scene: s.yaml()}
	d.wander(q, r, motionsEach/2, false, false)
	for i := range r.joints {
		if m := r.joints[i].mimic; m != nil {
			m.leader = misspelt(m.leader) + "x"
		}
	}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	return q
}

// contradiction gives a joint that follows a row of its own that says something else: nobody knows
// where it stands.
func contradiction(d dice) *query {
	q := &query{refuse: true}
	r := d.arm(q, 3)
	r.joints[2].mimic = &mimicSpec{leader: "joint0", multiplier: pick(d, multipliers...)}
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.6).yaml()}
	for range motionsEach / 4 {
		n := 2 + d.IntN(3)
		columns := []column{{name: "joint0"}, {name: "joint2"}}
		for range n {
			x := d.between(-1, 1)
			columns[0].at = append(columns[0].at, x)
			columns[1].at = append(columns[1].at, r.joints[2].mimic.multiplier*x)
		}
		k := d.IntN(n)
		columns[1].at[k] += pick(d, 0.01, -0.1, 1, 2*math.Pi)
		q.motions = append(q.motions, d.file(len(q.motions), columns, d.times(n, 0)))
	}
	return q
}

// scaleMisspelt leaves out the scale of a mesh in a scene, as "scael".
func scaleMisspelt(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	s := &sceneSpec{objects: []objectSpec{{id: "thing", shape: shapeSpec{kind: "mesh", file: q.mesh(d, d.solidMesh(0.1)), size: vec{4, 4, 4}, xyz: d.unit().times(0.5)}}}}
	q.meant = &texts{urdf: r.urdf(), scene: s.yaml()}
	q.given = texts{urdf: r.urdf(), scene: strings.Replace(s.yaml(), "scale", "scael", 1)}
	d.wander(q, r, motionsEach/4, false, false)
	return q
}

// notNumbers stand where numbers should.
func notNumbers(d dice) *query {
	q := &query{refuse: true}
	r := d.arm(q, 2)
	s := d.world(q, 0.6)
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	word := pick(d, "nan", "inf", "-inf", "1e999", "NaN", "0x", "1,5", "")
	switch d.IntN(3) {
	case 0:
		q.given.urdf = strings.Replace(q.given.urdf, "<origin xyz=\"0 0 0", "<origin xyz=\""+word+" 0 0", 1)
	case 1:
		q.given.scene = strings.Replace(q.given.scene, "xyz: [", "xyz: ["+word+", ", 1)
	case 2:
		q.opts.State = map[string]float64{"joint1": pick(d, math.NaN(), math.Inf(1))}
	}
	for i := range motionsEach / 4 {
		q.motions = append(q.motions, move{file: fmt.Sprintf("motion%d.csv", i), text: table(d.walk(r.targets()[:1], 2, false), []float64{0, 1})})
	}
	return q
}
