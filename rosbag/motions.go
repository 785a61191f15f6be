package rosbag

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	samples "github.com/firstcontact-ros/firstcontact/motion/recording"
	"github.com/firstcontact-ros/firstcontact/msgs/dynamic"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// states makes one motion of joint states.
type states struct {
	id      string
	builder *samples.Builder
	stamped bool // by their publisher, not by the recorder
	begun   bool
}

func newStates(id string, opts motionfile.Options) *states {
	return &states{id: id, builder: samples.New(samples.Options{Joints: opts.Joints, MaxGap: opts.MaxGap, Continuous: opts.Continuous})}
}

func (s *states) add(m dynamic.Message, at int64) error {
	names, _ := m.Get("name").([]string)
	positions, ok := m.Get("position").([]float64)
	if !ok {
		return errors.New("its definition has no position: it is not the JointState of ROS 2")
	}
	stamp, err := stampOf(m)
	if err != nil {
		return err
	}
	if !s.begun {
		s.begun, s.stamped = true, stamp != 0
	}
	switch {
	case s.stamped && stamp == 0:
		return errors.New("has no stamp, while messages before it have: record one publisher")
	case !s.stamped && stamp != 0:
		return errors.New("has a stamp, while messages before it have none: record one publisher")
	case !s.stamped:
		stamp = at
	}
	return s.builder.Add(stamp, names, positions)
}

// maxSeconds bounds stamps to those that are an int64 in nanoseconds. ROS 2 has 32 bits; a
// recording's own definition may have more.
const maxSeconds = math.MaxInt64/1_000_000_000 - 1

// stampOf returns the stamp of the header (ns), 0 for none.
func stampOf(m dynamic.Message) (int64, error) {
	header, _ := m.Get("header").(dynamic.Message)
	stamp, _ := header.Get("stamp").(dynamic.Message)
	sec, ok := stamp.Get("sec").(int64)
	nano, also := stamp.Get("nanosec").(uint64)
	if !ok || !also {
		return 0, errors.New("its definition has no header.stamp: it is not the JointState of ROS 2")
	}
	if nano >= 1e9 {
		return 0, fmt.Errorf("its stamp has %d nanoseconds", nano)
	}
	if sec < -maxSeconds || sec > maxSeconds {
		return 0, fmt.Errorf("its stamp has %d seconds, which is no time: the definition in the recording is not the JointState of ROS 2, or the message is damaged", sec)
	}
	return sec*1e9 + int64(nano), nil
}

func (s *states) motions(missing loss) ([]motionfile.Loaded, error) {
	r, err := s.builder.Motion()
	if err != nil {
		return nil, err
	}
	r.Motion.ID = s.id
	notes := append(r.Notes, "time 0 is the stamp "+samples.Seconds(r.Start)+" s")
	if !s.stamped {
		notes = append(notes, "the messages have no stamps: the times are those at which they reached the recorder")
	}
	if missing.why != "" {
		gap := premise.Premise{
			Kind: premise.RecordingGap, Names: []string{s.id}, Value: r.Motion.Duration(),
			Detail: "the recording is cut short: " + missing.why,
			Remedy: "record again and end ros2 bag record by Ctrl-C, or take it as it is",
		}
		if missing.anywhere { // nothing counts as measured without a gap
			gap.Value, gap.Detail = 0, "the recording lacks messages: "+missing.why
		}
		r.Motion.Gaps = append(r.Motion.Gaps, gap)
	}
	return []motionfile.Loaded{{Motion: r.Motion, Interpolation: motion.StraightLines, Measured: true, Warnings: notes}}, nil
}

// list makes a motion of each trajectory.
type list struct {
	ctx    context.Context
	id     string
	opts   motionfile.Options
	out    []motionfile.Loaded
	number int
	empty  int // messages without points
	text   []byte
}

func (l *list) add(m dynamic.Message, _ int64) error {
	l.number++
	return l.parse(m, fmt.Sprintf("%s#%d", l.id, l.number))
}

// parse reads a trajectory by the reader of files.
func (l *list) parse(m dynamic.Message, id string) error {
	if stops(m) {
		l.empty++
		return nil
	}
	l.text = m.AppendJSON(l.text[:0])
	// A # would choose a part of a file.
	loaded, err := motionfile.Parse(strings.ReplaceAll(id, "#", " message "), l.text, l.opts)
	if err != nil {
		return err
	}
	for i := range loaded {
		loaded[i].Motion.ID = id
		if len(loaded) > 1 {
			loaded[i].Motion.ID = fmt.Sprintf("%s.%d", id, i+1)
		}
	}
	l.out = append(l.out, loaded...)
	return nil
}

// stops reports whether a message is a JointTrajectory without points, on which a
// controller stops.
func stops(m dynamic.Message) bool {
	points, ok := m.Get("points").([]dynamic.Message)
	return ok && len(points) == 0
}

func (l *list) motions(missing loss) ([]motionfile.Loaded, error) {
	for i := range l.out {
		w := &l.out[i].Warnings
		if l.empty > 0 {
			*w = append(*w, fmt.Sprintf("messages of the topic without points, on which a controller stops, are no motions: %d", l.empty))
		}
		if missing.why != "" {
			*w = append(*w, "the recording is cut short, so messages of the topic may be missing: "+missing.why)
		}
	}
	return l.out, nil
}

// goalList makes a motion of each goal of an action. An event tells of it at the client,
// and again at the server.
type goalList struct {
	list
	seen map[goalID]bool
}

// goalID is the id of a goal.
type goalID string

func (g *goalList) add(m dynamic.Message, _ int64) error {
	requests, ok := m.Get("request").([]dynamic.Message)
	if !ok {
		return errors.New("its definition has no request: it is no event of a service")
	}
	for _, r := range requests {
		goal, ok := r.Get("goal").(dynamic.Message)
		if !ok {
			return errors.New("its definition has no goal")
		}
		id, _ := r.Get("goal_id").(dynamic.Message)
		key := goalID(id.AppendJSON(nil))
		if g.seen[key] {
			continue
		}
		g.seen[key] = true
		g.number++
		if err := g.parse(goal, fmt.Sprintf("%s#%d", g.id, g.number)); err != nil {
			return err
		}
	}
	return nil
}
