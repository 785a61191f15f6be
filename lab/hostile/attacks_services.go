//go:build linux

package main

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/lifecyclemsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func serviceAttacks() []*attack {
	return []*attack{
		{
			name: "parameter-flood", about: "8 clients of the parameter services: absurd names, values, types and counts, and changes that are allowed, without a pause",
			doubtful: true, flood: floodParameters,
		},
		{
			name: "unknown-transitions", about: "8 clients ask for transitions that do not exist or are not possible, with labels of 60 kB, without a pause",
			flood: func(f *flood) error { return floodTransitions(f, false) },
		},
		{
			name: "transitions", about: "8 clients deactivate, clean up, configure and activate the node, in any order, without a pause", short: true,
			unknown: true, doubtful: true,
			flood: func(f *flood) error { return floodTransitions(f, true) },
		},
	}
}

// caller calls a service with a request, and counts replies.
func caller[Req, Resp any, PReq interface {
	*Req
	cdr.Message
}, PResp interface {
	*Resp
	cdr.Message
}](f *flood, service string, answered *atomic.Int64) (func(*Req), error) {
	c, err := ros.NewClient[Req, Resp, PReq, PResp](f.node, "firstcontact/"+service, ros.ServiceQoS)
	return func(r *Req) {
		ctx, cancel := context.WithTimeout(f.ctx, time.Second)
		defer cancel()
		if _, err := c.Call(ctx, r); err == nil {
			answered.Add(1)
		}
	}, err
}

func floodParameters(f *flood) error {
	names := []string{
		"", "trajectory.interpolation", "warn_distance", "use_sim_time", "trajectory.deadline", "accept", "scene", "joint_state_timeout", "check_rate",
		"padding.carriage_a", strings.Repeat("n", 60_000), "\n" + forgery + "\x1b[2J", "qos_overrides./x.subscription.depth",
	}
	many := make([]string, 1001)
	var answered atomic.Int64
	err := inParallel(8, func(n int) error {
		set, err := caller[rclinterfaces.SetParametersRequest, rclinterfaces.SetParametersResponse](f, "set_parameters", &answered)
		if err != nil {
			return err
		}
		get, err := caller[rclinterfaces.GetParametersRequest, rclinterfaces.GetParametersResponse](f, "get_parameters", &answered)
		if err != nil {
			return err
		}
		list, err := caller[rclinterfaces.ListParametersRequest, rclinterfaces.ListParametersResponse](f, "list_parameters", &answered)
		if err != nil {
			return err
		}
		for i := n; f.ctx.Err() == nil; i++ {
			switch i % 5 {
			case 0:
				get(&rclinterfaces.GetParametersRequest{Names: names})
			case 1:
				get(&rclinterfaces.GetParametersRequest{Names: many})
			case 2:
				list(&rclinterfaces.ListParametersRequest{Prefixes: many[:1000], Depth: math.MaxUint64})
			case 3:
				value := rclinterfaces.ParameterValue{Type: rclinterfaces.ParameterTypeParameterString, StringValue: []string{"linear", "jtc"}[i%2]}
				set(&rclinterfaces.SetParametersRequest{Parameters: []rclinterfaces.Parameter{{Name: "trajectory.interpolation", Value: value}}})
			default:
				var p []rclinterfaces.Parameter
				for k := range 500 {
					p = append(p, rclinterfaces.Parameter{Name: names[k%len(names)], Value: oddValue(i + k)})
				}
				set(&rclinterfaces.SetParametersRequest{Parameters: p})
			}
		}
		return nil
	})
	f.tell("%d answered", answered.Load())
	return err
}

// oddValue is a value that no parameter can have.
func oddValue(i int) rclinterfaces.ParameterValue {
	return []rclinterfaces.ParameterValue{
		{Type: 200},
		{Type: rclinterfaces.ParameterTypeParameterDouble, DoubleValue: math.NaN()},
		{Type: rclinterfaces.ParameterTypeParameterDouble, DoubleValue: math.Inf(-1)},
		{Type: rclinterfaces.ParameterTypeParameterString, StringValue: strings.Repeat("\x1b", 100) + "\n" + forgery},
		{Type: rclinterfaces.ParameterTypeParameterIntegerArray, IntegerArrayValue: make([]int64, 100)},
		{},
	}[i%6]
}

func floodTransitions(f *flood, possible bool) error {
	labels := []string{"", "active", "nonsense", strings.Repeat("l", 60_000), "\n" + forgery}
	var answered atomic.Int64
	err := inParallel(8, func(n int) error {
		change, err := caller[lifecyclemsgs.ChangeStateRequest, lifecyclemsgs.ChangeStateResponse](f, "change_state", &answered)
		if err != nil {
			return err
		}
		tell, err := caller[lifecyclemsgs.GetStateRequest, lifecyclemsgs.GetStateResponse](f, "get_state", &answered)
		if err != nil {
			return err
		}
		for i := n; f.ctx.Err() == nil; i++ {
			t := lifecyclemsgs.Transition{ID: uint8(8 + i%248), Label: labels[i%len(labels)]}
			if i%3 == 0 {
				t.ID = 0 // the label counts
			}
			if possible {
				t = lifecyclemsgs.Transition{ID: []uint8{4, 3, 4, 2, 1, 3}[i%6]}
			}
			change(&lifecyclemsgs.ChangeStateRequest{Transition: t})
			tell(&lifecyclemsgs.GetStateRequest{})
		}
		return nil
	})
	f.tell("%d answered", answered.Load())
	return err
}
