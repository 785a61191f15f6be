package cyclone

import (
	"encoding/xml"
	"fmt"
	"os"
	"strings"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// withKeyHashes makes discovery say which endpoint is gone in a form that Fast DDS reads.
// Otherwise peers on Fast DDS keep it until the participant is gone.
const withKeyHashes = "<CycloneDDS><Domain><Internal><GenerateKeyhash>true</GenerateKeyhash></Internal></Domain></CycloneDDS>"

// domainConfig returns the configuration of a domain, as fragments separated by commas: the
// settings of the ROS environment as rmw_cyclonedds writes them, then the user's own, which
// override them, then last, which overrides both.
func domainConfig(n ros.Network, last string) string {
	fragments := []string{withKeyHashes, rangeConfig(n)}
	if n.LoopbackOnly {
		fragments = append(fragments, "<CycloneDDS><Domain><General><Interfaces>"+
			`<NetworkInterface address="127.0.0.1"/>`+
			"</Interfaces></General></Domain></CycloneDDS>")
	}
	fragments = append(fragments, n.VendorConfig, last)
	var filled []string
	for _, f := range fragments {
		if f != "" {
			filled = append(filled, f)
		}
	}
	return strings.Join(filled, ",")
}

// rangeConfig is the configuration of a discovery range. The participant index
// makes the ports predictable, so that a peer confined to this machine finds
// the participant without multicast.
func rangeConfig(n ros.Network) string {
	var general, discovery strings.Builder
	var peers []string
	const indexed = "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>"
	const unicast = "<AllowMulticast>false</AllowMulticast>"
	switch n.Range {
	case ros.RangeSubnet:
		discovery.WriteString(indexed)
		peers = n.StaticPeers
	case ros.RangeLocalhost:
		general.WriteString(unicast)
		discovery.WriteString(indexed)
		peers = append([]string{"localhost"}, n.StaticPeers...)
	case ros.RangeOff:
		general.WriteString(unicast)
		// Only participants with the same tag discover each other.
		fmt.Fprintf(&discovery, "<ParticipantIndex>none</ParticipantIndex><Tag>ros_discovery_off_%d</Tag>", os.Getpid())
	default:
		return ""
	}
	if len(peers) > 0 {
		discovery.WriteString("<Peers>")
		for _, peer := range peers {
			discovery.WriteString(`<Peer address="`)
			xml.EscapeText(&discovery, []byte(peer))
			discovery.WriteString(`"/>`)
		}
		discovery.WriteString("</Peers>")
	}
	return "<CycloneDDS><Domain>" + element("General", general.String()) +
		element("Discovery", discovery.String()) + "</Domain></CycloneDDS>"
}

func element(name, content string) string {
	if content == "" {
		return ""
	}
	return "<" + name + ">" + content + "</" + name + ">"
}
