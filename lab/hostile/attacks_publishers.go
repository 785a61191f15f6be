//go:build linux

package main

import (
	"context"
	"fmt"
	"time"
)

// In all of these the robot's own publisher tells the truth, which goes in and out of contact.
func publisherAttacks() []*attack {
	return []*attack{
		rival("second-ahead", "another publisher says free, 200 Hz, 95 % of the timeout ahead", "75 FREE in contact, 0 COLLISION", order{Rate: 200, Path: "free"}, 0.95, true),
		rival("second-in-step", "another says free at 1 kHz", "19 FREE in contact", order{Rate: 1000, Path: "free"}, 0, true),
		rival("second-behind", "another says free, 95 % of the timeout behind", "", order{Rate: 100, Path: "free"}, -0.95, false),
		rival("second-in-contact", "another says contact, half a timeout ahead", "", order{Rate: 100, Path: "contact"}, 0.5, false),
		rival("second-bare", "another says free, without stamps, 300 Hz", "", order{Rate: 300, Path: "free", Bare: true}, 0, false),
		rival("second-of-one-joint", "another says free of joint a alone, 200 Hz, half a timeout ahead", "", order{Rate: 200, Path: "free", Joints: "a"}, 0.5, false),
		{
			name: "second-sweep", about: "another says free: offsets from -95 % to 95 % of the timeout, 100 Hz to 1 kHz",
			act: func(ctx context.Context, f *field) error {
				p, err := f.publish(order{})
				if err != nil {
					return err
				}
				for i := 0; ctx.Err() == nil; i++ {
					offset := []float64{-0.95, -0.5, 0, 0.5, 0.95}[i%5]
					o := order{Rate: []float64{100, 200, 500, 1000}[i%4], Path: "free", Offset: time.Duration(offset * float64(f.timeout))}
					if err := p.order(o); err != nil {
						return err
					}
					sleep(ctx, 5*f.timeout)
				}
				return nil
			},
		},
		{
			name: "second-restarts", about: "another says free, dies and comes back under a new name",
			act: func(ctx context.Context, f *field) error {
				for ctx.Err() == nil {
					p, err := f.publish(order{Rate: 200, Path: "free", Offset: f.timeout / 2})
					if err != nil {
						return err
					}
					sleep(ctx, 10*f.timeout)
					p.kill()
					sleep(ctx, 3*f.timeout)
				}
				return nil
			},
		},
		{
			name: "parts", about: "two honest publishers, of joint a and of joint b", robot: &order{Rate: 100, Joints: "a"},
			setup: func(f *field) error {
				_, err := f.publish(order{Rate: 100, Joints: "b"})
				return err
			},
		},
		{
			name: "odd-values", about: "another publishes NaN, infinity, 1e300, wrong counts and a joint twice, 200 Hz", short: true, unknown: true,
			before: "1e300: 0.1 s a state",
			act: func(ctx context.Context, f *field) error {
				p, err := f.publish(order{})
				if err != nil {
					return err
				}
				for i := 0; ctx.Err() == nil; i++ {
					odd := []string{"huge", "nan", "inf", "short", "long", "twice"}[i%6]
					if err := p.order(order{Rate: 200, Odd: odd}); err != nil {
						return err
					}
					sleep(ctx, 3*f.timeout)
				}
				return nil
			},
		},
		{
			name: "own-odd-values", about: "the robot's own publisher sends them, every second message", unknown: true,
			act: func(ctx context.Context, f *field) error {
				for i := 0; ctx.Err() == nil; i++ {
					o := order{Rate: 100, Break: i%2 == 0}
					if i%2 == 1 {
						o.Odd = "huge"
					}
					if err := f.publishers[0].order(o); err != nil {
						return err
					}
					sleep(ctx, 3*f.timeout)
				}
				return nil
			},
		},
	}
}

// rival is a second publisher of joints that the robot's own publishes.
func rival(name, about, before string, o order, offset float64, short bool) *attack {
	return &attack{
		name: name, about: about, before: before, short: short, unknown: true,
		act: func(ctx context.Context, f *field) error {
			o.Offset = time.Duration(offset * float64(f.timeout))
			if _, err := f.publish(o); err != nil {
				return fmt.Errorf("the second publisher: %w", err)
			}
			<-ctx.Done()
			return nil
		},
	}
}
