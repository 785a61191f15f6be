package node

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// path is a trajectory of joints, with points of time and positions.
func path(names string, points ...[]float64) *trajectorymsgs.JointTrajectory {
	m := &trajectorymsgs.JointTrajectory{JointNames: strings.Fields(names)}
	for _, p := range points {
		m.Points = append(m.Points, trajectorymsgs.JointTrajectoryPoint{
			TimeFromStart: builtininterfaces.DurationOf(time.Duration(p[0] * 1e9)), Positions: p[1:],
		})
	}
	return m
}

const bothCarts = "left_x right_x"

// trajectoryAnswers are the answers to trajectories that docs/ros-interface.md
// promises. The driver says that both carts stand at 0.
var trajectoryAnswers = []struct {
	name   string
	path   *trajectorymsgs.JointTrajectory
	status uint8
	says   string
	toc    float64 // s, of contact
}{
	{"free", path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 1}), fcmsgs.VerdictFree, "proved free", 0},
	{"contact", path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, -1}), fcmsgs.VerdictContact, "left and right touch at ", 0.8},
	{"through the wall", path(bothCarts, []float64{0, 0, 0}, []float64{2, 0, 3.78}), fcmsgs.VerdictContact, "right and wall touch at ", 1},
	{"not all joints", path("left_x", []float64{0, 0}, []float64{1, 1}), fcmsgs.VerdictContact, "left and right touch at ", 0.8},
	{"starts where the robot is", path(bothCarts, []float64{1, 0, -1}), fcmsgs.VerdictContact, "segment 0 is the motion from the present state", 0.8},
	{"a step to the first point", path(bothCarts, []float64{0, 0, 0.5}, []float64{1, 0, 1}), fcmsgs.VerdictUndecided, "accept start:right_x", 0},
	{"one point at time 0", path(bothCarts, []float64{0, 0, 0}), fcmsgs.VerdictFree, "proved free", 0},
	{"empty", path(bothCarts), fcmsgs.VerdictInvalid, "no points", 0},
	{"no joints", path("", []float64{0}), fcmsgs.VerdictInvalid, "no joints", 0},
	{"unknown joint", path("left_x gripper", []float64{0, 0, 0}, []float64{1, 0, 0}), fcmsgs.VerdictInvalid, "no joint gripper", 0},
	{"a joint twice", path("left_x left_x", []float64{0, 0, 0}, []float64{1, 0, 0}), fcmsgs.VerdictInvalid, "left_x is named twice", 0},
	{"too few positions", path(bothCarts, []float64{0, 0}, []float64{1, 0}), fcmsgs.VerdictInvalid, "1 positions for 2 joints", 0},
	{"too many positions", path(bothCarts, []float64{0, 0, 0, 0}), fcmsgs.VerdictInvalid, "3 positions for 2 joints", 0},
	{"no positions", path(bothCarts, []float64{0}, []float64{1}), fcmsgs.VerdictInvalid, "0 positions for 2 joints", 0},
	{"NaN", path(bothCarts, []float64{0, 0, 0}, []float64{1, math.NaN(), 0}), fcmsgs.VerdictInvalid, "joint left_x is NaN", 0},
	{"times that run back", path(bothCarts, []float64{0, 0, 0}, []float64{2, 0, 0}, []float64{1, 0, 0}), fcmsgs.VerdictInvalid, "sort the points by time", 0},
	{"a jump", path(bothCarts, []float64{0, 0, 0}, []float64{0, 0, 1}), fcmsgs.VerdictInvalid, "joint right_x jumps", 0},
	{"the same point twice", path(bothCarts, []float64{0, 0, 0}, []float64{0, 0, 0}, []float64{1, 0, 1}), fcmsgs.VerdictFree, "proved free", 0},
	{"negative time", path(bothCarts, []float64{-1, 0, 0}, []float64{1, 0, 0}), fcmsgs.VerdictInvalid, "time -1 s", 0},
	{"a mimic joint that does not follow", path("right_x flag_x", []float64{0, 0, 1}, []float64{1, 0, 1}), fcmsgs.VerdictInvalid, "mimics right_x", 0},
}

