package verify

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Options say what a certificate must prove at least. The zero value requires all pairs at
// clearance 0.
type Options struct {
	Clearance       float64 // m
	NoSelf, NoWorld bool    // accept one that leaves these pairs out
	// Strict refuses pairs that only the certificate says to leave out.
	Strict bool
	// Allowed lists pairs of names that the user allows: the certificate's entries about them
	// are confirmed.
	Allowed [][2]string
	// LinkPadding is the padding (m) that the user requires by link name, in place of the
	// scene's.
	LinkPadding map[string]float64
	// Accept lists the gaps that the user accepts (package premise). A certificate that
	// depends on others is refused.
	Accept premise.Accept
	// Progress, if not nil, is called occasionally with the current piece of the motion and
	// the number of verified items.
	Progress func(piece, pieces, items int)
}

// Report is what a verified certificate proves.
type Report struct {
	Header     certificate.Header // clearance, padding, tubes, held joints
	Items      int                // verified items
	Pairs      int                // pairs of bodies that were proved apart
	Pieces     int                // of the motion
	NotChecked []NotChecked
	Premises   []Known  // premises of the proof, and their sources
	Open       []string // bodies with faces of a mesh that enclose nothing
	Ambiguous  []string // bodies with a mesh whose faces do not determine its inside: the larger one is used
	Floating   []string // joints within the robot that are held at their origin
}

// Verify checks a certificate against the robot, the scene and the motion that it is about. It
// trusts nothing in the certificate: each item is proved again, and the items must cover every
// pair of bodies over the whole motion.
//
// The error is a *Refusal if the certificate does not prove that. Other errors are about the
// input. A nil world is an empty one.
func Verify(ctx context.Context, robot *urdf.Robot, world *scene.Snapshot, m *motion.Motion, r io.Reader, opts Options) (*Report, error) {
	if robot == nil {
		return nil, errors.New("there is no robot (nil)")
	}
	if err := errors.Join(m.Validate(), opts.Accept.Validate()); err != nil {
		return nil, err
	}
	if world == nil {
		world = &scene.Snapshot{}
	}
	reader, err := certificate.NewReader(r)
	if err != nil {
		return nil, err
	}
	v := &verifier{
		ctx: ctx, opts: opts, robot: robot, world: world, motion: m, in: reader, h: &reader.Header,
		instants: map[certificate.At]*moment{}, report: &Report{Header: reader.Header, Pieces: len(m.Pieces)},
	}
	for _, step := range []func() error{v.names, v.identity, v.claim, v.build, v.premises, v.read, v.allSolid} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return v.report, nil
}

type verifier struct {
	ctx    context.Context
	opts   Options
	robot  *urdf.Robot
	world  *scene.Snapshot
	motion *motion.Motion
	in     *certificate.Reader
	h      *certificate.Header

	course         *course
	tree           *tree // of the piece treeOf
	treeOf         int
	tubes, padding map[string]float64
	resting        *moment // the robot at its default state
	jumps          []jump  // of the root link, at each seam
	bodies         []*body
	pairs          map[[2]int]*pair
	order          map[int][]int32

	now      certificate.At
	started  bool // now is set
	placed   *moment
	instants map[certificate.At]*moment
	report   *Report
}

// identity refuses a certificate about something else.
func (v *verifier) identity() error {
	for _, c := range []struct {
		what      string
		have, has [32]byte
	}{
		{"robot", v.h.RobotSum, digest.Robot(v.robot)},
		{"scene", v.h.SceneSum, digest.Scene(v.world)},
		{"motion", v.h.MotionSum, digest.Motion(v.motion)},
	} {
		if c.have != c.has {
			return refuse("it is about another %s: its sum is %x, but that of the given one is %x", c.what, c.have[:6], c.has[:6])
		}
	}
	return nil
}

// claim compares what the certificate claims to prove with the requirements.
func (v *verifier) claim() error {
	h := v.h
	switch {
	case !(h.Clearance >= 0):
		return refuse("its clearance is %g m", h.Clearance)
	case !(h.Clearance >= v.opts.Clearance):
		return refuse("it proves a clearance of %g m, but %g m are required", h.Clearance, v.opts.Clearance)
	case !h.Self && !v.opts.NoSelf:
		return refuse("it leaves out the robot against itself; accept that with --no-self (Options.NoSelf)")
	case !h.World && !v.opts.NoWorld:
		return refuse("it leaves out the robot against the world; accept that with --no-world (Options.NoWorld)")
	}
	return v.frame()
}

// checkAt refuses an interval that is not within the motion.
func (v *verifier) checkAt(a certificate.At) error {
	if a.Piece >= len(v.motion.Pieces) || !(0 <= a.Lo && a.Lo <= a.Hi && a.Hi <= 1) {
		return refuse("piece %d from %g to %g is not part of the motion, which has %d pieces", a.Piece, a.Lo, a.Hi, len(v.motion.Pieces))
	}
	return nil
}

// momentAt places the robot around the middle of an interval.
func (v *verifier) momentAt(a certificate.At) (*moment, error) {
	if err := v.treeFor(a.Piece); err != nil {
		return nil, err
	}
	return newMoment(v.tree, v.bodies, v.course, a)
}

