package cyclone

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestDomainConfigSpeaksAsTheROSMiddlewareDoes(t *testing.T) {
	const indexed = "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
	tests := []struct {
		name    string
		network ros.Network
		last    string
		want    string
	}{
		{"defaults", ros.Network{}, "", ""},
		{
			"Humble with ROS_LOCALHOST_ONLY",
			ros.Network{LoopbackOnly: true},
			"",
			`<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces></General></Domain></CycloneDDS>`,
		},
		{
			"subnet",
			ros.Network{Range: ros.RangeSubnet},
			"",
			"<CycloneDDS><Domain><Discovery>" + indexed + "</Discovery></Domain></CycloneDDS>",
		},
		{
			"localhost with static peers",
			ros.Network{Range: ros.RangeLocalhost, StaticPeers: []string{"10.0.0.7", `"><x`}},
			"",
			"<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast></General><Discovery>" + indexed +
				`<Peers><Peer address="localhost"/><Peer address="10.0.0.7"/><Peer address="&#34;&gt;&lt;x"/></Peers></Discovery></Domain></CycloneDDS>`,
		},
		{
			"off ignores static peers",
			ros.Network{Range: ros.RangeOff, StaticPeers: []string{"10.0.0.7"}},
			"",
			fmt.Sprintf("<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>none</ParticipantIndex><Tag>ros_discovery_off_%d</Tag></Discovery></Domain></CycloneDDS>", os.Getpid()),
		},
		{
			"the middleware's default ignores static peers",
			ros.Network{StaticPeers: []string{"10.0.0.7"}},
			"",
			"",
		},
		{
			"the user's settings come after ours and before the last word",
			ros.Network{Range: ros.RangeSubnet, VendorConfig: "file:///etc/cyclonedds.xml"},
			"<last/>",
			"<CycloneDDS><Domain><Discovery>" + indexed + "</Discovery></Domain></CycloneDDS>,file:///etc/cyclonedds.xml,<last/>",
		},
	}
	for _, test := range tests {
		got, keyed := strings.CutPrefix(domainConfig(test.network, test.last), withKeyHashes)
		if got = strings.TrimPrefix(got, ","); !keyed || got != test.want {
			t.Errorf("%s:\n%s\nnot\n%s", test.name, got, test.want)
		}
	}
}
