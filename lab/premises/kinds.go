package premises

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// motionsEach is how many motions a model is asked.
const motionsEach = 16

// kinds are the sorts of queries, by category.
var kinds = []struct {
	name   string
	weight int
	draw   func(dice) *query
}{
	{"arms", 3, arms},
	{"followers", 4, followers},
	{"turns with followers", 4, turning},
	{"drums", 1, drums},
	{"screws", 1, screws},
	{"planar", 1, planar},
	{"solids", 6, solids},
	{"solids on links", 3, solidsOnLinks},
	{"allowed pairs", 2, allowedPairs},
	{"state and motion", 2, stateAndMotion},
	{"paddings", 2, paddings},
	{"attached objects", 2, attachedObjects},
	{"moving roots", 1, movingRoots},
	{"joined robots", 2, joinedRobots},
	{"seams", 1, seams},
	{"slips", 4, slips},
}

// draw draws a query of some kind.
func (d dice) draw() *query {
	all := 0
	for _, k := range kinds {
		all += k.weight
	}
	n := d.IntN(all)
	for _, k := range kinds {
		if n -= k.weight; n < 0 {
			q := k.draw(d)
			if q.category == "" {
				q.category = k.name
			}
			d.vary(q)
			return q
		}
	}
	panic("weights")
}

// vary asks some of the queries in another way.
func (d dice) vary(q *query) {
	if d.chance(0.1) {
		q.asks.Question = motion.IsFree
	}
	if q.robot != nil && !q.proven && d.chance(0.08) {
		q.asks.Tube = map[string]float64{}
		for _, t := range q.robot.targets() {
			if d.chance(0.7) {
				q.asks.Tube[t.name] = d.between(0.001, 0.05)
			}
		}
	}
	if q.certify = !q.proven && q.asks.Question == motion.FirstContact && d.chance(0.08); q.certify {
		return
	}
	if q.asks.Tube == nil && d.chance(0.12) && q.motions[0].root == nil && !q.proven {
		methods := ccd.Methods()
		q.asks.Method = methods[d.IntN(len(methods))]
	}
}

func arms(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(4))
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.8).yaml()}
	if d.chance(0.2) {
		q.moveit, q.given.scene = true, d.boxes().moveit()
	}
	d.wander(q, r, motionsEach, d.chance(0.5), false)
	return q
}

func followers(d dice) *query {
	q := &query{}
	r := d.arm(q, 2+d.IntN(3))
	d.follows(r, 1+d.IntN(3))
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.8).yaml()}
	d.wander(q, r, motionsEach, false, d.chance(0.5))
	return q
}

// turning is of a continuous joint that leads others of every kind.
func turning(d dice) *query {
	q := &query{}
	r := d.arm(q, 2+d.IntN(2))
	leader := &r.joints[d.IntN(len(r.joints))]
	leader.kind = "continuous"
	for i := range r.joints {
		j := &r.joints[i]
		if j == leader || d.chance(0.3) {
			continue
		}
		j.kind = pick(d, "prismatic", "revolute", "continuous")
		j.mimic = &mimicSpec{leader: leader.name, multiplier: pick(d, multipliers...)}
		if j.kind == "prismatic" {
			j.mimic.multiplier *= pick(d, 0.1, 0.05, 0.2)
			j.lower, j.upper = -2, 2
		} else {
			j.lower, j.upper = -30, 30
		}
	}
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.7).yaml()}
	d.wander(q, r, motionsEach, true, d.chance(0.4))
	return q
}

