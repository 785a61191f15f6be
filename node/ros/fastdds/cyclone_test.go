//go:build fastdds && cyclone && cgo

package fastdds_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

// overCyclone is a side on Cyclone DDS. Of itself Cyclone DDS sends no multicast over the
// loopback interface.
func overCyclone() transporttest.Side {
	const config = `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces></General></Domain></CycloneDDS>`
	return transporttest.Side{
		Transport: cyclone.Transport{},
		Env:       ros.Environment{Network: ros.Network{VendorConfig: config}},
	}
}

// If the first heartbeat of Fast DDS comes before Cyclone DDS expects it, the two find each
// other a second later: the tests wait for that side by side. Several participants of Cyclone
// DDS in one process and domain take what others of them have read for read, so each test has
// a domain of its own.
func TestWithCycloneDDS(t *testing.T) {
	t.Parallel()
	t.Run("to Cyclone DDS", func(t *testing.T) {
		// Larger ones go in parts. If the socket loses one, the two libraries may not agree on
		// sending it again.
		a := overNetwork()
		a.Largest = 60_000
		transporttest.RunEach(t, a, overCyclone(), transporttest.Apart(testDomain))
	})
	t.Run("from Cyclone DDS", func(t *testing.T) {
		// Fast DDS asks for all that a writer still has.
		transporttest.RunEach(t, overCyclone(), overNetwork(), transporttest.Apart(testDomain), "a late reader gets nothing of a volatile writer")
	})
}
