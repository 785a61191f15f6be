package node

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// givenState is what a moveit_msgs/RobotState says of the robot.
type givenState struct {
	positions map[string]float64 // by joint
	placed    map[string]geom.Pose
	attached  []string // objects that the robot carries
}

func readState(s *moveitmsgs.RobotState) (*givenState, error) {
	js, md := &s.JointState, &s.MultiDofJointState
	if err := fewEnough("joint_state.name", js.Name); err != nil {
		return nil, err
	}
	if len(js.Name) != len(js.Position) {
		return nil, fmt.Errorf("joint_state has %d positions for %d names: give one each", len(js.Position), len(js.Name))
	}
	if len(md.JointNames) != len(md.Transforms) {
		return nil, fmt.Errorf("multi_dof_joint_state has %d transforms for %d joints: give one each", len(md.Transforms), len(md.JointNames))
	}
	g := &givenState{positions: map[string]float64{}, placed: map[string]geom.Pose{}}
	for i, name := range js.Name {
		if _, twice := g.positions[name]; twice {
			return nil, fmt.Errorf("joint_state names %s twice: keep one", name)
		}
		g.positions[name] = js.Position[i]
	}
	for i, name := range md.JointNames {
		if _, twice := g.placed[name]; twice {
			return nil, fmt.Errorf("multi_dof_joint_state names %s twice: keep one", name)
		}
		pose, err := poseOf(&md.Transforms[i])
		if err != nil {
			return nil, fmt.Errorf("multi_dof_joint_state, joint %s: %w", name, err)
		}
		g.placed[name] = pose
	}
	for i := range s.AttachedCollisionObjects {
		g.attached = append(g.attached, s.AttachedCollisionObjects[i].Object.ID)
	}
	return g, nil
}

// unitTolerance is what three digits leave of the length of a quaternion.
const unitTolerance = 1e-3

func poseOf(t *geometrymsgs.Transform) (geom.Pose, error) {
	q := t.Rotation
	if n := q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W; !(n > (1-unitTolerance)*(1-unitTolerance) && n < (1+unitTolerance)*(1+unitTolerance)) {
		return geom.Pose{}, fmt.Errorf("quaternion (%g, %g, %g, %g) is not of length 1", q.X, q.Y, q.Z, q.W)
	}
	r, err := geom.Quat(q.X, q.Y, q.Z, q.W)
	return geom.Pose{R: r, P: geom.Vec{X: t.Translation.X, Y: t.Translation.Y, Z: t.Translation.Z}}, err
}

// gaps returns what the state says and a check in a world cannot cover. moved names the
// multi-DOF joint that the motion itself places, if any.
func (g *givenState) gaps(world *scene.Snapshot, moved string) (out []premise.Premise) {
	carried := func(id string) bool {
		return world != nil && slices.ContainsFunc(world.Objects, func(o scene.Object) bool { return o.ID == id && o.AttachedTo != "" })
	}
	for _, id := range g.attached {
		if carried(id) {
			continue
		}
		out = append(out, premise.Premise{
			Kind: premise.Attached, Names: []string{oneline.Text(id, 64)},
			Detail: fmt.Sprintf("the robot carries %q according to the state, and the scene has no such attached object", oneline.Text(id, 64)),
			Remedy: "attach it in the scene",
		})
	}
	for name, pose := range g.placed {
		if name != moved && pose != geom.IdentityPose() && world != nil && len(world.Objects) > 0 {
			out = append(out, premise.Premise{
				Kind: premise.Start, Names: []string{name},
				Detail: fmt.Sprintf("the state places the robot by joint %s, and obstacles are known only relative to its root link", name),
				Remedy: "give the obstacles relative to the root link at that state",
			})
		}
	}
	return out
}

// rest is the motion of a robot that stands still for a second.
func (g *givenState) rest() (*motion.Motion, error) {
	m := &motion.Motion{KeepTurns: true}
	for name := range g.positions {
		m.Joints = append(m.Joints, name)
	}
	slices.Sort(m.Joints)
	at := make([]float64, len(m.Joints))
	for i, name := range m.Joints {
		at[i] = g.positions[name]
	}
	return motion.Path(m.Joints, [][]float64{at}, nil)
}
