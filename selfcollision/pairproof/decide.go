package pairproof

// BudgetSpent is why a pair is undecided if its boxes or its time did not suffice.
const BudgetSpent = "the budget is spent"

// decide decides the current pair, cheapest argument first.
func (s *scratch) decide() {
	p := s.out
	if s.unlimited != "" && s.robot.Joint(s.unlimited) >= 0 && s.floatingBetween(p.A, p.B) != "" {
		p.Why = "joint " + s.unlimited + " between them is floating: its place is not known"
		return
	}
	if len(s.vars) == 0 {
		s.still()
		return
	}
	var f found
	s.probe(&f)
	switch {
	case f.touch != nil && f.apart == nil && s.unlimited == "" && s.always(&f):
		p.Meets, p.Why, p.VolumeLeft = Always, "a point of one stays inside the other", 0
		s.witness(&f)
	case f.touch != nil:
		s.sometimes(&f)
	case s.unlimited != "":
		p.Why = "joint " + s.unlimited + " between them goes on, or turns what follows it, without end: no proof covers all its positions"
	default:
		s.never(&f)
	}
}

// never tries to prove the pair apart, or finds a contact on the way.
func (s *scratch) never(f *found) {
	p := s.out
	proved, all := s.prove(f)
	switch {
	case f.touch != nil:
		s.sometimes(f)
	case !all:
		p.Why, p.VolumeLeft = BudgetSpent, 1-proved
	case !s.startsApart(f):
		p.Why, p.VolumeLeft = "their surfaces are apart, but one may be inside the other", 1
	default:
		p.Meets, p.Why, p.VolumeLeft = Never, "boxes", 0
		if p.Boxes == 1 {
			p.Why = "range of motion"
		}
	}
}

// startsApart reports whether the links, solids included, are apart at one
// configuration. If their surfaces are apart in the whole box, which is connected,
// neither then contains a part of the other anywhere in it.
func (s *scratch) startsApart(f *found) bool {
	if f.apart == nil {
		f.apart = s.root().c
	}
	_, apart := s.look(f.apart)
	return apart
}

// still decides a pair that no joint moves, at its only relative pose.
func (s *scratch) still() {
	p := s.out
	p.Why, p.VolumeLeft = "no joint between", 0
	touch, apart := s.look(nil)
	switch {
	case apart:
		p.Meets = Never
	case touch:
		p.Meets, p.Witness = Always, s.state(nil)
		p.Depth, p.Hulls = s.depth(nil)
	default:
		p.VolumeLeft, p.Why = 1, "no joint between, but as close as rounding tells apart"
	}
}

// sometimes records a witness.
func (s *scratch) sometimes(f *found) {
	p := s.out
	p.Meets, p.Why, p.VolumeLeft = Sometimes, "a witness", 0
	s.witness(f)
	if f.apart != nil {
		p.Apart = s.state(f.apart)
	} else {
		p.Why = "a witness; they touch wherever it was looked, which is not proved"
	}
}

func (s *scratch) witness(f *found) {
	s.out.Witness = s.state(f.touch)
	s.out.Depth, s.out.Hulls = s.depth(f.touch)
}
