// Package msgs holds the ROS 2 messages that the node speaks: the Go packages that gen
// makes of the project's own definitions in ros/firstcontact_msgs and of the standard ones
// in std, one for each ROS package, with the codec of package cdr and the type hash that a
// ROS graph asks for.
//
// To add a type, put its definition in std/PACKAGE and run go generate ./msgs.
//
// ROS 2 Humble sends a longer rmw_dds_common/Gid; its package is
// rmwddscommon/humble, with the same names.
package msgs

//go:generate go run ./gen
