package verify

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// smallProof is a proof of some hundred items: a door with a mesh, a slide on it
// with a gripper that is held, a wall and a ball.
func smallProof(t testing.TB) *prover {
	t.Helper()
	r := &urdf.Robot{Name: "door", Semantic: &urdf.Semantic{Disabled: []urdf.DisabledPair{{A: 1, B: 2, Reason: "Adjacent"}}}}
	link := func(name string, shapes ...urdf.Collision) {
		r.Links = append(r.Links, urdf.Link{Name: name, ParentJoint: len(r.Links) - 1, Collisions: shapes})
	}
	link("post", urdf.Collision{PoseLS: geom.IdentityPose(), Shape: box(0.1, 0.1, 1)})
	link("door", urdf.Collision{PoseLS: turned(0, 0, 0, 0.5, 0, 0), Shape: meshOf(boxMesh(geom.Vec{X: 0.3, Y: 0.02, Z: 0.4}))})
	link("handle", urdf.Collision{PoseLS: turned(math.Pi/2, 0, 0, 0, 0, 0), Shape: &shape.Shape{Kind: shape.Capsule, Radius: 0.02, Length: 0.1}})
	link("knob", urdf.Collision{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.015}})
	joint := func(name string, kind urdf.JointType, pose geom.Pose, axis geom.Vec) {
		n := len(r.Joints)
		r.Joints = append(r.Joints, urdf.Joint{Name: name, Type: kind, Parent: n, Child: n + 1, PosePC: pose, Axis: axis})
	}
	joint("hinge", urdf.Revolute, turned(0, 0, 0, 0, 0, 0), geom.Vec{Z: 1})
	joint("rail", urdf.Prismatic, turned(0, 0, 0, 0.5, 0.1, 0), geom.Vec{X: 1})
	joint("grip", urdf.Prismatic, turned(0, 0, 0, 0, 0.1, 0.1), geom.Vec{Z: 1})
	w, err := scene.New("",
		scene.Object{ID: "wall", PoseWS: turned(0, 0, 0.1, 0, 1.1, 0), Shape: meshOf(boxMesh(geom.Vec{X: 1, Y: 0.05, Z: 0.5})), Padding: 0.01},
		scene.Object{ID: "ball", PoseWS: turned(0, 0, 0, 0.7, -0.4, 0.3), Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.1}},
		scene.Object{ID: "rug", PoseWS: turned(0, 0, 0, 0, 0, -0.5), Shape: box(3, 3, 0.1)},
	)
	if err != nil {
		t.Fatal(err)
	}
	if w, err = w.WithAllowed([2]string{"rug", "post"}); err != nil {
		t.Fatal(err)
	}
	m := &motion.Motion{ID: "open", Joints: []string{"hinge", "rail"}, Pieces: []motion.Piece{
		{Start: 0, End: 1, Ctrl: [][]float64{{-0.2, 0.6}, {0, 0.1}}},
		{Start: 1, End: 2, Ctrl: [][]float64{{0.6, 1, -0.3}, {0.1, 0.3, -0.2, 0}}},
	}}
	p := newProver(t, r, w, m)
	p.header.Clearance = 0.003
	p.header.Padding = []certificate.Named{{Name: "handle", Value: 0.002}}
	p.header.Tube = []certificate.Named{{Name: "hinge", Value: 0.001}}
	p.header.Hold = []certificate.Named{{Name: "grip", Value: 0.01}}
	p.header.Assumed = []certificate.Assumed{
		{A: "door", B: "handle", Reason: "srdf: Adjacent"},
		{A: "post", B: "rug", Reason: "scene"},
		{A: "handle", B: "knob", Reason: "option"},
	}
	p.setup(false)
	p.header.Bodies = nil
	for _, b := range p.v.bodies {
		p.header.Bodies = append(p.header.Bodies, certificate.Body{Kind: b.kind, Name: b.name, Atoms: len(b.atoms)})
	}
	p.orders[1] = []int32{3, 1, 2, 0, 4, 5, 6, 7, 8, 9, 11, 10}
	return p.prove()
}

func (p *prover) with(lines []line) *prover {
	q := *p
	q.lines = lines
	return &q
}

// without returns the lines but one.
func (p *prover) without(i int) []line { return append(slices.Clone(p.lines[:i]), p.lines[i+1:]...) }

// replaced returns the lines with another one at i.
func (p *prover) replaced(i int, l line) []line {
	out := slices.Clone(p.lines)
	out[i] = l
	return out
}

