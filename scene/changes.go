package scene

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// someNames is the number of objects up to which their names are offered for one that is misspelt.
const someNames = 1000

func (p *planning) objectNames() (names []string) {
	if len(p.carried.byID)+len(p.free.byID) > someNames {
		return nil
	}
	for _, o := range slices.Concat(p.carried.all(), p.free.all()) {
		names = append(names, o.id)
	}
	return names
}

// object returns the object of that name, an attached one first, or nil.
func (p *planning) object(id string) *sceneObject {
	if o := p.carried.find(id); o != nil {
		return o
	}
	return p.free.find(id)
}

// put adds an object, in place of one of its name that an earlier message has added.
func (p *planning) put(o *sceneObject) error {
	if p.given[o.id] {
		return o.at.Errorf("appears twice: rename one of them")
	}
	p.given[o.id] = true
	p.keepShapes(o)
	if o.on != nil {
		p.carried.put(o)
	} else {
		p.free.put(o)
	}
	return nil
}

// keepShapes gives an object the shapes of the one before it where they are equal, because what
// is computed of a shape is kept with it.
func (p *planning) keepShapes(o *sceneObject) {
	for _, old := range []*sceneObject{p.carried.find(o.id), p.free.find(o.id), p.former[o.id]} {
		for i := range o.shapes {
			if old != nil && i < len(old.shapes) && o.shapes[i].Shape.Equal(old.shapes[i].Shape) {
				o.shapes[i].Shape = old.shapes[i].Shape
			}
		}
	}
}

// collisionObject does what a moveit_msgs/CollisionObject of the world says.
func (p *planning) collisionObject(m *ObjectMessage) error {
	if err := checkOperation(m.From, m.Operation); err != nil {
		return err
	}
	if m.Operation == OpRemove {
		return p.remove(m)
	}
	o, err := newObject(m)
	if err != nil {
		return err
	}
	if m.Operation != OpMove {
		o.needsShapes()
	}
	p.place(o, m.when(), m.Frame, o.pose)
	switch old := p.free.find(o.id); {
	case m.Operation == OpMove:
		p.move(o, old)
		return nil
	case m.Operation == OpAppend && old != nil:
		old.append(o)
		return nil
	}
	return p.put(o)
}

// remove removes an object of the world, or all but the octomap if the id is empty.
func (p *planning) remove(m *ObjectMessage) error {
	if m.ID == "" {
		p.clear(false)
		return nil
	}
	if m.ID == octomapID {
		return m.From.Errorf("is the octomap, which MoveIt does not remove by name: send a scene without it")
	}
	if o := p.free.find(m.ID); o != nil {
		p.free.drop(o)
		return nil
	}
	if p.carried.find(m.ID) == nil {
		p.warn(m.From, "is removed, and the scene does not have it")
	}
	return nil
}

// move gives an object another pose.
func (p *planning) move(to, old *sceneObject) {
	if old == nil {
		p.free.put(to)
		to.shapes = nil
		to.unclear(to.at.Errorf("is moved, and the scene does not have it"), "give the whole scene before its changes")
		return
	}
	if len(to.shapes) > 0 {
		old.unclear(to.at.Errorf("is moved by a message with shapes, which MoveIt ignores"), "give the object's pose alone, or ADD it anew")
	}
	old.pose, old.parts, old.sought = to.pose, parts{}, to.sought
	old.gaps = append(slices.DeleteFunc(old.gaps, ofFrame), to.gaps...)
	if old.fault == nil || old.unplaced {
		old.fault, old.unplaced = to.fault, to.unplaced
	}
}

// append adds the shapes of a message to the object. MoveIt ignores the message's pose of the
// object: where it is another, it is uncertain which was meant.
func (o *sceneObject) append(more *sceneObject) {
	if !same(o.pose, more.pose) || more.fault != nil {
		o.unclear(more.at.Errorf("has shapes appended by a message with another pose of the object, which MoveIt ignores: they are at the pose that the object has"), "give the object's pose in both messages, or ADD it anew with all shapes")
	}
	o.shapes, o.parts = append(o.shapes, more.shapes...), parts{}
	o.warnings = append(o.warnings, more.warnings...)
	o.gaps = append(o.gaps, more.gaps...)
	o.subframes = more.subframes
}

func (m *ObjectMessage) when() when { return when{Place: m.From, object: m.ID, stamp: m.Stamp} }

// place sets the pose of an object from that in a frame.
func (p *planning) place(o *sceneObject, at when, frame string, poseFO geom.Pose) {
	o.sought = sought{p.frames.later(at), frame, poseFO}
	poseWF, err := p.frames.resolve(at, frame)
	o.gaps = append(o.gaps, p.frames.taken()...)
	if err != nil {
		o.misplace(err)
		return
	}
	o.pose = poseWF.Mul(poseFO)
}

// misplace notes that the pose is not known.
func (o *sceneObject) misplace(err error) { o.fault, o.unplaced = err, true }

// same reports whether two poses differ by no more than printing leaves.
func same(a, b geom.Pose) bool {
	const tolerance = 1e-6
	d := a.Inv().Mul(b)
	return geom.Norm(d.P) <= tolerance && d.R.XX+d.R.YY+d.R.ZZ >= 3-tolerance*tolerance
}