func testTrajectoryAnswers(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
	r.waitLevel(0, levelFree, "")
	for i, c := range trajectoryAnswers {
		t.Run(c.name, func(t *testing.T) {
			c.path.Header.Stamp = builtininterfaces.Time{Sec: int32(i + 1), Nanosec: 5}
			r.publish(r.path.Publish(c.path))
			v := r.waitVerdict(fmt.Sprintf("%s/firstcontact/trajectory@%d.000000005", r.namespace, i+1))
			if v.Status != c.status || !strings.Contains(v.Message, c.says) {
				t.Fatalf("status %d: %q, want %d: %q", v.Status, v.Message, c.status, c.says)
			}
			if v.Header.Stamp != c.path.Header.Stamp {
				t.Errorf("stamped %v", v.Header.Stamp)
			}
			if c.status == fcmsgs.VerdictContact && (v.TOCLower > c.toc || v.TOCUpper < c.toc-1e-5 || v.TOCUpper-v.TOCLower > 1e-5) {
				t.Errorf("first contact between %g and %g s, want %g", v.TOCLower, v.TOCUpper, c.toc)
			}
			if c.status == fcmsgs.VerdictFree && (v.ProvenUntil != v.Duration || v.Duration == 0 || !v.MinClearanceKnown || v.ModelHash == "") {
				t.Errorf("proved until %g of %g s, least distance known: %t", v.ProvenUntil, v.Duration, v.MinClearanceKnown)
			}
			if c.status != fcmsgs.VerdictFree && v.ProvenUntil > v.TOCLower {
				t.Errorf("proved until %g s", v.ProvenUntil)
			}
		})
	}
}

func (r *robot) publish(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func TestTrajectoryAnswers(t *testing.T) { testTrajectoryAnswers(t, inMemory()) }

// A long trajectory is judged to its very last segment.
func testLongTrajectory(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t, "-p", "trajectory.deadline:=60.0")...)
	r.waitModel()
	const points = 10_000
	long := path(bothCarts)
	for i := range points {
		long.Points = append(long.Points, trajectorymsgs.JointTrajectoryPoint{
			TimeFromStart: builtininterfaces.DurationOf(time.Duration(i) * 10 * ms),
			Positions:     []float64{0.5 * math.Sin(0.01*float64(i)), 1 + 0.5*math.Cos(0.003*float64(i))},
		})
	}
	long.Header.Stamp.Sec = 1
	r.publish(r.path.Publish(long))
	v := r.waitVerdict(r.namespace + "/firstcontact/trajectory@1.000000000")
	if v.Status != fcmsgs.VerdictFree || v.ProvenUntil != 0.01*(points-1) {
		t.Fatalf("status %d: %s; proved until %g s", v.Status, v.Message, v.ProvenUntil)
	}
	t.Logf("%d points in %.3f s", points, v.ComputeTime)
	long.Points[points-1].Positions = []float64{0, 4}
	long.Header.Stamp.Sec = 2
	r.publish(r.path.Publish(long))
	v = r.waitVerdict(r.namespace + "/firstcontact/trajectory@2.000000000")
	if v.Status != fcmsgs.VerdictContact || v.SegmentIndex != points-2 || v.Pair.B.Name != "wall" {
		t.Errorf("status %d: %s, segment %d", v.Status, v.Message, v.SegmentIndex)
	}
}

func TestLongTrajectory(t *testing.T) { testLongTrajectory(t, inMemory()) }

