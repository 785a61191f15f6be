// Package cyclone is the transport of package ros on Cyclone DDS (libddsc,
// 0.10), the middleware that ROS 2 calls rmw_cyclonedds_cpp. It is built with
// the tag cyclone; without it every participant fails to open with an error
// that says how to build.
//
// Messages are opaque: the library gets and gives the serialized form, through
// a sertype of its own (sertype.c), and never learns a message's fields. To
// its peers such an endpoint is the same as one made from an IDL file.
package cyclone