// drums wind up a slide over many turns beside a turret.
func drums(d dice) *query {
	q := &query{}
	pitch := d.between(0.02, 0.2)
	r := &robotSpec{
		links: []linkSpec{
			{name: "root"},
			{name: "drum", shapes: []shapeSpec{{kind: "sphere", size: vec{0.02}, xyz: vec{0, 0, -1}}}},
			{name: "turret"},
			{name: "slide", shapes: []shapeSpec{d.primitive(0.1)}},
		},
		joints: []jointSpec{
			{name: "L", kind: "continuous", parent: "root", child: "drum", axis: vec{0, 0, 1}},
			{name: "A", kind: "revolute", parent: "root", child: "turret", axis: vec{0, 0, 1}, lower: -4, upper: 4},
			{name: "P", kind: "prismatic", parent: "turret", child: "slide", axis: vec{1, 0, 0}, lower: -100, upper: 100, mimic: &mimicSpec{leader: "L", multiplier: pitch}},
		},
	}
	n := 3 + d.IntN(20)
	step := d.between(2, 6) * pick(d, -1.0, 1.0)
	for range motionsEach {
		l, a := column{name: "L", at: []float64{0}}, column{name: "A", at: []float64{0}}
		for i := range n {
			l.at = append(l.at, float64(i+1)*step)
			a.at = append(a.at, 0)
		}
		wrap := d.chance(0.5)
		if wrap { // a recorder wraps what it measures: then nobody can say where the slide is
			for i := range l.at {
				l.at[i] = math.Remainder(l.at[i], 2*math.Pi)
			}
		}
		l.at, a.at = append(l.at, l.at[n]), append(a.at, d.between(-4, 4))
		times := d.times(n+2, 0)
		q.motions = append(q.motions, move{file: fmt.Sprintf("motion%d.csv", len(q.motions)), text: table([]column{l, a}, times)})
	}
	s := &sceneSpec{}
	for i := range 3 {
		angle, far := d.between(-4, 4), math.Abs(float64(n)*step*pitch)*d.between(0.7, 1)
		o := d.primitive(0.2)
		o.xyz = vec{far * math.Cos(angle), far * math.Sin(angle), 0}
		s.objects = append(s.objects, objectSpec{id: fmt.Sprint("post", i), shape: o})
	}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	return q
}

// screws are nuts that travel while a continuous joint makes several turns; proofs are made about
// their pairs.
func screws(d dice) *query {
	q := &query{proven: true, written: d.chance(0.5)}
	lead := d.between(0.01, 0.04) * pick(d, -1.0, 1.0)
	far := math.Abs(lead) * d.between(2, 40)
	side := 1.0
	if lead < 0 {
		side = -1
	}
	r := &robotSpec{
		links: []linkSpec{
			{name: "root", shapes: []shapeSpec{{kind: "box", size: vec{0.1, 0.1, 0.05}, xyz: vec{0.3, 0, side * (far + 0.1)}}}},
			{name: "spindle", shapes: []shapeSpec{{kind: "cylinder", size: vec{0.01, 0.05}, xyz: vec{-1, 0, 0}}}},
			{name: "carriage"},
			{name: "nut", shapes: []shapeSpec{{kind: "box", size: vec{0.1, 0.1, 0.04}, xyz: vec{0.3, 0, 0}}}},
		},
		joints: []jointSpec{
			{name: "turn", kind: "continuous", parent: "root", child: "spindle", axis: vec{0, 0, 1}},
			{name: "still", kind: "fixed", parent: "root", child: "carriage"},
			{name: "travel", kind: "prismatic", parent: "carriage", child: "nut", axis: vec{0, 0, 1}, lower: -10, upper: 10, mimic: &mimicSpec{leader: "turn", multiplier: lead}},
		},
	}
	// Something else is left to be checked where proofs leave out every pair of links.
	post := objectSpec{id: "far", shape: shapeSpec{kind: "box", size: vec{0.1, 0.1, 0.1}, xyz: vec{5, 0, 0}}}
	q.given = texts{urdf: r.urdf(), scene: (&sceneSpec{objects: []objectSpec{post}}).yaml()}
	for range motionsEach {
		to := (far + 0.06) / math.Abs(lead) * d.between(0.2, 1.5)
		n := 2 + d.IntN(8)
		c := column{name: "turn"}
		for i := range n {
			c.at = append(c.at, to*float64(i)/float64(n-1))
		}
		q.motions = append(q.motions, d.file(len(q.motions), []column{c}, d.times(n, 0)))
	}
	return q
}

func planar(d dice) *query {
	q := &query{}
	// The arm stands on a vehicle.
	r := d.arm(q, 1+d.IntN(2))
	r.links = append([]linkSpec{{name: "floor"}}, r.links...)
	r.joints = append([]jointSpec{{name: "drive", kind: "planar", parent: "floor", child: "base", axis: vec{0, 0, 1}, xyz: d.in(0.1), rpy: d.in(0.3)}}, r.joints...)
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.8).yaml()}
	d.wander(q, r, motionsEach, d.chance(0.5), false)
	return q
}

