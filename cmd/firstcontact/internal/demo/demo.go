// Package demo is the command demo: it starts the node, moves a made-up humanoid among obstacles, and
// compares what the node says with what is known to be true.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	demofiles "github.com/firstcontact-ros/firstcontact/testdata/humanoid"
)

const aboutDemo = `Run firstcontact on a simulated humanoid, over DDS.

Starts the node in a separate process, on a separate ROS domain and on loopback
only, with a humanoid among obstacles. This process then plays 15 s of motion on
joint_states, sends pairs of joint states and two trajectories, and prints each
change of state and each verdict as it arrives. At the end it compares the
expected with the received results; the exit status is 0 only if they agree.

--sabotage disables the pair of right hand and torso, in the node only: the demo
must then fail.`

type flags struct {
	data     string
	sabotage bool
}

// Command returns the command demo.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Monitor a simulated humanoid and predict its collisions",
		Long:  aboutDemo,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UsageError{Err: fmt.Errorf("demo takes no arguments (%q)", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), io) },
	}
	cmd.Flags().StringVar(&f.data, "data", "", "`folder` of another humanoid with its obstacles and motions, laid out as testdata/humanoid\n(by default the one that the program contains)")
	cmd.Flags().BoolVar(&f.sabotage, "sabotage", false, "disable the colliding pair, so that the demo fails")
	return cmd
}

func (f *flags) run(ctx context.Context, io cli.Streams) error {
	data, remove, err := f.unpacked()
	if err != nil {
		return err
	}
	defer remove()
	script, err := readScript(data)
	if err != nil {
		return err
	}
	peer, err := startNode(ctx, data, f.sabotage)
	if err != nil {
		return err
	}
	defer peer.stop()
	me, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "demo", Env: peer.env, Logger: ros.NewLogger(io.Err, "demo", ros.LevelWarn)})
	if err != nil {
		return err
	}
	defer me.Close()
	log := newJournal(io.Out, script)
	stage, err := setStage(me, log)
	if err != nil {
		return err
	}
	if err := stage.waitForNode(ctx, peer); err != nil {
		return err
	}
	log.title("the node runs as process %d on domain %d; the humanoid moves for %.0f s", peer.pid(), peer.env.Domain, script.length())
	if err := stage.play(ctx, script); ctx.Err() == nil && err != nil {
		return errors.Join(err, peer.died())
	}
	log.waitForAll(ctx, time.Minute)
	if ctx.Err() != nil {
		return cli.Interruption{Left: "the demo has not ended"}
	}
	if faults := log.summary(); faults > 0 {
		fmt.Fprintf(io.Err, "firstcontact: the demo failed: %d expectations were not met\n", faults)
		return cli.Outcome(cli.ExitContact)
	}
	return nil
}

// unpacked returns the folder of the humanoid's files, and a function that removes it if it
// was made for this run.
func (f *flags) unpacked() (dir string, remove func(), err error) {
	if f.data != "" {
		return f.data, func() {}, nil
	}
	if dir, err = os.MkdirTemp("", "firstcontact-demo-*"); err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if err := os.CopyFS(dir, demofiles.Files); err != nil {
		remove()
		return "", nil, fmt.Errorf("the demo's files cannot be unpacked: %w", err)
	}
	return dir, remove, nil
}
