//go:build fastdds && cyclone && cgo

package fastdds_test

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

// overCyclone is a side on Cyclone DDS in the domain of overNetwork. Of itself Cyclone DDS
// sends no multicast over the loopback interface.
func overCyclone() transporttest.Side {
	const config = `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces></General></Domain></CycloneDDS>`
	return transporttest.Side{
		Transport: cyclone.Transport{},
		Env:       ros.Environment{Domain: testDomain, Network: ros.Network{VendorConfig: config}},
	}
}

func TestWithCycloneDDS(t *testing.T) {
	t.Run("to Cyclone DDS", func(t *testing.T) {
		// Larger ones go in parts. If the socket loses one, the two libraries may not agree on
		// sending it again.
		a := overNetwork()
		a.Largest = 60_000
		transporttest.Run(t, a, overCyclone())
	})
	t.Run("from Cyclone DDS", func(t *testing.T) {
		// Fast DDS asks for all that a writer still has.
		transporttest.Run(t, overCyclone(), overNetwork(), "a late reader gets nothing of a volatile writer")
	})
}
