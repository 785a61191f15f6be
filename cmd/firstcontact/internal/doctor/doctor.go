// Package doctor is the command doctor: it looks for slips in what a command line names, describes the
// environment, and tests the program itself.
package doctor

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/rosnode"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

const aboutDoctor = `Look for slips in robot, SRDF, scene and motions, describe the environment, and test
the program itself.

Without --ros-args it prints
  - the program, its libraries, and the ROS variables of the environment,
  - a self-test: questions whose answers are known by formulas, put to every method,
  - all findings about the robot, the scene and the motions: units, frames, columns,
    time stamps, each with number, threshold, file and remedy (docs/plausibility.md
    lists them), and all other gaps.
Each line begins with ok, warn, or gap: a gap can hide a collision, and no verdict is
FREE until --accept names it.

Exit status: 0 if nothing is found, 1 only warnings, 3 a gap, 4 a file that cannot be
read, 70 if an answer of the self-test is wrong: then trust no answer of this program.

With --ros-args it reports what a node with these parameters would do and log, without
joining a graph. Each line begins with ok, warn (it may surprise you) or error (every
state would be UNKNOWN).

Exit status: 0, 3 if there is an error, 4 if the node would not start.`

// Command returns the command doctor.
func Command(s cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "doctor [--robot R.urdf] [flags] [MOTION...] | doctor --ros-args ...",
		Short: "Look for slips in the input, and test the program and its surroundings",
		Long:  aboutDoctor,
		Example: `  firstcontact doctor
  firstcontact doctor --robot arm.urdf --srdf arm.srdf --scene cell.yaml path.csv
  firstcontact doctor --ros-args -p robot_description_file:=arm.urdf -p scene:=cell.yaml`,
		DisableFlagParsing: true, // the ROS arguments after --ros-args do not follow cobra's syntax
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--ros-args") {
				return inspectNode(cmd, s, args)
			}
			cmd.DisableFlagParsing = false
			if err := cmd.ParseFlags(args); err != nil {
				return cli.UsageError{Err: err}
			}
			if help, err := cmd.Flags().GetBool("help"); err == nil && help {
				return cmd.Help()
			}
			return f.examine(cmd.Context(), s, cmd.Flags().Args())
		},
	}
	f.ModelFlags.Add(cmd)
	cli.Group(cmd, "Motion", func(*pflag.FlagSet) { f.TableFlags.Add(cmd) })
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) { fs.BoolVar(&f.json, "json", false, "print one JSON object") })
	return cmd
}

// inspectNode reports what a node with these arguments would do.
func inspectNode(cmd *cobra.Command, s cli.Streams, args []string) error {
	parsed, help, err := rosnode.Args(cmd, args)
	if err != nil {
		return err
	}
	if help {
		return cmd.Help()
	}
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	rosnode.Transport(&env)
	remarks, err := node.Inspect(cmd.Context(), node.Options{Args: parsed, Env: env, Logger: ros.NewLogger(io.Discard, "firstcontact", ros.LevelFatal)})
	if err != nil {
		return err
	}
	return writeRemarks(s.Out, remarks)
}

// writeRemarks writes a line for each remark. The outcome is that of the worst.
func writeRemarks(w io.Writer, remarks []node.Remark) error {
	worst := cli.ExitFree
	for _, r := range remarks {
		word := "ok"
		switch {
		case r.Level >= ros.LevelError:
			word, worst = "error", cli.ExitUndecided
		case r.Level >= ros.LevelWarn:
			word = "warn"
		}
		if _, err := fmt.Fprintf(w, "%-6s %s\n", word, r.Text); err != nil {
			return err
		}
	}
	if worst != cli.ExitFree {
		return cli.Outcome(worst)
	}
	return nil
}
