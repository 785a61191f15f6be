// Package fastdds is the transport of package ros on eProsima Fast DDS 2 (libfastrtps; 2.9 is
// tested, up to 2.14 is meant), the middleware that ROS 2 calls rmw_fastrtps_cpp. It is built
// with the tag fastdds. Without the tag, Open returns an error that says how to build it.
//
// Messages are opaque as in package cyclone. Its writers send the identity of another sample
// beside the data (ros.RelatedWriter), so services reach nodes on rmw_fastrtps as well as those
// on rmw_cyclonedds. A reliable reader is among the matches of a reliable writer once it has
// acknowledged something, which it does when it has matched the writer: what is written earlier
// is lost to a reader of Cyclone DDS. Participants of XML profiles do not see that.
//
// What it does not have: shared memory, unless the user's XML profiles ask for it; secured
// graphs; a bound on the bytes of samples that wait, other than their number: Endpoint.MaxBytes
// is applied when a sample is taken.
package fastdds
