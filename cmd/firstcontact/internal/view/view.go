// Package view is the command view: it shows live what a running node says, as a page or in a window.
package view

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/rosnode"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/graphics/window"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/live"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

const aboutView = `Show what a running node says: the robot as it moves, the level, the closest pairs,
and verdicts as they come.

--web serves a page for a browser: on this machine alone with :PORT, for others too
with HOST:PORT. Nothing can be changed through it. The node can serve the same page
itself ('firstcontact node --web :8080'), with the model that it has; here the robot is
read from --robot or taken from the topic robot_description, the scene is read from a
file, and the view says if the node's model or scene is another one.

Without --web it opens a window, in a program built with -tags gl. There a MOTION is
played instead of listening to a node: drag to turn, scroll to come closer, space to
pause, left and right to seek, Esc to close. Nothing is checked.

The environment variables of ROS 2 nodes apply, such as ROS_DOMAIN_ID. The view only
listens: to joint states, and to what the node publishes.`

type flags struct {
	input.MotionFlags
	web, node, joints string
	description       string
}

// Command returns the command view.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "view [--robot R.urdf] [flags] [MOTION]",
		Short: "Show live what a running node says",
		Long:  aboutView,
		Example: `  firstcontact view --web :8080 --scene cell.yaml
  firstcontact view --web :8080 --robot arm.urdf --srdf arm.srdf --scene cell.yaml
  firstcontact view --web :8080 --robot arm.urdf --node /cell/firstcontact --joint-states /cell/joint_states`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), io, args) },
	}
	f.ModelFlags.Add(cmd)
	cli.Group(cmd, "View", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.web, "web", "", "serve the view as a page on an `address`: :PORT for this machine alone, or HOST:PORT")
		fs.StringVar(&f.node, "node", "firstcontact", "`name` of the node, with its namespace")
		fs.StringVar(&f.joints, "joint-states", "joint_states", "`topic` of the joint states")
		fs.StringVar(&f.description, "description", "robot_description", "`topic` of the robot's URDF, where --robot is not given")
	})
	return cmd
}

func (f *flags) run(ctx context.Context, io cli.Streams, args []string) error {
	if f.web != "" && len(args) > 0 {
		return cli.UsageError{Err: errors.New("--web shows a running node, not a MOTION: leave one of them out, or use check --report")}
	}
	switch {
	case f.web == "" && !window.Available:
		return cli.UsageError{Err: errors.New("this build has no window: give --web :8080, and open that page in a browser, or build it with -tags gl")}
	case len(args) == 1:
		return f.play(ctx, io, args)
	}
	return f.follow(ctx, io)
}

