package scene

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// planning is a planning scene that messages of MoveIt change, with MoveIt's rules.
type planning struct {
	robot    *urdf.Robot // may be nil
	frames   frameTree
	carried  objectList // what the robot carries
	free     objectList // what is in the world
	matrix   *AllowedMessage
	padding  map[string]float64      // m, by link
	scaled   map[string]float64      // m, by link: what stands for its scale
	gaps     []premise.Premise       // of no object
	warnings []string                // likewise
	based    bool                    // the scene that messages change is known, or said to be unknown
	given    map[string]bool         // the objects that the message adds
	former   map[string]*sceneObject // the world's objects before the last whole scene

	robotName string // of another robot, if it has been told
	faults    faults // what becomes of faults
}

// faults is told what cannot be done with a message or drawn in a snapshot. It returns the
// error where that ends the reading, and nil where it has noted what is missing.
type faults interface {
	ofMessage(m *ObjectMessage, on *carrier, err error) error
	ofPart(name string, err error) error
	ofObject(d *drawing, o *sceneObject, err error) error
	ofMatrix(d *drawing, err error) error
}

// strict ends the reading with the first fault.
type strict struct{}

func (strict) ofMessage(_ *ObjectMessage, _ *carrier, err error) error { return err }
func (strict) ofPart(_ string, err error) error                        { return err }
func (strict) ofObject(_ *drawing, _ *sceneObject, err error) error    { return err }
func (strict) ofMatrix(_ *drawing, err error) error                    { return err }

func newPlanning(robot *urdf.Robot) *planning {
	p := &planning{robot: robot, frames: newFrameTree(robot), faults: strict{}}
	p.frames.object, p.frames.objects = p.object, p.objectNames
	return p
}

func (p *planning) warn(at Place, format string, args ...any) {
	p.warnings = append(p.warnings, at.Errorf(format, args...).Error())
}

// wholeScene does what a moveit_msgs/PlanningScene says.
func (p *planning) wholeScene(m *PlanningMessage) error {
	p.given = map[string]bool{}
	p.ofRobot(m)
	if m.Diff {
		p.changes(m.From)
	} else {
		p.reset()
	}
	for _, part := range []struct {
		name string
		do   func() error
	}{
		{"fixed_frame_transforms", func() error { return p.frames.read(m.Transforms) }},
		{"link_scale", func() error { return p.scaleLinks(m.Scales) }},
		{"link_padding", func() error { return p.padLinks(m.Paddings) }},
		{"robot_state", func() error { return p.robotState(m.State, m.Diff) }}, // before the world: it may give the planning frame's name
		{"world", func() error { return p.world(m.World) }},
	} {
		if err := part.do(); err != nil {
			if err = p.faults.ofPart(part.name, err); err != nil {
				return err
			}
		}
	}
	p.keepMatrix(m.Allowed)
	return nil
}

// objectChange does what a moveit_msgs/CollisionObject says.
func (p *planning) objectChange(m *ObjectMessage) error {
	p.given = map[string]bool{}
	p.changes(m.From)
	return p.worldObject(m)
}

// attachedChange does what a moveit_msgs/AttachedCollisionObject says.
func (p *planning) attachedChange(m *AttachMessage) error {
	p.given = map[string]bool{}
	p.changes(m.Object.From)
	return p.robotObject(m, true)
}

// wholeWorld does what a moveit_msgs/PlanningSceneWorld says.
func (p *planning) wholeWorld(m *WorldMessage) error {
	p.given = map[string]bool{}
	p.based = true
	p.clear(true)
	return p.world(m)
}

