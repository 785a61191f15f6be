package verify

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// build makes the tree, the motion's curves and the bodies from the loaded files, and compares
// the bodies with those of the certificate.
func (v *verifier) build() error {
	hold, err := v.named("holds joint", v.h.Hold, -math.MaxFloat64)
	if err != nil {
		return err
	}
	if v.tubes, err = v.named("gives a tube for joint", v.h.Tube, 0); err != nil {
		return err
	}
	v.course, v.treeOf, v.order = newCourse(v.motion, hold), -1, map[int][]int32{}
	if err := v.treeFor(0); err != nil {
		return err
	}
	if err := v.course.check(v.tree); err != nil {
		return &Refusal{err.Error()}
	}
	for i := range v.robot.Joints {
		if j := &v.robot.Joints[i]; j.Type == urdf.Floating {
			v.report.Floating = append(v.report.Floating, j.Name)
		}
	}
	if err := v.makeBodies(); err != nil {
		return err
	}
	if err := v.noteSeams(); err != nil {
		return err
	}
	if err := v.giveJumps(); err != nil {
		return err
	}
	return v.compareBodies()
}

// named turns a list of the header into a map; least is the minimum value.
func (v *verifier) named(what string, list []certificate.Named, least float64) (map[string]float64, error) {
	out := map[string]float64{}
	for _, n := range list {
		if _, twice := out[n.Name]; twice || !(n.Value >= least) {
			return nil, refuse("it %s %s twice, or at %g", what, n.Name, n.Value)
		}
		out[n.Name] = n.Value
	}
	return out, nil
}

// treeFor makes the tree of a piece. It changes only with a moving root link.
func (v *verifier) treeFor(piece int) error {
	if v.treeOf == piece || v.treeOf >= 0 && len(v.motion.Root) == 0 {
		return nil
	}
	var root *motion.RootPiece
	if len(v.motion.Root) > 0 {
		root = &v.motion.Root[piece]
	}
	p := &v.motion.Pieces[piece]
	t, err := newTree(v.robot, root, exactly(p.End).sub(exactly(p.Start)))
	if err != nil {
		return fmt.Errorf("robot %s: %w", v.robot.Name, err)
	}
	v.tree, v.treeOf = t, piece
	return v.giveTubes()
}

// giveTubes gives each joint its tube. A mimic joint without a tube of its own follows its
// leader's.
func (v *verifier) giveTubes() error {
	used := map[string]bool{}
	for i := range v.tree.joints {
		k := &v.tree.joints[i]
		if _, own := v.tubes[k.name]; !own {
			used[k.source.variable] = true
		}
		used[k.name], k.tube = true, v.tubeOf(k)
	}
	for name := range v.tubes {
		if !used[name] {
			return refuse("it gives a tube for joint %s, which the robot does not have", name)
		}
	}
	return nil
}

func (v *verifier) tubeOf(k *joint) float64 {
	if w, own := v.tubes[k.name]; own {
		return w
	}
	return math.Abs(k.source.mult) * v.tubes[k.source.variable] * (1 + 4*u)
}

// makeBodies compiles links, attached objects and the world, in the certificate's
// order: links, attached objects, world.
func (v *verifier) makeBodies() error {
	padding, err := v.named("pads link", v.h.Padding, 0)
	if err != nil {
		return err
	}
	if err := v.checkPadding(padding); err != nil {
		return err
	}
	v.padding = padding
	for i := range v.robot.Links {
		l := &v.robot.Links[i]
		if len(l.Collisions) == 0 {
			continue
		}
		b := &body{kind: certificate.Link, name: l.Name, link: i, objects: []object{{name: l.Name}}}
		for k := range l.Collisions {
			c := &l.Collisions[k]
			if err := b.addShape(&c.PoseLS, c.Shape, padding[l.Name], 0); err != nil {
				return fmt.Errorf("link %s: %w", l.Name, err)
			}
		}
		v.bodies = append(v.bodies, b)
	}
	world := &body{kind: certificate.World, link: -1}
	for i := range v.world.Objects {
		o := &v.world.Objects[i]
		b := world
		if o.AttachedTo != "" {
			link := v.robot.Link(o.AttachedTo)
			if link < 0 {
				return fmt.Errorf("object %s is attached to link %s, which the robot does not have", o.ID, o.AttachedTo)
			}
			b = &body{kind: certificate.Attached, name: o.ID, link: link}
			v.bodies = append(v.bodies, b)
		}
		b.objects = append(b.objects, object{name: o.ID})
		if err := b.addShape(&o.PoseWS, o.Shape, o.Padding, len(b.objects)-1); err != nil {
			return fmt.Errorf("object %s: %w", o.ID, err)
		}
	}
	if len(world.atoms) > 0 {
		v.bodies = append(v.bodies, world)
	}
	return v.uniqueNames()
}

