package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/node"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

const aboutNode = `Run the ROS 2 node: monitor the robot and check motions on request.

Subscribes to joint_states and publishes ~/state, level FREE, WARN, STOP or
COLLISION for each measured configuration and for the motion that led to it;
UNKNOWN if input is missing, stale or faulty. Motions on ~/joint_state_pair
and ~/trajectory and calls of ~/check_trajectory are answered on ~/verdict.

The robot comes from the parameters robot_description_file and
robot_description_semantic_file, or from the topics robot_description and
robot_description_semantic; obstacles from the file that the parameter scene
names. docs/parameters.md lists all parameters, docs/ros-interface.md all topics
and the answer to each kind of faulty input.

The environment variables of ROS 2 nodes apply: ROS_DOMAIN_ID,
ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, ROS_DISTRO,
ROS_SECURITY_..., CYCLONEDDS_URI. RMW_IMPLEMENTATION says what the other nodes use:
firstcontact doctor tells what passes between them and this node.

Exit status: 0 after SIGINT or SIGTERM, 4 if a parameter or the model is invalid,
64 if an argument is unknown or malformed,
70 after an internal fault, including a monitor that makes no progress.`

func nodeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "node [--ros-args ...]",
		Short: "The ROS 2 node",
		Long:  aboutNode,
		Example: `  firstcontact node --ros-args -p robot_description_file:=arm.urdf -p scene:=cell.yaml
  firstcontact node --ros-args -r __ns:=/cell -r joint_states:=arm/joint_states --params-file cell.yaml
  firstcontact node --ros-args --log-level debug`,
		DisableFlagParsing: true, // cobra cannot parse the arguments after --ros-args
		RunE: func(cmd *cobra.Command, args []string) error {
			parsed, help, err := rosArgs(cmd, args)
			switch {
			case cmd.Context().Err() != nil:
				return nil
			case err != nil:
				return err
			case help:
				return cmd.Help()
			}
			return runNode(cmd.Context(), parsed)
		},
	}
}

// rosArgs parses the arguments of a command that takes only those of ROS. help reports that
// --help is among them.
func rosArgs(cmd *cobra.Command, args []string) (parsed ros.Args, help bool, err error) {
	parsed, err = ros.ParseArgsContext(cmd.Context(), args)
	if fault := (ros.ArgumentError{}); errors.As(err, &fault) {
		return parsed, false, usageError{err, cmd.CommandPath()}
	}
	if err != nil {
		return parsed, false, err
	}
	if slices.Contains(parsed.Own, "--help") || slices.Contains(parsed.Own, "-h") {
		return parsed, true, nil
	}
	if len(parsed.Own) > 0 {
		return parsed, false, usageError{fmt.Errorf("%q: put ROS arguments after --ros-args", parsed.Own[0]), cmd.CommandPath()}
	}
	return parsed, false, nil
}

// runNode runs the node until the context ends.
func runNode(ctx context.Context, args ros.Args) error {
	signal.Ignore(syscall.SIGPIPE) // the reader of the log may go away: the monitor continues
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	n, err := node.New(cyclone.Transport{}, node.Options{Args: args, Env: env, Abort: func() { os.Exit(exitInternal) }})
	if err != nil {
		return err
	}
	err = errors.Join(n.Run(ctx), n.Close())
	if errors.Is(err, node.ErrInternal) {
		err = internalError{err}
	}
	if err != nil {
		return unattended{err}
	}
	return nil
}

// unattended is an error of a command that runs unattended. The process ends with its exit
// status even if nobody reads its output.
type unattended struct{ error }

func (u unattended) Unwrap() error { return u.error }

// complain writes a last line, and waits only a limited time for its reader.
func complain(w io.Writer, format string, args ...any) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		fmt.Fprintf(w, format, args...)
	}()
	select {
	case <-written:
	case <-time.After(300 * time.Millisecond):
	}
}
