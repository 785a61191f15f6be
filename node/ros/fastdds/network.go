//go:build fastdds && cgo

package fastdds

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"os"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// peerRange is how many participants are looked for at the address of a peer. The library's
// own choice is 4: a fifth on one machine would not be found without multicast.
const peerRange = 32

// cNetwork is the configuration of a participant. As rmw_fastrtps does, it adds the settings
// of the ROS environment to those of the user's XML profiles.
func cNetwork(n ros.Network) (c *C.fd_network, free func()) {
	var peers []string
	switch n.Range {
	case ros.RangeSubnet:
		peers = n.StaticPeers
	case ros.RangeLocalhost:
		peers = append([]string{"127.0.0.1"}, n.StaticPeers...)
	}
	addresses, freeAddresses := cStrings(peers)
	c = (*C.fd_network)(C.calloc(1, C.sizeof_fd_network))
	*c = C.fd_network{
		own_transport: C.bool(!profiled()),
		loopback_only: C.bool(n.LoopbackOnly),
		unicast:       C.bool(n.Range == ros.RangeLocalhost),
		off:           C.bool(n.Range == ros.RangeOff),
		peer_range:    peerRange,
		peers:         addresses,
	}
	return c, func() {
		freeAddresses()
		C.free(unsafe.Pointer(c))
	}
}

// profiled reports whether the user has XML profiles, which then choose the transports of
// Fast DDS. Otherwise the participant has UDP alone: shared memory that a killed process or
// another user left behind can keep nodes apart.
func profiled() bool {
	for _, name := range []string{"FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"} {
		if os.Getenv(name) != "" {
			return true
		}
	}
	_, err := os.Stat("DEFAULT_FASTRTPS_PROFILES.xml")
	return err == nil
}