// checkPadding checks that the certificate pads links by the padding that the user asks for by
// name, or otherwise by the scene's.
func (v *verifier) checkPadding(padding map[string]float64) error {
	for name := range padding {
		if v.robot.Link(name) < 0 {
			return refuse("it pads link %s, which the robot does not have", name)
		}
	}
	asked := maps.Clone(v.world.LinkPadding)
	if asked == nil {
		asked = map[string]float64{}
	}
	maps.Copy(asked, v.opts.LinkPadding)
	for _, name := range slices.Sorted(maps.Keys(asked)) { // a deterministic order of error messages
		i, want := v.robot.Link(name), asked[name]
		if i < 0 {
			return fmt.Errorf("padding is given for link %s, which the robot does not have: correct the name", name)
		}
		if len(v.robot.Links[i].Collisions) > 0 && !(padding[name] >= want) {
			return refuse("it pads link %s by %g m instead of the required %g m", name, padding[name], want)
		}
	}
	return nil
}

func (v *verifier) uniqueNames() error {
	seen := map[string]bool{}
	for i := range v.robot.Links {
		seen[v.robot.Links[i].Name] = true
	}
	for i := range v.world.Objects {
		id := v.world.Objects[i].ID
		if seen[id] {
			return fmt.Errorf("object %s has the name of a link or of another object: rename it", id)
		}
		seen[id] = true
	}
	return nil
}

// compareBodies refuses a certificate with other bodies.
func (v *verifier) compareBodies() error {
	if len(v.h.Bodies) != len(v.bodies) {
		return refuse("it has %d bodies, but robot and scene have %d", len(v.h.Bodies), len(v.bodies))
	}
	for i, b := range v.bodies {
		if h := v.h.Bodies[i]; h.Kind != b.kind || h.Name != b.name || h.Atoms != len(b.atoms) {
			return refuse("its body %d is %q with %d atoms, but that of robot and scene is %q with %d", i, h.Name, h.Atoms, b.name, len(b.atoms))
		}
		if b.kind == certificate.World {
			for k := range b.objects {
				v.noteOpen(&b.objects[k])
			}
		} else {
			v.noteOpen(&b.objects[0])
		}
	}
	return nil
}

func (v *verifier) noteOpen(o *object) {
	if o.open {
		v.report.Open = append(v.report.Open, o.name)
	}
	if o.ambiguous {
		v.report.Ambiguous = append(v.report.Ambiguous, o.name)
	}
}

// label is the body's name in messages.
func (b *body) label() string {
	if b.kind == certificate.World {
		return "the world"
	}
	return b.name
}

// listPairs collects the pairs that the files or the certificate leave out, and lists all
// others.
func (v *verifier) listPairs() error {
	known := map[string]bool{}
	for _, b := range v.bodies {
		for i := range b.objects {
			known[b.objects[i].name] = true
		}
	}
	files, out := newAllowed(v.robot, v.world), map[[2]string]bool{}
	var touching [][2]int
	for i := range v.h.Assumed {
		a := &v.h.Assumed[i]
		if !known[a.A] || !known[a.B] {
			return refuse("it leaves out the pair %s, %s, but there are no such bodies", a.A, a.B)
		}
		key := [2]string{min(a.A, a.B), max(a.A, a.B)}
		if out[key] {
			return refuse("it leaves out the pair %s, %s twice", a.A, a.B)
		}
		n, err := v.confirm(files, a)
		if err != nil {
			return err
		}
		if v.opts.Strict && !n.Confirmed {
			return refuse("it leaves out the pair %s, %s (%s) without a reason in the files", a.A, a.B, a.Reason)
		}
		if n.Reason == byTouching {
			touching = append(touching, [2]int{v.robot.Link(a.A), v.robot.Link(a.B)})
		}
		v.report.NotChecked = append(v.report.NotChecked, n)
		v.note(premise.Premise{Kind: premise.LeftOut, Names: []string{n.A, n.B}, Detail: n.Reason}, n.Source)
		out[key] = true
	}
	if err := v.gaps(v.doubts(touching)); err != nil {
		return err
	}
	v.pairs, v.report.Pairs = pairsOf(v.bodies, v.h, out)
	if len(v.pairs) == 0 {
		return refuse("no pair of bodies is left to check")
	}
	return nil
}
