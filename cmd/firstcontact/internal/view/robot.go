package view

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// descriptionPatience is how long a view waits for the robot's description.
const descriptionPatience = 10 * time.Second

// robotOf reads the robot from files, or without --robot takes its description from the graph. As
// with the node, such a text cannot have other files read than those of robot packages.
func (f *flags) robotOf(ctx context.Context, n *ros.Node, io cli.Streams) (*urdf.Robot, error) {
	switch {
	case len(f.Robots) > 0:
		return f.Load(ctx)
	case len(f.Places) > 0, len(f.SRDFs) > 1:
		return nil, cli.UsageError{Err: errors.New("--place and several --srdf need --robot")}
	}
	dirs, err := f.PackageDirs()
	if err != nil {
		return nil, err
	}
	topic, err := n.ResolveTopic(f.description)
	if err != nil {
		return nil, cli.UsageError{Err: fmt.Errorf("--description: %w", err)}
	}
	if !f.Quiet() {
		fmt.Fprintf(io.Err, "note: waiting for the robot's description on %s\n", topic)
	}
	text, err := hearDescription(ctx, n, topic)
	if err != nil {
		return nil, err
	}
	robot, err := urdf.ParseContext(ctx, []byte(text), urdf.Options{Packages: dirs, Confined: true})
	if err != nil {
		return nil, fmt.Errorf("the description on %s: %w", topic, err)
	}
	if len(f.SRDFs) == 0 {
		return robot, nil
	}
	if file := f.SRDFs[0]; !input.IsStream(file) {
		return urdf.LoadSRDFContext(ctx, robot, file)
	}
	data, err := f.Read(ctx, "--srdf", f.SRDFs[0], limit.DescriptionBytes)
	if err != nil {
		return nil, err
	}
	return urdf.ParseSRDFOf(robot, input.StreamName(f.SRDFs[0]), data)
}

// hearDescription returns the first text on a topic.
func hearDescription(ctx context.Context, n *ros.Node, topic string) (string, error) {
	texts := make(chan string, 1)
	_, err := ros.Subscribe(n, topic, ros.LatchedQoS, func(m *stdmsgs.String, _ ros.MessageInfo) {
		if m.Data == "" {
			return
		}
		select {
		case texts <- m.Data:
		default: // the view shows the first
		}
	}, ros.Within(ros.DescriptionBounds))
	if err != nil {
		return "", err
	}
	select {
	case text := <-texts:
		return text, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-time.After(descriptionPatience):
		return "", fmt.Errorf("no description of the robot has come on %s within %v: give its file with --robot R.urdf, or run a robot_state_publisher on this ROS domain (ROS_DOMAIN_ID); --description names another topic", topic, descriptionPatience)
	}
}
