package rosnode

import (
	"os"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
)

// Transport returns the transport of a node in this environment, and notes it there, so that
// the node says so.
//
// RMW_IMPLEMENTATION chooses as for every ROS node, among those that are built in. Unset, it is
// Fast DDS, as in most distributions, unless CYCLONEDDS_URI configures Cyclone DDS. A secured
// graph needs Cyclone DDS. On Fast DDS services reach nodes on both.
func Transport(env *ros.Environment) ros.Transport {
	t := transportFor(env, os.Getenv("CYCLONEDDS_URI") != "", cyclone.Available, fastdds.Available)
	env.Transport = t.Name()
	return t
}

// transportFor is Transport where uri says that CYCLONEDDS_URI is set, and hasCyclone and hasFast
// what is built in.
func transportFor(env *ros.Environment, uri, hasCyclone, hasFast bool) ros.Transport {
	wantsFast := !uri
	if env.Middleware != "" {
		wantsFast = ros.OnFastDDS(env.Middleware)
	}
	switch {
	case !hasFast, hasCyclone && (!wantsFast || env.Security.Enabled):
		return cyclone.Transport{}
	}
	return fastdds.Transport{}
}