// solids are odd meshes, with a small body in and around them.
func solids(d dice) *query {
	q := &query{}
	kind := pick(d, oddKinds...)
	q.category = "solids: " + kind
	odd := shapeSpec{kind: "mesh", file: q.mesh(d, d.oddMesh(kind, 0.5))}
	small := d.primitive(0.03)
	if d.chance(0.5) {
		small = shapeSpec{kind: "mesh", file: q.mesh(d, d.solidMesh(0.03))}
	}
	if d.chance(0.2) {
		odd.size = pick(d, vec{1, 1, 1}, vec{-1, 1, 1}, vec{0.5, 1, 1})
	}
	if d.chance(0.3) {
		odd.rpy = d.in(3)
	}
	moving, still := small, odd
	if d.chance(0.5) {
		moving, still = odd, small
	}
	r := floater([]shapeSpec{moving}, d.chance(0.3))
	if d.chance(0.4) { // both are links
		r.links[0].shapes = []shapeSpec{still}
		if d.chance(0.5) {
			r.links[0].shapes = append(r.links[0].shapes, shapeSpec{kind: "sphere", size: vec{0.01}, xyz: vec{0, 0, 3}})
		}
		q.given = texts{urdf: r.urdf(), srdf: "<robot name=\"made\"/>"}
	} else {
		q.given = texts{urdf: r.urdf(), scene: (&sceneSpec{objects: []objectSpec{{id: "thing", shape: still}}}).yaml()}
	}
	for range motionsEach {
		at := d.in(0.3)
		by := d.unit().times(pick(d, 0.005, 0.01, 0.05, 0.5))
		var columns []column
		for i := range 3 {
			columns = append(columns, column{fmt.Sprint("slide", i), []float64{at[i], at[i] + by[i]}})
		}
		if r.joint("spin") != nil {
			columns = append(columns, column{"spin", []float64{0, d.between(-0.5, 0.5)}})
		}
		q.motions = append(q.motions, d.file(len(q.motions), columns, d.times(2, 0)))
	}
	return q
}

// solidsOnLinks are arms whose links are odd meshes.
func solidsOnLinks(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	for i := range r.links {
		if d.chance(0.6) {
			r.links[i].shapes[0] = shapeSpec{kind: "mesh", file: q.mesh(d, d.oddMesh(pick(d, oddKinds...), 0.25)), xyz: r.links[i].shapes[0].xyz}
		}
	}
	s := &sceneSpec{}
	for i := range 2 + d.IntN(3) {
		o := d.obstacle(q, fmt.Sprint("obstacle", i), 0.6)
		if d.chance(0.7) {
			at := o.shape.xyz
			o.shape = d.primitive(0.04)
			o.shape.xyz = at
		}
		s.objects = append(s.objects, o)
	}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	d.wander(q, r, motionsEach, false, false)
	return q
}

// srdf disables some pairs of links, and may say where joints stand.
func (d dice) srdf(r *robotSpec, p float64) string {
	out := "<?xml version=\"1.0\"?>\n<robot name=\"made\">\n"
	if d.chance(0.5) {
		out += " <group name=\"all\"><chain base_link=\"base\" tip_link=\"" + r.links[len(r.links)-1].name + "\"/></group>\n <group_state name=\"home\" group=\"all\">\n"
		for _, t := range r.targets() {
			out += fmt.Sprintf("  <joint name=%q value=\"%.17g\"/>\n", t.name, d.between(t.lo, t.hi))
		}
		out += " </group_state>\n"
	}
	for i := range r.links {
		for k := range i {
			if i-k == 1 || d.chance(p) {
				out += fmt.Sprintf(" <disable_collisions link1=%q link2=%q reason=%q/>\n", r.links[i].name, r.links[k].name, pick(d, "Never", "Adjacent", "User"))
			}
		}
	}
	return out + "</robot>\n"
}

func allowedPairs(d dice) *query {
	q := &query{}
	r := d.arm(q, 2+d.IntN(3))
	s := d.world(q, 0.7)
	if d.chance(0.7) {
		q.given.srdf = d.srdf(r, 0.3)
	}
	link := func() string { return r.links[d.IntN(len(r.links))].name }
	for range d.IntN(3) {
		s.allowed = append(s.allowed, [2]string{link(), s.objects[d.IntN(len(s.objects))].id})
	}
	for range d.IntN(3) {
		if a, b := link(), link(); a != b {
			q.opts.Allowed = append(q.opts.Allowed, [2]string{a, b})
		}
	}
	q.given.urdf, q.given.scene = r.urdf(), s.yaml()
	d.wander(q, r, motionsEach, false, false)
	return q
}

