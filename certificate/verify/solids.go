package verify

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/certificate"
)

// Items treat meshes as surfaces. If the surfaces of two bodies stay apart during the whole
// motion, no part of one crosses the surface of the other, so a part that is outside a solid
// at a single instant is outside at all times. That is shown either by an item, whose plane
// has all of the solid on one side and a point of the part on the other, or by a point of the
// part from which a ray crosses the solid's faces as one from outside does.

// solids checks that for every part and every solid of the pair.
func (v *verifier) solids(p *pair) error {
	a, b := v.bodies[p.a], v.bodies[p.b]
	for j := range b.objects {
		if !p.objects[j] {
			continue
		}
		for i := range a.objects {
			if err := v.outsideOf(p, &a.objects[i], &b.objects[j], false); err != nil {
				return err
			}
			if err := v.outsideOf(p, &b.objects[j], &a.objects[i], true); err != nil {
				return err
			}
		}
	}
	return nil
}

// outsideOf shows that every part of x is outside every solid of y. swapped says that x
// belongs to the pair's second body.
func (v *verifier) outsideOf(p *pair, x, y *object, swapped bool) error {
	for i := range y.solids {
		s := &y.solids[i]
		separated := p.separatedFrom(s, swapped)
		for k := range x.components {
			part := &x.components[k]
			if separated.any(part.atoms) {
				continue
			}
			switch v.look(p, part, s, swapped) {
			case inside:
				return refuse("%s has a part inside %s", x.name, y.name)
			case unknown:
				return refuse("cannot decide whether a part of %s lies inside %s: every ray meets an edge of its mesh", x.name, y.name)
			}
		}
	}
	return nil
}

// ranges is a set of atoms.
type ranges []bool

func (r ranges) any(atoms []int32) bool {
	for _, a := range atoms {
		if int(a) < len(r) && r[a] {
			return true
		}
	}
	return false
}

// separatedFrom returns the atoms of the other body that some item separates by a plane from
// all of s.
func (p *pair) separatedFrom(s *solid, swapped bool) ranges {
	var out ranges
	for r := range p.parts {
		x0, x1, y0, y1 := r[0], r[1], r[2], r[3]
		if swapped {
			x0, x1, y0, y1 = y0, y1, x0, x1
		}
		if y0 > s.first || y1 <= s.last {
			continue
		}
		if int(x1) > len(out) {
			out = append(out, make(ranges, int(x1)-len(out))...)
		}
		for i := x0; i < x1; i++ {
			out[i] = true
		}
	}
	return out
}

// look locates a part at one of the instants that the certificate names, or at the motion's
// start.
func (v *verifier) look(p *pair, part *component, s *solid, swapped bool) where {
	x, y := p.a, p.b
	if swapped {
		x, y = y, x
	}
	for _, o := range append(p.looks[:len(p.looks):len(p.looks)], certificate.Outside{A: p.a, B: p.b}) {
		m, err := v.instant(o)
		if err != nil {
			continue
		}
		poseX, poseY := m.poseOf(x).then(&part.frame), m.poseOf(y).then(&s.frame)
		back := poseY.r.inverse()
		for _, point := range part.points {
			local := back.apply(poseX.place(at(point)).sub(poseY.p))
			if w := s.locate(local); w != unknown {
				return w
			}
		}
	}
	return unknown
}

// instant places the robot at a single time.
func (v *verifier) instant(o certificate.Outside) (*moment, error) {
	key := certificate.At{Piece: o.Piece, Lo: o.Time, Hi: o.Time}
	if m := v.instants[key]; m != nil {
		return m, nil
	}
	if err := v.checkAt(key); err != nil {
		return nil, err
	}
	m, err := v.momentAt(key)
	if err == nil {
		v.instants[key] = m
	}
	return m, err
}

// Refusal is the reason why a certificate does not prove what it should.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "the certificate is refused: " + r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }
