// Command stop_on_silence lets a robot move only while firstcontact says, and
// goes on saying, that it is free: the subscriber that belongs to ~/state. It
// publishes true on the topic stop where the robot has to stop. README.md tells
// more, and shows the same in C++ and Python.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// The promises that ~/state makes with the default parameters. A subscriber may
// ask for as much or for less, as for a deadline of 0.1 s where one missed state
// is no reason to stop; who asks for more hears nothing.
const (
	deadline = 40 * time.Millisecond
	lease    = 500 * time.Millisecond
	maxAge   = 150 * time.Millisecond // joint_state_timeout, and the way here
)

var (
	stateQoS = ros.QoS{Durability: ros.TransientLocal, Depth: 1, Deadline: deadline, Lease: lease}
	// Who stops the robot has to take silence for a stop as well.
	stopQoS = ros.QoS{Durability: ros.TransientLocal, Depth: 1, Lease: lease}
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "stop_on_silence:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	parsed, err := ros.ParseArgs(args)
	if err != nil {
		return err
	}
	env, err := ros.ReadEnvironment(nil)
	if err != nil {
		return err
	}
	n, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "stop_on_silence", Args: parsed, Env: env})
	if err != nil {
		return err
	}
	return errors.Join(watch(ctx, n), n.Close())
}

// watch works the gate until the context ends.
func watch(ctx context.Context, n *ros.Node) error {
	stop, err := ros.Advertise[stdmsgs.Bool](n, "stop", stopQoS)
	if err != nil {
		return err
	}
	g := &gate{maxAge: maxAge, told: func(open bool, why string) {
		if err := stop.Publish(&stdmsgs.Bool{Data: !open}); err != nil {
			n.Logger().Errorf("%v", err)
		}
		if open {
			n.Logger().Infof("the robot may move: %s", why)
		} else {
			n.Logger().Errorf("STOP: %s", why)
		}
	}}
	if err := stop.Publish(&stdmsgs.Bool{Data: true}); err != nil { // until a state comes
		return err
	}
	_, err = ros.Subscribe(n, "firstcontact/state", stateQoS,
		func(m *fcmsgs.CollisionState, _ ros.MessageInfo) { g.hear(m) }, ros.OnSilence(g.silence))
	if err != nil {
		return err
	}
	tick := time.NewTicker(maxAge / 10)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return stop.Publish(&stdmsgs.Bool{Data: true})
		case <-tick.C:
			g.tick()
		}
	}
}
