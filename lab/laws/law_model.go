package laws

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// filesAndAPI: what is read from files is what the Go API is given.
func filesAndAPI(t *trial) {
	s := t.subject()
	a, err := s.inMemory()
	if err != nil {
		t.contradicts("refused by the Go API: %v", err)
		return
	}
	b, err := s.fromFiles()
	if err != nil {
		t.contradicts("refused by the readers: %v", err)
		return
	}
	x, ok := t.check(a, s.query())
	if !ok {
		return
	}
	if y, ok := t.check(b, s.query()); ok {
		t.same(x, y, true)
	}
	if x, y := leftOut(a.checker), leftOut(b.checker); !slices.Equal(x, y) {
		t.contradicts("left out by the Go API %v, from files %v", x, y)
	}
}

// said makes an SRDF say which of the robot's own pairs are left out, as the case has
// them, so that what links are called adjacent does not matter any more.
func (t *trial) said(s *subject) {
	if s.srdf {
		return
	}
	s.srdf = true
	for _, p := range t.base.a.checker.Pairs().Assumed {
		if p.Reason != "option" && p.Reason != "scene" && p.Reason != "attached" {
			s.disabled = append(s.disabled, [2]string{p.A, p.B})
		}
	}
}

// fixedJointMore: a fixed joint put between two links changes nothing.
func fixedJointMore(t *trial) {
	s := t.subject()
	t.said(s)
	i, middle := t.IntN(len(s.joints)), t.pose(0.3)
	j := &s.joints[i]
	rivet := joint{name: "rivet", kind: "fixed", parent: j.parent, child: "between", pose: middle, axis: geom.Vec{X: 1}}
	j.parent, j.pose = "between", posed(middle.geom().Inv().Mul(j.pose.geom()))
	s.joints = append(s.joints, rivet)
	s.links = append(s.links, link{name: "between"})
	t.alike(s)
}

// axisTurned: an axis turned round and its positions negated, of what follows too, is
// the same joint.
func axisTurned(t *trial) {
	s := t.subject()
	j := &s.joints[t.IntN(len(s.joints))]
	if j.kind == "fixed" || j.kind == "planar" {
		return
	}
	j.axis = r3.Scale(-1, j.axis)
	j.lower, j.upper = -j.upper, -j.lower
	if j.follows != "" {
		j.mult, j.offset = -j.mult, -j.offset
		t.alike(s)
		return
	}
	if x, ok := s.state[j.name]; ok {
		s.state[j.name] = -x
	}
	s.eachRow(j.name, func(x float64) float64 { return -x })
	for _, f := range s.followers(j.name) {
		s.joints[f].mult *= -1
	}
	t.alike(s)
}

// mimicWithRow: a joint that follows another may as well be told its positions. Where
// the short way is taken that holds of motions that have none.
func mimicWithRow(t *trial) {
	s := t.subject()
	var all []int
	for i := range s.joints {
		if s.joints[i].follows != "" {
			all = append(all, i)
		}
	}
	if len(all) == 0 || len(s.tube) > 0 || s.shortWay() {
		return
	}
	t.said(s) // as the joint's default is 0 then
	j := &s.joints[all[t.IntN(len(all))]]
	put := func(x float64) float64 { return j.mult*x + j.offset }
	if i := slices.Index(s.names, j.follows); i >= 0 {
		s.names = append(s.names, j.name)
		for k := range s.pieces {
			var c []float64
			for _, x := range s.pieces[k].Ctrl[i] {
				c = append(c, put(x))
			}
			s.pieces[k].Ctrl = append(s.pieces[k].Ctrl, c)
		}
	} else {
		s.state[j.name] = put(s.state[j.follows])
	}
	j.follows, j.mult, j.offset = "", 1, 0
	if !s.shortWay() {
		t.alike(s)
	}
}

