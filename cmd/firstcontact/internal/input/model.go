// Package input reads what the command line names: the robot or the robots of a cell, the scene, the
// motions, and the pairs and gaps that are set aside; and says of each answer what it is about.
package input

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// RobotFlags select the robot, or the robots of a cell.
type RobotFlags struct {
	CacheFlags
	FileFlags
	Padding float64 // m, added all around every link

	sums     sums
	streamed streamed

	Cmd *cobra.Command // whose flags these are
}

// Add defines the flags.
func (f *RobotFlags) Add(cmd *cobra.Command) {
	f.Cmd = cmd
	cli.Group(cmd, "Robot", func(fs *pflag.FlagSet) {
		f.FileFlags.Add(cmd)
		fs.Float64Var(&f.Padding, "padding", 0, "`metres` added all around every link")
	})
	cli.Group(cmd, "Other flags", func(fs *pflag.FlagSet) {
		f.CacheFlags.add(cmd)
	})
}

// Quiet is --quiet: no notes.
func (f *RobotFlags) Quiet() bool {
	if f.Cmd == nil {
		return false
	}
	quiet, err := f.Cmd.Flags().GetBool("quiet")
	return quiet && err == nil
}

// ModelFlags select the robot, the world and the pairs to check.
type ModelFlags struct {
	RobotFlags
	proofFlags
	Scene  string   // the file of the obstacles, "" for none
	State  []string // JOINT=VALUE[,...] or the name of a group state
	Allow  []string // A:B
	Accept []string // KIND or KIND:NAME
}

// Add defines the flags.
func (f *ModelFlags) Add(cmd *cobra.Command) {
	f.RobotFlags.Add(cmd)
	cli.Group(cmd, "Scene and start", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.Scene, "scene", "", "the obstacles: YAML or JSON, MoveIt .scene or PlanningScene, a URDF,\nccdscene text, or a problem as `FILE`#SET/INDEX")
		fs.StringArrayVar(&f.State, "state", nil, "positions of joints: `JOINT=VALUE[,...]` in rad or m, or the name of an SRDF group\nstate (repeat): of those that a motion does not name, and of all at the start of a\ntrajectory that begins later than time 0")
	})
	cli.Group(cmd, "Pairs and premises", func(fs *pflag.FlagSet) {
		f.proofFlags.add(cmd)
		fs.StringArrayVar(&f.Allow, "allow", nil, "do not check the pair `A:B` of links or objects (repeat)")
		fs.StringArrayVar(&f.Accept, "accept", nil, "accept a gap by name, as `KIND or KIND:NAME` (repeat): an input with a gap is\nUNDECIDED, and the answer gives the name of the gap; kinds:\n"+wrapped(premise.Gaps(), 78))
	})
}

// wrapped joins words by commas in lines of at most so many characters.
func wrapped(words []string, width int) string {
	var b strings.Builder
	column := 0
	for i, w := range words {
		if i < len(words)-1 {
			w += ","
		}
		switch {
		case column == 0:
		case column+1+len(w) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	return b.String()
}

// PackageDirs returns the folders of --package by the name of the package.
func (f *RobotFlags) PackageDirs() (map[string]string, error) {
	dirs := map[string]string{}
	for _, p := range f.packages {
		name, dir, ok := strings.Cut(p, "=")
		if !ok || name == "" || dir == "" {
			return nil, fmt.Errorf("--package %s: give NAME=DIR", p)
		}
		dirs[name] = dir
	}
	return dirs, nil
}

// LoadScene reads the obstacles around the robot, if any were named.
func (f *ModelFlags) LoadScene(ctx context.Context, robot *urdf.Robot) (*scene.Snapshot, error) {
	if f.Scene == "" {
		return nil, nil
	}
	dirs, err := f.PackageDirs()
	if err != nil {
		return nil, err
	}
	return f.loadObstacles(ctx, scene.Options{Packages: dirs, Robot: robot})
}

// Options turns the flags into a checker's options.
func (f *ModelFlags) Options(ctx context.Context, robot *urdf.Robot) (ccd.Options, error) {
	o := ccd.Options{State: map[string]float64{}, Padding: f.Padding, Accept: f.Accept}
	if err := o.Accept.Validate(); err != nil {
		return o, cli.UsageError{Err: fmt.Errorf("--accept: %w%s", err, GapHint(o.Accept))}
	}
	var err error
	if o.Cache, err = f.Dir(); err != nil {
		return o, err
	}
	for _, s := range f.State {
		if err := AddState(o.State, robot, s); err != nil {
			return o, err
		}
	}
	for _, pair := range f.Allow {
		a, b, ok := strings.Cut(pair, ":")
		if !ok || a == "" || b == "" {
			return o, fmt.Errorf("--allow %s: give two names as A:B", pair)
		}
		o.Allowed = append(o.Allowed, [2]string{a, b})
	}
	return o, f.prove(ctx, robot, &o)
}

// GapHint suggests the kind of gap that was probably meant by the first unknown one.
func GapHint(accept premise.Accept) string {
	for _, entry := range accept {
		if kind, _, _ := strings.Cut(entry, ":"); !slices.Contains(premise.Gaps(), kind) {
			return spelling.Hint(kind, premise.Gaps())
		}
	}
	return ""
}

// LinkNames lists the robot's links.
func LinkNames(robot *urdf.Robot) []string {
	names := make([]string, len(robot.Links))
	for i := range names {
		names[i] = robot.Links[i].Name
	}
	return names
}

// AddState parses one --state: a named group state, or positions by joint.
func AddState(state map[string]float64, robot *urdf.Robot, s string) error {
	if !strings.Contains(s, "=") {
		var known []string
		if robot.Semantic != nil {
			for _, named := range robot.Semantic.States {
				known = append(known, named.Name)
				if named.Name == s {
					for joint, x := range named.Positions {
						state[joint] = x
					}
					return nil
				}
			}
		}
		return fmt.Errorf("--state %s: no such group state in the SRDF%s; give JOINT=VALUE or the name of one", s, spelling.Hint(s, known))
	}
	for _, term := range strings.Split(s, ",") {
		joint, value, _ := strings.Cut(term, "=")
		x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil {
			return fmt.Errorf("--state %s: %q is not a number: give JOINT=VALUE", s, value)
		}
		state[strings.TrimSpace(joint)] = x
	}
	return nil
}

// TellModel writes notes about the model to standard error.
func (f *ModelFlags) TellModel(ctx context.Context, w io.Writer, c *ccd.Checker) {
	if f.Quiet() {
		return
	}
	tellCache(w, c)
	robot := c.Robot()
	for _, warning := range robot.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	if world := c.World(); world != nil {
		for _, warning := range world.Warnings {
			fmt.Fprintf(w, "note: %s\n", warning)
		}
	}
	answer.TellFindings(w, c.Plausible().Findings(), false)
	f.tellPairs(ctx, w, c)
}

// TellRobot writes notes about the robot to standard error.
func (f *RobotFlags) TellRobot(w io.Writer, robot *urdf.Robot) {
	if f.Quiet() {
		return
	}
	for _, warning := range robot.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	answer.TellFindings(w, plausible.New(robot, nil).Findings(), true)
}
