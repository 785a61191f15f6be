package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A certificate lists what its proof rests on. Each premise is worked out anew here
// from robot, scene and motion; a certificate whose list differs is refused.

// Source tells how a premise is known.
type Source uint8

// The sources of premises.
const (
	// Recomputed premises follow from robot, scene and motion by the verifier's rules.
	Recomputed Source = iota
	// FromFile premises stand in the SRDF, the scene or the motion.
	FromFile
	// OnTrust premises are the certificate's word alone, or the user's.
	OnTrust
)

var sourceNames = [...]string{"recomputed", "file", "trust"}

// String returns "recomputed", "file" or "trust".
func (s Source) String() string { return sourceNames[min(int(s), len(sourceNames)-1)] }

// Known is a premise of the proof and how it is known.
type Known struct {
	premise.Premise
	Source Source
}

func (v *verifier) note(p premise.Premise, s Source) {
	v.report.Premises = append(v.report.Premises, Known{p, s})
}

// premises compares what the certificate says of meshes, of the motion and of held joints
// with what they are.
func (v *verifier) premises() error {
	for _, step := range []func() error{v.meshes, v.startTime, v.turnsOff, v.seams} {
		if err := step(); err != nil {
			return err
		}
	}
	v.held()
	v.remarks()
	return nil
}

// remarks notes what the certificate does not speak of: links that cannot touch
// anything, joints that turn by half a turn or leave their limits.
func (v *verifier) remarks() {
	for i := range v.robot.Links {
		if l := &v.robot.Links[i]; len(l.Collisions) == 0 {
			v.note(premise.Premise{Kind: premise.NoGeometry, Names: []string{l.Name}, Detail: "the link has no collision geometry and cannot touch anything"}, FromFile)
		}
	}
	for i := range v.tree.joints {
		k := &v.tree.joints[i]
		if k.source.variable != k.name || k.source.ctrl != nil {
			continue
		}
		v.noteHalfTurns(k)
		v.noteLimits(k)
	}
}

// halfTurn in rad: positions in files have six digits, so that closer to half a turn
// their rounding decides the direction (docs/motions.md).
const halfTurn = 1e-5

func (v *verifier) noteHalfTurns(k *joint) {
	if _, moved := v.course.rows[k.name]; !moved || !k.source.continuous || v.motion.KeepTurns {
		return
	}
	for piece := range v.motion.Pieces {
		ctrl := v.course.ctrl(k, piece)
		if len(ctrl) != 2 {
			continue
		}
		if way := ctrl[1].sub(ctrl[0]).mid(); math.Abs(math.Abs(way)-math.Pi) <= halfTurn {
			v.note(premise.Premise{
				Kind: premise.HalfTurn, Names: []string{k.name}, Value: way, Piece: piece,
				Detail: fmt.Sprintf("the joint turns by half a turn on piece %d: the last digits of the positions decide the direction", piece),
			}, Recomputed)
		}
	}
}

// limitTolerance in rad or m is how controllers print limits.
const limitTolerance = 1e-6

// noteLimits looks at stretches of each piece whose control points leave the limits: on
// those they are close to the curve.
func (v *verifier) noteLimits(k *joint) {
	i := v.robot.Joint(k.name)
	if i < 0 || !v.robot.Joints[i].Limit.Bounded || v.robot.Joints[i].Type == urdf.Continuous {
		return
	}
	const stretches = 32
	l := v.robot.Joints[i].Limit
	leaves := func(r interval) bool { return r.lo < l.Lower-limitTolerance || r.hi > l.Upper+limitTolerance }
	for piece := range v.motion.Pieces {
		ctrl := v.course.ctrl(k, piece)
		if !leaves(restrict(ctrl, 0, 1)) {
			continue
		}
		for s := range stretches {
			if leaves(restrict(ctrl, float64(s)/stretches, float64(s+1)/stretches)) {
				v.note(premise.Premise{Kind: premise.BeyondLimits, Names: []string{k.name}, Piece: piece, Detail: "it leaves its limits and is checked as given"}, Recomputed)
				return
			}
		}
	}
}

// meshes compares the bodies whose meshes are surfaces or ambiguous.
func (v *verifier) meshes() error {
	for _, c := range []struct {
		kind      premise.Kind
		says, are []string
		detail    string
	}{
		{premise.Surface, v.h.Surfaces, v.report.Open, "faces of its mesh enclose nothing: they are checked as a surface"},
		{premise.Ambiguous, v.h.Ambiguous, v.report.Ambiguous, "its inside cannot be told from its mesh: it is taken to be the larger one"},
	} {
		if err := sameNames(string(c.kind), c.says, c.are); err != nil {
			return err
		}
		for _, name := range c.are {
			v.note(premise.Premise{Kind: c.kind, Names: []string{name}, Detail: c.detail}, Recomputed)
		}
	}
	return nil
}

// sameNames refuses lists that do not hold the same names, each once.
func sameNames(what string, says, are []string) error {
	says, are = slices.Sorted(slices.Values(says)), slices.Sorted(slices.Values(are))
	for i := range max(len(says), len(are)) {
		switch {
		case i == len(says) || i < len(are) && are[i] < says[i]:
			return refuse("it does not say of %s that it is a premise of kind %s", are[i], what)
		case i == len(are) || says[i] < are[i]:
			return refuse("it says of %s that it is a premise of kind %s, which it is not, or twice", says[i], what)
		}
	}
	return nil
}

