package check

import (
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/markers"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// Of a motion this many configurations a second are recorded, and this many at most.
const (
	recordRate = 50
	recordMost = 20000
)

// addRecording writes the answer as the node would say it, for ros2 bag play and viewers.
func (f *Flags) addRecording(ctx context.Context, j *Job, a *node.Answer, r *verdict.Result) error {
	var urdf []byte
	if len(f.Robots) == 1 {
		var err error
		if urdf, err = f.Read(ctx, "--robot", f.Robots[0], limit.DescriptionBytes); err != nil {
			return err
		}
	} else {
		r.Notes = append(r.Notes, "the recording has no robot_description: there are several robots")
	}
	err := cli.Create(cli.Output{Flag: "record", Path: f.record}, func(w io.Writer) error {
		out, err := rosbag.NewRecorder(f.record, w)
		if err != nil {
			return err
		}
		start := time.Now().Truncate(time.Second)
		if urdf != nil {
			err = out.Message("/robot_description", &stdmsgs.String{Data: string(urdf)}, start)
		}
		err = errors.Join(err,
			recordVerdict(out, a, start),
			recordMotion(ctx, out, a, start),
		)
		return errors.Join(err, out.Close())
	})
	if err == nil {
		r.Recording = f.record
	}
	return err
}

// recordVerdict records the message and the markers of an answer, at the start and where it ends.
func recordVerdict(out *rosbag.Recorder, a *node.Answer, start time.Time) error {
	v := a.Message()
	v.Header.Stamp = builtininterfaces.TimeOf(start)
	err := out.Message("/firstcontact/verdict", v, start)
	if a.Verdict.Status == motion.Free {
		return err
	}
	resolved, wrong := a.Checker.Resolve(a.Motion)
	if wrong != nil {
		return errors.Join(err, wrong)
	}
	artist := markers.Prepare(a.Checker.Robot()).In(v.Header.FrameID, a.Checker.World())
	drawn, wrong := artist.Verdict(v, func(t float64) (map[string]geom.Pose, error) { return posesByName(a.Checker, resolved, t) })
	if wrong != nil {
		return errors.Join(err, wrong)
	}
	return errors.Join(err, out.Message("/firstcontact/markers", drawn, start))
}

// posesByName returns where the links are at a time of a motion.
func posesByName(c *ccd.Checker, resolved *motion.Motion, t float64) (map[string]geom.Pose, error) {
	poses, err := show.PosesAt(c, resolved, t)
	out := map[string]geom.Pose{}
	for i := range poses {
		out[c.Robot().Links[i].Name] = poses[i]
	}
	return out, err
}

// recordMotion records the joints along the motion, those that it does not name included.
func recordMotion(ctx context.Context, out *rosbag.Recorder, a *node.Answer, start time.Time) error {
	m := a.Motion
	positions := a.Checker.State()
	for _, name := range m.Joints {
		positions[name] = 0
	}
	state := &sensormsgs.JointState{Name: slices.Sorted(maps.Keys(positions)), Position: make([]float64, len(positions))}
	n := int(min(math.Ceil(m.Duration()*recordRate), recordMost-1))
	for i := range n + 1 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := m.Duration() * float64(i) / float64(max(n, 1))
		for k, x := range m.At(t) {
			positions[m.Joints[k]] = x
		}
		for k, name := range state.Name {
			state.Position[k] = positions[name]
		}
		at := start.Add(time.Duration(t * float64(time.Second)))
		state.Header.Stamp = builtininterfaces.TimeOf(at)
		if err := out.Message("/joint_states", state, at); err != nil {
			return err
		}
	}
	return nil
}
