package laws

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// misspelt: a name that nothing has is refused wherever it is, and never
// ignored.
func misspelt(t *trial) {
	s := t.subject()
	const nobody = "nobodys"
	where := ""
	switch t.IntN(8) {
	case 0:
		where, s.padded = "link_padding", map[string]float64{nobody: 0.01}
	case 1:
		where, s.optPadded = "LinkPadding", map[string]float64{nobody: 0.01}
	case 2:
		where, s.allowed = "allowed", append(s.allowed, [2]string{nobody, s.links[0].name})
	case 3:
		where, s.optAllowed = "Allowed", append(s.optAllowed, [2]string{s.links[0].name, nobody})
	case 4:
		where, s.state = "State", map[string]float64{nobody: 1}
	case 5:
		where, s.names[0] = "the motion's joints", nobody
	case 6:
		where, s.tube = "Tube", map[string]float64{nobody: 0.01}
	default:
		where = "attached_to or touch_links"
		o := object{id: "thing", placed: placed{body: body{kind: "sphere", radius: 0.01, scale: 1}}, attached: s.links[0].name, touch: []string{nobody}}
		if t.one(2) {
			o.attached, o.touch = nobody, nil
		}
		s.objects = append(s.objects, o)
	}
	t.refused(s, where+" names nobody")
}

// refused expects an error, before or with the question.
func (t *trial) refused(s *subject, what string) {
	t.tally.pair(t.law)
	make := s.inMemory
	if t.one(2) {
		make = s.fromFiles
	}
	a, err := make()
	if err != nil {
		return
	}
	if v, err := a.checker.Check(context.Background(), a.motion, s.query()); err == nil && v.Status != motion.Undecided {
		t.contradicts("%s, and the answer is %v", what, v.Status)
	}
}

// boundless: numbers that are none, or so large that products overflow, are never
// free.
func boundless(t *trial) {
	s := t.subject()
	x := []float64{math.Inf(1), math.NaN(), 1e155, 1e200, 1e300}[t.IntN(5)]
	where := ""
	switch t.IntN(6) {
	case 0:
		where, s.joints[t.IntN(len(s.joints))].xyz.X = "a joint's place", x
	case 1:
		where, s.pieces[0].Ctrl[0][0] = "a position", x
	case 2:
		if len(s.objects) == 0 {
			return
		}
		where, s.objects[0].xyz.Y = "an object's place", x
	case 3:
		where, s.clearance = "the clearance", x
	case 4:
		where, s.padding, s.padded, s.optPadded = "the padding", x, nil, nil
		s.links[0].shapes = append(slices.Clone(s.links[0].shapes), placed{body: body{kind: "sphere", radius: 0.1, scale: 1}})
	default:
		s.links[0].shapes = append(slices.Clone(s.links[0].shapes), placed{pose{xyz: geom.Vec{Z: x}}, body{kind: "sphere", radius: 0.1, scale: 1}})
		where = "a shape's place"
	}
	t.refused(s, where+" is "+num(x))
}

// inputsCopied: what is changed after it was given changes no answer.
func inputsCopied(t *trial) {
	s := t.subject()
	a, err := s.inMemory()
	if err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	for name := range s.state {
		s.state[name] += 1
	}
	for i := range s.optAllowed {
		s.optAllowed[i] = [2]string{"x", "y"}
	}
	for _, m := range []map[string]float64{s.optPadded, s.padded} {
		for _, name := range slices.Collect(maps.Keys(m)) {
			m[name] = 0
		}
	}
	for i := range s.allowed {
		s.allowed[i] = [2]string{"x", "y"}
	}
	if y, ok := t.check(a, t.base.q); ok {
		t.same(t.base, y, true)
	}
	if a.checker, err = a.checker.WithWorld(a.world); err != nil {
		t.contradicts("refused: %v", err)
		return
	}
	if y, ok := t.check(a, t.base.q); ok {
		t.same(t.base, y, true)
	}
}
