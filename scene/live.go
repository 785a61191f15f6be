package scene

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Live is a planning scene that messages of MoveIt keep up to date, with the rules by which Load
// reads recordings. What a message does not say, or what cannot be understood, placed or held,
// is a gap of every snapshot until a message mends it; everything else is kept.
//
// A Live is for one goroutine at a time.
type Live struct {
	p        *planning
	open     map[string]premise.Premise // gaps of the scene as a whole, by their names
	warnings []string
}

// NewLive returns an empty scene around the robot. frames resolves frames that neither the robot,
// at the positions of the message's robot state, nor the scene has; nil means that there are none.
func NewLive(robot *urdf.Robot, frames Frames) *Live {
	l := &Live{p: newPlanning(robot), open: map[string]premise.Premise{}}
	l.p.faults, l.p.based, l.p.frames.outside = l, true, frames
	return l
}

// Scene does what a PlanningScene says. One that is no change replaces everything and closes the
// gaps of the scene as a whole.
func (l *Live) Scene(m *PlanningMessage) {
	if !m.Diff {
		clear(l.open)
	}
	l.begin()
	_ = l.p.wholeScene(m) // its faults are gaps
	l.end()
}

// Object does what a CollisionObject says.
func (l *Live) Object(m *ObjectMessage) {
	l.begin()
	_ = l.p.objectChange(m)
	l.end()
}

// Attached does what an AttachedCollisionObject says.
func (l *Live) Attached(m *AttachMessage) {
	l.begin()
	_ = l.p.attachedChange(m)
	l.end()
}

// Receive says when the messages that follow came (ns; 0: that is not known). A message without a
// stamp means its frames as they were then. They are asked for as the newest, and at that time
// where again is set, because the messages were heard before, and by Resolve.
func (l *Live) Receive(at int64, again bool) { l.p.frames.received, l.p.frames.again = at, again }

// Lapse says that the time of Receive has jumped. What waits for a frame is placed only if that
// was always where it is.
func (l *Live) Lapse() {
	for _, o := range l.p.free.all() {
		if o.sought.at.heard {
			o.sought.at.stamp = LongAgo
		}
	}
}

// LongAgo, in ns, is before all times at which a frame that moves is known.
const LongAgo = -1

// begin forgets where the joints were: the robot has moved since the last message.
func (l *Live) begin() {
	clear(l.p.frames.links.joints)
	clear(l.p.frames.links.multi)
}

// end holds the scene to its bounds and takes the warnings of the message.
func (l *Live) end() {
	l.bound()
	l.warnings = append(l.warnings, l.p.warnings...)
	l.p.warnings = nil
}

// bound drops the newest objects beyond the bounds of a scene.
func (l *Live) bound() {
	objects, triangles, dropped := 0, 0, 0
	for _, list := range []*objectList{&l.p.carried, &l.p.free} {
		for _, o := range list.all() {
			objects += max(1, len(o.shapes))
			triangles += o.triangles()
			if objects > limit.SceneObjects || triangles > limit.LiveTriangles {
				list.drop(o)
				dropped++
			}
		}
		list.all()
	}
	if dropped > 0 {
		l.Open(premise.Premise{
			Kind: premise.SceneSource, Names: []string{"size"},
			Detail: fmt.Sprintf("the scene has more than %d shapes or %d triangles and cells: %d objects are not checked", limit.SceneObjects, limit.LiveTriangles, dropped),
			Remedy: "give many small objects as one mesh or octree, and send the whole scene again",
		})
	}
}

func (o *sceneObject) triangles() (n int) {
	for _, s := range o.shapes {
		n += len(s.Shape.Cells) + len(s.Shape.Points)
		if s.Shape.Mesh != nil {
			n += len(s.Shape.Mesh.Triangles)
		}
	}
	return n
}

// Open adds a gap of the scene as a whole, in place of one with the same first name. It stands
// until the next whole scene, or until Close names it.
func (l *Live) Open(gap premise.Premise) { l.open[gap.Names[0]] = gap }

// Close closes the gap of that name.
func (l *Live) Close(name string) { delete(l.open, name) }

// Warnings returns what users should know of the messages since the last call.
func (l *Live) Warnings() []string {
	w := l.warnings
	l.warnings = nil
	return w
}

// Resolve tries again to place objects of the world whose frames were not known, and reports
// whether one has been placed.
func (l *Live) Resolve() (changed bool) {
	for _, o := range l.p.free.all() {
		if !o.unplaced || o.sought.at.Place == nil {
			continue
		}
		gaps := o.gaps
		o.gaps = slices.DeleteFunc(slices.Clone(gaps), ofFrame)
		o.fault, o.unplaced = nil, false
		l.p.place(o, o.sought.at, o.sought.frame, o.sought.poseFO)
		changed = changed || !o.unplaced
	}
	return changed
}

// Unplaced returns the number of objects of the world that Resolve would try to place.
func (l *Live) Unplaced() (n int) {
	for _, o := range l.p.free.all() {
		if o.unplaced && o.sought.at.Place != nil {
			n++
		}
	}
	return n
}