func testPairs(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	names := strings.Fields(bothCarts)
	for _, c := range []struct {
		id     string
		pair   fcmsgs.JointStatePair
		status uint8
		says   string
		toc    float64
	}{
		{"free", fcmsgs.JointStatePair{JointNames: names, Start: []float64{0, 0}, Goal: []float64{0.5, 1}}, fcmsgs.VerdictFree, "proved free", 1},
		{"contact", fcmsgs.JointStatePair{JointNames: names, Start: []float64{0, 0}, Goal: []float64{0, 3.78}, Duration: builtininterfaces.Duration{Sec: 2}}, fcmsgs.VerdictContact, "right and wall", 1},
		{"touching at the start", fcmsgs.JointStatePair{JointNames: names, Start: []float64{0, -0.9}, Goal: []float64{0, 0}}, fcmsgs.VerdictContact, "touch at 0.000000 s", 0},
		{"unequal", fcmsgs.JointStatePair{JointNames: names, Start: []float64{0, 0}, Goal: []float64{0}}, fcmsgs.VerdictInvalid, "2 start and 1 goal positions", 0},
		{"negative", fcmsgs.JointStatePair{JointNames: names, Start: []float64{0, 0}, Goal: []float64{0, 0}, Duration: builtininterfaces.Duration{Sec: -1}}, fcmsgs.VerdictInvalid, "-1 s", 0},
		{"infinite", fcmsgs.JointStatePair{JointNames: names, Start: []float64{0, 0}, Goal: []float64{0, math.Inf(1)}}, fcmsgs.VerdictInvalid, "joint right_x is +Inf", 0},
		{"nothing", fcmsgs.JointStatePair{}, fcmsgs.VerdictInvalid, "no joints", 0},
		// Nobody says where right is.
		{"not measured", fcmsgs.JointStatePair{JointNames: names[:1], Start: []float64{0}, Goal: []float64{0.1}}, fcmsgs.VerdictUndecided, "not known: no fresh measurement of right_x", 0},
		{"not measured and nobody's", fcmsgs.JointStatePair{JointNames: []string{"gripper"}, Start: []float64{0}, Goal: []float64{0.1}}, fcmsgs.VerdictInvalid, "no joint gripper", 0},
	} {
		t.Run(c.id, func(t *testing.T) {
			c.pair.ID = c.id
			r.publish(r.pair.Publish(&c.pair))
			v := r.waitVerdict(c.id)
			if v.Status != c.status || !strings.Contains(v.Message, c.says) {
				t.Errorf("status %d: %q, want %d: %q", v.Status, v.Message, c.status, c.says)
			}
			if v.Status == fcmsgs.VerdictContact && math.Abs(v.TOCUpper-c.toc) > 1e-5 {
				t.Errorf("first contact by %g s, want %g", v.TOCUpper, c.toc)
			}
		})
	}
}

func TestPairs(t *testing.T) { testPairs(t, inMemory()) }

type (
	request    = fcmsgs.CheckTrajectoryRequest
	response   = fcmsgs.CheckTrajectoryResponse
	trajectory = trajectorymsgs.JointTrajectory
)

