package plausible

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Model is a robot in a world, measured. It is immutable; any number of goroutines may use it.
type Model struct {
	robot *robotModel
	scene func() *sceneModel // measured when first asked for
	boxes *atomic.Pointer[boxMemory]
}

// robotModel is what does not depend on the world.
type robotModel struct {
	*urdf.Robot
	active   []int // joints that have a position of their own
	turning  []int // those of them that no limits in radians hold
	measured func() *measuredRobot
	last     atomic.Pointer[named]
}

type measuredRobot struct {
	bodies   []body
	bodyOf   []int // by link
	findings []Finding
}

// New returns the model of a robot in a world; a nil world is an empty one. Nothing is measured
// before the first question. Robot and world must not change afterwards.
func New(robot *urdf.Robot, world *scene.Snapshot) *Model {
	r := &robotModel{Robot: robot}
	for i := range robot.Joints {
		if j := &robot.Joints[i]; moves(j.Type) && j.Mimic == nil {
			r.active = append(r.active, i)
			if j.Type == urdf.Continuous || limitsInDegrees(j) {
				r.turning = append(r.turning, i)
			}
		}
	}
	r.measured = sync.OnceValue(func() *measuredRobot {
		m := &measuredRobot{bodies: bodies(robot), bodyOf: make([]int, len(robot.Links))}
		for i := range m.bodies {
			for _, link := range m.bodies[i].links {
				m.bodyOf[link] = i
			}
		}
		m.findings = slices.Clip(robotFindings(robot, m.bodies))
		return m
	})
	return (&Model{robot: r}).In(world)
}

// In returns the model of the same robot in another world. What was measured of shapes that both
// worlds have, at the same poses, is not measured again.
func (m *Model) In(world *scene.Snapshot) *Model {
	robot, boxes := m.robot, &atomic.Pointer[boxMemory]{} // the closure must not keep m, and with it all worlds before
	var known boxMemory
	if m.boxes != nil {
		if k := m.boxes.Load(); k != nil {
			known = *k
		}
	}
	return &Model{robot: robot, boxes: boxes, scene: sync.OnceValue(func() *sceneModel {
		b := boxMaker{known: known, made: boxMemory{}}
		s := measureScene(robot, world, &b)
		boxes.Store(&b.made)
		return s
	})}
}

// Findings lists what is implausible about robot and scene, whatever the motion, with the root
// link where it stands if no motion moves it.
func (m *Model) Findings() []Finding {
	return slices.Concat(m.Standing(), m.scene().still)
}

// Standing is Findings without what depends on where a motion takes the root link.
func (m *Model) Standing() []Finding {
	return slices.Concat(m.robot.measured().findings, m.scene().findings)
}

// Motion lists what is implausible about a valid motion of the robot in the world.
func (m *Model) Motion(mo *motion.Motion) []Finding {
	named := m.named(mo.Joints)
	rows := m.rows(mo, named.at)
	out := append(judgePositions(rows), named.findings...)
	out = append(out, times(rows, mo)...)
	out = append(out, upsideDown(mo)...)
	if len(mo.Root) > 0 {
		out = append(out, m.scene().beyond(mo)...)
	}
	return out
}

// Gaps lists the gaps that the positions of the motion's joints give.
func (m *Model) Gaps(mo *motion.Motion) []premise.Premise {
	return Premises(judgePositions(m.rows(mo, m.named(mo.Joints).at)))
}

// Reach lists the gaps that depend on where a motion takes the root link; nil if it stands at
// the origin of the scene's frame.
func (m *Model) Reach(mo *motion.Motion) []premise.Premise {
	if mo == nil || len(mo.Root) == 0 {
		return Premises(m.scene().still)
	}
	return Premises(m.scene().beyond(mo))
}

// Premises returns the findings that are gaps, as premises.
func Premises(list []Finding) []premise.Premise {
	var out []premise.Premise
	for i := range list {
		if list[i].Gap {
			out = append(out, list[i].Premise())
		}
	}
	return out
}
