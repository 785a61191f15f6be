// Package msgs holds the ROS 2 messages that the node speaks: the definitions in
// msg and srv, which a ROS workspace builds too, the standard ones in std, and
// the Go packages that gen makes of both, one for each ROS package, with the
// codec of package cdr and the type hash that a ROS graph asks for.
//
// To add a type, put its definition in std/PACKAGE and run go generate ./msgs.
//
// ROS 2 Humble sends a longer rmw_dds_common/Gid; its package is
// rmwddscommon/humble, with the same names.
package msgs

//go:generate go run ./gen
