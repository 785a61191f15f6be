// Command firstcontact proves robot motions free of collision, or says when and
// where they first touch: as a ROS 2 node and on the command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const about = `firstcontact proves that a robot's motion is free of collision, or says exactly
when and where it first touches: over the whole continuous motion, for every
point of every link, against the world and against the robot itself.

Exit status: 0 free, 1 contact, 2 clearance violated, 3 undecided, 4 bad input,
64 usage, 70 internal; of several motions the worst, in the order 70, 4, 1, 2, 3, 0.
Results go to standard output, everything else to standard error.`

// root assembles the commands.
func root(io streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:           "firstcontact",
		Short:         "Proofs of collision-free robot motion",
		Long:          about,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		CompletionOptions: cobra.CompletionOptions{
			HiddenDefaultCmd: true,
		},
	}
	cmd.SetIn(io.in)
	cmd.SetOut(io.out)
	cmd.SetErr(io.err)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{err, c.CommandPath()}
	})
	cmd.SetUsageTemplate(groupedUsage(cmd))
	cmd.AddCommand(commands(io)...)
	return cmd
}
