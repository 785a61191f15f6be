//go:build fastdds && cgo

package fastdds_test

import (
	"os"
	"sync/atomic"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

var domains atomic.Int64

// testDomain returns a domain that keeps tests and test processes that run at once on one
// machine apart. Domains of tests at once are not neighbours: Fast DDS numbers the participants
// of a process, and a port of the 120th is that of the next domain.
func testDomain() int { return 1 + (37*os.Getpid()+7*int(domains.Add(1)))%100 }

// overNetwork is a side whose participants exchange packets over the loopback interface.
func overNetwork() transporttest.Side {
	return transporttest.Side{
		Transport: fastdds.Transport{},
		Env:       ros.Environment{Network: loopback()},
	}
}

// loopback keeps test traffic on this machine. It discovers by multicast, since the library
// gives each further participant of a process another port, beyond the range in which
// RangeLocalhost looks.
func loopback() ros.Network { return ros.Network{LoopbackOnly: true} }

func TestTransport(t *testing.T) {
	t.Parallel()
	transporttest.RunEach(t, overNetwork(), overNetwork(), transporttest.Apart(testDomain))
}