// Over returns the next version of a snapshot in the root link's frame, with the scene added to
// it: its objects, of which one with a name that is taken gets another; its allowed pairs, which
// are about its own objects and the robot alone; and the larger of two link paddings.
func (l *Live) Over(below *Snapshot) (*Snapshot, error) {
	d := l.p.draw()
	d.live, d.taken = true, map[string]bool{}
	for i := range below.Objects {
		d.taken[below.Objects[i].ID] = true
	}
	for _, name := range l.p.frames.linkNames() {
		d.taken[name] = true
	}
	_ = d.objects() // whose faults are gaps
	l.intoRoot(d)
	_ = d.matrix()
	for _, name := range slices.Sorted(maps.Keys(l.open)) {
		d.scene.Gaps = append(d.scene.Gaps, l.open[name])
	}
	d.scene.Gaps, d.scene.Warnings = fewGaps(d.scene.Gaps), fewWarnings(d.scene.Warnings)
	s, err := seal(d.over(below))
	if err != nil {
		return nil, err
	}
	d.keepDigests(s, len(below.Objects))
	return s, nil
}

// over returns the drawing on top of a snapshot, to be sealed.
func (d *drawing) over(below *Snapshot) *Snapshot {
	s := below.next()
	s.Objects = append(s.Objects, d.scene.Objects...)
	s.digests = append(s.digests, d.scene.digests...)
	s.Allowed = slices.Concat(below.Allowed, d.scene.Allowed)
	s.Gaps = slices.Concat(below.Gaps, d.scene.Gaps)
	s.Warnings = slices.Concat(below.Warnings, d.scene.Warnings)
	if s.PlacedBy == "" {
		s.PlacedBy = d.scene.PlacedBy
	}
	s.LinkPadding = maps.Clone(below.LinkPadding)
	for link, padding := range d.scene.LinkPadding {
		if d.p.robot.Link(link) < 0 {
			continue // as in MoveIt
		}
		if s.LinkPadding == nil {
			s.LinkPadding = map[string]float64{}
		}
		s.LinkPadding[link] = max(padding, s.LinkPadding[link])
	}
	return s
}

// keepDigests keeps the digests of the objects that are as they were drawn, whose first is at
// the index base.
func (d *drawing) keepDigests(s *Snapshot, base int) {
	for _, at := range d.drawn {
		for i := range at.object.parts.objects {
			k := base + at.first + i
			if o := &s.Objects[k]; o.ID == at.object.parts.objects[i].ID && o.PoseWS == at.object.parts.objects[i].PoseWS {
				at.object.parts.digests[i] = s.digests[k]
			}
		}
	}
}

// intoRoot moves the drawing into the root link. Where the root link is in the planning frame
// must be known, and is known for certain only if it does not move there.
func (l *Live) intoRoot(d *drawing) {
	frames := &l.p.frames
	if frames.placed {
		if err := d.intoRootLink("the planning scene"); err != nil {
			d.leaveOut(err)
			return
		}
		d.scene.Gaps = append(d.scene.Gaps, premise.Premise{
			Kind: premise.SceneSource, Names: []string{frames.placedBy},
			Detail: fmt.Sprintf("joint %s moves the robot in the planning frame, and the objects of the world stand where they were when the last message came", frames.placedBy),
			Remedy: "give the objects in a frame that the robot's root link does not move in",
		})
		return
	}
	robot := l.p.robot
	switch link := robot.Link(d.scene.Frame); {
	case d.scene.Frame == "" || link == robot.Root || frames.names(d.scene.Frame):
	case link >= 0:
		still := linkFrames{robot: robot}
		poseRL, err := still.between(robot.Root, link)
		if err != nil {
			d.leaveOut(fmt.Errorf("the planning frame %s: %w", d.scene.Frame, err))
			return
		}
		d.move(poseRL)
	default:
		d.leaveOut(fmt.Errorf("where the planning frame %s is in the robot's root link %s is not known", d.scene.Frame, frames.root()))
	}
}

// leaveOut leaves the world's objects out, with a gap that says why.
func (d *drawing) leaveOut(why error) {
	was, whole := d.drawn, *d.scene
	d.drawn, d.scene.Objects, d.scene.digests = nil, nil, nil
	for _, at := range was {
		n := len(at.object.shapes)
		if at.object.on == nil {
			delete(d.parts, at.object.id)
			continue
		}
		d.drawn = append(d.drawn, drawn{at.object, len(d.scene.Objects)})
		d.scene.Objects = append(d.scene.Objects, whole.Objects[at.first:at.first+n]...)
		d.scene.digests = append(d.scene.digests, whole.digests[at.first:at.first+n]...)
	}
	if len(d.drawn) == len(was) {
		return
	}
	d.scene.Gaps = append(d.scene.Gaps, premise.Premise{
		Kind: premise.Unplaced, Names: []string{d.scene.Frame}, Detail: why.Error() + ": the world's objects are not checked",
		Remedy: "give the SRDF a fixed virtual joint from that frame to the root link",
	})
}

// fewOf is how many gaps of a kind, and how many warnings, a live scene lists: each verdict lists
// the gaps.
const fewOf = 100

// fewGaps keeps the first gaps of each kind. One gap of the kind stands for the others, so that
// who accepts them by name has not accepted those that are not listed.
func fewGaps(all []premise.Premise) (out []premise.Premise) {
	count := map[premise.Kind]int{}
	for _, g := range all {
		if count[g.Kind]++; count[g.Kind] <= fewOf {
			out = append(out, g)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if more := count[kind] - fewOf; more > 0 {
			out = append(out, premise.Premise{
				Kind: kind, Names: []string{"others"},
				Detail: fmt.Sprintf("%d more of the scene's objects are as little known", more), Remedy: "mend the first ones",
			})
		}
	}
	return out
}

func fewWarnings(all []string) []string {
	if more := len(all) - fewOf; more > 0 {
		return append(slices.Clone(all[:fewOf]), fmt.Sprintf("%d more warnings about the scene's objects", more))
	}
	return all
}
