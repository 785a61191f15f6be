package pairs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// kinds are the meetings in the order of output.
var kinds = [...]pairproof.Meeting{pairproof.Sometimes, pairproof.Undecided, pairproof.Always, pairproof.Never}

// writeText prints the survey as text.
func (f *flags) writeText(w io.Writer, s *survey) error {
	r := &s.report
	fmt.Fprintf(w, "%s: %d pairs of links: %d never, %d always, %d sometimes, %d undecided, %.1f s\n",
		s.robot.Name, len(r.Pairs), r.Count(pairproof.Never), r.Count(pairproof.Always), r.Count(pairproof.Sometimes), r.Count(pairproof.Undecided), s.took.Seconds())
	if s.cut != "" {
		fmt.Fprintf(w, "    some pairs were not examined: %s\n", s.cut)
	}
	if r.Clearance > 0 {
		fmt.Fprintf(w, "    touching means no farther apart than %s\n", answer.Metres(r.Clearance))
	}
	if m := newMatrix(s); len(f.pairs) == 0 && len(m.links) <= maxMatrix && len(r.Pairs) > 0 {
		m.text(w)
	}
	for _, kind := range kinds {
		if slices.Contains(f.list, kind.String()) {
			if err := f.listPairs(w, s, kind); err != nil {
				return err
			}
		}
	}
	if s.audited {
		s.writeAudit(w, f)
	}
	return nil
}

// listPairs prints the pairs of a kind, one per line.
func (f *flags) listPairs(w io.Writer, s *survey, kind pairproof.Meeting) error {
	wide := 0
	var list []*pairproof.Pair
	for i := range s.report.Pairs {
		if p := &s.report.Pairs[i]; p.Meets == kind {
			list = append(list, p)
		}
	}
	shown := list[:f.shown(len(list))]
	for _, p := range shown {
		wide = max(wide, len(p.LinkA)+len(p.LinkB)+2)
	}
	for _, p := range shown {
		more, err := f.tellPair(s, p)
		if err != nil {
			return err
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-9s  %-*s  %s", kind, wide, p.LinkA+", "+p.LinkB, more), " "))
	}
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(w, "%-9s  and %d pairs more: --details lists all\n", kind, n)
	}
	return nil
}

// manyPairs is how many pairs of a kind are listed without --details.
const manyPairs = 10

// shown returns how many of n pairs of a kind are listed.
func (f *flags) shown(n int) int {
	if f.details || n <= manyPairs+1 {
		return n
	}
	return manyPairs
}

// tellPair describes a pair beyond its kind.
func (f *flags) tellPair(s *survey, p *pairproof.Pair) (string, error) {
	switch p.Meets {
	case pairproof.Sometimes:
		at, err := f.second(s).look(p, s.report.Variables)
		if err != nil {
			return "", err
		}
		return at.words(p), nil
	case pairproof.Undecided:
		return fmt.Sprintf("%s of its joint box is left after %d boxes; %s", percent(p.VolumeLeft), p.Boxes, p.Why), nil
	}
	return p.Why, nil
}

// words describes where two links touch.
func (s *sighting) words(p *pairproof.Pair) string {
	out := ""
	if p.Depth > 0 {
		out = answer.Metres(p.Depth) + " deep "
		if p.Hulls {
			out = answer.Metres(p.Depth) + " deep by their hulls "
		}
	}
	out += "at " + s.Text
	if s.Text == "" {
		out = strings.TrimSuffix(out, "at ") + "at every position of the joints"
	}
	if !s.Confirmed {
		out += " (NOT confirmed by the second check)"
	}
	return out
}

func percent(share float64) string {
	switch {
	case share >= 0.1:
		return fmt.Sprintf("%.0f %%", 100*share)
	case share >= 1e-4 || share == 0:
		return fmt.Sprintf("%.2g %%", 100*share)
	}
	return fmt.Sprintf("%.1e", share)
}

