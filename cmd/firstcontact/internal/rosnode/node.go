// Package rosnode is the command node: it runs the ROS 2 node of package node with the arguments of a
// command line and the environment.
package rosnode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

const aboutNode = `Run the ROS 2 node: monitor the robot and check motions on request.

Subscribes to joint_states and publishes ~/state, level FREE, WARN, STOP or
COLLISION for each measured configuration and for the motion that led to it;
UNKNOWN if input is missing, stale or faulty. Motions on ~/joint_state_pair
and ~/trajectory and calls of ~/check_trajectory are answered on ~/verdict.

The robot comes from the parameters robot_description_file and
robot_description_semantic_file, or from the topics robot_description and
robot_description_semantic; obstacles from the file that the parameter scene
names. docs/parameters.md lists all parameters, docs/endpoints.md all topics,
services and actions, docs/ros-interface.md the answer to each kind of input.

The environment variables of ROS 2 nodes apply, such as ROS_DOMAIN_ID. RMW_IMPLEMENTATION
chooses the middleware: rmw_cyclonedds_cpp or rmw_fastrtps_cpp, if they are built in
('firstcontact version' tells). Unset, it is Fast DDS, unless CYCLONEDDS_URI is set or
the graph is secured. 'firstcontact doctor' tells what passes between this node and
others.

Exit status: 0 after SIGINT or SIGTERM, 4 if a parameter or the model is invalid,
64 if an argument is unknown or malformed,
70 after an internal fault, including a monitor that makes no progress.`

// Command returns the command node.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "node [--record FILE] [--web ADDRESS] [--ros-args ...]",
		Short: "The ROS 2 node",
		Long:  aboutNode,
		Example: `  firstcontact node --ros-args -p robot_description_file:=arm.urdf -p scene:=cell.yaml
  firstcontact node --ros-args -r __ns:=/cell -r joint_states:=arm/joint_states --params-file cell.yaml
  firstcontact node --record shift.mcap --ros-args -p robot_description_file:=arm.urdf
  firstcontact node --web :8080 --ros-args -p robot_description_file:=arm.urdf
  firstcontact node --ros-args --log-level debug`,
		DisableFlagParsing: true, // cobra cannot parse the arguments after --ros-args
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := takeOwn(args)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			parsed, help, err := Args(cmd, args)
			switch {
			case cmd.Context().Err() != nil:
				return nil
			case err != nil:
				return unattended{err, parsed, cmd.CommandPath()}
			case help:
				return cmd.Help()
			}
			if err := runNode(cmd.Context(), cmd.ErrOrStderr(), parsed); err != nil {
				return unattended{err, parsed, cmd.CommandPath()}
			}
			return nil
		},
	}
	nodeHelp(cmd)
	return cmd
}

// nodeHelp defines the arguments of the node for help and completion alone: takeOwn and
// package ros parse them.
func nodeHelp(cmd *cobra.Command) {
	cli.Group(cmd, "The node's own", func(fs *pflag.FlagSet) {
		fs.String("record", "", "keep all that the node publishes, the joint states and the robot description in a\n`file` (.mcap), for ros2 bag play and viewers; sets the parameter record")
		fs.String("web", "", "serve a page that shows the robot, the level and the closest pairs live, on an\n`address` such as :8080 (this machine alone); sets the parameter web")
	})
	cli.Group(cmd, "Of every ROS 2 node", func(fs *pflag.FlagSet) {
		fs.Bool("ros-args", false, "what follows, to the end or to --, is for ROS:")
		fs.StringArrayP("param", "p", nil, "set a parameter: `NAME:=VALUE` (repeat)")
		fs.StringArray("params-file", nil, "read parameters from a YAML `file` (repeat); -p goes before it")
		fs.StringArrayP("remap", "r", nil, "rename a topic or service, __node or __ns: `FROM:=TO` (repeat)")
		fs.String("log-level", "", "least `LEVEL` of the log: debug, info, warn, error or fatal")
		fs.StringP("enclave", "e", "", "the node's `enclave` for SROS2")
		fs.Bool("disable-rosout-logs", false, "do not publish the log on /rosout")
		fs.Bool("disable-stdout-logs", false, "do not print the log")
	})
}

// Args parses the arguments of a command that takes only those of ROS. help reports that
// --help is among them.
func Args(cmd *cobra.Command, args []string) (parsed ros.Args, help bool, err error) {
	parsed, err = ros.ParseArgsContext(cmd.Context(), args)
	if fault := (ros.ArgumentError{}); errors.As(err, &fault) {
		return parsed, false, cli.UsageError{Err: err}
	}
	if err != nil {
		return parsed, false, err
	}
	if slices.Contains(parsed.Own, "--help") || slices.Contains(parsed.Own, "-h") {
		return parsed, true, nil
	}
	if len(parsed.Own) > 0 {
		return parsed, false, cli.UsageError{Err: fmt.Errorf("%q: put ROS arguments after --ros-args", parsed.Own[0])}
	}
	return parsed, false, nil
}

// ownFlags are the node's own arguments: each sets the parameter of its name.
var ownFlags = []string{"record", "web"}

// takeOwn turns the node's own arguments into parameters.
func takeOwn(args []string) ([]string, error) {
	var rest, set []string
	inROS := false
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(strings.TrimPrefix(args[i], "--"), "=")
		switch a := args[i]; {
		case a == "--ros-args" || inROS && a == "--":
			inROS = a == "--ros-args"
			rest = append(rest, a)
		case inROS || !strings.HasPrefix(a, "--") || !slices.Contains(ownFlags, name):
			rest = append(rest, a)
		case joined:
			set = append(set, parameter(name, value)...)
		case i+1 == len(args) || args[i+1] == "--ros-args":
			return nil, fmt.Errorf("--%s needs a value", name)
		default:
			i++
			set = append(set, parameter(name, args[i])...)
		}
	}
	return append(rest, set...), nil
}

// parameter sets a parameter; quotes keep YAML from reading the value as a number.
func parameter(name, value string) []string {
	return []string{"--ros-args", "-p", name + ":='" + strings.ReplaceAll(value, "'", "''") + "'", "--"}
}

// runNode runs the node, which logs to w, until the context ends.
func runNode(ctx context.Context, w io.Writer, args ros.Args) error {
	cli.IgnoreBrokenPipes() // the reader of the log may go away: the monitor continues
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	n, err := node.New(Transport(&env), node.Options{Args: args, Env: env, Logger: nodeLog(w, args), Abort: func() { os.Exit(cli.ExitInternal) }})
	if err != nil {
		return err
	}
	err = errors.Join(n.Run(ctx), n.Close())
	if errors.Is(err, node.ErrInternal) {
		err = cli.InternalError{Err: err}
	}
	return err
}

// nodeLog is the log of a node with these arguments.
func nodeLog(w io.Writer, args ros.Args) *ros.Logger {
	name := ros.LoggerName("firstcontact", args)
	if args.NoStdout {
		w = io.Discard
	}
	return ros.NewLogger(w, name, args.Log.Of(name))
}

// unattended is the error of a node, which runs unattended. Its lines look like those of the
// node's log, because a launch file shows them among those of other nodes. The process ends with
// its exit status even if nobody reads its output.
type unattended struct {
	error
	args    ros.Args
	command string
}

func (u unattended) Unwrap() error { return u.error }

// Tell writes the lines that the node's log does not have, and waits only a limited time for
// their reader.
func (u unattended) Tell(w io.Writer) {
	const patience = 300 * time.Millisecond
	if logged := (node.Logged{}); errors.As(u.error, &logged) && !u.args.NoStdout {
		_, stacks, _ := strings.Cut(logged.Error(), "\n")
		if internal := (cli.InternalError{}); errors.As(u.error, &internal) && stacks != "" {
			complain(w, patience, stacks)
		}
		return
	}
	log := ros.NewLogger(w, ros.LoggerName("firstcontact", u.args), ros.LevelInfo)
	for _, line := range strings.Split(u.Error(), "\n") {
		log.Fatalf("%s", line)
	}
	if usage := (cli.UsageError{}); errors.As(u.error, &usage) {
		log.Infof("Try '%s --help'.", u.command)
	}
	log.Flush(patience)
}

// complain writes a text, and waits only a limited time for its reader.
func complain(w io.Writer, patience time.Duration, text string) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		fmt.Fprintln(w, text)
	}()
	select {
	case <-written:
	case <-time.After(patience):
	}
}
