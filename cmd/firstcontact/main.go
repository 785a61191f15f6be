// Command firstcontact proves robot motions free of collision, or says when and
// where they first touch: as a ROS 2 node and on the command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		time.Sleep(patience) // a terminal and a launch file may send the same interrupt
		stop()               // the next one ends the process at once
	})
	code := run(ctx, arguments(os.Args), os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err := os.Stdout.Close(); err != nil && !errors.Is(err, syscall.EBADF) { // some file systems fail late
		fmt.Fprintf(os.Stderr, "firstcontact: the results are not complete: %v\n", err)
		code = exitOutput
	}
	os.Exit(code)
}

const about = `firstcontact proves that a robot's motion is free of collision, or says exactly
when and where it first touches: over the whole continuous motion, for every
point of every link, against the world and against the robot itself.

Without a command, --ros-args starts the ROS 2 node, and so does ros2 run.

Exit status: 0 free, 1 contact, 2 clearance violated, 3 undecided, 4 bad input,
64 usage, 70 internal, 74 output that cannot be written, 130 interrupted; of several
motions the worst, in the order 4, 1, 2, 3, 0.
Results go to standard output, everything else to standard error.`

// root assembles the commands.
func root(io streams, c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:              "firstcontact",
		Short:            "Proofs of collision-free robot motion",
		Long:             about,
		Version:          version(),
		SilenceUsage:     true,
		SilenceErrors:    true,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) { cmd.SetContext(c.watch(cmd.Context())) },
	}
	cmd.PersistentFlags().BoolVarP(&c.quiet, "quiet", "q", false, "no notes and no progress on standard error")
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return usageError{fmt.Errorf("there is no command %q%s", args[0], spelling.Hint(args[0], commandNames(cmd))), cmd.CommandPath()}
	}
	cmd.SetIn(io.in)
	cmd.SetOut(io.out)
	cmd.SetErr(io.err)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w%s", err, flagHint(c, err)), c.CommandPath()}
	})
	cmd.SetUsageFunc(usage)
	cmd.AddCommand(commands(io)...)
	for _, c := range cmd.Commands() {
		judgeArguments(c)
	}
	completeFlags(cmd)
	return cmd
}

// commandNames lists the names of the sub-commands that help shows.
func commandNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagHint suggests the flag that an unknown one was probably meant to be.
func flagHint(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return spelling.Hint("--"+unknown.GetSpecifiedName(), names)
}

// judgeArguments makes usage errors of what a command says of the number of its arguments.
func judgeArguments(c *cobra.Command) {
	judge := c.Args
	if judge == nil {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		err := judge(c, args)
		if known := (usageError{}); err == nil || errors.As(err, &known) {
			return err
		}
		return usageError{err, c.CommandPath()}
	}
}
