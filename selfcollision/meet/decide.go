package meet

// decide looks at the pair at hand, cheapest argument first.
func (s *scratch) decide() {
	p := s.out
	if s.open != "" && s.robot.Joint(s.open) >= 0 && s.floatingBetween(p.A, p.B) != "" {
		p.Why = "joint " + s.open + " between them is floating: its place is not known"
		return
	}
	if len(s.vars) == 0 {
		s.still()
		return
	}
	var f found
	s.probe(&f)
	switch {
	case f.touch != nil:
		s.sometimes(&f)
	case s.open != "":
		p.Why = "joint " + s.open + " between them has no limits: no proof covers all its positions"
	default:
		p.Why = "the budget is spent"
	}
}

// still decides a pair that no joint moves: one look is enough.
func (s *scratch) still() {
	p := s.out
	p.Why, p.VolumeLeft = "no joint between", 0
	s.place(nil)
	c := s.hulls()
	d := s.exact.Between(s.state(nil), s.elements, 2*s.opt.Clearance+1e-6)
	switch {
	case d.Bounds.Lo > s.opt.Clearance:
		p.Meets = Never
	case d.Distance <= s.opt.Clearance:
		p.Meets, p.Witness = Always, s.state(nil)
		p.Depth, p.Hulls = max(0, -c.distance), !c.exact
	default:
		p.VolumeLeft, p.Why = 1, "no joint between, but as close as rounding tells apart"
	}
}

// sometimes writes down a witness.
func (s *scratch) sometimes(f *found) {
	p := s.out
	p.Meets, p.Why, p.VolumeLeft = Sometimes, "a witness", 0
	p.Witness, p.Depth, p.Hulls = s.state(f.touch), f.depth, f.hulls
	if f.apart != nil {
		p.Apart = s.state(f.apart)
	}
}
