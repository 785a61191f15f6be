package main

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
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/plausible"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// robotFlags select the robot, or the robots of a cell.
type robotFlags struct {
	cacheFlags
	robotFileFlags
	padding float64

	sums     sums
	streamed streamed

	cmd *cobra.Command // whose flags these are
}

func (f *robotFlags) add(cmd *cobra.Command) {
	f.cmd = cmd
	group(cmd, "Robot", func(fs *pflag.FlagSet) {
		f.robotFileFlags.add(cmd)
		fs.Float64Var(&f.padding, "padding", 0, "`metres` added all around every link")
	})
	group(cmd, "Other flags", func(fs *pflag.FlagSet) {
		f.cacheFlags.add(cmd)
	})
}

// quiet is --quiet: no notes.
func (f *robotFlags) quiet() bool {
	if f.cmd == nil {
		return false
	}
	quiet, err := f.cmd.Flags().GetBool("quiet")
	return quiet && err == nil
}

// modelFlags select the robot, the world and the pairs to check.
type modelFlags struct {
	robotFlags
	proofFlags
	scene  string
	state  []string
	allow  []string
	accept []string
}

func (f *modelFlags) add(cmd *cobra.Command) {
	f.robotFlags.add(cmd)
	group(cmd, "Scene and start", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.scene, "scene", "", "the obstacles: YAML or JSON, MoveIt .scene or PlanningScene, a URDF,\nccdscene text, or a problem as `FILE`#SET/INDEX")
		fs.StringArrayVar(&f.state, "state", nil, "positions of joints: `JOINT=VALUE[,...]` in rad or m, or the name of an SRDF group\nstate (repeat): of those that a motion does not name, and of all at the start of a\ntrajectory that begins later than time 0")
	})
	group(cmd, "Pairs and premises", func(fs *pflag.FlagSet) {
		f.proofFlags.add(cmd)
		fs.StringArrayVar(&f.allow, "allow", nil, "do not check the pair `A:B` of links or objects (repeat)")
		fs.StringArrayVar(&f.accept, "accept", nil, "accept a gap by name, as `KIND or KIND:NAME` (repeat): an input with a gap is\nUNDECIDED, and the answer gives the name of the gap; kinds:\n"+wrapped(premise.Gaps(), 78))
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

func (f *robotFlags) packageDirs() (map[string]string, error) {
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

// loadScene reads the obstacles around the robot, if any were named.
func (f *modelFlags) loadScene(ctx context.Context, robot *urdf.Robot) (*scene.Snapshot, error) {
	if f.scene == "" {
		return nil, nil
	}
	dirs, err := f.packageDirs()
	if err != nil {
		return nil, err
	}
	return f.loadObstacles(ctx, scene.Options{Packages: dirs, Robot: robot})
}

// options turns the flags into a checker's options.
func (f *modelFlags) options(ctx context.Context, robot *urdf.Robot) (ccd.Options, error) {
	o := ccd.Options{State: map[string]float64{}, Padding: f.padding, Accept: f.accept}
	if err := o.Accept.Validate(); err != nil {
		return o, usageError{fmt.Errorf("--accept: %w%s", err, gapHint(o.Accept)), f.cmd.CommandPath()}
	}
	var err error
	if o.Cache, err = f.dir(); err != nil {
		return o, err
	}
	for _, s := range f.state {
		if err := addState(o.State, robot, s); err != nil {
			return o, err
		}
	}
	for _, pair := range f.allow {
		a, b, ok := strings.Cut(pair, ":")
		if !ok || a == "" || b == "" {
			return o, fmt.Errorf("--allow %s: give two names as A:B", pair)
		}
		o.Allowed = append(o.Allowed, [2]string{a, b})
	}
	return o, f.prove(ctx, robot, &o)
}

// gapHint suggests the kind of gap that was probably meant by the first unknown one.
func gapHint(accept premise.Accept) string {
	for _, entry := range accept {
		if kind, _, _ := strings.Cut(entry, ":"); !slices.Contains(premise.Gaps(), kind) {
			return spelling.Hint(kind, premise.Gaps())
		}
	}
	return ""
}

// linkNames lists the robot's links.
func linkNames(robot *urdf.Robot) []string {
	names := make([]string, len(robot.Links))
	for i := range names {
		names[i] = robot.Links[i].Name
	}
	return names
}

// addState parses one --state: a named group state, or positions by joint.
func addState(state map[string]float64, robot *urdf.Robot, s string) error {
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

// tellModel writes notes about the model to standard error.
func (f *modelFlags) tellModel(ctx context.Context, w io.Writer, c *ccd.Checker) {
	if f.quiet() {
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
	tellFindings(w, c.Plausible().Findings(), false)
	f.tellPairs(ctx, w, c)
}

// tellRobot writes notes about the robot to standard error.
func (f *robotFlags) tellRobot(w io.Writer, robot *urdf.Robot) {
	if f.quiet() {
		return
	}
	for _, warning := range robot.Warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
	tellFindings(w, plausible.New(robot, nil).Findings(), true)
}