func (p *planning) world(m *WorldMessage) error {
	if m == nil {
		return nil
	}
	if m.Octomap != nil {
		p.octomap(m.Octomap)
	}
	for i := range m.Objects {
		if err := p.worldObject(&m.Objects[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *planning) worldObject(m *ObjectMessage) error {
	if err := p.collisionObject(m); err != nil {
		return p.faults.ofMessage(m, nil, err)
	}
	return nil
}

func (p *planning) robotObject(m *AttachMessage, diff bool) error {
	if err := p.attachedObject(m, diff); err != nil {
		return p.faults.ofMessage(&m.Object, &carrier{link: m.Link, touchLinks: m.TouchLinks}, err)
	}
	return nil
}

// ofRobot warns if the scene is another robot's.
func (p *planning) ofRobot(m *PlanningMessage) {
	if m.Robot != "" && p.robot != nil && m.Robot != p.robot.Name && p.robotName != m.Robot {
		p.robotName = m.Robot
		p.warn(m.From, "the scene is of the robot %s, and this robot is called %s", m.Robot, p.robot.Name)
	}
}

// reset begins a whole scene.
func (p *planning) reset() {
	p.based, p.matrix, p.padding, p.scaled, p.gaps = true, nil, nil, nil, nil
	p.former = p.free.byID
	p.clear(true)
	p.frames.forget()
}

// changes says that a message changes a scene that is not known, if it is not.
func (p *planning) changes(at Place) {
	const detail = "the message is a change (is_diff) of a scene that the file does not hold: only the contents of the file are checked"
	if p.based {
		return
	}
	p.based = true
	p.warn(at, detail)
	p.gaps = append(p.gaps, premise.Premise{
		Kind: premise.NotUnderstood, Names: []string{"is_diff"}, Detail: at.Errorf(detail).Error(),
		Remedy: "give the whole scene, with is_diff false, before its changes",
	})
}

func (p *planning) keepMatrix(m *AllowedMessage) {
	if m != nil && (p.matrix == nil || len(m.Names) > 0) { // in a change, none means the one before
		p.matrix = m
	}
}

func (p *planning) padLinks(list []LinkNumber) error {
	given := map[string]bool{}
	p.padding = maps.Clone(p.padding)
	if p.padding == nil {
		p.padding = map[string]float64{}
	}
	for _, n := range list {
		if given[n.Link] {
			return n.From.Errorf("link_padding of link %s appears twice: keep one", n.Link)
		}
		given[n.Link] = true
		if err := checkPadding(n.Value); err != nil {
			return n.From.Errorf("link %s: %w", n.Link, err)
		}
		p.padding[n.Link] = n.Value
	}
	return nil
}

// parts are the objects of a snapshot that a sceneObject consists of.
type parts struct {
	objects []Object
	digests [][32]byte
}

// partsOf returns the shapes of an object as objects.
func (o *sceneObject) partsOf() (parts, error) {
	if len(o.parts.objects) == len(o.shapes) {
		return o.parts, nil
	}
	made := parts{objects: make([]Object, len(o.shapes)), digests: make([][32]byte, len(o.shapes))}
	for i, s := range o.shapes {
		part := Object{ID: partID(o.id, i, len(o.shapes)), PoseWS: o.pose.Mul(s.PoseOS), Shape: s.Shape}
		if o.on != nil {
			part.AttachedTo, part.TouchLinks = o.on.link, o.on.touchLinks
		}
		if err := part.Validate(); err != nil {
			return parts{}, o.at.Errorf("%w", err)
		}
		made.objects[i] = part
	}
	o.parts = made
	return made, nil
}

// drawing is a snapshot of a planning scene that is being made.
type drawing struct {
	p     *planning
	scene *Snapshot
	parts map[string][]string // the objects of each collision object
	live  bool                // what the robot does not have is left out
	taken map[string]bool     // names of objects, if live
	drawn []drawn
}

// drawn is where the parts of an object are in a snapshot.
type drawn struct {
	object *sceneObject
	first  int
}

// snapshot returns the scene after the last message. It is to be sealed.
func (p *planning) snapshot(name string) (*Snapshot, error) {
	d := p.draw()
	if err := d.objects(); err != nil {
		return nil, err
	}
	if err := d.matrix(); err != nil {
		return nil, err
	}
	if p.frames.placed {
		if err := d.intoRootLink(name); err != nil {
			return nil, err
		}
	}
	return d.scene, nil
}

func (p *planning) draw() *drawing {
	return &drawing{p: p, parts: map[string][]string{}, scene: &Snapshot{
		Warnings: slices.Clone(p.warnings), Gaps: slices.Clone(p.gaps), LinkPadding: p.paddings(),
	}}
}

// objects draws all objects.
func (d *drawing) objects() error {
	p := d.p
	for _, o := range slices.Concat(p.carried.all(), p.free.all()) {
		if err := d.add(o); err != nil {
			if err := p.faults.ofObject(d, o, err); err != nil {
				return err
			}
		}
	}
	d.scene.Frame = p.frames.frame()
	return nil
}

// matrix draws the allowed pairs of the objects that are drawn.
func (d *drawing) matrix() error {
	if d.p.matrix == nil {
		return nil
	}
	if err := d.allowed(d.p.matrix); err != nil {
		return d.p.faults.ofMatrix(d, err)
	}
	return nil
}

// add adds the shapes of an object to the snapshot.
func (d *drawing) add(o *sceneObject) error {
	if o.fault != nil {
		return o.fault
	}
	if _, twice := d.parts[o.id]; twice {
		return o.at.Errorf("is both attached and in the world: rename one of them")
	}
	if d.live {
		if err := o.onRobot(d); err != nil {
			return err
		}
	}
	made, err := o.partsOf()
	if err != nil {
		return err
	}
	d.scene.Warnings = append(d.scene.Warnings, o.warnings...)
	d.scene.Gaps = append(d.scene.Gaps, o.gaps...)
	if o.octree && len(o.shapes) == 0 {
		return nil
	}
	d.drawn = append(d.drawn, drawn{o, len(d.scene.Objects)})
	ids, first := make([]string, len(made.objects)), len(d.scene.Objects)
	for i, part := range made.objects {
		digest := made.digests[i]
		if d.taken[part.ID] {
			part.ID, digest = d.other(part.ID), [32]byte{}
		}
		if d.live {
			d.taken[part.ID] = true
		}
		ids[i] = part.ID
		d.scene.Objects = append(d.scene.Objects, part)
		d.scene.digests = append(d.scene.digests, digest)
	}
	d.parts[o.id] = ids
	if o.on != nil && len(ids) > 1 {
		d.join(first, ids)
	}
	return nil
}

// join lets the parts of one attached object touch each other, as they are one body.
func (d *drawing) join(first int, ids []string) {
	anew := slices.Contains(d.scene.digests[first:], [32]byte{}) // one has another name, by which the others know it
	for i := range ids {
		p := &d.scene.Objects[first+i]
		p.TouchLinks = slices.Concat(p.TouchLinks, ids[:i], ids[i+1:])
		if anew {
			d.scene.digests[first+i] = [32]byte{}
		}
	}
}

// other returns a name that is not taken.
func (d *drawing) other(id string) string {
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s (%d)", id, i); !d.taken[name] {
			return name
		}
	}
}

// intoRootLink transforms the obstacles from the planning frame into the root link.
func (d *drawing) intoRootLink(name string) error {
	frames := &d.p.frames
	atOrigin := frames.poseWR == geom.IdentityPose()
	if frames.foreign != "" {
		if atOrigin {
			return nil
		}
		return fmt.Errorf("%s: the obstacles are in the frame %s and the robot stands elsewhere in a frame without name: name the planning frame in fixed_frame_transforms or in the header of multi_dof_joint_state", name, frames.foreign)
	}
	d.scene.Frame = ""
	if atOrigin {
		return nil // keep the poses unchanged
	}
	d.scene.PlacedBy = frames.placedBy
	d.warn(frames.placedAt, "the obstacles are moved into the root link by the pose of joint %s, taken as the virtual joint that carries the root link", frames.placedBy)
	d.move(frames.poseWR.Inv())
	return nil
}

// move moves the world's objects into the frame T.
func (d *drawing) move(poseTS geom.Pose) {
	for i := range d.scene.Objects {
		if o := &d.scene.Objects[i]; o.AttachedTo == "" {
			o.PoseWS = poseTS.Mul(o.PoseWS)
			d.scene.digests[i] = [32]byte{}
		}
	}
}

func (d *drawing) warn(at Place, format string, args ...any) {
	d.scene.Warnings = append(d.scene.Warnings, at.Errorf(format, args...).Error())
}
