// Package cyclone is the transport of package ros on Cyclone DDS (libddsc, 0.10), the
// middleware that ROS 2 calls rmw_cyclonedds_cpp. It is built with the tag cyclone. Without
// the tag, Open returns an error that says how to build it.
//
// Messages are opaque: the library handles serialized messages only, through the package's own
// sertype (sertype.c), and has no description of a message's fields. Peers cannot tell such an
// endpoint from one made from an IDL file.
package cyclone