// otherNames: names and the order of links, joints, objects and columns mean nothing.
func otherNames(t *trial) {
	s := t.subject()
	names := map[string]string{}
	perm := t.Perm(100)
	name := func(old string) string {
		if _, ok := names[old]; !ok {
			names[old] = fmt.Sprintf("n%02d", perm[len(names)])
		}
		return names[old]
	}
	pairs := func(ps [][2]string) {
		for i, p := range ps {
			ps[i] = [2]string{name(p[1]), name(p[0])}
		}
		t.Shuffle(len(ps), func(i, k int) { ps[i], ps[k] = ps[k], ps[i] })
	}
	variable := func(old string) string {
		for _, part := range []string{"/x", "/y", "/theta"} {
			if n := len(old) - len(part); n > 0 && old[n:] == part {
				return name(old[:n]) + part
			}
		}
		return name(old)
	}
	for i := range s.links {
		s.links[i].name = name(s.links[i].name)
		t.Shuffle(len(s.links[i].shapes), func(a, b int) {
			s.links[i].shapes[a], s.links[i].shapes[b] = s.links[i].shapes[b], s.links[i].shapes[a]
		})
	}
	for i := range s.joints {
		j := &s.joints[i]
		j.name, j.parent, j.child = name(j.name), name(j.parent), name(j.child)
		if j.follows != "" {
			j.follows = name(j.follows)
		}
	}
	for i := range s.objects {
		o := &s.objects[i]
		o.id = name(o.id)
		if o.attached != "" {
			o.attached = name(o.attached)
		}
		for k := range o.touch {
			o.touch[k] = name(o.touch[k])
		}
	}
	pairs(s.disabled)
	pairs(s.allowed)
	pairs(s.optAllowed)
	s.padded, s.optPadded = renamed(s.padded, name), renamed(s.optPadded, name)
	s.state, s.tube = renamed(s.state, variable), renamed(s.tube, variable)
	for i := range s.names {
		s.names[i] = variable(s.names[i])
	}
	t.Shuffle(len(s.names), func(a, b int) {
		s.names[a], s.names[b] = s.names[b], s.names[a]
		for _, p := range s.pieces {
			p.Ctrl[a], p.Ctrl[b] = p.Ctrl[b], p.Ctrl[a]
		}
	})
	t.Shuffle(len(s.links), func(a, b int) { s.links[a], s.links[b] = s.links[b], s.links[a] })
	t.Shuffle(len(s.joints), func(a, b int) { s.joints[a], s.joints[b] = s.joints[b], s.joints[a] })
	t.Shuffle(len(s.objects), func(a, b int) { s.objects[a], s.objects[b] = s.objects[b], s.objects[a] })
	t.alike(s)
}

func renamed(m map[string]float64, name func(string) string) map[string]float64 {
	out := map[string]float64{}
	for k, x := range m {
		out[name(k)] = x
	}
	return out
}

// everythingScaled: with all lengths multiplied, clearance and tolerance too, the
// statuses are the same.
func everythingScaled(t *trial) {
	s := t.subject()
	k := []float64{0.25, 0.5, 2, 4, 10}[t.IntN(5)]
	slides := func(name string) bool {
		j := s.joint(name)
		return j != nil && j.kind == "prismatic" || j == nil && !s.turns(name)
	}
	s.bodies(func(b *body) { *b = b.scaled(k) })
	for i := range s.links {
		for x := range s.links[i].shapes {
			p := &s.links[i].shapes[x].pose
			p.xyz = r3.Scale(k, p.xyz)
		}
	}
	for i := range s.joints {
		j := &s.joints[i]
		j.xyz = r3.Scale(k, j.xyz)
		if j.kind == "prismatic" {
			j.lower, j.upper, j.mult, j.offset = k*j.lower, k*j.upper, k*j.mult, k*j.offset
		}
		if j.follows != "" && slides(j.follows) {
			j.mult /= k
		}
	}
	for i := range s.objects {
		o := &s.objects[i]
		o.xyz, o.padding = r3.Scale(k, o.xyz), k*o.padding
	}
	for name := range s.state {
		if slides(name) {
			s.state[name] *= k
		}
	}
	for name := range s.tube {
		if slides(name) {
			s.tube[name] *= k
		}
	}
	for _, name := range s.names {
		if slides(name) {
			s.eachRow(name, func(x float64) float64 { return k * x })
		}
	}
	for _, m := range []map[string]float64{s.padded, s.optPadded} {
		for name := range m {
			m[name] *= k
		}
	}
	s.padding, s.clearance, s.tolerance = k*s.padding, k*s.clearance, k*s.tolerance
	t.alike(s)
}

// scaled is a body k times as large.
func (b *body) scaled(k float64) body {
	out := *b
	out.size, out.radius, out.length = r3.Scale(k, b.size), k*b.radius, k*b.length
	if b.mesh != nil {
		out.mesh = b.mesh.scaled(k)
		if k != math.Trunc(k) && k < 0.25 || k == 10 {
			out.format = "obj" // others may round
		}
	}
	out.points = slices.Clone(b.points)
	for i := range out.points {
		out.points[i] = r3.Scale(k, out.points[i])
	}
	return out
}

// mimicChain: of two joints that follow a third, one may as well follow the other.
func mimicChain(t *trial) {
	s := t.subject()
	for i := range s.joints {
		f := s.followers(s.joints[i].name)
		if len(f) < 2 || s.joints[f[0]].mult == 0 {
			continue
		}
		first, second := &s.joints[f[0]], &s.joints[f[1]]
		second.follows = first.name
		second.mult /= first.mult
		second.offset -= second.mult * first.offset
		if a, ok := t.buildBy(s, true); ok {
			if y, ok := t.check(a, s.query()); ok {
				t.same(t.base, y, true)
			}
		}
		return
	}
}
