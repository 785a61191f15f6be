package parameters

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// requestBounds are those of requests. A text that does not fit in them cannot be set, only
// given at start.
var requestBounds = ros.Bounds{Bytes: limit.MessageBytes, Fields: cdr.Bounds{String: limit.StringBytes, Elements: limit.RequestParameters}}

// Graph is what Serve needs of a program besides the parameters.
type Graph struct {
	// Now returns the node's time, for events.
	Now func() builtininterfaces.Time
	// Guard calls the handlers; it may stop the program when one panics. Nil calls them as
	// they are.
	Guard func(handler func())
}

// Serve offers the six parameter services below the node's name until the node closes, and
// publishes every change on /parameter_events, beginning with all parameters as new ones.
func Serve(n *ros.Node, g Graph, declared []Parameter, change func(map[string]any) (map[string]any, error)) error {
	events, err := ros.Advertise[rclinterfaces.ParameterEvent](n, "/parameter_events", ros.ParameterQoS)
	if err != nil {
		return err
	}
	tell := func(e *rclinterfaces.ParameterEvent) {
		if err := events.Publish(e); err != nil {
			n.Logger().Warnf("%v", err)
		}
	}
	s := NewServer(Options{Node: n.FullName(), Declared: declared, Change: change, Now: g.Now, Tell: tell})
	a := adder{node: n, guard: g.Guard}
	add(&a, "~/list_parameters", s.List)
	add(&a, "~/get_parameters", s.Get)
	add(&a, "~/get_parameter_types", s.Types)
	add(&a, "~/describe_parameters", s.Describe)
	add(&a, "~/set_parameters", s.Set)
	add(&a, "~/set_parameters_atomically", s.SetAtomically)
	if a.err == nil {
		s.Introduce()
	}
	return a.err
}

// adder adds services and keeps the first error.
type adder struct {
	node  *ros.Node
	guard func(func())
	err   error
}

func add[Req, Resp any, PReq interface {
	*Req
	cdr.Message
}, PResp interface {
	*Resp
	cdr.Message
}](a *adder, name string, answer func(*Req) *Resp) {
	if a.err != nil {
		return
	}
	_, a.err = ros.Serve[Req, Resp, PReq, PResp](a.node, name, ros.ParameterQoS, func(_ context.Context, r *Req) (response *Resp) {
		if a.guard == nil {
			return answer(r)
		}
		a.guard(func() { response = answer(r) })
		return response
	}, ros.RequestsWithin(requestBounds))
}
