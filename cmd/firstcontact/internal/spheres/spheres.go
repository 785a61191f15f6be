// Package spheres is the command spheres: it covers links with spheres, verifies such covers, and shows
// the trees and ranges of motion that the engine uses.
package spheres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
	"github.com/firstcontact-ros/firstcontact/linkspheres/search"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const aboutSpheres = `Cover each link by spheres, with a proof that they contain the whole link.

Many planners model a robot as spheres. Parts of a link outside its spheres can collide
unnoticed; space that the spheres add is lost to the planner. This command chooses
spheres for every link that has collision geometry, proves that they contain all of it,
and measures how far they protrude:

  proof    every point of the link is inside a sphere: of primitives and closed
           meshes the whole solid (--surface: its surface only), of open meshes
           the surface. If the proof fails nothing is written.
  excess   the largest distance of any point of the spheres from the link: a proved
           upper bound, and the distance of a point that was found
  mean     the mean distance from the link over the surface of the spheres' union,
  volume   and the volume of that union over that of the link: estimates by random
           points, with their standard error

--verify FILE proves spheres again, also those of a cuRobo configuration made by hand:
it prints a point that they leave out, if there is one.

--range-of-motion shows other spheres: the trees and hulls by which distance queries
leave out pairs of the robot's own links.

Exit status: 0 proved, 1 a point of a link is outside the spheres, 3 not proved,
4 bad input, 64 usage. docs/spheres.md tells how the proof works, docs/self-collision.md
what --range-of-motion prints.`

type flags struct {
	input.ModelFlags
	spheres, total    int
	excess, padding   float64
	surface           bool
	links             []string
	seed              uint64
	strategy          string
	samples, jobs     int
	out               []string
	picture, verified string
	json              bool
	motion            bool   // show trees and hulls instead
	srdf              string // for that
	padded            bool   // --padding was given
}

// Command returns the command spheres.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "spheres --robot R.urdf [--spheres N | --total N | --excess METRES | --range-of-motion] [--out FILE]",
		Short: "Cover each link by spheres, with proof",
		Long:  aboutSpheres,
		Example: `  firstcontact spheres --robot panda.urdf --spheres 8 --out panda_spheres.yaml --picture panda.svg
  firstcontact spheres --robot panda.urdf --total 60
  firstcontact spheres --robot panda.urdf --excess 0.02 --padding 0.005 --out panda_spheres.yaml --out panda_spheres.urdf
  firstcontact spheres --robot panda.urdf --link panda_hand --link panda_link7 --excess 0.01 --json
  firstcontact spheres --robot panda.urdf --verify panda_spheres.yaml
  firstcontact spheres --robot panda.urdf --srdf panda.srdf --range-of-motion --picture hulls.svg`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UsageError{Err: fmt.Errorf("spheres takes no arguments (%q): name links with --link", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.Cmd = cmd
			f.padded = cmd.Flags().Changed("padding")
			return f.run(cmd.Context(), io)
		},
	}
	f.add(cmd)
	return cmd
}

// add adds the flags to a command.
func (f *flags) add(cmd *cobra.Command) {
	cli.Group(cmd, "Robot", func(fs *pflag.FlagSet) {
		f.FileFlags.AddOne(cmd)
		fs.StringArrayVar(&f.links, "link", nil, "only the link of this `name` (repeat)")
		fs.Float64Var(&f.padding, "padding", 0, "cover each link padded by `metres`")
		fs.BoolVar(&f.surface, "surface", false, "cover the surfaces only, not the inside")
	})
	cli.Group(cmd, "How many spheres", func(fs *pflag.FlagSet) {
		fs.IntVar(&f.spheres, "spheres", 0, "`number` of spheres per link (default 8)")
		fs.IntVar(&f.total, "total", 0, "`number` of spheres of all links together, shared out so that the largest excess is least")
		fs.Float64Var(&f.excess, "excess", 0, "as many spheres as needed for none to protrude by more than `metres`")
		fs.StringVar(&f.strategy, "strategy", "best", "`how` centres are chosen: medial, clusters, or the best of both")
		fs.Uint64Var(&f.seed, "seed", 1, "`number` that determines the random choices: the same gives the same spheres")
	})
	cli.Group(cmd, "Other questions", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.verified, "verify", "", "verify the spheres of this YAML `file` instead of making some")
		fs.BoolVar(&f.motion, "range-of-motion", false, "show the sphere trees and the hulls of ranges of motion that distance queries use")
		fs.StringVar(&f.srdf, "srdf", "", "SRDF `file` for --range-of-motion: which pairs of links are checked")
	})
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringArrayVar(&f.out, "out", nil, "`file` to write (repeat): .yaml, as cuRobo and similar planners read it; .json, with\nall measurements; .urdf, the robot with spheres for its collision geometry")
		fs.StringVar(&f.picture, "picture", "", "SVG `file` with a picture of links and spheres")
		fs.IntVar(&f.samples, "samples", 20000, "random points for the volume and the mean excess (0: none)")
		fs.BoolVar(&f.json, "json", false, "print one JSON object")
	})
	cli.Group(cmd, "Other flags", func(fs *pflag.FlagSet) {
		fs.IntVarP(&f.jobs, "jobs", "j", 0, "links processed at once (0: one per processor)")
	})
}

