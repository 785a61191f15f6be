package scene

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
)

// The operations of a moveit_msgs/CollisionObject.
const (
	opAdd = iota
	opRemove
	opAppend
	opMove
)

// operation reads the operation of a message. It is a byte, which ROS 2 prints as a text of one
// character.
func operation(f document.Fields) (int, error) {
	v, ok := f.Get("operation")
	if !ok {
		return opAdd, nil
	}
	if s, err := v.Str("operation"); err == nil && len(s) == 1 && s[0] <= opMove {
		return int(s[0]), nil
	}
	op, err := v.Int("operation")
	if err == nil && (op < opAdd || op > opMove) {
		err = v.Errorf("has the operation %d: give ADD (0), REMOVE (1), APPEND (2) or MOVE (3)", op)
	}
	return op, err
}

// objectList holds objects in the order in which they came.
type objectList struct {
	list []*sceneObject // gone ones too
	byID map[string]*sceneObject
}

func (l *objectList) find(id string) *sceneObject { return l.byID[id] }

// put adds an object, in place of one of its name.
func (l *objectList) put(o *sceneObject) {
	if old := l.byID[o.id]; old != nil {
		l.drop(old)
	}
	if l.byID == nil {
		l.byID = map[string]*sceneObject{}
	}
	l.byID[o.id] = o
	l.list = append(l.list, o)
}

func (l *objectList) drop(o *sceneObject) {
	o.gone = true
	delete(l.byID, o.id)
}

// all returns the objects that are there.
func (l *objectList) all() []*sceneObject {
	l.list = slices.DeleteFunc(l.list, func(o *sceneObject) bool { return o.gone })
	return l.list
}

func (p *planningScene) objectNames() (names []string) {
	for _, o := range slices.Concat(p.carried.all(), p.free.all()) {
		names = append(names, o.id)
	}
	return names
}

// object returns the object of that name, an attached one first, or nil.
func (p *planningScene) object(id string) *sceneObject {
	if o := p.carried.find(id); o != nil {
		return o
	}
	return p.free.find(id)
}

// put adds an object, in place of one of its name that an earlier message has added.
func (p *planningScene) put(o *sceneObject) error {
	if p.given[o.id] {
		return o.at.Errorf("appears twice: rename one of them")
	}
	p.given[o.id] = true
	if o.on != nil {
		p.carried.put(o)
	} else {
		p.free.put(o)
	}
	return nil
}

// collisionObject reads a moveit_msgs/CollisionObject of the world and does what it says.
func (p *planningScene) collisionObject(v document.Value) error {
	f, err := v.Fields("collision object", objectKeys...)
	if err != nil {
		return err
	}
	if id, err := document.Optional(f, "id", document.Value.Str); err == nil && id != "" {
		f = f.Of("object " + id)
	}
	op, err := operation(f)
	if err != nil {
		return err
	}
	if op == opRemove {
		return p.remove(f)
	}
	o, f, err := p.readObject(v)
	if err != nil {
		return err
	}
	if op != opMove {
		o.needsShapes()
	}
	frame, err := headerFrame(f)
	if err != nil {
		return err
	}
	poseWF, err := p.frames.resolve(f.Value, frame)
	if o.fault = err; err == nil {
		o.pose = poseWF.Mul(o.pose)
	}
	switch old := p.free.find(o.id); {
	case op == opMove:
		p.move(o, old)
		return nil
	case op == opAppend && old != nil:
		old.append(o)
		return nil
	}
	return p.put(o)
}

// remove removes an object of the world, or all but the octomap if the id is empty.
func (p *planningScene) remove(f document.Fields) error {
	id, err := document.Optional(f, "id", document.Value.Str)
	if err != nil {
		return err
	}
	if id == "" {
		p.clear(false)
		return nil
	}
	if id == octomapID {
		return f.Errorf("is the octomap, which MoveIt does not remove by name: send a scene without it")
	}
	if o := p.free.find(id); o != nil {
		p.free.drop(o)
		return nil
	}
	if p.carried.find(id) == nil {
		p.warn(f.Value, "is removed, and the scene does not have it")
	}
	return nil
}

// move gives an object another pose.
func (p *planningScene) move(to, old *sceneObject) {
	if old == nil {
		p.free.put(to)
		to.shapes = nil
		to.unclear(to.at.Errorf("is moved, and the scene does not have it"), "give the whole scene before its changes")
		return
	}
	if len(to.shapes) > 0 {
		old.unclear(to.at.Errorf("is moved by a message with shapes, which MoveIt ignores"), "give the object's pose alone, or ADD it anew")
	}
	old.pose, old.fault = to.pose, to.fault
}

// append adds the shapes of a message to the object. MoveIt ignores the message's pose of the
// object: where it is another, it is uncertain which was meant.
func (o *sceneObject) append(more *sceneObject) {
	if !same(o.pose, more.pose) || more.fault != nil {
		o.unclear(more.at.Errorf("has shapes appended by a message with another pose of the object, which MoveIt ignores: they are at the pose that the object has"), "give the object's pose in both messages, or ADD it anew with all shapes")
	}
	o.shapes = append(o.shapes, more.shapes...)
	o.warnings = append(o.warnings, more.warnings...)
	o.gaps = append(o.gaps, more.gaps...)
	o.subframes = more.subframes
}