// read verifies the items, and at the end of each piece checks that they cover it.
func (v *verifier) read() error {
	for {
		e, err := v.in.Next()
		if err == io.EOF {
			return v.finish(len(v.motion.Pieces))
		}
		if err != nil {
			return err
		}
		switch {
		case e.Order != nil:
			err = v.takeOrder(e.Order)
		case e.At != nil:
			err = v.takeAt(*e.At)
		case e.Item != nil:
			err = v.takeItem(e.Item)
		case e.Outside != nil:
			err = v.takeOutside(*e.Outside)
		}
		if err != nil {
			return err
		}
	}
}

func (v *verifier) takeOrder(o *certificate.Order) error {
	if v.started {
		return refuse("the order of body %d comes after the proof has begun", o.Body)
	}
	v.order[o.Body] = append(v.order[o.Body], o.Atoms...)
	if b := v.bodies[o.Body]; len(v.order[o.Body]) > len(b.atoms) {
		return refuse("the order of %s names more than its %d atoms", b.name, len(b.atoms))
	}
	return nil
}

// begin applies the orders, after they are all read, and lists the pairs.
func (v *verifier) begin() error {
	if v.started {
		return nil
	}
	v.started = true
	for i, order := range v.order {
		if err := v.bodies[i].reorder(order); err != nil {
			return refuse("%s: %v", v.bodies[i].name, err)
		}
	}
	for _, b := range v.bodies {
		b.makeRuns()
	}
	return v.listPairs()
}

func (v *verifier) takeAt(a certificate.At) error {
	if err := errors.Join(v.begin(), v.checkAt(a)); err != nil {
		return err
	}
	if a.Piece < v.now.Piece {
		return refuse("piece %d comes after piece %d", a.Piece, v.now.Piece)
	}
	if err := v.finish(a.Piece); err != nil {
		return err
	}
	v.now = a
	var err error
	v.placed, err = v.momentAt(a)
	return err
}

func (v *verifier) takeItem(i *certificate.Item) error {
	if v.placed == nil {
		return refuse("an item precedes the first interval of time")
	}
	a, b := flipped(i)
	p := v.pairs[[2]int{a.Body, b.Body}]
	if p == nil {
		return refuse("an item is about %s and %s, which are not a checked pair", v.bodies[a.Body].label(), v.bodies[b.Body].label())
	}
	ok, err := v.placed.holds(i, v.h.Clearance)
	if err != nil {
		return refuse("%s and %s: %v", v.bodies[a.Body].label(), v.bodies[b.Body].label(), err)
	}
	if !ok {
		return refuse("item %d is not true: atoms %d+%d of %s and %d+%d of %s are not shown to stay more than %g m apart during piece %d, %g to %g",
			v.report.Items, a.First, a.Count, v.bodies[a.Body].label(), b.First, b.Count, v.bodies[b.Body].label(), v.h.Clearance, v.now.Piece, v.now.Lo, v.now.Hi)
	}
	if p.take(i, v.now, v.bodies); len(p.items) > maxItems {
		return refuse("it has more than %d items of %s and %s on piece %d", maxItems, v.bodies[a.Body].label(), v.bodies[b.Body].label(), v.now.Piece)
	}
	if v.report.Items++; v.report.Items%256 == 0 {
		if v.opts.Progress != nil {
			v.opts.Progress(v.now.Piece, len(v.motion.Pieces), v.report.Items)
		}
		return v.ctx.Err()
	}
	return nil
}

// maxItems of one pair on one piece bounds memory, whatever the size of an unpacked file.
const maxItems = 5_000_000

func (v *verifier) takeOutside(o certificate.Outside) error {
	if err := v.begin(); err != nil {
		return err
	}
	if o.A > o.B {
		o.A, o.B = o.B, o.A
	}
	p := v.pairs[[2]int{o.A, o.B}]
	if p == nil {
		return refuse("bodies %d and %d, claimed to be outside each other, are not a checked pair", o.A, o.B)
	}
	if err := v.checkAt(certificate.At{Piece: o.Piece, Lo: o.Time, Hi: o.Time}); err != nil {
		return err
	}
	if len(p.looks) < maxLooks {
		p.looks = append(p.looks, o)
	}
	return nil
}

// maxLooks bounds the instants at which one pair is examined.
const maxLooks = 8

// finish checks that every piece before the given one is covered.
func (v *verifier) finish(piece int) error {
	if err := v.begin(); err != nil {
		return err
	}
	for ; v.now.Piece < piece; v.now.Piece++ {
		for _, key := range v.sortedPairs() {
			p := v.pairs[key]
			a, b := v.bodies[p.a], v.bodies[p.b]
			c := cover{needed: p.needed}
			all := region{a1: int32(len(a.atoms)), b1: int32(len(b.atoms)), hi: 1}
			if g, found := c.gap(all, p.items); found {
				what := b.objects[b.owner[g.b0]].name
				if c.steps > maxSteps {
					return refuse("the items of %s and %s are too complex to decide whether they cover piece %d", a.name, what, v.now.Piece)
				}
				return refuse("no item shows %s (atoms %d to %d) and %s (atoms %d to %d) apart during piece %d, %g to %g",
					a.name, g.a0, g.a1-1, what, g.b0, g.b1-1, v.now.Piece, g.lo, g.hi)
			}
			p.items = p.items[:0]
		}
		if err := v.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) sortedPairs() [][2]int {
	return slices.SortedFunc(maps.Keys(v.pairs), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

// allSolid checks that no body lies inside another.
func (v *verifier) allSolid() error {
	for _, key := range v.sortedPairs() {
		if err := errors.Join(v.ctx.Err(), v.solids(v.pairs[key])); err != nil {
			return err
		}
	}
	return nil
}
