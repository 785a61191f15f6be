package scene

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// sceneObject is an object of a scene that messages change.
type sceneObject struct {
	id        string
	at        Place     // the message
	pose      geom.Pose // in the snapshot's frame, or in the link that carries it
	fault     error     // why it cannot be checked, nil if it can
	unplaced  bool      // the fault is that the pose is not known
	shapes    []PosedShape
	subframes map[string]geom.Pose // in the object
	on        *carrier             // nil for an object of the world
	octree    bool
	gone      bool // removed or replaced
	warnings  []string
	gaps      []premise.Premise

	unposed bool // the message gives no pose of the object
	sought  sought
	parts   parts
}

// sought is what the pose of an object follows from.
type sought struct {
	at     when
	frame  string
	poseFO geom.Pose
}

// carrier is the link that an attached object is attached to.
type carrier struct {
	link       string
	touchLinks []string
}

// newObject returns the object of a message. Its pose is in the message's frame.
func newObject(m *ObjectMessage) (*sceneObject, error) {
	if m.Fault != nil {
		return nil, m.Fault
	}
	if m.ID == "" {
		return nil, m.From.Errorf("has no id: name it")
	}
	if m.ID == octomapID {
		return nil, m.From.Errorf("has the name of the octomap: rename it")
	}
	o := &sceneObject{
		id: m.ID, at: m.From, pose: m.Pose, subframes: m.Subframes,
		shapes: slices.Clone(m.Shapes), warnings: m.Notes, unposed: m.Pose == geom.IdentityPose(),
	}
	if len(o.shapes) == 1 && o.unposed { // as in MoveIt, the shape's pose is the object's
		o.pose, o.shapes[0].PoseOS = o.shapes[0].PoseOS, geom.IdentityPose()
	}
	return o, nil
}

// needsShapes notes that nothing is checked against an object without shapes.
func (o *sceneObject) needsShapes() {
	if len(o.shapes) == 0 {
		none := o.at.Errorf("has no shapes: nothing is checked against it")
		o.warnings = append(o.warnings, none.Error())
		o.gaps = append(o.gaps, shapeless(o.id, none))
	}
}

// shapeless is the gap of an object without shapes.
func shapeless(id string, detail error) premise.Premise {
	return premise.Premise{
		Kind: premise.NotUnderstood, Names: []string{id}, Detail: detail.Error(),
		Remedy: "give the object its shapes, or leave it out",
	}
}

// unclear notes that what a change means is not certain: once for each remedy.
func (o *sceneObject) unclear(detail error, remedy string) {
	if slices.ContainsFunc(o.gaps, func(g premise.Premise) bool { return g.Remedy == remedy }) {
		return
	}
	o.warnings = append(o.warnings, detail.Error())
	o.gaps = append(o.gaps, premise.Premise{Kind: premise.NotUnderstood, Names: []string{o.id}, Detail: detail.Error(), Remedy: remedy})
}

// ofFrame reports whether a gap is about the pose of an object.
func ofFrame(g premise.Premise) bool {
	return g.Kind != premise.NotUnderstood && g.Kind != premise.UnknownSpace
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
	if len(l.list) > 2*len(l.byID)+64 {
		l.all()
	}
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
