package scene

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// ofMessage notes what a message about an object asks for and what cannot be done. What cannot
// be removed or detached stays, as in MoveIt.
func (l *Live) ofMessage(m *ObjectMessage, on *carrier, err error) error {
	if m.Operation == OpRemove {
		l.p.warnings = append(l.p.warnings, err.Error())
		return nil
	}
	if m.ID == "" || m.ID == octomapID {
		l.Open(notUnderstood("object without a name", err))
		return nil
	}
	o := &sceneObject{id: m.ID, at: m.From, fault: err, on: on}
	l.p.given[o.id] = true
	if on == nil {
		l.p.free.put(o)
		return nil
	}
	l.p.carried.put(o)
	return nil
}

// ofPart notes that a part of a scene could not be used.
func (l *Live) ofPart(name string, err error) error {
	l.Open(notUnderstood(name, err))
	return nil
}

// ofObject notes that an object is not checked.
func (l *Live) ofObject(d *drawing, o *sceneObject, err error) error {
	gap := notUnderstood(o.id, err)
	if o.unplaced {
		gap.Kind, gap.Remedy = premise.Unplaced, "give the object in a frame whose pose is known"
	}
	d.scene.Gaps = append(d.scene.Gaps, gap)
	return nil
}

// ofMatrix leaves every pair checked.
func (l *Live) ofMatrix(d *drawing, err error) error {
	d.scene.Allowed = nil
	d.scene.Warnings = append(d.scene.Warnings, fmt.Sprintf("%v: all pairs are checked", err))
	return nil
}

func notUnderstood(name string, err error) premise.Premise {
	return premise.Premise{
		Kind: premise.NotUnderstood, Names: []string{name}, Detail: err.Error(),
		Remedy: "send it anew as it is meant",
	}
}

// onRobot fails unless the robot has the link that an object is attached to. It drops touch links
// that the robot does not have, which allow nothing.
func (o *sceneObject) onRobot(d *drawing) error {
	robot := d.p.robot
	if o.on == nil {
		return nil
	}
	if robot.Link(o.on.link) < 0 {
		return o.at.Errorf("is attached to link %s, which the robot does not have%s", o.on.link, spelling.Hint(o.on.link, d.p.frames.linkNames()))
	}
	isLink := func(name string) bool { return robot.Link(name) >= 0 }
	known := slices.DeleteFunc(slices.Clone(o.on.touchLinks), func(name string) bool { return !isLink(name) })
	if len(known) < len(o.on.touchLinks) {
		o.warnings = append(o.warnings, o.at.Errorf("has touch_links %q, of which the robot has only %q", o.on.touchLinks, known).Error())
		o.on = &carrier{link: o.on.link, touchLinks: known}
	}
	return nil
}