// same reports whether two poses differ by no more than printing leaves.
func same(a, b geom.Pose) bool {
	const tolerance = 1e-6
	d := a.Inv().Mul(b)
	return geom.Norm(d.P) <= tolerance && d.R.XX+d.R.YY+d.R.ZZ >= 3-tolerance*tolerance
}

// attachedObject reads a moveit_msgs/AttachedCollisionObject and does what it says. diff is set
// if the robot state is a change of the one before.
func (p *planningScene) attachedObject(v document.Value, diff bool) error {
	f, err := v.Fields("attached object", "link_name", "object", "touch_links", "detach_posture", "weight")
	if err != nil {
		return err
	}
	object, err := f.Need("attached object", "object")
	if err != nil {
		return err
	}
	g, err := object.Fields("collision object", objectKeys...)
	if err != nil {
		return err
	}
	op, err := operation(g)
	switch {
	case err != nil:
		return err
	case op == opRemove && !diff:
		return nil // of a whole state, which has no others
	case op == opRemove:
		return p.detach(f, g)
	case op == opMove:
		return g.Errorf("is attached, and attached objects cannot be moved, as in MoveIt: ADD it anew")
	}
	on := &carrier{}
	if on.link, err = needStr(f, "link_name"); err != nil {
		return err
	}
	if on.touchLinks, err = document.Optional(f, "touch_links", document.Value.Strs); err != nil {
		return err
	}
	return p.attach(object, on, op)
}

// attach attaches the object of a message, or the world's object of that name if it has no
// shapes.
func (p *planningScene) attach(object document.Value, on *carrier, op int) error {
	o, f, err := p.readObject(object)
	if err != nil {
		return err
	}
	o.on = on
	inWorld := p.free.find(o.id)
	if inWorld != nil && len(o.shapes) == 0 && op == opAdd {
		o.takeFrom(inWorld)
		poseWL, err := p.frames.linkOf(f.Value, on.link)
		if o.fault == nil {
			o.fault = err
		}
		o.pose = poseWL.Inv().Mul(inWorld.pose)
	} else if err := p.placeInLink(f, o); err != nil {
		return err
	}
	o.needsShapes()
	if old := p.carried.find(o.id); old != nil && op == opAppend {
		return old.appendAttached(o)
	}
	if inWorld != nil && !p.given[o.id] {
		p.free.drop(inWorld)
	}
	return p.put(o)
}

// takeFrom takes what an object consists of.
func (o *sceneObject) takeFrom(from *sceneObject) {
	o.shapes, o.subframes, o.fault = from.shapes, from.subframes, from.fault
	o.warnings, o.gaps = from.warnings, from.gaps
}

// placeInLink turns the pose of an object in its header's frame into that in its link.
func (p *planningScene) placeInLink(f document.Fields, o *sceneObject) error {
	frame, err := headerFrame(f)
	if err != nil || frame == "" || frame == o.on.link {
		return err
	}
	poseLF, err := p.frames.inLink(f.Value, frame, o.on.link)
	if o.fault = err; err == nil {
		o.pose = poseLF.Mul(o.pose)
	}
	return nil
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
func (p *planningScene) detach(f, object document.Fields) error {
	id, err := document.Optional(object, "id", document.Value.Str)
	if err != nil {
		return err
	}
	link, err := document.Optional(f, "link_name", document.Value.Str)
	if err != nil {
		return err
	}
	found := false
	for _, o := range p.candidates(id) {
		switch {
		case id == "" && link != "" && o.on.link != link:
			continue
		case link != "" && o.on.link != link:
			return object.Errorf("object %s is detached from link %s, but attached to link %s: correct link_name, or leave it empty", id, link, o.on.link)
		}
		found = true
		p.carried.drop(o)
		if p.free.find(o.id) != nil {
			continue // as in MoveIt, the world's stays
		}
		free := *o
		free.on, free.gone = nil, false
		poseWL, err := p.frames.linkOf(o.at, o.on.link)
		if free.fault == nil {
			free.fault = err
		}
		free.pose = poseWL.Mul(o.pose)
		p.free.put(&free)
	}
	if !found && id != "" {
		p.warn(object.Value, "object %s is detached, and the robot does not carry it", id)
	}
	return nil
}

// candidates returns the attached object of that name, or all without one.
func (p *planningScene) candidates(id string) []*sceneObject {
	if id == "" {
		return slices.Clone(p.carried.all())
	}
	if o := p.carried.find(id); o != nil {
		return []*sceneObject{o}
	}
	return nil
}

// clear removes the world's objects; the octomap only if it is asked to.
func (p *planningScene) clear(octomap bool) {
	kept := p.free.find(octomapID)
	p.free = objectList{}
	if kept != nil && !octomap {
		p.free.put(kept)
	}
}