// refused fails the test unless the certificate is refused, and not for anything
// but what it says.
func refusedBecause(t *testing.T, what string, err error) {
	t.Helper()
	var r *Refusal
	switch {
	case err == nil:
		t.Errorf("%s: verified", what)
	case !errors.As(err, &r):
		t.Errorf("%s: not a refusal: %v", what, err)
	}
}

func TestSmallProofVerifies(t *testing.T) {
	p := smallProof(t)
	r, err := p.verify()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d items, %d pairs, %d bytes", r.Items, r.Pairs, len(p.text()))
	want := []NotChecked{
		{"door", "handle", "srdf: Adjacent", true, FromFile}, {"post", "rug", "scene", true, FromFile}, {"handle", "knob", "option", false, OnTrust},
	}
	if !slices.Equal(r.NotChecked, want) {
		t.Errorf("pairs that are not checked: %v", r.NotChecked)
	}
	// Six pairs of links and twelve with objects, less three.
	if r.Pairs != 15 || r.Items < 30 {
		t.Errorf("%d pairs, %d items", r.Pairs, r.Items)
	}
}

// Every line that is dropped, every interval that is shortened and every range
// that loses an atom leaves a gap.
func TestGapsAreRefused(t *testing.T) {
	t.Run("small", func(t *testing.T) { gapsAt(t, smallProof(t), 2) })
	t.Run("arm", func(t *testing.T) { gapsAt(t, armProof(t).prove(), 4) })
}

// gapsAt makes gaps at every so many lines.
func gapsAt(t *testing.T, p *prover, stride int) {
	count := map[string]int{}
	try := func(what string, lines []line) {
		t.Helper()
		_, err := p.with(lines).verify()
		refusedBecause(t, what, err)
		count[strings.Fields(what)[0]]++
	}
	for i, l := range p.lines {
		what := fmt.Sprintf("of line %d", i)
		if l.item != nil && i%stride == 0 {
			try("dropped "+what, p.without(i))
			for side := range 2 {
				part := func(j *certificate.Item) *certificate.Part { return []*certificate.Part{&j.A, &j.B}[side] }
				if part(l.item).Count > 1 {
					j := *l.item
					part(&j).Count--
					try("count "+what, p.replaced(i, line{item: &j}))
					j = *l.item
					part(&j).Count--
					part(&j).First++
					try("first "+what, p.replaced(i, line{item: &j}))
				}
				j := *l.item
				part(&j).Body = (part(&j).Body + 1) % len(p.header.Bodies)
				try("body "+what, p.replaced(i, line{item: &j}))
			}
		}
		if l.at != nil {
			for _, a := range []certificate.At{
				{Piece: l.at.Piece, Lo: math.Nextafter(l.at.Lo, 1), Hi: l.at.Hi},
				{Piece: l.at.Piece, Lo: l.at.Lo, Hi: math.Nextafter(l.at.Hi, 0)},
				{Piece: l.at.Piece + 1, Lo: l.at.Lo, Hi: l.at.Hi},
			} {
				try("interval "+what, p.replaced(i, line{at: &a}))
			}
		}
	}
	t.Log(count)
	if len(count) != 5 || count["dropped"] < 30 || count["first"] < 10 {
		t.Errorf("too little was tried: %v", count)
	}
}

// A direction or a centre that is changed makes another statement; where that is
// false, judged by samples, the certificate is refused.
func TestFalseItemsAreRefused(t *testing.T) {
	p := smallProof(t)
	r := rand.New(rand.NewPCG(3, 5))
	var wrong, still int
	for i := 0; i < len(p.lines); i++ {
		l := p.lines[i]
		if l.item == nil {
			continue
		}
		for range 4 {
			j := *l.item
			shake := func(v *geom.Vec) {
				x := []*float64{&v.X, &v.Y, &v.Z}[r.IntN(3)]
				if r.IntN(2) == 0 {
					*x = -*x
				} else {
					*x += r.NormFloat64() * math.Pow(10, 2-4*r.Float64())
				}
			}
			if j.HasNormal {
				shake(&j.Normal)
			} else if r.IntN(2) == 0 {
				shake(&j.CenterA)
			} else {
				shake(&j.CenterB)
			}
			at := p.intervalOf(i)
			if gap := p.trueGap(&j, at); gap > p.header.Clearance {
				still++
				continue
			}
			wrong++
			_, err := p.with(p.replaced(i, line{item: &j})).verify()
			refusedBecause(t, fmt.Sprintf("item at %v: %+v instead of %+v", at, j, *l.item), err)
		}
	}
	t.Logf("%d false items, %d that were still true", wrong, still)
	if wrong < 50 {
		t.Errorf("only %d items were made false", wrong)
	}
}

func (p *prover) intervalOf(i int) certificate.At {
	for ; p.lines[i].at == nil; i-- {
	}
	return *p.lines[i].at
}

func (p *prover) heldAt() map[string]float64 {
	q := map[string]float64{}
	for _, h := range p.header.Hold {
		q[h.Name] = h.Value
	}
	return q
}

// trueGap is what an item's statement leaves at a sample of times: along its
// normal, or between its balls.
func (p *prover) trueGap(i *certificate.Item, at certificate.At) float64 {
	if i.HasNormal {
		size := math.Sqrt(dot(i.Normal, i.Normal))
		if size == 0 {
			return 0
		}
		return sampled(p.v, i.A, i.B, times(1/size, i.Normal), at, p.heldAt())
	}
	radius := func(q certificate.Part, c geom.Vec) (r float64) {
		points, radii := spots(p.v.bodies[q.Body], q, 40)
		for k, x := range points {
			d := minus(x, c)
			r = max(r, math.Sqrt(dot(d, d))+radii[k])
		}
		return r
	}
	gap := math.Inf(1)
	for k := range 17 {
		s := at.Lo + (at.Hi-at.Lo)*float64(k)/16
		q := configuration(p.motion, at.Piece, s, nil)
		maps.Copy(q, p.heldAt())
		poses := linkPoses(p.robot, q, geom.IdentityPose())
		place := func(q certificate.Part, c geom.Vec) geom.Vec {
			if l := p.v.bodies[q.Body].link; l >= 0 {
				return poses[l].Apply(c)
			}
			return c
		}
		d := minus(place(i.A, i.CenterA), place(i.B, i.CenterB))
		gap = min(gap, math.Sqrt(dot(d, d)))
	}
	return gap - radius(i.A, i.CenterA) - radius(i.B, i.CenterB)
}

// The length of a direction means nothing; but one that is so short or so long that
// numbers under- or overflow must not make clearance, radii or motion vanish.
func TestDegenerateDirectionsAreRefused(t *testing.T) {
	p := smallProof(t)
	for _, size := range []float64{0, 1e-310, 1e-170, 1e-20, 1e20, 1e200} {
		for i, l := range p.lines {
			if l.item == nil || !l.item.HasNormal || i%4 > 0 {
				continue
			}
			j := *l.item
			j.Normal = times(size, j.Normal)
			_, err := p.with(p.replaced(i, line{item: &j})).verify()
			refusedBecause(t, fmt.Sprintf("%v times %g", l.item.Normal, size), err)
		}
	}
	// Centres likewise.
	for _, x := range []float64{1e20, 1e160, 1e308, -1e308} {
		for i, l := range p.lines {
			if l.item == nil || l.item.HasNormal {
				continue
			}
			j := *l.item
			j.CenterA.X, j.CenterB.Y = x, -x
			_, err := p.with(p.replaced(i, line{item: &j})).verify()
			refusedBecause(t, fmt.Sprintf("centres at %g", x), err)
		}
	}
}

// A header that says something else is refused by the name of what is wrong.
func TestFalseHeadersAreRefused(t *testing.T) {
	p := smallProof(t)
	type header = certificate.Header
	for i, c := range []struct {
		want   string
		change func(h *header)
	}{
		{"another robot", func(h *header) { h.RobotSum[3] ^= 1 }},
		{"another scene", func(h *header) { h.SceneSum[31] ^= 128 }},
		{"another motion", func(h *header) { h.MotionSum[0] ^= 2 }},
		{"not shown to stay", func(h *header) { h.Clearance = 0.05 }},
		{"clearance", func(h *header) { h.Clearance = -1 }},
		{"against itself", func(h *header) { h.Self = false }},
		{"against the world", func(h *header) { h.World = false }},
		{"not shown to stay", func(h *header) { h.Padding = []certificate.Named{{Name: "handle", Value: 1}} }},
		{"not shown to stay", func(h *header) { h.Padding = []certificate.Named{{Name: "door", Value: 1}} }},
		{"pads link", func(h *header) { h.Padding = []certificate.Named{{Name: "handle", Value: -1}} }},
		{"nobody", func(h *header) { h.Padding = []certificate.Named{{Name: "nobody", Value: 1}} }},
		{"twice", func(h *header) { h.Padding = append(h.Padding, h.Padding...) }},
		{"not shown to stay", func(h *header) { h.Tube[0].Value = 0.5 }},
		{"nobody", func(h *header) { h.Tube[0].Name = "nobody" }},
		{"not shown to stay", func(h *header) { h.Hold[0].Value = -0.6 }}, // the knob is in the rug
		{"joint grip", func(h *header) { h.Hold = nil }},
		{"holds joint nobody", func(h *header) { h.Hold = append(h.Hold, certificate.Named{Name: "nobody"}) }},
		{"joint hinge", func(h *header) { h.Hold = append(h.Hold, certificate.Named{Name: "hinge"}) }},
		{"no item shows door", func(h *header) { h.Assumed = h.Assumed[1:] }},
		{"no item shows post", func(h *header) { h.Assumed = append(h.Assumed[:1:1], h.Assumed[2]) }},
		{"no item shows handle", func(h *header) { h.Assumed = h.Assumed[:2] }},
		{"neither SRDF nor scene", func(h *header) { h.Assumed[2].Reason = "srdf: Never" }},
		{"neither SRDF nor scene", func(h *header) { h.Assumed[2].Reason = "attached" }},
		{"by default", func(h *header) { h.Assumed[2].Reason = "adjacent" }},
		{"no such bodies", func(h *header) { h.Assumed[2].A = "nobody" }},
		{"not a checked pair", func(h *header) {
			h.Assumed = append(h.Assumed, certificate.Assumed{A: "post", B: "handle", Reason: "option"})
		}},
		{"with 13", func(h *header) { h.Bodies[1].Atoms = 13 }},
		{"gate", func(h *header) { h.Bodies[1].Name = "gate" }},
		{"body 0", func(h *header) { h.Bodies[0], h.Bodies[1] = h.Bodies[1], h.Bodies[0] }},
		{"body 0", func(h *header) { h.Bodies[0].Kind = certificate.Attached }},
	} {
		q := *p
		q.header.Padding, q.header.Tube, q.header.Hold = slices.Clone(p.header.Padding), slices.Clone(p.header.Tube), slices.Clone(p.header.Hold)
		q.header.Assumed, q.header.Bodies = slices.Clone(p.header.Assumed), slices.Clone(p.header.Bodies)
		c.change(&q.header)
		_, err := q.verify()
		refusedBecause(t, fmt.Sprintf("case %d, %s", i, c.want), err)
		if err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q is not in: %v", c.want, err)
		}
	}
}

func TestFalseOrdersAreRefused(t *testing.T) {
	p := smallProof(t)
	for _, order := range [][]int32{
		{3, 1, 2, 0, 4, 5, 6, 7, 8, 9, 11},         // one is missing
		{3, 1, 2, 0, 4, 5, 6, 7, 8, 9, 11, 11},     // and another twice
		{3, 1, 2, 0, 4, 5, 6, 7, 8, 9, 11, 12},     // or not there
		{3, 1, 2, 0, 4, 5, 6, 7, 8, 9, 11, 10, 10}, // too many
	} {
		q := *p
		q.orders = map[int][]int32{1: order}
		_, err := q.verify()
		refusedBecause(t, fmt.Sprint(order), err)
	}
	// Another order is another statement: items then speak of other triangles.
	q := *p
	q.orders = map[int][]int32{1: slices.Clone(p.orders[1])}
	slices.Reverse(q.orders[1])
	_, err := q.verify()
	refusedBecause(t, "reversed", err)
}

// A text that was cut or changed is no certificate, wherever it was cut.
func TestCutTextsAreRefused(t *testing.T) {
	p := smallProof(t)
	text := p.text()
	if _, err := p.verifyText(text); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(text)-1; i += 1 + len(text)/500 {
		if _, err := p.verifyText(text[:i]); err == nil {
			t.Errorf("cut at %d: verified", i)
		}
	}
	for _, c := range []struct{ old, new string }{
		{"\nend ", "\nend 1"},
		{"certificate 3", "certificate 2"},
		{"\nend ", "\nplane 0 1 0 0 1\nend "},
	} {
		if _, err := p.verifyText(certificate.Seal(bytes.Replace(text, []byte(c.old), []byte(c.new), 1))); err == nil {
			t.Errorf("%q for %q: verified", c.new, c.old)
		}
	}
	if _, err := p.verifyText(append(text, text...)); err == nil {
		t.Error("twice: verified")
	}
}