func testService(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	client, err := ros.NewClient[request, response](r.node, "firstcontact/check_trajectory", ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	near := *path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, -0.7}) // to 0.1 m
	hit := *path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, -1})
	for _, c := range []struct {
		name   string
		ask    request
		status uint8
		says   string
		check  func(*fcmsgs.Verdict) bool
	}{
		{"free", request{Trajectory: near}, fcmsgs.VerdictFree, "proved free", func(v *fcmsgs.Verdict) bool { return !v.MinClearanceKnown }},
		{"closest", request{Trajectory: near, MinClearance: true}, fcmsgs.VerdictFree, "proved free", func(v *fcmsgs.Verdict) bool {
			return v.MinClearanceKnown && v.MinClearanceLower <= 0.1+1e-9 && v.MinClearanceUpper >= 0.1-1e-9 && v.MinClearanceUpper < 0.102 && v.MinClearancePair.A.Name == "left"
		}},
		{"too close", request{Trajectory: near, Clearance: 0.45}, fcmsgs.VerdictClearance, "come closer than 0.45 m at ", func(v *fcmsgs.Verdict) bool {
			return math.Abs(v.TOCUpper-0.5) < 1e-5 && v.Pair.B.Name == "right" && v.Clearance == 0.45 && v.ProvenUntil <= 0.5
		}},
		{"contact outranks too close", request{Trajectory: hit, Clearance: 0.1}, fcmsgs.VerdictContact, "left and right touch at ", func(v *fcmsgs.Verdict) bool { return math.Abs(v.TOCUpper-0.8) < 1e-5 }},
		{"without self", request{Trajectory: hit, SkipSelf: true}, fcmsgs.VerdictFree, "proved free", nil},
		{"without world", request{Trajectory: hit, SkipWorld: true}, fcmsgs.VerdictContact, "left and right", nil},
		{"without anything", request{Trajectory: hit, SkipSelf: true, SkipWorld: true}, fcmsgs.VerdictInvalid, "nothing to check", nil},
		{"start state", request{Trajectory: *path("left_x", []float64{1, 0.7}), StartJointNames: strings.Fields(bothCarts), StartPositions: []float64{0, 0}}, fcmsgs.VerdictFree, "segment 0", func(v *fcmsgs.Verdict) bool {
			return len(v.HeldJoints) == 1 && v.HeldJoints[0] == "right_x"
		}},
		{"from nobody knows where", request{Trajectory: *path(bothCarts, []float64{1, 0, 0})}, fcmsgs.VerdictUndecided, "joint left_x is not known: wait for joint states", nil},
		{"half a start state", request{Trajectory: near, StartJointNames: []string{"left_x"}}, fcmsgs.VerdictInvalid, "1 start joints have 0 positions", nil},
		{"no deadline to speak of", request{Trajectory: near, Deadline: builtininterfaces.Duration{Nanosec: 1}}, fcmsgs.VerdictUndecided, "the deadline of 1ns passed", func(v *fcmsgs.Verdict) bool { return v.ProvenUntil == 0 }},
		{"negative deadline", request{Trajectory: near, Deadline: builtininterfaces.Duration{Sec: -1}}, fcmsgs.VerdictInvalid, "deadline", nil},
		{"negative clearance", request{Trajectory: near, Clearance: -1}, fcmsgs.VerdictInvalid, "clearance", nil},
		{"NaN", request{Trajectory: near, TimeTolerance: math.NaN()}, fcmsgs.VerdictInvalid, "time tolerance", nil},
		{"splines", request{Trajectory: *swing(), Interpolation: "jtc"}, fcmsgs.VerdictContact, "right and wall touch", func(v *fcmsgs.Verdict) bool { return v.Interpolation == "jtc" }},
		{"splines by default", request{Trajectory: *swing()}, fcmsgs.VerdictContact, "right and wall touch", func(v *fcmsgs.Verdict) bool { return v.Interpolation == "jtc" }},
		{"straight lines", request{Trajectory: *swing(), Interpolation: "linear"}, fcmsgs.VerdictFree, "straight lines between them were checked", func(v *fcmsgs.Verdict) bool { return v.Interpolation == "linear" }},
		{"steps", request{Trajectory: near, Interpolation: "none"}, fcmsgs.VerdictInvalid, "which is not a continuous motion", nil},
		{"tube of zero", request{Trajectory: near, TubeJoints: []string{"left_x"}, TubeWidths: []float64{0}}, fcmsgs.VerdictFree, "proved free", func(v *fcmsgs.Verdict) bool {
			return len(v.TubeJoints) == 1 && v.TubeJoints[0] == "left_x" && v.TubeWidths[0] == 0
		}},
		{"narrow tube", request{Trajectory: *standing(), TubeJoints: strings.Fields(bothCarts), TubeWidths: []float64{0.39, 0.4}}, fcmsgs.VerdictFree, "proved free", nil},
		{"wide tube", request{Trajectory: *standing(), TubeJoints: strings.Fields(bothCarts), TubeWidths: []float64{0.41, 0.4}}, fcmsgs.VerdictContact, "within their tube", nil},
		{"tube of nobody", request{Trajectory: near, TubeJoints: []string{"elbow"}, TubeWidths: []float64{0.1}}, fcmsgs.VerdictInvalid, "no joint elbow", nil},
		{"negative tube", request{Trajectory: near, TubeJoints: []string{"left_x"}, TubeWidths: []float64{-1}}, fcmsgs.VerdictInvalid, "tube of -1", nil},
		{"half a tube", request{Trajectory: near, TubeJoints: []string{"left_x"}}, fcmsgs.VerdictInvalid, "1 tube_joints have 0 tube_widths", nil},
		{"tube twice", request{Trajectory: near, TubeJoints: []string{"left_x", "left_x"}, TubeWidths: []float64{1, 2}}, fcmsgs.VerdictInvalid, "tube_joints names left_x twice", nil},
		{"group", request{Trajectory: near, Group: "arm"}, fcmsgs.VerdictInvalid, "group", nil},
		{"empty", request{}, fcmsgs.VerdictInvalid, "no points", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.ask.ID = c.name
			answer, err := client.Call(r.soon(), &c.ask)
			if err != nil {
				t.Fatal(err)
			}
			v := &answer.Verdict
			if v.ID != c.name || v.Status != c.status || !strings.Contains(v.Message, c.says) {
				t.Errorf("%s has status %d: %q, want %d: %q", v.ID, v.Status, v.Message, c.status, c.says)
			}
			if c.check != nil && !c.check(v) {
				t.Errorf("verdict %+v", v)
			}
			if published := r.waitVerdict(c.name); published.Status != v.Status {
				t.Errorf("the topic says %d, the service %d", published.Status, v.Status)
			}
		})
	}
}

