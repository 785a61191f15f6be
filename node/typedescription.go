package node

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/msgs/definition"
	tdi "github.com/firstcontact-ros/firstcontact/msgs/typedescriptioninterfaces"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// describeTypes offers ~/get_type_description, which ROS has as long as it has type hashes.
func (n *Node) describeTypes() error {
	if !n.values.Bool("start_type_description_service") || !n.ros.Wire().TypeHashes {
		return nil
	}
	_, err := ros.Serve(n.ros, "~/get_type_description", ros.ServiceQoS, func(_ context.Context, r *tdi.GetTypeDescriptionRequest) (a *tdi.GetTypeDescriptionResponse) {
		n.mustNotPanic(func() { a = definition.Answer(r) })
		return a
	})
	return err
}
