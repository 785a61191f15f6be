//go:build linux

package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func silenceAttacks() []*attack {
	return []*attack{
		{
			name: "blocked-reader", about: "reliable readers of all that the node says, which never take anything; then their process is stopped", short: true,
			flood: func(f *flood) error {
				forever := ros.QoS{Depth: ros.KeepAll}
				_, err := ros.Subscribe(f.node, "firstcontact/state", forever, func(*fcmsgs.CollisionState, ros.MessageInfo) { select {} })
				if err != nil {
					return err
				}
				_, err = ros.Subscribe(f.node, "firstcontact/verdict", forever, func(*fcmsgs.Verdict, ros.MessageInfo) { select {} })
				<-f.ctx.Done()
				return err
			},
			act: func(ctx context.Context, f *field) error {
				sleep(ctx, f.each/3)
				_ = f.stranger.cmd.Process.Signal(syscall.SIGSTOP)
				<-ctx.Done()
				return nil
			},
		},
		{
			name: "full-stderr", about: "nobody reads standard error, and other messages make the node write to it", short: true,
			before: "the node freezes",
			flood: func(f *flood) error {
				p, err := ros.Advertise[fcmsgs.JointStatePair](f.node, "firstcontact/joint_state_pair", ros.QoS{})
				if err != nil {
					return err
				}
				for i := 0; f.ctx.Err() == nil; i++ {
					_ = p.Publish(pair(fmt.Sprint("log-", i)))
					sleep(f.ctx, time.Millisecond)
				}
				return nil
			},
			act: func(ctx context.Context, f *field) error {
				f.node.log.block(true)
				if _, err := f.publish(order{Rate: 50, Odd: "short", Joints: "b"}); err != nil {
					return err
				}
				<-ctx.Done()
				return nil
			},
			unknown: true,
			end: func(f *field) error {
				// It must end although nobody reads.
				if took, ok := f.node.stop(5 * time.Second); !ok || took > 3*time.Second {
					return fmt.Errorf("with a full pipe for standard error SIGTERM took %.1f s", took.Seconds())
				}
				return nil
			},
		},
		{
			name: "sigterm-in-flood", about: "SIGTERM while questions come as fast as they can be written", short: true,
			flood: func(f *flood) error {
				p, err := ros.Advertise[fcmsgs.JointStatePair](f.node, "firstcontact/joint_state_pair", ros.QoS{})
				if err != nil {
					return err
				}
				for i := 0; f.ctx.Err() == nil; i++ {
					_ = p.Publish(pair(fmt.Sprint("flood-", i)))
				}
				return nil
			},
			end: func(f *field) error {
				took, ok := f.node.stop(5 * time.Second)
				f.note("ended %.0f ms after SIGTERM", ms(took))
				if !ok || took > 3*time.Second {
					return fmt.Errorf("SIGTERM in a flood took %.1f s", took.Seconds())
				}
				return nil
			},
		},
	}
}