func TestService(t *testing.T) { testService(t, inMemory()) }

// swing stays where it is by its points, but by their velocities a controller
// swings right out by 1.8 m and back.
func swing() *trajectorymsgs.JointTrajectory {
	m := path(bothCarts, []float64{0, 0, 0.5}, []float64{1, 0, 0.5})
	m.Points[0].Velocities, m.Points[1].Velocities = []float64{0, 7.2}, []float64{0, -7.2}
	return m
}

// standing is the carts at rest, 0.8 m apart.
func standing() *trajectorymsgs.JointTrajectory {
	return path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0})
}

func TestTrajectoriesBecomeMotions(t *testing.T) {
	ask := func(given map[string]any, right float64, m *trajectorymsgs.JointTrajectory) (*question, *motion.Motion) {
		t.Helper()
		q := defaults(values(t, given)).aboutTrajectory("/t", m)
		way, err := q.way(context.Background(), map[string]float64{"left_x": 0, "right_x": right})
		if err != nil {
			t.Fatal(err)
		}
		return q, way
	}
	q, way := ask(map[string]any{"trajectory.path_tolerance.left_x": 0.1}, 0.5, swing())
	if len(way.Pieces[0].Ctrl[1]) != 4 || way.At(0.5)[1] != 2.3 || len(q.notes) != 0 || q.joined != motion.JTC || q.query.Tube["left_x"] != 0.1 {
		t.Errorf("%+v, notes %q, tube %v", way.Pieces[0], q.notes, q.query.Tube)
	}
	q, way = ask(map[string]any{"trajectory.interpolation": "linear"}, 0.5, swing())
	if len(way.Pieces[0].Ctrl[1]) != 2 || len(q.notes) != 1 || !strings.Contains(q.notes[0], "straight lines") {
		t.Errorf("%+v, notes %q", way.Pieces[0], q.notes)
	}
	late := swing()
	late.Points = late.Points[1:]
	q, way = ask(nil, 1, late)
	if got := way.Pieces[0].Ctrl[1]; len(got) != 4 || got[0] != 1 || got[1] != 1 || got[2] != 2.9 || len(q.notes) != 1 || !strings.Contains(q.notes[0], "at rest") {
		t.Errorf("control points %v, notes %q", got, q.notes)
	}
	// A first point at time 0 is where a controller jumps.
	_, way = ask(nil, 1, path(bothCarts, []float64{0, 0, 1.02}, []float64{1, 0, 1}))
	if len(way.Gaps) != 1 || !strings.Contains(way.Gaps[0].Detail, "joint right_x is at 1 but the first point, at time 0, has it at 1.02") {
		t.Errorf("gaps %v", way.Gaps)
	}
	if _, way = ask(nil, 1, path(bothCarts, []float64{0, 0.005, 0.995}, []float64{1, 0, 1})); len(way.Gaps) != 0 {
		t.Errorf("gaps %v", way.Gaps)
	}
	// The parameters' tolerances are for trajectories, and a request may have its own.
	d := defaults(values(t, map[string]any{"trajectory.path_tolerance.left_x": 0.1, "trajectory.path_tolerance.right_x": 0.2}))
	if q := d.aboutPair(&fcmsgs.JointStatePair{}); q.query.Tube != nil || q.joined != motion.StraightLines {
		t.Errorf("a pair of states: %v by %s", q.query.Tube, q.joined)
	}
	r := d.aboutRequest(&fcmsgs.CheckTrajectoryRequest{TubeJoints: []string{"right_x"}, TubeWidths: []float64{0.3}})
	if tube := r.query.Tube; len(tube) != 2 || tube["left_x"] != 0.1 || tube["right_x"] != 0.3 || d.query.Tube["right_x"] != 0.2 {
		t.Errorf("tube %v, parameters %v", tube, d.query.Tube)
	}
}

