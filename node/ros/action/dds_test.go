//go:build cyclone && cgo

package action_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// The same over DDS: server and client have participants in domains of their own, which are
// one on the network, so that all goes through it.
func TestOverDDS(t *testing.T) {
	nodes = overNetwork
	defer func() { nodes = inMemory }()
	t.Run("succeeds", TestGoalIsAcceptedExecutedAndSucceeds)
	t.Run("rejected", TestRejectedGoalIsUnknown)
	t.Run("second of an id", TestSecondGoalOfAnIDIsRefused)
	t.Run("cancel", TestCancel)
	t.Run("cancel by time", TestCancelByTime)
	t.Run("forgotten", TestResultsAreForgotten)
	t.Run("limit", TestGoalsBeyondTheLimitAreRefused)
}

func overNetwork(t *testing.T) (controller, user *ros.Node) {
	domain := 1 + os.Getpid()%100
	side := func(number int) ros.Environment {
		return ros.Environment{Domain: 120 + number, Network: ros.Network{
			Range: ros.RangeLocalhost, LoopbackOnly: true,
			VendorConfig: fmt.Sprintf("<CycloneDDS><Domain><Discovery><ExternalDomainId>%d</ExternalDomainId></Discovery></Domain></CycloneDDS>", domain),
		}}
	}
	return newNode(t, cyclone.Transport{}, "controller", side(0)), newNode(t, cyclone.Transport{}, "user", side(1))
}
