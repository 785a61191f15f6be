// Package fcrclgo lets Go programs on rclgo (github.com/tiiuae/rclgo) talk to the node
// firstcontact: they subscribe and publish topics with the message types of package msgs, which
// need no generated code.
//
// Messages pass as bytes in CDR. The node itself cannot run on rclgo; README.md says why.
// This package was compiled and tested against the stand-in in internal/standin only, never
// with rclgo or ROS.
package fcrclgo