// stateAndMotion holds joints by the state that is asked about, or gives the same by the motion.
func stateAndMotion(d dice) *query {
	q := &query{}
	r := d.arm(q, 3+d.IntN(3))
	for i := range r.joints {
		j := &r.joints[i]
		if j.kind == "revolute" {
			j.lower, j.upper = -3.1, 3.1
		}
	}
	all := r.targets()
	state := map[string]float64{}
	for _, t := range all {
		state[t.name] = d.between(t.lo, t.hi)
	}
	moved := all[d.IntN(len(all))]
	given := state
	if d.chance(0.7) {
		q.opts.State = map[string]float64{}
		for name, x := range state {
			if name != moved.name {
				q.opts.State[name] = x
			}
		}
		given = map[string]float64{moved.name: state[moved.name]}
	}
	q.given.urdf = r.urdf()
	if d.chance(0.3) {
		q.given.scene = d.world(q, 0.7).yaml()
	}
	for range motionsEach {
		var columns []column
		to := d.between(moved.lo, moved.hi)
		for _, t := range all {
			if x, ok := given[t.name]; ok {
				c := column{t.name, []float64{x, x}}
				if t.name == moved.name {
					c.at[1] = to
				}
				columns = append(columns, c)
			}
		}
		q.motions = append(q.motions, d.file(len(q.motions), columns, d.times(2, 0)))
	}
	return q
}

func paddings(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(3))
	s := d.world(q, 0.7)
	for i := range s.objects {
		if d.chance(0.4) {
			s.objects[i].padding = d.between(0.001, 0.05)
		}
	}
	link := func() string { return r.links[d.IntN(len(r.links))].name }
	if d.chance(0.5) {
		s.padding = map[string]float64{link(): d.between(0.001, 0.03)}
	}
	if d.chance(0.4) {
		q.opts.Padding = d.between(0.001, 0.02)
	}
	if d.chance(0.4) {
		q.opts.LinkPadding = map[string]float64{link(): d.between(0.001, 0.03)}
	}
	if d.chance(0.4) {
		q.asks.Clearance = d.between(0.001, 0.05)
	}
	if d.chance(0.5) {
		q.given.srdf = d.srdf(r, 0.1)
	}
	q.given.urdf, q.given.scene = r.urdf(), s.yaml()
	d.wander(q, r, motionsEach/2, false, false)
	return q
}

func attachedObjects(d dice) *query {
	q := &query{}
	r := d.arm(q, 2+d.IntN(2))
	s := d.world(q, 0.7)
	for i := range 1 + d.IntN(2) {
		o := objectSpec{id: fmt.Sprint("tool", i), shape: d.primitive(0.2), attachedTo: r.links[d.IntN(len(r.links))].name}
		if d.chance(0.3) {
			o.shape = shapeSpec{kind: "mesh", file: q.mesh(d, d.oddMesh(pick(d, oddKinds...), 0.2))}
		}
		o.shape.xyz = d.in(0.2)
		for range d.IntN(3) {
			o.touchLinks = append(o.touchLinks, r.links[d.IntN(len(r.links))].name)
		}
		s.objects = append(s.objects, o)
	}
	q.given = texts{urdf: r.urdf(), scene: s.yaml()}
	d.wander(q, r, motionsEach, false, false)
	return q
}

// movingRoots moves the root link by a table's columns.
func movingRoots(d dice) *query {
	q := &query{}
	r := d.arm(q, 1+d.IntN(2))
	q.given = texts{urdf: r.urdf(), scene: d.world(q, 0.8).yaml()}
	for range motionsEach {
		n := 2 + d.IntN(3)
		columns := d.walk(r.targets(), n, false)
		at := make([]column, 7)
		for i, name := range []string{"root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"} {
			at[i].name = name
		}
		axis := d.unit()
		p, angle := d.in(0.5), d.between(-3, 3)
		for range n {
			for i := range 3 {
				at[i].at = append(at[i].at, p[i])
				at[3+i].at = append(at[3+i].at, axis[i]*math.Sin(angle/2))
			}
			at[6].at = append(at[6].at, math.Cos(angle/2))
			p, angle = p.plus(d.in(0.4)), angle+d.between(-1.5, 1.5)
		}
		q.motions = append(q.motions, move{file: fmt.Sprintf("motion%d.csv", len(q.motions)), text: table(append(columns, at...), d.times(n, 0))})
	}
	return q
}

