//go:build linux

package main

import (
	"context"
	"syscall"
	"time"
)

func timeAttacks() []*attack {
	return []*attack{
		quiet(),
		{
			name: "node-stopped", about: "SIGSTOP of the node for 0.5, 1.5 and 10 timeouts, again and again", short: true, doubtful: true,
			act: func(ctx context.Context, f *field) error {
				for i := 0; ctx.Err() == nil; i++ {
					f.pauseNode(ctx, min(f.each/3, time.Duration([]float64{1.5, 0.5, 10}[i%3]*float64(f.timeout))))
					sleep(ctx, min(f.each/8, 4*f.timeout))
				}
				return nil
			},
		},
		{
			name: "stopped-and-dead", about: "no stamps; SIGSTOP of the node, its publisher killed, continued 20 timeouts later", short: true, doubtful: true,
			before: "8 FREE on data 5 s old",
			robot:  &order{Rate: 100, Bare: true, Path: "free"},
			act:    stoppedAndDead,
		},
		{
			name: "publisher-stopped", about: "SIGSTOP of the publisher for 0.5, 1.5 and 5 timeouts",
			act: func(ctx context.Context, f *field) error {
				for i := 0; ctx.Err() == nil; i++ {
					f.publishers[0].signal(syscall.SIGSTOP)
					sleep(ctx, time.Duration([]float64{0.5, 1.5, 5}[i%3]*float64(f.timeout)))
					f.publishers[0].signal(syscall.SIGCONT)
					sleep(ctx, 4*f.timeout)
				}
				return nil
			},
		},
		{
			name: "publisher-killed", about: "the publisher is killed and started again",
			act: func(ctx context.Context, f *field) error {
				for ctx.Err() == nil {
					sleep(ctx, 10*f.timeout)
					f.publishers[len(f.publishers)-1].kill()
					sleep(ctx, 5*f.timeout)
					if _, err := f.publish(honest); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			name: "stamps-old", about: "stamps 95 % of the timeout old", short: true, before: "86 of 86 FREE too old, up to 195 ms", unknown: true,
			act: reorder(order{Rate: 100, Path: "free"}, -0.95),
		},
		{name: "stamps-ahead", about: "stamps 95 % of the timeout ahead", act: reorder(order{Rate: 100}, 0.95)},
		{name: "clock-off", about: "stamps 1.5 timeouts old, then ahead", unknown: true, act: func(ctx context.Context, f *field) error {
			for side := 1.5; ctx.Err() == nil; side = -side {
				if err := f.publishers[0].order(order{Rate: 100, Offset: time.Duration(side * float64(f.timeout))}); err != nil {
					return err
				}
				sleep(ctx, 10*f.timeout)
			}
			return nil
		}},
		{name: "clock-wanders", about: "the offset of the stamps goes from -95 % to 95 % of the timeout, and back at once", act: func(ctx context.Context, f *field) error {
			err := f.publishers[0].order(order{Rate: 100, Stagger: f.timeout * 95 / 100})
			<-ctx.Done()
			return err
		}},
		{name: "no-stamps", about: "no stamps at all", act: reorder(order{Rate: 100, Bare: true}, 0)},
		{name: "backwards", about: "every tenth stamp runs back by 20 ms", act: reorder(order{Rate: 100, Back: 20 * time.Millisecond}, 0)},
		{
			name: "bursts", about: "200 messages at once every 3 timeouts, besides 100 Hz", short: true,
			act: func(ctx context.Context, f *field) error {
				for ctx.Err() == nil {
					if err := f.publishers[0].order(order{Rate: 100, Burst: 200}); err != nil {
						return err
					}
					sleep(ctx, 3*f.timeout)
				}
				return nil
			},
		},
		{
			name: "chain-broken", about: "200 Hz, each sample after one that breaks the chain, stamps half a timeout old", unknown: true,
			before: "a backlog of one sample a period",
			act:    reorder(order{Rate: 200, Break: true}, -0.5),
		},
		{name: "fast", about: "1 kHz", act: reorder(order{Rate: 1000}, 0)},
	}
}

// reorder gives the robot's publisher another order, with an offset in timeouts.
func reorder(o order, offset float64) func(context.Context, *field) error {
	return func(ctx context.Context, f *field) error {
		o.Offset = time.Duration(offset * float64(f.timeout))
		err := f.publishers[0].order(o)
		<-ctx.Done()
		return err
	}
}

func stoppedAndDead(ctx context.Context, f *field) error {
	for ctx.Err() == nil {
		resumed := f.judge.paused()
		begin := time.Now()
		f.node.signal(syscall.SIGSTOP)
		sleep(ctx, f.timeout/3) // what it writes meanwhile waits for the node
		f.publishers[len(f.publishers)-1].kill()
		sleep(ctx, min(20*f.timeout, f.each/3))
		f.watch.rest(time.Since(begin))
		f.node.signal(syscall.SIGCONT)
		resumed()
		sleep(ctx, min(f.each/8, 5*f.timeout))
		if _, err := f.publish(order{Rate: 100, Bare: true, Path: "free"}); err != nil {
			return err
		}
		sleep(ctx, time.Second)
	}
	return nil
}