// writeAudit prints the findings of the audit: all faults, and of the other kinds some.
func (s *survey) writeAudit(w io.Writer, flags *flags) {
	count := map[selfcollision.FindingKind]int{}
	faults := 0
	for i := range s.findings {
		k := s.findings[i].Kind
		count[k]++
		if k.Fault() {
			faults++
		}
	}
	fmt.Fprintf(w, "audit of the SRDF, %d disabled pairs: %d faults: %d hidden, %d noisy, %d false reasons; %d unproven, %d wasted, %d of unknown links\n",
		len(s.robot.Semantic.Disabled), faults, count[selfcollision.Hidden], count[selfcollision.Noisy], count[selfcollision.FalseReason],
		count[selfcollision.Unproven], count[selfcollision.Wasted], count[selfcollision.Unknown])
	seen := map[selfcollision.FindingKind]int{}
	for i := range s.findings {
		f := &s.findings[i]
		if seen[f.Kind]++; !f.Kind.Fault() && seen[f.Kind] > flags.shown(count[f.Kind]) {
			if seen[f.Kind] == count[f.Kind] {
				fmt.Fprintf(w, "%s: and %d pairs more: --details lists all\n", f.Kind, count[f.Kind]-flags.shown(count[f.Kind]))
			}
			continue
		}
		fmt.Fprintf(w, "%s: %s, %s", f.Kind, f.A, f.B)
		if f.Reason != "" {
			fmt.Fprintf(w, " (%q)", f.Reason)
		}
		fmt.Fprintf(w, ": %s", f.Why)
		if f.at.State != nil {
			fmt.Fprintf(w, ": %s", f.at.words(f.Pair))
		}
		fmt.Fprintln(w)
	}
}

// Result is the answer of pairs.
type Result struct {
	answer.Head
	// done; fault (the audit finds one), or undecided (pairs are left undecided).
	Status string `json:"status" jsonschema:"enum=done,enum=fault,enum=undecided"`
	// The robot's name.
	Robot string `json:"robot"`
	// SHA-256 of all that the proofs are about: links, joints, limits, shapes, padding, clearance. Files
	// of pairs have it.
	Digest string `json:"digest"`
	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// m: pairs that are no farther apart touch.
	Clearance float64 `json:"clearance"`
	// m: how much every link is grown.
	Padding float64 `json:"padding"`
	// Number of pairs, by what meets says.
	Counts map[string]int `json:"counts"`
	// Why some pairs were not examined.
	Cut string `json:"cut,omitempty"`
	// The pairs of links.
	Pairs []pairJSON `json:"pairs"`
	// What the audit of the SRDF finds.
	Audit []findingJSON `json:"audit,omitempty"`
	// s: time on the wall clock.
	Compute float64 `json:"compute_s"`
}

// pairJSON is a pair of links.
type pairJSON struct {
	// One link.
	A string `json:"a"`
	// The other.
	B string `json:"b"`
	// Whether they touch: never, always, sometimes or undecided.
	Meets pairproof.Meeting `json:"meets" jsonschema:"enum=never,enum=always,enum=sometimes,enum=undecided"`
	// Why.
	Why string `json:"why,omitempty"`
	// The joints between the two.
	Joints []string `json:"joints"`
	// rad or m, by joint: positions at which they touch.
	Witness map[string]float64 `json:"witness,omitempty"`
	// Whether the second check confirms the witness.
	Confirmed *bool `json:"confirmed,omitempty"`
	// m: how deep they overlap there.
	Depth float64 `json:"depth,omitempty"`
	// The share of the box of joint positions that is undecided.
	VolumeLeft float64 `json:"volume_left"`
	// Number of boxes of joint positions that were examined.
	Boxes int `json:"boxes"`
	// s: computing time.
	Compute float64 `json:"compute_s"`
}

// findingJSON is a finding of the audit.
type findingJSON struct {
	// hidden, noisy, false reason, unproven, wasted or unknown link.
	Kind selfcollision.FindingKind `json:"kind"`
	// Whether it is a fault of the SRDF.
	Fault bool `json:"fault"`
	// One link.
	A string `json:"a"`
	// The other.
	B string `json:"b"`
	// The reason that the SRDF gives.
	Reason string `json:"reason,omitempty"`
	// What is wrong with it.
	Why string `json:"why"`
	// Whether they touch: never, always, sometimes or undecided.
	Meets *pairproof.Meeting `json:"meets,omitempty" jsonschema:"enum=never,enum=always,enum=sometimes,enum=undecided"`
	// Whether a joint connects the two.
	Adjacent bool `json:"adjacent"`
	// rad or m, by joint: positions at which they touch.
	Witness map[string]float64 `json:"witness,omitempty"`
	// Whether the second check confirms the witness.
	Confirmed *bool `json:"confirmed,omitempty"`
	// m: how deep they overlap there.
	Depth float64 `json:"depth,omitempty"`
}

func (f *flags) writeJSON(w io.Writer, s *survey) error {
	out := Result{
		Head: answer.HeadOf("pairs"), Status: s.status(), Robot: s.robot.Name, Digest: s.report.Digest, Clearance: s.report.Clearance, Padding: s.report.Padding,
		Inputs: f.RobotInputs(s.robot), Warnings: input.Warnings(s.robot, nil), Counts: map[string]int{}, Cut: s.cut, Pairs: []pairJSON{}, Compute: s.took.Seconds(),
	}
	for _, kind := range kinds {
		out.Counts[kind.String()] = s.report.Count(kind)
	}
	for i := range s.report.Pairs {
		p, err := f.pairJSON(s, &s.report.Pairs[i])
		if err != nil {
			return err
		}
		out.Pairs = append(out.Pairs, p)
	}
	for i := range s.findings {
		out.Audit = append(out.Audit, s.findings[i].json())
	}
	return answer.Encode(w, out)
}

