package selfcollision

import (
	"cmp"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// FindingKind is the kind of a Finding.
type FindingKind string

// The kinds of findings. Hidden, Noisy and FalseReason are faults. Most pairs of
// neighbours are Unproven. Wasted pairs cost time, and Unknown pairs have no effect.
const (
	Hidden      FindingKind = "hidden"       // disabled, but the links touch at the witness, and do not elsewhere
	Noisy       FindingKind = "noisy"        // enabled, but the links always touch: every check ends in contact
	FalseReason FindingKind = "false reason" // disabled for a reason that is not true
	Unproven    FindingKind = "unproven"     // disabled; the links touch at every sampled configuration, which is no proof
	Wasted      FindingKind = "wasted"       // enabled, but the links can never touch
	Unknown     FindingKind = "unknown link" // disabled, but the robot lacks a link of that name
)

// Fault reports whether the finding is one to act on.
func (k FindingKind) Fault() bool { return k == Hidden || k == Noisy || k == FalseReason }

// Finding is a pair that the list of disabled pairs treats wrongly or could treat better.
type Finding struct {
	Kind   FindingKind
	A, B   string
	Reason string // as the list gives it; empty for pairs that it does not disable
	Why    string // explanation for people

	Meets    pairproof.Meeting
	Adjacent bool            // the links are Neighbours
	Pair     *pairproof.Pair // the result for the pair, nil for unknown links
}

// Audit compares the pairs that the robot's SRDF disables with the report, and adds the
// pairs of unknown links (urdf.UnknownPairs). It skips pairs that are undecided or have
// a link without collision geometry. Findings are sorted by kind, then in the order of
// the report.
func Audit(robot *urdf.Robot, report *pairproof.Report, unknown []urdf.NamedPair) []Finding {
	disabled := map[[2]int]string{}
	if robot.Semantic != nil {
		for _, d := range robot.Semantic.Disabled {
			disabled[[2]int{d.A, d.B}] = d.Reason
		}
	}
	neighbours := Neighbours(robot)
	var out []Finding
	for i := range report.Pairs {
		p := &report.Pairs[i]
		key := [2]int{min(p.A, p.B), max(p.A, p.B)}
		f := Finding{A: p.LinkA, B: p.LinkB, Meets: p.Meets, Adjacent: neighbours[key], Pair: p}
		reason, off := disabled[key]
		f.Reason = reason
		f.judge(off)
		if f.Kind != "" {
			out = append(out, f)
		}
	}
	for _, u := range unknown {
		f := Finding{Kind: Unknown, A: u.Link1, B: u.Link2, Reason: u.Reason}
		for _, name := range [...]string{u.Link1, u.Link2} {
			if robot.Link(name) < 0 {
				f.Why = "the robot has no link " + name
			}
		}
		out = append(out, f)
	}
	order := []FindingKind{Hidden, Noisy, FalseReason, Unproven, Wasted, Unknown}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
	return out
}

// judge sets Kind and Why of a pair that the list disables (off) or not; a pair without
// a fault keeps an empty Kind.
func (f *Finding) judge(off bool) {
	reason := strings.ToLower(strings.TrimSpace(f.Reason))
	switch {
	case !off && f.Meets == pairproof.Always:
		f.Kind, f.Why = Noisy, "it is checked, and the links touch at every configuration"
	case !off && f.Meets == pairproof.Never:
		f.Kind, f.Why = Wasted, "it is checked, and the links can never touch"
	case !off || f.Meets == pairproof.Undecided:
	case f.Meets == pairproof.Sometimes && reason == "never":
		f.Kind, f.Why = Hidden, "it is said that they never touch, and they do"
	case f.Meets == pairproof.Sometimes && f.Pair.Apart == nil:
		f.Kind, f.Why = Unproven, "it is not checked; the links touch wherever it was looked, which is not proved"
	case f.Meets == pairproof.Sometimes && f.Adjacent:
		f.Kind, f.Why = Hidden, "it is not checked; the links are neighbours, and touch at some configurations"
	case f.Meets == pairproof.Sometimes:
		f.Kind, f.Why = Hidden, "it is not checked, and the links can touch"
	case reason == "never" && f.Meets == pairproof.Always:
		f.Kind, f.Why = FalseReason, "it is said that they never touch, and they always do"
	case (reason == "always" || reason == "default") && f.Meets == pairproof.Never:
		f.Kind, f.Why = FalseReason, "it is said that they touch, and they never do"
	case reason == "adjacent" && !f.Adjacent:
		f.Kind, f.Why = FalseReason, "it is said that they are neighbours, and no joint connects them"
	}
}

// Neighbours returns the pairs of links, smaller index first, that MoveIt calls adjacent:
// pairs that a joint connects. A link without collision geometry counts as part of the
// joints around it.
func Neighbours(robot *urdf.Robot) map[[2]int]bool {
	solid := func(l int) bool { return len(robot.Links[l].Collisions) > 0 }
	around := make([][]int, len(robot.Links))
	for i := range robot.Joints {
		j := &robot.Joints[i]
		around[j.Parent] = append(around[j.Parent], j.Child)
		around[j.Child] = append(around[j.Child], j.Parent)
	}
	out := map[[2]int]bool{}
	for from := range robot.Links {
		if !solid(from) {
			continue
		}
		seen := map[int]bool{from: true}
		for todo := []int{from}; len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, next := range around[at] {
				switch {
				case seen[next]:
				case solid(next):
					out[[2]int{min(from, next), max(from, next)}] = true
				default:
					todo = append(todo, next)
				}
				seen[next] = true
			}
		}
	}
	return out
}
