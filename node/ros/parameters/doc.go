// Package parameters makes the parameters of a node visible in the graph: the six parameter
// services below the node's name and the topic /parameter_events, as rclcpp has them.
//
// Server answers requests and needs no graph; Serve connects it to one. The program decides
// which changes it accepts. docs/ros-interface.md describes the services for users.
package parameters
