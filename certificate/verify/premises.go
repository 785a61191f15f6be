package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A certificate lists the premises of its proof. Each premise is derived again here from
// robot, scene and motion; a certificate with a different list is refused.

// Source is the source of a premise.
type Source uint8

// The sources of premises.
const (
	// Recomputed premises follow from robot, scene and motion by the verifier's rules.
	Recomputed Source = iota
	// FromFile premises are in the SRDF, the scene or the motion.
	FromFile
	// OnTrust premises are claimed by the certificate or by the user only.
	OnTrust
)

var sourceNames = [...]string{"recomputed", "file", "trust"}

// String returns "recomputed", "file" or "trust".
func (s Source) String() string { return sourceNames[min(int(s), len(sourceNames)-1)] }

// Known is a premise of the proof and its source.
type Known struct {
	premise.Premise
	Source Source
}

func (v *verifier) note(p premise.Premise, s Source) {
	v.report.Premises = append(v.report.Premises, Known{p, s})
}

// premises compares the certificate's premises about meshes, the motion and held joints with
// the derived ones.
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

// remarks records premises that certificates do not list: links without collision geometry,
// joints that turn by half a turn or leave their limits.
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

// halfTurn in rad: positions in files have six digits, so that closer to half a turn their
// rounding decides the direction (docs/motions.md).
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

// limitTolerance in rad or m covers the rounding of limits in files.
const limitTolerance = 1e-6

// noteLimits examines parts of each piece whose control points leave the limits: on short
// parts they are close to the curve.
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
		{premise.Ambiguous, v.h.Ambiguous, v.report.Ambiguous, "its mesh does not determine its inside: the larger one is used"},
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

// sameNames refuses lists that do not contain the same names, each once.
func sameNames(what string, says, are []string) error {
	says, are = slices.Sorted(slices.Values(says)), slices.Sorted(slices.Values(are))
	for i := range max(len(says), len(are)) {
		switch {
		case i == len(says) || i < len(are) && are[i] < says[i]:
			return refuse("it lacks the premise of kind %[2]s about %[1]s", are[i], what)
		case i == len(are) || says[i] < are[i]:
			return refuse("its premise of kind %[2]s about %[1]s does not hold or is repeated", says[i], what)
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

// turnsOff compares the turns that are subtracted on continuous joints.
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
				return refuse("it lacks or repeats the premise that %d turns are subtracted on joint %s on piece %d", n, name, piece)
			}
			delete(says, t)
			v.note(premise.Premise{
				Kind: premise.Turned, Names: []string{name}, Value: float64(n), Piece: piece,
				Detail: fmt.Sprintf("the joint takes the short way on piece %d: whole turns subtracted: %d", piece, n),
			}, Recomputed)
		}
	}
	for t := range says {
		return refuse("it claims that %d turns are subtracted on joint %s on piece %d, which is wrong", t.Turns, t.Joint, t.Piece)
	}
	return nil
}

// seamTolerance in m: smaller jumps are rounding errors.
const seamTolerance = 1e-12

// seams compares the jumps of the root link.
func (v *verifier) seams() error {
	says := map[int]float64{}
	for _, s := range v.h.Seams {
		if _, twice := says[s.Piece]; twice || s.Piece < 1 || s.Piece > len(v.jumps) {
			return refuse("it repeats the seam before piece %d, or there is none", s.Piece)
		}
		says[s.Piece] = s.Length
	}
	for i, j := range v.jumps {
		tolerance := seamTolerance + 8*j.err
		length, said := says[i+1]
		if !said && (j.origin > tolerance || j.turn > tolerance) {
			return refuse("it lacks the jump of the root link by %g m at the start of piece %d", j.origin, i+1)
		}
		if !said {
			continue
		}
		if !(math.Abs(length-j.origin) <= tolerance) {
			return refuse("it claims that the root link jumps by %g m at the start of piece %d, but it jumps by %g m", length, i+1, j.origin)
		}
		v.note(premise.Premise{
			Kind: premise.Seam, Value: j.origin, Piece: i + 1,
			Detail: fmt.Sprintf("the root link jumps by at most %.3g m at the start of piece %d: every item with the world proves a larger distance", j.origin, i+1),
		}, Recomputed)
	}
	return nil
}

// held records the positions of joints that the motion does not name. The verifier accepts any
// position: it is part of the proved statement.
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

// gaps compares the gaps of robot, scene and motion with those that the certificate says were
// accepted; the user must accept each again. doubts are those of the robot.
func (v *verifier) gaps(doubts []premise.Premise) error {
	says := map[string]bool{}
	for _, g := range v.h.Accepted {
		key := gapKey(g.Kind, g.Names)
		if says[key] {
			return refuse("it repeats an accepted gap: %s", key)
		}
		says[key] = true
	}
	seen := map[string]bool{}
	const ofRobot, ofScene = 2, 3 // what is said there of angles is told again by what is implausible
	for i, list := range [][]premise.Premise{doubts, v.implausible(), v.robot.Gaps, v.world.Gaps, v.motion.Gaps} {
		for _, p := range list {
			key := gapKey(string(p.Kind), p.Names)
			if !p.IsGap() || seen[key] || v.carries(&p) || (i == ofRobot || i == ofScene) && plausible.TakesUp(&p) {
				continue
			}
			seen[key] = true
			if !says[key] {
				return refuse("it lacks the accepted gap: %s", p.String())
			}
			if !v.opts.Accept.Covers(&p) {
				return refuse("it depends on a gap that was accepted when it was written; accept %s to verify it: %s", p.Entry(), p.String())
			}
			p.Accepted = true
			v.note(p, map[bool]Source{true: Recomputed, false: FromFile}[p.Kind == premise.DefaultPairs || p.Kind == premise.Implausible])
		}
	}
	for key := range says {
		if !seen[key] {
			return refuse("it names an accepted gap that does not exist: %s", key)
		}
	}
	return nil
}

// implausible lists what robot, scene, motion and held joints are probably not meant to be.
func (v *verifier) implausible() []premise.Premise {
	model, at := plausible.New(v.robot, v.world), map[string]float64{}
	for _, h := range v.h.Hold {
		at[h.Name] = h.Value
	}
	return slices.Concat(plausible.Premises(model.Standing()), model.Reach(v.motion), plausible.Premises(model.State(at)), model.Gaps(v.motion))
}

// gapKey is the form in which a gap is accepted.
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