// joinedRobots stand in one cell; the judge gets them as one URDF.
func joinedRobots(d dice) *query {
	q := &query{}
	cell := &robotSpec{links: []linkSpec{{name: "world"}}}
	for _, name := range []string{"left", "right"} {
		r := d.arm(q, 1+d.IntN(3))
		d.follows(r, d.IntN(2))
		p := part{name: name, urdf: r.urdf(), xyz: d.unit().times(d.between(0.1, 0.5)), rpy: d.in(3)}
		q.parts = append(q.parts, p)
		cell.joints = append(cell.joints, jointSpec{name: name + "/stand", kind: "fixed", parent: "world", child: name + "/base", xyz: p.xyz, rpy: p.rpy, noAxis: true})
		for _, l := range r.links {
			l.name = name + "/" + l.name
			cell.links = append(cell.links, l)
		}
		for _, j := range r.joints {
			j.name, j.parent, j.child = name+"/"+j.name, name+"/"+j.parent, name+"/"+j.child
			if j.mimic != nil {
				j.mimic = &mimicSpec{name + "/" + j.mimic.leader, j.mimic.multiplier, j.mimic.offset}
			}
			cell.joints = append(cell.joints, j)
		}
	}
	s := &sceneSpec{}
	if d.chance(0.5) {
		s = d.world(q, 0.8)
	}
	q.given.scene = s.yaml()
	q.meant = &texts{urdf: cell.urdf(), scene: s.yaml()}
	d.wander(q, cell, motionsEach, d.chance(0.3), false)
	return q
}

// seams are root motions of several pieces that meet but for a nanometre or less, where a
// point stands before a surface.
func seams(d dice) *query {
	q := &query{}
	q.asks.Tolerance = 1e-13 // else a nanometre is a contact
	size := d.between(0.5, 1)
	block := d.boxMesh(vec{-size, -size, -size}.grid(), vec{size, size, size}.grid())
	if d.chance(0.8) { // not convex, so that its triangles are surfaces
		block = append(block, d.boxMesh(vec{-4, 0, 0}, vec{-3, 1, 1})...)
	}
	wall := shapeSpec{kind: "mesh", file: q.mesh(d, block)}
	face := grid(size)
	r := &robotSpec{
		links:  []linkSpec{{name: "point", shapes: []shapeSpec{{kind: "sphere", size: vec{1e-12}}}}, {name: "tail", shapes: []shapeSpec{{kind: "sphere", size: vec{0.001}, xyz: vec{50, 0, 0}}}}},
		joints: []jointSpec{{name: "wag", kind: "revolute", parent: "point", child: "tail", axis: vec{1, 0, 0}, lower: -1, upper: 1}},
	}
	q.given = texts{urdf: r.urdf(), scene: (&sceneSpec{objects: []objectSpec{{id: "wall", shape: wall}}}).yaml()}
	for range motionsEach {
		y, z := d.between(-0.4, 0.4), d.between(-0.4, 0.4)
		gap := d.between(0.1, 0.9) * 1e-9
		jump := gap * d.between(0, 2)
		deep := d.between(-0.1, 0.4)
		axes := geom.AxisAngle(geom.Vec{X: 1}, d.between(-3, 3)) // about the way, so that the tail stays before the wall
		first := motion.RootPiece{Start: geom.Pose{R: axes, P: geom.Vec{X: face + 0.3, Y: y, Z: z}}, Point: geom.Vec{X: face + 0.3, Y: y, Z: z}, Velocity: geom.Vec{X: -(0.3 - gap)}}
		at := geom.Vec{X: face + gap - jump, Y: y, Z: z}
		second := motion.RootPiece{Start: geom.Pose{R: axes, P: at}, Point: at, Velocity: geom.Vec{X: -deep}}
		still := [][]float64{{0, 0}}
		m := &motion.Motion{
			Joints: []string{"wag"}, Root: []motion.RootPiece{first, second},
			Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: still}, {Start: 1, End: 2, Ctrl: still}},
		}
		q.motions = append(q.motions, move{root: m})
	}
	return q
}