// validate reports contradictions in the command line.
func (f *flags) validate() error {
	if err := f.validateMotion(); err != nil {
		return err
	}
	asked := 0
	for _, x := range [...]bool{f.spheres != 0, f.total != 0, f.excess != 0} {
		if x {
			asked++
		}
	}
	switch {
	case asked > 1:
		return errors.New("--spheres, --total and --excess contradict each other: give one")
	case f.verified != "" && (asked > 0 || len(f.out) > 0):
		return errors.New("--verify makes no spheres: leave out --spheres, --total, --excess and --out")
	case f.spheres < 0 || f.spheres > search.MaxBalls:
		return fmt.Errorf("--spheres %d: give 1 to %d", f.spheres, search.MaxBalls)
	case f.total < 0:
		return fmt.Errorf("--total %d: give at least one per link", f.total)
	case !(f.excess >= 0) || math.IsInf(f.excess, 0):
		return fmt.Errorf("--excess %g: give more than zero", f.excess)
	case !(f.padding >= 0) || math.IsInf(f.padding, 0):
		return fmt.Errorf("--padding %g: give zero or more", f.padding)
	case f.samples < 0 || f.jobs < 0:
		return errors.New("--samples and --jobs cannot be negative")
	case f.strategyOf() < 0:
		return fmt.Errorf("--strategy %s: give best, medial or clusters", f.strategy)
	}
	for _, file := range f.out {
		if formatOf(file) == "" {
			return fmt.Errorf("--out %s: its name must end in .yaml, .yml, .json or .urdf", file)
		}
	}
	return cli.Output{Flag: "picture", Path: f.picture}.Ends(".svg", ".svg")
}

func (f *flags) strategyOf() int {
	return slices.Index([]string{search.Best.String(), search.Medial.String(), search.Clusters.String()}, f.strategy)
}

func formatOf(file string) string {
	switch e := strings.ToLower(filepath.Ext(file)); e {
	case ".yml":
		return ".yaml"
	case ".yaml", ".json", ".urdf":
		return e
	}
	return ""
}

func (f *flags) run(ctx context.Context, s cli.Streams) error {
	if err := f.validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	if len(f.Robots) == 1 {
		if name, _ := input.CutName(f.Robots[0]); name != "" {
			return cli.UsageError{Err: errors.New("--robot takes no name here: give one robot")}
		}
	}
	if f.srdf != "" {
		f.SRDFs = []string{f.srdf}
	}
	inputs := append(f.Named(), cli.Input{What: "--verify", Path: f.verified})
	if err := cli.Writable(inputs, append(cli.Outputs("out", f.out), cli.Output{Flag: "picture", Path: f.picture})...); err != nil {
		return err
	}
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	f.TellRobot(s.Err, robot)
	bodies, err := f.bodies(robot)
	if err != nil {
		return err
	}
	if f.motion {
		return f.showMotion(ctx, s, robot, bodies)
	}
	if f.verified != "" {
		return f.verifySpheres(ctx, s, robot, bodies)
	}
	return f.cover(ctx, s, robot, bodies)
}

// cover covers the links by spheres, and writes and shows them.
func (f *flags) cover(ctx context.Context, s cli.Streams, robot *urdf.Robot, bodies []*linkspheres.Body) error {
	begin := time.Now()
	cs, err := f.coverAll(ctx, s, bodies)
	if err != nil {
		return err
	}
	sum := digest.Robot(robot)
	set := &Set{
		Head: answer.HeadOf("spheres"), Inputs: f.RobotInputs(robot), Warnings: input.Warnings(robot, nil), Robot: robot.Name, Digest: fmt.Sprintf("%x", sum), Covers: "solid", Padding: f.padding, Links: cs,
		Compute: time.Since(begin).Seconds(), path: robot.Path,
		source: func() ([]byte, error) {
			_, file := input.CutName(f.Robots[0])
			return f.Read(ctx, "--robot", file, limit.DescriptionBytes)
		},
	}
	if f.surface {
		set.Covers = "surface"
	}
	if err := f.write(set, bodies); err != nil {
		return err
	}
	show := set.writeText
	if f.json {
		show = set.writeJSON
	}
	if err := show(s.Out); err != nil {
		return err
	}
	return nil
}

// bodies returns the geometries of the selected links, of those that have any.
func (f *flags) bodies(robot *urdf.Robot) ([]*linkspheres.Body, error) {
	for _, name := range f.links {
		i := robot.Link(name)
		if i < 0 {
			return nil, fmt.Errorf("--link %s: %s has no such link%s", name, robot.Name, spelling.Hint(name, input.LinkNames(robot)))
		}
		if len(robot.Links[i].Collisions) == 0 {
			return nil, fmt.Errorf("--link %s: it has no collision geometry to cover", name)
		}
	}
	var out []*linkspheres.Body
	for i := range robot.Links {
		l := &robot.Links[i]
		if len(l.Collisions) == 0 || len(f.links) > 0 && !slices.Contains(f.links, l.Name) {
			continue
		}
		b, err := linkspheres.NewBody(l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", robot.Path, err)
		}
		out = append(out, b)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no link has collision geometry: there is nothing to cover", robot.Path)
	}
	return out, nil
}

// write writes the requested files.
func (f *flags) write(set *Set, bodies []*linkspheres.Body) error {
	for _, file := range f.out {
		var err error
		switch formatOf(file) {
		case ".yaml":
			err = cli.Create(cli.Output{Flag: "out", Path: file}, set.writeYAML)
		case ".json":
			err = cli.Create(cli.Output{Flag: "out", Path: file}, set.writeJSON)
		default:
			err = cli.Create(cli.Output{Flag: "out", Path: file}, set.writeURDF)
		}
		if err != nil {
			return err
		}
	}
	if f.picture == "" {
		return nil
	}
	return cli.Create(cli.Output{Flag: "picture", Path: f.picture}, func(w io.Writer) error { return drawSpheres(w, set, bodies) })
}
