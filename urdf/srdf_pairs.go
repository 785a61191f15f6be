package urdf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// pairs reads which pairs of links are not checked. As in MoveIt, a link of
// disable_default_collisions is checked with no other, except with those that
// enable_collisions names; disable_collisions takes precedence.
func (s *srdf) pairs(root *xmltree.Node) error {
	reason := map[[2]int]string{}
	for _, n := range root.All("disable_default_collisions") {
		a, ok, err := s.link(n, "link")
		if err != nil {
			return err
		}
		for b := range s.robot.Links {
			if ok && b != a {
				reason[ordered(a, b)] = "default of " + s.robot.Links[a].Name
			}
		}
		if len(reason) > limit.DisabledPairs {
			return fmt.Errorf("line %d: more than %d disabled pairs", n.Line, limit.DisabledPairs)
		}
	}
	if err := s.onlyKnown(root, "enable_collisions"); err != nil {
		return err
	}
	err := s.eachPair(root, "enable_collisions", func(p [2]int, _ string) { delete(reason, p) })
	if err != nil {
		return err
	}
	seen := map[[2]int]bool{}
	err = s.eachPair(root, "disable_collisions", func(p [2]int, why string) {
		if !seen[p] { // the first of several entries gives the reason
			seen[p], reason[p] = true, why
		}
	})
	if err != nil {
		return err
	}
	s.sem.Unknown = s.pairsDropped
	for p, why := range reason {
		s.sem.Disabled = append(s.sem.Disabled, DisabledPair{A: p[0], B: p[1], Reason: why})
	}
	slices.SortFunc(s.sem.Disabled, func(p, q DisabledPair) int {
		return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	return nil
}

// eachPair calls f for each element of that name whose links both exist.
func (s *srdf) eachPair(root *xmltree.Node, name string, f func(p [2]int, reason string)) error {
	var twice []string
	for _, n := range root.All(name) {
		a, okA, err := s.link(n, "link1")
		if err != nil {
			return err
		}
		b, okB, err := s.link(n, "link2")
		if err != nil {
			return err
		}
		switch {
		case !okA || !okB:
			s.pairsDropped++
		case a == b:
			twice = append(twice, s.robot.Links[a].Name)
		default:
			why, _ := n.Attr("reason")
			f(ordered(a, b), why)
		}
	}
	if len(twice) > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("<%s> of a link with itself has no effect: %s", name, strings.Join(twice, ", ")))
	}
	return nil
}

// onlyKnown fails on a pair of that element with a link that the robot lacks: it requests a
// check, which would be left out.
func (s *srdf) onlyKnown(root *xmltree.Node, element string) error {
	for _, n := range root.All(element) {
		for _, attr := range [2]string{"link1", "link2"} {
			name, err := text(n, attr)
			if err != nil {
				return err
			}
			if s.robot.Link(name) < 0 {
				return fmt.Errorf("line %d: <%s> names link %q, which the robot lacks%s: correct the name", n.Line, element, name, spelling.Hint(name, s.robot.linkNames()))
			}
		}
	}
	return nil
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }
