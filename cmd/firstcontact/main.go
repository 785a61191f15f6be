// Command firstcontact proves robot motions free of collision, or says when and
// where they first touch: as a ROS 2 node and on the command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		time.Sleep(cli.Patience) // a terminal and a launch file may send the same interrupt
		stop()                   // the next one ends the process at once
	})
	code := run(ctx, arguments(os.Args), os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err := os.Stdout.Close(); err != nil && !errors.Is(err, syscall.EBADF) { // some file systems fail late
		fmt.Fprintf(os.Stderr, "firstcontact: the results are not complete: %v\n", err)
		code = cli.ExitOutput
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

// firstcontact is this program.
var firstcontact = cli.Program{Name: "firstcontact", Short: "Proofs of collision-free robot motion", About: about, Commands: commands, Complete: completeFlags}

// run executes a command line and returns its exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	return firstcontact.Run(ctx, args, in, out, errs)
}

// revision is the commit that the command was built from, if the linker sets it.
var revision string

func init() { buildinfo.Revision = revision }