func TestTolerancesOfUnknownJoints(t *testing.T) {
	_, err := build(context.Background(), description{urdf: source{text: railURDF}}, values(t, map[string]any{"trajectory.path_tolerance.elbow": 0.1}))
	if err == nil || !strings.Contains(err.Error(), "trajectory.path_tolerance.elbow") {
		t.Errorf("error %v", err)
	}
}

// testDescriptions lets the robot's description come late, and change.
func testDescriptions(t *testing.T, g *graph) {
	r := g.newRobot(t, "-p", "model.changes:=accept", "-p", "model.semantic_topic:=true")
	latched := ros.QoS{Durability: ros.TransientLocal, Depth: 1}
	urdf, err := ros.Advertise[stdmsgs.String](r.node, "robot_description", latched)
	if err != nil {
		t.Fatal(err)
	}
	srdf, err := ros.Advertise[stdmsgs.String](r.node, "robot_description_semantic", latched)
	if err != nil {
		t.Fatal(err)
	}
	r.play(func() *sensormsgs.JointState { return carts2(0, -0.9) }) // one inside the other
	_, at := r.waitLevel(0, levelUnknown, "no robot description has arrived yet")
	ask := func(id string) *fcmsgs.Verdict {
		r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, -0.9}, Goal: []float64{0, -0.9}}))
		return r.waitVerdict(id)
	}
	if v := ask("too early"); v.Status != fcmsgs.VerdictUndecided || !strings.Contains(v.Message, "no robot description") {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
	r.publish(urdf.Publish(&stdmsgs.String{Data: "<robot"}))
	_, at = r.waitLevel(at, levelUnknown, "the model cannot be checked")
	r.publish(urdf.Publish(&stdmsgs.String{Data: railURDF}))
	s, at := r.waitLevel(at, fcmsgs.CollisionStateCollision, "left and right touch")
	if v := ask("in time"); v.Status != fcmsgs.VerdictContact {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
	hash := s.ModelHash
	// Its SRDF leaves nothing to check: that is no model, and the one before stays.
	r.publish(srdf.Publish(&stdmsgs.String{Data: railSRDF}))
	s, at = r.states.wait(at, "a refused description", func(s *fcmsgs.CollisionState) bool { return s.RefusedDescriptions == 1 && !outOfTime(s) })
	if s.Level != fcmsgs.CollisionStateCollision || s.ModelHash != hash || !strings.Contains(s.ModelWarning, "could not be used") || s.ModelChanges != 0 {
		t.Errorf("level %d by %s: %q", s.Level, s.ModelHash, s.ModelWarning)
	}
	if v := ask("still"); v.Status != fcmsgs.VerdictContact {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
	third := `<link name="tip"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
		<joint name="tip" type="fixed"><parent link="right"/><child link="tip"/><origin xyz="0 0 1"/></joint></robot>`
	r.publish(urdf.Publish(&stdmsgs.String{Data: strings.Replace(railURDF, "</robot>", third, 1)}))
	s, _ = r.waitLevel(at, levelFree, "")
	if s.ModelHash == hash || s.ModelHash == "" {
		t.Errorf("another model has the hash %s", s.ModelHash)
	}
	if s.AssumedPairs != 1 {
		t.Errorf("%d assumed pairs, want the one of the SRDF", s.AssumedPairs)
	}
	if v := ask("late"); v.Status != fcmsgs.VerdictFree || v.ModelHash != s.ModelHash {
		t.Errorf("status %d: %s", v.Status, v.Message)
	}
}

func TestDescriptions(t *testing.T) {
	t.Parallel()
	testDescriptions(t, inMemory())
}

// testPinned lets a stranger publish other descriptions: what is checked stays.
func testPinned(t *testing.T, g *graph) {
	r := g.newRobot(t)
	latched := ros.QoS{Durability: ros.TransientLocal, Depth: 1}
	advertise := func(topic string) *ros.Publisher[stdmsgs.String] {
		p, err := ros.Advertise[stdmsgs.String](r.node, topic, latched)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	mine, stranger, srdf := advertise("robot_description"), advertise("robot_description"), advertise("robot_description_semantic")
	r.play(func() *sensormsgs.JointState { return carts2(0, -0.9) }) // one inside the other
	_, at := r.waitLevel(0, levelUnknown, "no robot description has arrived yet")
	r.publish(mine.Publish(&stdmsgs.String{Data: "<robot"})) // one that makes no model pins nothing
	_, at = r.waitLevel(at, levelUnknown, "the model cannot be checked")
	r.publish(mine.Publish(&stdmsgs.String{Data: railURDF}))
	s, _ := r.waitLevel(at, fcmsgs.CollisionStateCollision, "left and right touch")
	r.publish(srdf.Publish(&stdmsgs.String{Data: railSRDF}))
	r.publish(stranger.Publish(&stdmsgs.String{Data: strings.ReplaceAll(railURDF, "0.2 0.2 0.2", "0.01 0.01 0.01")}))
	for i := range 20 { // some time, in which nothing changes
		id := fmt.Sprintf("still %d", i)
		r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, -0.9}, Goal: []float64{0, -0.9}}))
		if v := r.waitVerdict(id); v.Status != fcmsgs.VerdictContact || v.ModelHash != s.ModelHash {
			t.Fatalf("status %d by model %s, want contact by %s", v.Status, v.ModelHash, s.ModelHash)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestPinned(t *testing.T) { testPinned(t, inMemory()) }

func TestNodeRefuses(t *testing.T) {
	frame := "[{id: wall, type: box, xyz: [3, 0, 0], size: [1, 1, 1]}]"
	elsewhere := t.TempDir() + "/elsewhere.yaml"
	write(t, elsewhere, "{frame: map, objects: "+frame+"}")
	nobody := `<robot name="r"><link name="a"/></robot>`
	for name, c := range map[string]struct {
		given map[string]any
		says  string
	}{
		"unknown parameter": {map[string]any{"chek_rate": 5.0}, "check_rate"},
		"out of range":      {map[string]any{"check_rate": 5000.0}, "check_rate"},
		"no such file":      {map[string]any{"robot_description_file": "nowhere.urdf"}, "nowhere.urdf"},
		"no such scene":     {map[string]any{"robot_description": railURDF, "scene": "nowhere.yaml"}, "nowhere.yaml"},
		"broken robot":      {map[string]any{"robot_description": "<robot>"}, "robot_description"},
		"broken SRDF":       {map[string]any{"robot_description": railURDF, "robot_description_semantic": "<robot"}, "srdf"},
		"nothing to check":  {map[string]any{"robot_description": nobody}, "no pair of bodies"},
		"foreign frame":     {map[string]any{"robot_description": railURDF, "scene": elsewhere}, "frame map"},
		"padding of nobody": {map[string]any{"robot_description": railURDF, "padding.gripper": 0.1}, "gripper"},
	} {
		t.Run(name, func(t *testing.T) {
			var args ros.Args
			for name, value := range c.given {
				args.Parameters = append(args.Parameters, ros.Parameter{Node: "/**", Name: name, Value: value})
			}
			n, err := New(ros.NewMemory(), Options{Args: args, Logger: quiet()})
			if err == nil {
				err = n.Run(context.Background())
				n.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one about %s", err, c.says)
			}
		})
	}
}

// Controllers interpolate the numbers of a trajectory: a continuous joint goes the
// long way round where the numbers do.
func TestTrajectoriesKeepTurns(t *testing.T) {
	m := &trajectorymsgs.JointTrajectory{JointNames: []string{"turn"}, Points: []trajectorymsgs.JointTrajectoryPoint{
		{Positions: []float64{3.1}}, {Positions: []float64{-3.1}, TimeFromStart: builtininterfaces.Duration{Sec: 1}},
	}}
	way, err := new(question).wayOf(context.Background(), m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !way.KeepTurns {
		t.Error("the motion takes the short way, which no controller does")
	}
}
