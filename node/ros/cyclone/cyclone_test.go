//go:build cyclone && cgo

package cyclone_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

// testDomain keeps test processes that run at once on one machine apart.
var testDomain = 1 + os.Getpid()%100

// inProcess is a side whose participants share one domain of this process:
// samples pass from writer to reader without the network.
func inProcess() transporttest.Side {
	return transporttest.Side{
		Transport: cyclone.Transport{},
		Env:       ros.Environment{Domain: testDomain, Network: loopback()},
	}
}

// loopback keeps test traffic on this machine.
func loopback() ros.Network {
	return ros.Network{Range: ros.RangeLocalhost, LoopbackOnly: true}
}

// overNetwork is a side in a domain of its own as far as this process is
// concerned, which appears as the test domain on the network: two such sides
// exchange real packets.
func overNetwork(number int) transporttest.Side {
	side := inProcess()
	side.Env.Domain = 120 + number
	side.Env.Network.VendorConfig = fmt.Sprintf("<CycloneDDS><Domain><Discovery><ExternalDomainId>%d</ExternalDomainId></Discovery></Domain></CycloneDDS>", testDomain)
	return side
}

func TestTransportInOneProcess(t *testing.T) {
	transporttest.Run(t, inProcess(), inProcess())
}

func TestTransportOverNetwork(t *testing.T) {
	transporttest.Run(t, overNetwork(0), overNetwork(1))
}