func (f *flags) pairJSON(s *survey, p *pairproof.Pair) (pairJSON, error) {
	out := pairJSON{
		A: p.LinkA, B: p.LinkB, Meets: p.Meets, Why: p.Why, Joints: []string{}, Depth: p.Depth,
		VolumeLeft: p.VolumeLeft, Boxes: p.Boxes, Compute: p.Took.Seconds(),
	}
	for _, d := range p.Joints {
		out.Joints = append(out.Joints, s.report.Variables[d].Name)
	}
	if p.Meets != pairproof.Sometimes {
		return out, nil
	}
	at, err := f.second(s).look(p, s.report.Variables)
	out.Witness, out.Confirmed = at.State, &at.Confirmed
	return out, err
}

func (f *finding) json() findingJSON {
	out := findingJSON{Kind: f.Kind, Fault: f.Kind.Fault(), A: f.A, B: f.B, Reason: f.Reason, Why: f.Why, Adjacent: f.Adjacent}
	if f.Pair != nil {
		out.Meets = &f.Meets
	}
	if f.at.State != nil {
		out.Witness, out.Confirmed, out.Depth = f.at.State, &f.at.Confirmed, f.Pair.Depth
	}
	return out
}

// maxMatrix is the maximum number of links for which a matrix is printed as text.
const maxMatrix = 40

// matrix arranges the pairs by row and column.
type matrix struct {
	links []string // with collision geometry, in the robot's order
	cells map[[2]int]*cell
}

// cell is one pair; nil in a matrix if it was not examined.
type cell struct {
	pair     *pairproof.Pair
	disabled bool // by the SRDF
	reason   string
	finding  *finding
}

func newMatrix(s *survey) *matrix {
	m := &matrix{cells: map[[2]int]*cell{}}
	at := map[int]int{}
	for i := range s.robot.Links {
		if len(s.robot.Links[i].Collisions) > 0 {
			at[i] = len(m.links)
			m.links = append(m.links, s.robot.Links[i].Name)
		}
	}
	key := func(a, b int) [2]int { return [2]int{min(at[a], at[b]), max(at[a], at[b])} }
	for i := range s.report.Pairs {
		p := &s.report.Pairs[i]
		m.cells[key(p.A, p.B)] = &cell{pair: p}
	}
	if s.robot.Semantic != nil {
		for _, d := range s.robot.Semantic.Disabled {
			_, a := at[d.A]
			_, b := at[d.B]
			if c := m.cells[key(d.A, d.B)]; a && b && c != nil {
				c.disabled, c.reason = true, d.Reason
			}
		}
	}
	for i := range s.findings {
		if f := &s.findings[i]; f.Pair != nil {
			m.cells[key(f.Pair.A, f.Pair.B)].finding = f
		}
	}
	return m
}

// marks are the characters of the meetings in a text matrix.
var marks = map[pairproof.Meeting]string{pairproof.Never: ".", pairproof.Always: "#", pairproof.Sometimes: "x", pairproof.Undecided: "?"}

// text prints the matrix, a row for each link, with the links above it as columns.
func (m *matrix) text(w io.Writer) {
	wide := 0
	for _, name := range m.links {
		wide = max(wide, utf8.RuneCountInString(name))
	}
	fmt.Fprintf(w, "%*s", wide+6, "")
	for i := range m.links[:max(0, len(m.links)-1)] {
		fmt.Fprintf(w, "%3d", i+1)
	}
	fmt.Fprintln(w, "   . never  # always  x sometimes  ? undecided")
	for i, name := range m.links {
		row := fmt.Sprintf("%4d  %-*s", i+1, wide, name)
		for j := range i {
			mark := " "
			if c := m.cells[[2]int{j, i}]; c != nil {
				mark = marks[c.pair.Meets]
			}
			row += "  " + mark
		}
		fmt.Fprintln(w, strings.TrimRight(row, " "))
	}
}

// sorted lists the cells by kind and place.
func (m *matrix) sorted() (out [][2]int) {
	for key := range m.cells {
		out = append(out, key)
	}
	slices.SortFunc(out, func(a, b [2]int) int {
		return cmp.Or(
			cmp.Compare(slices.Index(kinds[:], m.cells[a].pair.Meets), slices.Index(kinds[:], m.cells[b].pair.Meets)),
			cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]),
		)
	})
	return out
}