// follow shows what a running node says, as a page or in a window.
func (f *flags) follow(ctx context.Context, io cli.Streams) (err error) {
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	n, err := ros.NewNode(rosnode.Transport(&env), ros.Options{Name: "firstcontact_view", Env: env, Logger: ros.NewLogger(io.Err, "firstcontact_view", ros.LevelWarn)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	watched, err := f.feed(ctx, n, io)
	if err != nil {
		return err
	}
	if f.web == "" {
		return f.showLive(ctx, watched)
	}
	server, err := live.Listen(f.web, watched, func(format string, args ...any) { fmt.Fprintf(io.Err, "note: "+format+"\n", args...) })
	if err != nil {
		return cli.UsageError{Err: fmt.Errorf("--web: %w", err)}
	}
	if server.Open() {
		fmt.Fprintln(io.Err, "note: the view is open to everybody who reaches this machine")
	}
	fmt.Fprintf(io.Out, "the view is on %s\n", server.URL())
	return server.Run(ctx)
}

// feed reads the model and listens to the node.
func (f *flags) feed(ctx context.Context, n *ros.Node, io cli.Streams) (*feed, error) {
	robot, err := f.robotOf(ctx, n, io)
	if err != nil {
		return nil, err
	}
	world, err := f.LoadScene(ctx, robot)
	if err != nil {
		return nil, err
	}
	opts, err := f.Options(ctx, robot)
	if err != nil {
		return nil, err
	}
	checker, err := ccd.NewContext(ctx, robot, world, opts)
	if err != nil {
		return nil, err
	}
	watched, err := newFeed(checker, opts)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(f.node, "/")
	newest := ros.QoS{Depth: 1, Reliability: ros.BestEffort}
	_, first := ros.Subscribe(n, f.joints, ros.JointStateQoS, func(m *sensormsgs.JointState, _ ros.MessageInfo) { watched.hear(m) })
	_, second := ros.Subscribe(n, name+"/state", newest, func(m *fcmsgs.CollisionState, _ ros.MessageInfo) { watched.board.State(m) })
	_, third := ros.Subscribe(n, name+"/verdict", ros.QoS{Depth: 10}, func(m *fcmsgs.Verdict, _ ros.MessageInfo) { watched.board.Verdict(m) })
	return watched, errors.Join(first, second, third)
}

// feed is what is known of a running node. It is safe for concurrent use.
type feed struct {
	checker *ccd.Checker
	hash    string // of the model, as nodes name it
	board   live.Board

	mu           sync.Mutex
	positions    map[string]measurement // of joints
	model, scene string                 // hashes that the node's newest state has
}

// measurement is the position of a joint.
type measurement struct {
	position float64 // rad or m
	came     time.Time
}

// measuredFor is how long a measurement tells where a joint is.
const measuredFor = time.Second

func newFeed(c *ccd.Checker, opts ccd.Options) (*feed, error) {
	hash, err := node.ModelHash(c, opts)
	return &feed{checker: c, hash: hash, positions: map[string]measurement{}}, err
}

// hear takes a joint state, of which it retains the robot's joints.
func (f *feed) hear(m *sensormsgs.JointState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	robot := f.checker.Robot()
	for i, name := range m.Name[:min(len(m.Name), len(m.Position), limit.MessageJoints)] {
		if robot.Joint(name) >= 0 {
			f.positions[name] = measurement{m.Position[i], time.Now()}
		}
	}
}

// Now returns the newest of what is known.
func (f *feed) Now() live.View {
	f.mu.Lock()
	defer f.mu.Unlock()
	positions := map[string]float64{}
	for name, m := range f.positions {
		if time.Since(m.came) < measuredFor {
			positions[name] = m.position
		}
	}
	v := f.board.View(positions)
	f.model, f.scene = "", ""
	if v.State != nil {
		f.model, f.scene = v.State.ModelHash, v.State.SceneHash
	}
	return v
}

// Model returns what was read from files, and whether the node has another model or scene.
func (f *feed) Model() (*ccd.Checker, string) {
	own := ""
	if world := f.checker.World(); world != nil {
		own = hex.EncodeToString(world.Hash[:])
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.model != "" && f.model != f.hash:
		return f.checker, "The node's model is another one than the one that is drawn here (its robot, meshes, padding, allowed pairs or accepted gaps): trust the level and the distances, not the picture."
	case f.scene == own || f.scene == "" && own == "":
		return f.checker, ""
	case f.scene == "":
		return f.checker, "The node has told of no scene: what is drawn around the robot is not checked by it."
	}
	return f.checker, "The node's scene is another one than the one that is drawn here: trust the level and the distances, not the picture."
}

// standing returns the level to show, and a line about it.
func (f *feed) standing() (level, line string) {
	v := f.Now()
	level, reason := v.Standing()
	_, remark := f.Model()
	unmeasured := ""
	if n := len(f.checker.ActiveJoints()) - len(v.Positions); n > 0 {
		unmeasured = fmt.Sprintf("%d joints have sent no position for %v: they are drawn where they were, or at zero.", n, measuredFor)
	}
	line = level
	for _, more := range []string{reason, remark, unmeasured} {
		if more != "" {
			line += "  " + more
		}
	}
	return level, line
}
