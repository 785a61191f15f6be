// Package lifecycle makes a node a managed node of ROS 2: a state machine whose transitions load
// what the node needs, start and end its work, and the services and the topic by which others
// look at it and change it. States, transitions, their ids and labels are those of
// lifecycle_msgs and of rcl_lifecycle, so that ros2 lifecycle and lifecycle managers work.
//
// Machine needs no graph; Serve connects it to one.
package lifecycle
