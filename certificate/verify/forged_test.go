package verify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// premisedProof rests on a premise of every kind: a pair that touches by default and
// puts the robot in doubt, an adjacent one, pairs of the scene, of an attachment and of
// an option, a surface, an ambiguous mesh, turns that are taken off, a held joint, a
// seam, a late start, an object without a place.
func premisedProof(t testing.TB) *prover {
	t.Helper()
	sheet := meshOf(&mesh.Mesh{Vertices: []geom.Vec{{X: 0.1}, {Y: 0.1}, {Z: 0.1}}, Triangles: [][3]int32{{0, 1, 2}}})
	r := &urdf.Robot{
		Name: "premised",
		Links: []urdf.Link{
			{Name: "base", ParentJoint: -1, Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: box(0.2, 0.2, 0.2)}}},
			{Name: "arm", ParentJoint: 0, Collisions: []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: 0.3}), Shape: sheet}}},
			{Name: "tool", ParentJoint: 1, Collisions: []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: -0.25}), Shape: box(0.1, 0.1, 0.1)}}},
		},
		Joints: []urdf.Joint{
			{Name: "spin", Type: urdf.Continuous, Parent: 0, Child: 1, PosePC: geom.Translation(geom.Vec{Z: 0.1}), Axis: geom.Vec{Z: 1}},
			{Name: "lift", Type: urdf.Prismatic, Parent: 1, Child: 2, PosePC: geom.Translation(geom.Vec{X: 0.3}), Axis: geom.Vec{Z: 1}, Limit: urdf.Limit{Bounded: true, Lower: 0.02, Upper: 0.08}},
		},
	}
	w, err := scene.New("",
		scene.Object{ID: "bottle", PoseWS: turned(0, 0, 0, 0, 4, 0), Shape: meshOf(kleinBottle(12, 6))},
		scene.Object{ID: "sail", PoseWS: turned(0, 0, 0, 1, 0, 0.3), Shape: sheet},
		scene.Object{ID: "rug", PoseWS: turned(0, 0, 0, 0, 0, -0.2), Shape: box(1, 1, 0.1)},
		scene.Object{ID: "load", PoseWS: turned(0, 0, 0, 0, 0, 0.1), Shape: box(0.05, 0.05, 0.05), AttachedTo: "tool", TouchLinks: []string{"arm"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if w, err = w.WithAllowed([2]string{"rug", "base"}); err != nil {
		t.Fatal(err)
	}
	copied := *w
	copied.LinkPadding = map[string]float64{"tool": 0.001}
	copied.Gaps = []premise.Premise{{Kind: premise.Unplaced, Names: []string{"ghost"}, Detail: "ghost has no pose"}}
	still := geom.Pose{R: geom.RPY(0, 0, 0)}
	jumped := geom.Pose{R: still.R, P: geom.Vec{X: 0.1, Y: 4e-10}}
	m := &motion.Motion{
		ID: "turn", Joints: []string{"spin"},
		Pieces: []motion.Piece{{Start: 2, End: 3, Ctrl: [][]float64{{3, -3}}}, {Start: 3, End: 4, Ctrl: [][]float64{{-3, -2.5, -3}}}},
		Root:   []motion.RootPiece{{Start: still, Velocity: geom.Vec{X: 0.1}}, {Start: jumped, Point: jumped.P}},
		Gaps:   []premise.Premise{{Kind: premise.Start, Value: 2, Detail: "the first point is at 2 s"}},
	}
	p := newProver(t, r, &copied, m)
	p.opts.Accept = premise.Accept{"start", "unplaced-object:ghost", "default-pairs:premised"}
	p.opts.Allowed = [][2]string{{"arm", "base"}, {"load", "base"}}
	p.opts.Strict = true
	h := &p.header
	h.Padding = []certificate.Named{{Name: "tool", Value: 0.002}}
	h.Tube = []certificate.Named{{Name: "spin", Value: 0.001}}
	h.Hold = []certificate.Named{{Name: "lift", Value: 0.05}}
	h.Assumed = []certificate.Assumed{
		{A: "base", B: "arm", Reason: "adjacent"},
		{A: "arm", B: "tool", Reason: "adjacent"},
		{A: "base", B: "tool", Reason: "touch at the default state", Touch: &geom.Vec{X: 0.06, Y: 0.01, Z: 0.1}},
		{A: "load", B: "tool", Reason: "attached"},
		{A: "load", B: "arm", Reason: "attached"},
		{A: "load", B: "base", Reason: "option"},
		{A: "base", B: "rug", Reason: "scene"},
	}
	h.Accepted = []certificate.Gap{{Kind: "start"}, {Kind: "unplaced-object", Names: []string{"ghost"}}, {Kind: "default-pairs", Names: []string{"premised"}}}
	p.setup(false)
	h.Bodies = nil
	for _, b := range p.v.bodies {
		h.Bodies = append(h.Bodies, certificate.Body{Kind: b.kind, Name: b.name, Atoms: len(b.atoms)})
	}
	return p.prove()
}

// Every premise is reported with how it is known.
func TestPremisesAreReported(t *testing.T) {
	p := premisedProof(t)
	r, err := p.verify()
	if err != nil {
		t.Fatal(err)
	}
	type key struct {
		kind   premise.Kind
		source Source
	}
	got := map[key]int{}
	for _, k := range r.Premises {
		got[key{k.Kind, k.Source}]++
		if k.Open() {
			t.Errorf("open: %v", k)
		}
	}
	want := map[key]int{
		{premise.LeftOut, Recomputed}: 3, {premise.LeftOut, FromFile}: 3, {premise.LeftOut, OnTrust}: 1,
		{premise.Surface, Recomputed}: 2, {premise.Ambiguous, Recomputed}: 1, {premise.Held, Recomputed}: 1,
		{premise.Turned, Recomputed}: 1, {premise.Seam, Recomputed}: 1, {premise.Start, FromFile}: 2,
		{premise.Unplaced, FromFile}: 1, {premise.DefaultPairs, Recomputed}: 1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("premises %v, want %v", got, want)
	}
	for _, accept := range []premise.Accept{nil, {"start", "unplaced-object"}, {"start", "default-pairs"}, {"unplaced-object", "default-pairs"}, {"start", "default-pairs", "unplaced-object:other"}} {
		q := *p
		q.opts.Accept = accept
		_, err := q.verify()
		refusedBecause(t, fmt.Sprintf("accepting %v", accept), err)
	}
}

// forger changes one thing that a certificate says.
type forger struct {
	*rand.Rand
	h     *certificate.Header
	names []string
}

func (f *forger) name() string { return f.names[f.IntN(len(f.names))] }

// number is near x or anywhere, but never x.
func (f *forger) number(x float64) float64 {
	switch f.IntN(4) {
	case 0:
		return x + math.Pow(10, -11+11*f.Float64())
	case 1:
		return -x - 1e-3
	case 2:
		return x*(1+f.Float64()) + 1e-9
	}
	return 3*f.NormFloat64() + 1e-6
}

func (f *forger) whole(n int) int { return n + []int{-2, -1, 1, 2, 7}[f.IntN(5)] }

// forgeList drops, repeats, changes or adds an entry.
func forgeList[T any](f *forger, list *[]T, fresh func() T, change func(*T)) string {
	out, what := slices.Clone(*list), f.IntN(4)
	if len(out) == 0 {
		what = 3
	}
	switch k := f.IntN(max(len(out), 1)); what {
	case 0:
		out = slices.Delete(out, k, k+1)
	case 1:
		out = append(out, out[k])
	case 2:
		change(&out[k])
	case 3:
		out = slices.Insert(out, f.IntN(len(out)+1), fresh())
	}
	*list = out
	return []string{"dropped", "repeated", "changed", "added"}[what]
}

func (f *forger) named(list *[]certificate.Named) string {
	return forgeList(f, list, func() certificate.Named { return certificate.Named{Name: f.name(), Value: f.number(0.01)} }, func(n *certificate.Named) {
		if f.IntN(3) == 0 {
			n.Name = f.name()
		} else {
			n.Value = f.number(n.Value)
		}
	})
}

func (f *forger) text(list *[]string) string {
	return forgeList(f, list, f.name, func(s *string) { *s = f.name() })
}

var forgedReasons = []string{"adjacent", "touch at the default state", "srdf: Never", "scene", "attached", "option", "proved to touch always", ""}

func (f *forger) assumed() string {
	point := func() *geom.Vec {
		if f.IntN(3) == 0 {
			return nil
		}
		return &geom.Vec{X: 0.5 * f.NormFloat64(), Y: 0.5 * f.NormFloat64(), Z: 0.5 * f.NormFloat64()}
	}
	return forgeList(f, &f.h.Assumed, func() certificate.Assumed {
		return certificate.Assumed{A: f.name(), B: f.name(), Reason: forgedReasons[f.IntN(len(forgedReasons))], Touch: point()}
	}, func(a *certificate.Assumed) {
		switch f.IntN(4) {
		case 0:
			a.A = f.name()
		case 1:
			a.B = f.name()
		case 2:
			a.Reason = forgedReasons[f.IntN(len(forgedReasons))]
		case 3:
			a.Touch = point()
		}
	})
}

func (f *forger) turns() string {
	return forgeList(f, &f.h.Turned, func() certificate.Turned {
		return certificate.Turned{Joint: f.name(), Piece: f.IntN(3), Turns: f.IntN(5) - 2}
	}, func(x *certificate.Turned) {
		switch f.IntN(3) {
		case 0:
			x.Joint = f.name()
		case 1:
			x.Piece = max(0, f.whole(x.Piece))
		case 2:
			x.Turns = f.whole(x.Turns)
		}
	})
}

func (f *forger) seams() string {
	return forgeList(f, &f.h.Seams, func() certificate.Seam { return certificate.Seam{Piece: f.IntN(4), Length: 1e-9 * f.Float64()} }, func(s *certificate.Seam) {
		if f.IntN(2) == 0 {
			s.Piece = max(0, f.whole(s.Piece))
		} else {
			s.Length = f.number(s.Length)
		}
	})
}

func (f *forger) gaps() string {
	kinds := premise.Gaps()
	return forgeList(f, &f.h.Accepted, func() certificate.Gap {
		return certificate.Gap{Kind: kinds[f.IntN(len(kinds))], Names: []string{f.name()}}
	}, func(g *certificate.Gap) {
		g.Names = slices.Clone(g.Names)
		switch {
		case f.IntN(2) == 0:
			g.Kind = append(kinds, "surface", "")[f.IntN(len(kinds)+2)]
		case len(g.Names) > 0:
			g.Names[0] = f.name()
		default:
			g.Names = []string{f.name()}
		}
	})
}

func (f *forger) bodies() string {
	fresh := func() certificate.Body {
		return certificate.Body{Kind: certificate.BodyKind(f.IntN(3)), Name: f.name(), Atoms: 1 + f.IntN(20)}
	}
	if k := len(f.h.Bodies); f.IntN(4) == 0 {
		b := slices.Clone(f.h.Bodies)
		i := f.IntN(k - 1)
		b[i], b[i+1] = b[i+1], b[i]
		f.h.Bodies = b
		return "exchanged"
	}
	return forgeList(f, &f.h.Bodies, fresh, func(b *certificate.Body) {
		switch f.IntN(3) {
		case 0:
			b.Kind = (b.Kind + 1) % 3
		case 1:
			b.Name += f.name()
		case 2:
			b.Atoms = max(1, f.whole(b.Atoms))
		}
	})
}

// forge changes the header and says how.
func (f *forger) forge() string {
	h := f.h
	switch f.IntN(12) {
	case 0:
		return "padding " + f.named(&h.Padding)
	case 1:
		return "tube " + f.named(&h.Tube)
	case 2:
		return "hold " + f.named(&h.Hold)
	case 3, 4:
		return "assumed " + f.assumed()
	case 5:
		return "surface " + f.text(&h.Surfaces)
	case 6:
		return "ambiguous " + f.text(&h.Ambiguous)
	case 7:
		return "turned " + f.turns()
	case 8:
		return "seam " + f.seams()
	case 9:
		return "accepted " + f.gaps()
	case 10:
		return "body " + f.bodies()
	}
	h.Start = f.number(h.Start)
	return "start changed"
}

// TestForgedPremisesAreRefused changes proofs in one premise and seals them anew. They are
// refused unless what they say is still true: pairs that files leave out, and items
// that hold for the padding, the tube and the positions that are now said.
func TestForgedPremisesAreRefused(t *testing.T) {
	want := 600
	if switches.Long.Set() {
		want = switches.Long.Times(10_000, 1)
	}
	r := rand.New(rand.NewPCG(10, 5))
	proofs := []*prover{smallProof(t), premisedProof(t), armProof(t).prove()}
	refusals, still := map[string]int{}, map[string]int{}
	for refused := 0; refused < want; {
		p := *proofs[r.IntN(len(proofs))]
		f := &forger{Rand: r, h: &p.header, names: []string{"nobody", p.robot.Name, "ghost", ""}}
		for i := range p.robot.Links {
			f.names = append(f.names, p.robot.Links[i].Name)
		}
		for i := range p.robot.Joints {
			f.names = append(f.names, p.robot.Joints[i].Name)
		}
		for i := range p.world.Objects {
			f.names = append(f.names, p.world.Objects[i].ID)
		}
		what := f.forge()
		report, err := p.verify()
		var refusal *Refusal
		switch {
		case errors.As(err, &refusal):
			refused++
			refusals[what]++
		case err != nil:
			t.Errorf("%s: not a refusal: %v", what, err)
		default:
			still[what]++
			if why := p.falsehood(report); why != "" {
				t.Errorf("%s: %s is verified: %s\n%+v", p.robot.Name, what, why, p.header)
			}
		}
	}
	t.Logf("refused: %v", refusals)
	t.Logf("still true: %v", still)
}

// falsehood says what is not true of a proof that was verified, "" if all is.
func (p *prover) falsehood(r *Report) string {
	honest := *p
	honest.header = r.Header // as it was read
	honest.setup(true)
	base := honest.header
	honest.fillPremises()
	switch h := &honest.header; {
	case fmt.Sprint(sorted(h.Surfaces), sorted(h.Ambiguous), h.Turned, h.Start) != fmt.Sprint(sorted(base.Surfaces), sorted(base.Ambiguous), base.Turned, base.Start):
		return "meshes, turns or start are others"
	case len(h.Seams) != len(base.Seams):
		return "seams are others"
	}
	for _, n := range r.NotChecked {
		if n.Source == OnTrust && !slices.Contains(p.opts.Allowed, [2]string{n.A, n.B}) && !slices.Contains(p.opts.Allowed, [2]string{n.B, n.A}) && p.opts.Strict {
			return "a pair is left out on trust"
		}
	}
	var at certificate.At
	for _, l := range p.lines {
		if l.at != nil {
			at = *l.at
		} else if l.item != nil && at.Lo < at.Hi && len(p.motion.Root) == 0 {
			if gap := honest.trueGap(l.item, at); !(gap > p.header.Clearance) {
				return fmt.Sprintf("an item leaves a gap of %g", gap)
			}
		}
	}
	return ""
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }
