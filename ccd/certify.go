package ccd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Certify answers as Check does and, if the verdict is Free, writes the proof to w: a
// certificate that package certificate/verify checks without the engine. For any other
// verdict it writes nothing. The proof is collected in memory, about 200 bytes an item,
// before it is written. A checker of some pairs alone (OnlyPair, OnlyGroup) writes none, because
// a certificate is about all pairs; this is an error, as are those of Check and of w.
func (c *Checker) Certify(ctx context.Context, m *motion.Motion, q motion.Query, w io.Writer) (motion.Verdict, error) {
	if !q.Range.IsZero() {
		return motion.Verdict{}, errors.New("a certificate says nothing of distance ranges: leave Range out, and ask for the distance to be proved as Clearance")
	}
	if c.part != "" {
		return motion.Verdict{}, fmt.Errorf("a certificate is about all pairs, but %s is checked: use the Checker of all pairs", c.part)
	}
	asked := q
	if q.Question == motion.MinClearance {
		q.Question = motion.FirstContact // what follows Free is no part of the proof
	}
	p := &proof{c: c}
	a := asking{all: true, alone: true, of: func(w *spacetime.Worker, on *model.Model, b *kin.Course, q motion.Query) motion.Verdict {
		p.m, p.opened = on, make([]bool, len(on.Elements))
		w.Record(p)
		defer w.Record(nil)
		return w.Check(ctx, b, q)
	}}
	var v motion.Verdict
	err := c.checkAs(ctx, m, &q, &a, &v)
	if err != nil || v.Status != motion.Free {
		return v, err
	}
	if err := p.write(m, &q, &v, w); err != nil {
		return v, err
	}
	if asked.Question != motion.MinClearance {
		return v, nil
	}
	return c.Check(ctx, m, asked)
}

// toolName is what certificates say they were written by.
const toolName = "firstcontact"

// proof collects what the engine proves, and turns elements and leaves into the
// bodies and atoms of a certificate.
type proof struct {
	c     *Checker
	m     *model.Model
	steps []proofStep

	bodies []certificate.Body
	number []int   // of the model's bodies: that in the certificate
	first  []int   // of elements: the first of their atoms in the body
	count  []int   // of elements: how many atoms
	world  []int32 // of the world's items, and one more: the atoms before it
	opened []bool  // elements of which an item takes a part
}

type proofStep struct {
	at   certificate.At
	item spacetime.Item
}

// Apart takes an item of the engine's proof.
func (p *proof) Apart(i spacetime.Item) {
	for _, q := range [2]spacetime.Part{i.A, i.B} {
		if q.Element >= 0 && q.Count > 0 {
			p.opened[q.Element] = true
		}
	}
	p.steps = append(p.steps, proofStep{certificate.At{Piece: i.Piece, Lo: i.Lo, Hi: i.Hi}, i})
}

// Outside and OutsideWorld are nothing to write down: who verifies looks for
// himself, at the motion's start as the engine did.
func (p *proof) Outside(int32)    {}
func (p *proof) OutsideWorld(int) {}

func (p *proof) write(m *motion.Motion, q *motion.Query, v *motion.Verdict, to io.Writer) error {
	if err := p.enumerate(); err != nil {
		return err
	}
	h, err := p.header(m, q, v)
	if err != nil {
		return err
	}
	w := certificate.NewWriter(to, h)
	p.orders(w)
	slices.SortStableFunc(p.steps, func(a, b proofStep) int {
		return cmp.Or(cmp.Compare(a.at.Piece, b.at.Piece), cmp.Compare(a.at.Lo, b.at.Lo), cmp.Compare(b.at.Hi, a.at.Hi))
	})
	for i := range p.steps {
		s := &p.steps[i]
		if i == 0 || s.at != p.steps[i-1].at {
			w.At(s.at)
		}
		w.Item(p.item(&s.item))
	}
	return w.Close()
}

// header says what was checked, and what was taken for granted.
func (p *proof) header(m *motion.Motion, q *motion.Query, v *motion.Verdict) (*certificate.Header, error) {
	c := p.c
	h := &certificate.Header{
		Tool: toolName, Robot: c.robot.Name, Motion: m.ID,
		RobotSum: digest.Robot(c.robot), SceneSum: digest.Scene(c.world), MotionSum: digest.Motion(m),
		Clearance: q.Clearance, Self: !q.NoSelf, World: !q.NoWorld, Bodies: p.bodies,
		Start: m.Pieces[0].Start,
	}
	padding := c.padding(c.world)
	for i := range c.robot.Links {
		l := &c.robot.Links[i]
		if pad := padding(l.Name); len(l.Collisions) > 0 && pad != 0 {
			h.Padding = append(h.Padding, certificate.Named{Name: l.Name, Value: pad})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.Tube)) {
		h.Tube = append(h.Tube, certificate.Named{Name: name, Value: q.Tube[name]})
	}
	for i, d := range c.model.Tree.Dofs {
		if !slices.Contains(m.Joints, d.Name) {
			h.Hold = append(h.Hold, certificate.Named{Name: d.Name, Value: c.state[i]})
		}
	}
	var err error
	if h.Assumed, err = c.assumed(); err != nil {
		return nil, err
	}
	addPremises(h, v.Premises)
	return h, nil
}

// assumed lists the pairs that are left out. Of several reasons it gives the one that
// can be worked out anew.
func (c *Checker) assumed() ([]certificate.Assumed, error) {
	touching, err := c.touching()
	if err != nil {
		return nil, err
	}
	byDefault := map[[2]int]string{}
	for _, d := range c.defaults {
		byDefault[[2]int{d.A, d.B}] = d.Reason
	}
	var out []certificate.Assumed
	for _, a := range c.assumedPairs() {
		reason, _, _ := strings.Cut(a.Reason, ", proved ") // what is proved besides needs no word
		k := [2]int{c.robot.Link(a.A), c.robot.Link(a.B)}
		if k[0] > k[1] {
			k[0], k[1] = k[1], k[0]
		}
		if r, ok := byDefault[k]; ok && k[0] >= 0 {
			reason = r
		}
		pair := certificate.Assumed{A: a.A, B: a.B, Reason: reason}
		if x, ok := touching[k]; ok {
			pair.Touch = &x
		}
		out = append(out, pair)
	}
	return out, nil
}

// addPremises writes down how meshes count, what was done to the motion, and which gaps
// were accepted.
func addPremises(h *certificate.Header, premises []premise.Premise) {
	accepted := map[string]bool{}
	for i := range premises {
		p := &premises[i]
		switch p.Kind {
		case premise.Surface:
			h.Surfaces = append(h.Surfaces, p.Names...)
		case premise.Ambiguous:
			h.Ambiguous = append(h.Ambiguous, p.Names...)
		case premise.Turned:
			h.Turned = append(h.Turned, certificate.Turned{Joint: p.Names[0], Piece: p.Piece, Turns: int(p.Value)})
		case premise.Seam:
			h.Seams = append(h.Seams, certificate.Seam{Piece: p.Piece, Length: p.Value})
		}
		if key := fmt.Sprintf("%s %q", p.Kind, p.Names); p.IsGap() && !accepted[key] {
			accepted[key] = true
			h.Accepted = append(h.Accepted, certificate.Gap{Kind: string(p.Kind), Names: p.Names})
		}
	}
}

// enumerate numbers the bodies as certificates do: links, attached objects, and all
// objects of the world as one.
func (p *proof) enumerate() error {
	p.number = make([]int, len(p.m.Bodies))
	p.first, p.count = make([]int, len(p.m.Elements)), make([]int, len(p.m.Elements))
	world := certificate.Body{Kind: certificate.World}
	for i := range p.m.Bodies {
		b := &p.m.Bodies[i]
		shapes := p.shapesOf(b)
		if len(shapes) != len(b.Elements) {
			return fmt.Errorf("%s has %d shapes in %d pieces: its proof cannot be written down", b.Name, len(shapes), len(b.Elements))
		}
		atoms := 0
		if b.Kind == motion.WorldObject {
			atoms = world.Atoms
		}
		for k, e := range b.Elements {
			p.first[e], p.count[e] = atoms, atomsOf(shapes[k])
			atoms += p.count[e]
		}
		switch b.Kind {
		case motion.WorldObject:
			p.number[i], world.Atoms = -1, atoms
		case motion.AttachedObject:
			p.number[i] = len(p.bodies)
			p.bodies = append(p.bodies, certificate.Body{Kind: certificate.Attached, Name: b.Name, Atoms: atoms})
		default:
			p.number[i] = len(p.bodies)
			p.bodies = append(p.bodies, certificate.Body{Kind: certificate.Link, Name: b.Name, Atoms: atoms})
		}
	}
	if world.Atoms > 0 {
		p.bodies = append(p.bodies, world)
	}
	return nil
}

// shapesOf returns the shapes that the body's elements were made of.
func (p *proof) shapesOf(b *model.Body) (shapes []*shape.Shape) {
	if b.Kind == motion.RobotLink {
		for _, c := range p.c.robot.Links[b.Link].Collisions {
			shapes = append(shapes, c.Shape)
		}
		return shapes
	}
	return []*shape.Shape{p.c.world.Objects[p.c.world.Object(b.Name)].Shape}
}

// atomsOf counts the atoms of a shape.
func atomsOf(s *shape.Shape) int {
	switch s.Kind {
	case shape.Mesh:
		return len(s.Mesh.Triangles)
	case shape.Points:
		return len(s.Points)
	case shape.Cells:
		return len(s.Cells)
	}
	return 1
}

// orders writes the orders of the engine's hierarchies.
func (p *proof) orders(w *certificate.Writer) {
	for i := range p.m.Bodies {
		b := &p.m.Bodies[i]
		if p.number[i] < 0 {
			continue
		}
		order := make([]int32, 0, p.bodies[p.number[i]].Atoms)
		for _, e := range b.Elements {
			order = p.appendOrder(order, e)
		}
		if !inOrder(order) {
			w.Order(p.number[i], order)
		}
	}
	var order []int32
	for i := range p.m.World.Items {
		it := &p.m.World.Items[i]
		p.world = append(p.world, int32(len(order)))
		if it.Leaf >= 0 {
			order = append(order, int32(p.first[it.Element])+it.Leaf)
			continue
		}
		for k := range p.count[it.Element] {
			order = append(order, int32(p.first[it.Element]+k))
		}
	}
	p.world = append(p.world, int32(len(order)))
	if !inOrder(order) {
		w.Order(len(p.bodies)-1, order)
	}
}

func (p *proof) appendOrder(order []int32, element int) []int32 {
	l := p.m.Elements[element].Leaves
	if !p.opened[element] {
		l = nil // no range depends on it
	}
	for k := range p.count[element] {
		leaf := int32(k)
		if l != nil {
			leaf = l.Tree.Order[k]
		}
		order = append(order, int32(p.first[element])+leaf)
	}
	return order
}

func inOrder(order []int32) bool {
	for i, k := range order {
		if int(k) != i {
			return false
		}
	}
	return true
}

// item puts an item in the certificate's terms.
func (p *proof) item(i *spacetime.Item) *certificate.Item {
	out := &certificate.Item{A: p.part(i.A), B: p.part(i.B), HasNormal: i.Rule != spacetime.ByBalls}
	if out.HasNormal {
		out.Normal = i.Normal
	}
	if i.Rule != spacetime.ByPlane {
		out.HasCenterA, out.CenterA = true, p.inBody(i.A, i.CenterA)
	}
	if i.Rule == spacetime.ByBalls {
		out.HasCenterB, out.CenterB = true, p.inBody(i.B, i.CenterB)
	}
	return out
}

func (p *proof) part(q spacetime.Part) certificate.Part {
	if q.Element < 0 {
		first, end := p.world[q.First], p.world[q.First+q.Count]
		return certificate.Part{Body: len(p.bodies) - 1, First: int(first), Count: int(end - first)}
	}
	body := p.number[p.m.Elements[q.Element].Body]
	first, count := p.first[q.Element], p.count[q.Element]
	if q.Count > 0 {
		first, count = first+int(q.First), int(q.Count)
	}
	return certificate.Part{Body: body, First: first, Count: count}
}

// inBody takes a point of an element's frame to its body's.
func (p *proof) inBody(q spacetime.Part, v geom.Vec) geom.Vec {
	b := &p.m.Bodies[p.m.Elements[q.Element].Body]
	if b.Kind != motion.RobotLink {
		return p.c.world.Objects[p.c.world.Object(b.Name)].PoseWS.Apply(v)
	}
	k := slices.Index(b.Elements, q.Element)
	return p.c.robot.Links[b.Link].Collisions[k].PoseLS.Apply(v)
}
