// Package ros is a ROS 2 client library in Go: names and remapping, quality
// of service, topics, services, the announcement of nodes to the ROS graph,
// the --ros-args command line, the ROS environment and the console log.
//
// It communicates with other nodes through a [Transport], which moves serialized messages and
// knows nothing of ROS. Package cyclone carries them over Cyclone DDS; [NewMemory] carries
// them inside one process, for tests. The wire forms (topic prefixes, type names, request
// headers, graph messages) follow those of the ROS middleware rmw_cyclonedds_cpp, so nodes of
// this package and stock ROS nodes discover and reach each other.
//
// A node needs a transport and options, and endpoints are typed:
//
//	node, err := ros.NewNode(transport, ros.Options{Name: "firstcontact"})
//	sub, err := ros.Subscribe(node, "joint_states", ros.JointStateQoS, func(m *sensormsgs.JointState, info ros.MessageInfo) { … })
//	pub, err := ros.Advertise[stdmsgs.Bool](node, "~/collision_free", ros.QoS{Depth: 1})
package ros