// attachedObject does what a moveit_msgs/AttachedCollisionObject says. diff is set if the robot
// state is a change of the one before.
func (p *planning) attachedObject(m *AttachMessage, diff bool) error {
	switch op := m.Object.Operation; {
	case checkOperation(m.Object.From, op) != nil:
		return checkOperation(m.Object.From, op)
	case op == OpRemove && !diff:
		return nil // of a whole state, which has no others
	case op == OpRemove:
		return p.detach(m)
	case op == OpMove:
		return m.Object.From.Errorf("is attached, and attached objects cannot be moved, as in MoveIt: ADD it anew")
	}
	return p.attach(m)
}

// attach attaches the object of a message, or the world's object of that name if it has no
// shapes.
func (p *planning) attach(m *AttachMessage) error {
	o, err := newObject(&m.Object)
	if err != nil {
		return err
	}
	if m.Link == "" {
		return m.Object.From.Errorf("is attached to a link without a name: give link_name")
	}
	o.on = &carrier{link: m.Link, touchLinks: m.TouchLinks}
	inWorld := p.free.find(o.id)
	if inWorld != nil && len(o.shapes) == 0 && m.Object.Operation == OpAdd {
		o.takeFrom(inWorld)
		poseWL, err := p.frames.linkOf(when{Place: o.at, object: o.id, stamp: m.Object.Stamp}, o.on.link)
		o.gaps = append(o.gaps, p.frames.taken()...)
		if err == nil {
			o.pose = poseWL.Inv().Mul(inWorld.pose)
		} else if o.fault == nil {
			o.misplace(err)
		}
	} else {
		p.placeInLink(&m.Object, o)
	}
	o.needsShapes()
	if old := p.carried.find(o.id); old != nil && m.Object.Operation == OpAppend {
		return old.appendAttached(o)
	}
	if inWorld != nil && !p.given[o.id] {
		p.free.drop(inWorld)
	}
	return p.put(o)
}

// takeFrom takes what an object consists of.
func (o *sceneObject) takeFrom(from *sceneObject) {
	o.shapes, o.subframes, o.fault, o.unplaced = from.shapes, from.subframes, from.fault, from.unplaced
	o.warnings, o.gaps = from.warnings, from.gaps
}

// placeInLink turns the pose of an object in its message's frame into that in its link.
func (p *planning) placeInLink(m *ObjectMessage, o *sceneObject) {
	if m.Frame == "" || m.Frame == o.on.link {
		return
	}
	poseLF, err := p.frames.inLink(m.when(), m.Frame, o.on.link)
	o.gaps = append(o.gaps, p.frames.taken()...)
	if err != nil {
		o.misplace(err)
		return
	}
	o.pose = poseLF.Mul(o.pose)
}

func (o *sceneObject) appendAttached(more *sceneObject) error {
	if o.on.link != more.on.link {
		return more.at.Errorf("is attached to link %s, and shapes are appended to it on link %s: ADD it anew", o.on.link, more.on.link)
	}
	o.append(more)
	for _, link := range more.on.touchLinks {
		if !slices.Contains(o.on.touchLinks, link) {
			o.on.touchLinks = append(slices.Clip(o.on.touchLinks), link)
		}
	}
	return nil
}

// detach puts attached objects into the world where they are: one, all of a link, or all.
func (p *planning) detach(m *AttachMessage) error {
	id, link := m.Object.ID, m.Link
	found := false
	for _, o := range p.candidates(id) {
		switch {
		case id == "" && link != "" && o.on.link != link:
			continue
		case link != "" && o.on.link != link:
			return m.Object.From.Errorf("object %s is detached from link %s, but attached to link %s: correct link_name, or leave it empty", id, link, o.on.link)
		}
		found = true
		p.carried.drop(o)
		if p.free.find(o.id) != nil {
			continue // as in MoveIt, the world's stays
		}
		free := *o
		free.on, free.gone, free.parts = nil, false, parts{}
		poseWL, err := p.frames.linkOf(when{Place: o.at, object: o.id, stamp: m.Object.Stamp}, o.on.link)
		free.gaps = append(slices.Clip(free.gaps), p.frames.taken()...)
		if err == nil {
			free.pose = poseWL.Mul(o.pose)
		} else if free.fault == nil {
			free.misplace(err)
		}
		p.free.put(&free)
	}
	if !found && id != "" {
		p.warn(m.Object.From, "object %s is detached, and the robot does not carry it", id)
	}
	return nil
}

// candidates returns the attached object of that name, or all without one.
func (p *planning) candidates(id string) []*sceneObject {
	if id == "" {
		return slices.Clone(p.carried.all())
	}
	if o := p.carried.find(id); o != nil {
		return []*sceneObject{o}
	}
	return nil
}

// clear removes the world's objects; the octomap only if it is asked to.
func (p *planning) clear(octomap bool) {
	kept := p.free.find(octomapID)
	p.free = objectList{}
	if kept != nil && !octomap {
		p.free.put(kept)
	}
}
