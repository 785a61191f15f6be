package motionfile

import (
	"fmt"
	"maps"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// start is what a DisplayTrajectory says of the robot before a trajectory.
type start struct {
	positions map[string]float64    // rad or m, by joint
	placed    map[string]*geom.Pose // of multi-DOF joints, by joint
	frame     string                // of these poses, empty if that is not said
	warnings  []string
	gaps      []premise.Premise
}

// put tells t where the robot stands before it.
func (s *start) put(t *trajectory) {
	t.start, t.warnings, t.gaps = s.positions, s.warnings, s.gaps
	if t.rootJoint != "" {
		t.rootStart = s.placed[t.rootJoint]
		if t.rootStart != nil && s.frame != "" && t.rootFrame != "" && s.frame != t.rootFrame {
			t.gaps = append(t.gaps[:len(t.gaps):len(t.gaps)], premise.Premise{
				Kind: premise.Start, Names: []string{t.rootJoint},
				Detail: fmt.Sprintf("joint %s has the root link in the frame %s before the motion, and in the frame %s on it: the two are taken to be the same", t.rootJoint, s.frame, t.rootFrame),
				Remedy: "give both in the parent frame of the joint",
			})
		}
		return
	}
	for _, pose := range s.placed {
		if *pose != geom.IdentityPose() {
			t.warnings = append(t.warnings[:len(t.warnings):len(t.warnings)],
				"trajectory_start places the robot by a multi-DOF joint, which is left out as the trajectory does not move it: give the obstacles in the robot's root link")
			return
		}
	}
}

// with returns s with the positions of given joints, which take precedence.
func (s *start) with(given map[string]float64) *start {
	out := *s
	out.positions = maps.Clone(s.positions)
	maps.Copy(out.positions, given)
	return &out
}

// after returns the state at the end of t, of which m is the motion: only that tells
// where a controller that integrates velocities has got to.
func (s *start) after(t *trajectory, m *motion.Motion) *start {
	end := &start{positions: maps.Clone(s.positions), placed: maps.Clone(s.placed), frame: s.frame, warnings: s.warnings, gaps: s.gaps}
	last := &m.Pieces[len(m.Pieces)-1]
	for j, joint := range m.Joints {
		end.positions[joint] = last.Ctrl[j][len(last.Ctrl[j])-1]
	}
	if t.rootJoint != "" {
		if end.placed == nil {
			end.placed = map[string]*geom.Pose{}
		}
		end.placed[t.rootJoint], end.frame = t.points[len(t.points)-1].Root, t.rootFrame
	}
	return end
}

// startState reads the positions of a moveit_msgs/RobotState.
func startState(v document.Value) (*start, error) {
	f, err := v.Fields("trajectory_start", "joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff")
	if err != nil {
		return nil, err
	}
	s := &start{}
	if attached, err := document.Optional(f, "attached_collision_objects", document.Value.List); err != nil {
		return nil, err
	} else if len(attached) > 0 {
		s.gaps = attachedGaps(attached)
	}
	if m, ok := f.Get("multi_dof_joint_state"); ok {
		if err := s.multiDOFState(m); err != nil {
			return nil, err
		}
	}
	s.positions = map[string]float64{}
	if js, ok := f.Get("joint_state"); ok {
		err = jointState(js, s.positions)
	}
	return s, err
}

// attachedGaps says of each object that the robot carries that the motion does not
// hold it. Its id is told as far as it can be read.
func attachedGaps(attached []document.Value) []premise.Premise {
	gaps := make([]premise.Premise, len(attached))
	for i, v := range attached {
		name := attachedName(v)
		gaps[i] = premise.Premise{
			Kind: premise.Attached, Names: []string{name},
			Detail: fmt.Sprintf("the robot carries %s according to trajectory_start, and the scene has no such attached object", name),
			Remedy: "attach it in the scene (attached_collision_objects of a PlanningScene, or attached_to)",
		}
	}
	return gaps
}

func attachedName(v document.Value) string {
	const none = "an object without id"
	f, err := v.AnyFields("attached object")
	if err != nil {
		return none
	}
	o, ok := f.Get("object")
	if !ok {
		return none
	}
	of, err := o.AnyFields("object")
	if err != nil {
		return none
	}
	if id, err := document.Optional(of, "id", document.Value.Str); err == nil && id != "" {
		return id
	}
	return none
}

// jointState reads the positions of a sensor_msgs/JointState.
func jointState(v document.Value, positions map[string]float64) error {
	f, err := v.Fields("joint_state", "header", "name", "position", "velocity", "effort")
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "name", document.Value.Strs)
	if err != nil {
		return err
	}
	at, err := document.Optional(f, "position", anyFloats)
	if err != nil {
		return err
	}
	if len(names) != len(at) {
		return v.Errorf("joint_state has %d positions for %d names: give one each", len(at), len(names))
	}
	for i, name := range names {
		if _, twice := positions[name]; twice {
			return v.Errorf("joint_state names %s twice: keep one", name)
		}
		positions[name] = at[i]
	}
	return nil
}

func anyFloats(v document.Value, name string) ([]float64, error) { return v.Floats(name, -1) }
