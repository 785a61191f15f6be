//go:build fastdds && cgo

package fastdds_test

import (
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

// testDomain keeps test processes that run at once on one machine apart.
var testDomain = 101 + os.Getpid()%100

// overNetwork is a side whose participants exchange packets over the loopback interface.
func overNetwork() transporttest.Side {
	return transporttest.Side{
		Transport: fastdds.Transport{},
		Env:       ros.Environment{Domain: testDomain, Network: loopback()},
	}
}

// loopback keeps test traffic on this machine. It discovers by multicast, since the library
// gives each further participant of a process another port, beyond the range in which
// RangeLocalhost looks.
func loopback() ros.Network { return ros.Network{LoopbackOnly: true} }

func TestTransport(t *testing.T) {
	transporttest.Run(t, overNetwork(), overNetwork())
}