func (v *verifier) startTime() error {
	start := v.motion.Pieces[0].Start
	if v.h.Start != start {
		return refuse("it says that the motion starts at %g s, but it starts at %g s", v.h.Start, start)
	}
	if start != 0 {
		v.note(premise.Premise{Kind: premise.Start, Value: start, Detail: fmt.Sprintf("the motion starts at %g s: nothing is proved of the time before", start), Accepted: true}, FromFile)
	}
	return nil
}

// turnsOff compares the turns that are taken off continuous joints.
func (v *verifier) turnsOff() error {
	says := map[certificate.Turned]int{}
	for _, t := range v.h.Turned {
		says[t]++
	}
	for row, name := range v.motion.Joints {
		turns := v.course.turns[row]
		for piece, n := range turns {
			if n == 0 {
				continue
			}
			t := certificate.Turned{Joint: name, Piece: piece, Turns: n}
			if says[t]--; says[t] != 0 {
				return refuse("it does not say once that %d turns are taken off joint %s on piece %d", n, name, piece)
			}
			delete(says, t)
			v.note(premise.Premise{
				Kind: premise.Turned, Names: []string{name}, Value: float64(n), Piece: piece,
				Detail: fmt.Sprintf("the joint takes the short way on piece %d: whole turns taken off: %d", piece, n),
			}, Recomputed)
		}
	}
	for t := range says {
		return refuse("it says that %d turns are taken off joint %s on piece %d, which is not so", t.Turns, t.Joint, t.Piece)
	}
	return nil
}

// seamTolerance in m: what rounding may make of a jump is no seam to speak of.
const seamTolerance = 1e-12

// seams compares the jumps of the root link.
func (v *verifier) seams() error {
	says := map[int]float64{}
	for _, s := range v.h.Seams {
		if _, twice := says[s.Piece]; twice || s.Piece < 1 || s.Piece > len(v.jumps) {
			return refuse("it speaks twice of the seam before piece %d, or there is none", s.Piece)
		}
		says[s.Piece] = s.Length
	}
	for i, j := range v.jumps {
		tolerance := seamTolerance + 8*j.err
		length, said := says[i+1]
		if !said && (j.origin > tolerance || j.turn > tolerance) {
			return refuse("it does not say that the root link jumps by %g m where piece %d begins", j.origin, i+1)
		}
		if !said {
			continue
		}
		if !(math.Abs(length-j.origin) <= tolerance) {
			return refuse("it says that the root link jumps by %g m where piece %d begins, but it jumps by %g m", length, i+1, j.origin)
		}
		v.note(premise.Premise{
			Kind: premise.Seam, Value: j.origin, Piece: i + 1,
			Detail: fmt.Sprintf("the root link jumps by at most %.3g m where piece %d begins: every item with the world shows more", j.origin, i+1),
		}, Recomputed)
	}
	return nil
}

// held notes where joints stand that the motion does not name. The verifier takes any
// position: it is part of what is proved.
func (v *verifier) held() {
	defaults := defaultState(v.robot)
	for _, h := range v.h.Hold {
		p := premise.Premise{Kind: premise.Held, Names: []string{h.Name}, Value: h.Value, Detail: fmt.Sprintf("the motion does not name it: it is held at %g", h.Value)}
		if x, ok := defaults[h.Name]; ok && x == h.Value {
			p.Detail += ", the model's default"
			v.note(p, Recomputed)
			continue
		}
		v.note(p, OnTrust)
	}
	for _, name := range v.report.Floating {
		v.note(premise.Premise{Kind: premise.Held, Names: []string{name}, Detail: "it is a floating joint, held at its origin"}, Recomputed)
	}
}

// gaps compares what can hide a collision, by robot, scene and motion, with what the
// certificate says was accepted; the user has to accept each again. doubts are those
// of the robot.
func (v *verifier) gaps(doubts []premise.Premise) error {
	says := map[string]bool{}
	for _, g := range v.h.Accepted {
		key := gapKey(g.Kind, g.Names)
		if says[key] {
			return refuse("it says twice that a gap was accepted: %s", key)
		}
		says[key] = true
	}
	seen := map[string]bool{}
	for _, list := range [][]premise.Premise{doubts, v.world.Gaps, v.motion.Gaps} {
		for _, p := range list {
			key := gapKey(string(p.Kind), p.Names)
			if !p.IsGap() || seen[key] || v.carries(&p) {
				continue
			}
			seen[key] = true
			if !says[key] {
				return refuse("it does not say that this was accepted: %s", p.String())
			}
			if !v.opts.Accept.Covers(&p) {
				return refuse("it rests on a gap that was accepted where it was made; accept %s to take it: %s", p.Entry(), p.String())
			}
			p.Accepted = true
			v.note(p, map[bool]Source{true: Recomputed, false: FromFile}[p.Kind == premise.DefaultPairs])
		}
	}
	for key := range says {
		if !seen[key] {
			return refuse("it says that a gap was accepted which is not there: %s", key)
		}
	}
	return nil
}

// gapKey is how a gap is accepted.
func gapKey(kind string, names []string) string {
	return strings.Join(append([]string{kind}, names...), ":")
}

// carries reports whether a gap is about attached objects that the scene has.
func (v *verifier) carries(p *premise.Premise) bool {
	return p.Kind == premise.Attached && len(p.Names) > 0 && !slices.ContainsFunc(p.Names, func(name string) bool {
		i := v.world.Object(name)
		return i < 0 || v.world.Objects[i].AttachedTo == ""
	})
}
