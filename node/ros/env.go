package ros

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// DiscoveryRange says how far away peers are discovered (ROS_AUTOMATIC_DISCOVERY_RANGE).
type DiscoveryRange uint8

// Ranges. The zero value keeps the middleware's own settings.
const (
	RangeSystemDefault DiscoveryRange = iota
	RangeSubnet
	RangeLocalhost
	RangeOff
)

var rangeNames = map[string]DiscoveryRange{
	"SYSTEM_DEFAULT": RangeSystemDefault,
	"SUBNET":         RangeSubnet,
	"LOCALHOST":      RangeLocalhost,
	"OFF":            RangeOff,
}

func (r DiscoveryRange) String() string {
	for name, value := range rangeNames {
		if value == r {
			return name
		}
	}
	return fmt.Sprintf("DiscoveryRange(%d)", uint8(r))
}

// Network limits where peers are discovered. The zero value is the middleware's default.
type Network struct {
	Range DiscoveryRange
	// LoopbackOnly confines all traffic to the loopback interface. Peers that use another
	// interface, even on this machine, do not discover such a participant.
	LoopbackOnly bool
	// StaticPeers are additional addresses to contact (ROS_STATIC_PEERS). As in ROS they apply
	// with RangeSubnet and RangeLocalhost only.
	StaticPeers []string
	// VendorConfig is configuration in the middleware's own language (CYCLONEDDS_URI). It is
	// applied last, so that the user's settings take precedence.
	VendorConfig string
}

// Environment holds the settings of the ROS environment variables.
type Environment struct {
	Domain  int
	Network Network
	// Distro is ROS_DISTRO, possibly empty.
	Distro string
	// Middleware is RMW_IMPLEMENTATION, possibly empty: the middleware of the other ROS nodes.
	Middleware string
	// Transport is the name of the transport that the node itself uses. Empty, NewNode fills it
	// in.
	Transport string
	// DiscoveryServer is ROS_DISCOVERY_SERVER, which Fast DDS reads itself.
	DiscoveryServer string
	// Security locates the keys of a secured graph.
	Security Security
	// Ineffective are sentences about variables that are set and have no effect.
	Ineffective []string
}

// ReadEnvironment reads ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE,
// ROS_STATIC_PEERS, ROS_DISTRO, RMW_IMPLEMENTATION, the ROS_SECURITY_ variables,
// ROS_DISCOVERY_SERVER and CYCLONEDDS_URI. A nil lookup reads the process's environment. A malformed value is an error
// that names the variable.
//
// If no range is set, Iron and later use the subnet, and older distributions leave the range
// to the middleware. ROS_LOCALHOST_ONLY=1 overrides the range as in ROS nodes: Iron and later
// take it for the range LOCALHOST, without static peers; if ROS_DISTRO is older or not set, it
// confines traffic to the loopback interface.
func ReadEnvironment(lookup func(string) (string, bool)) (Environment, error) {
	if lookup == nil {
		lookup = os.LookupEnv
	}
	get := func(name string) string {
		value, _ := lookup(name)
		return value
	}
	env := Environment{Distro: get("ROS_DISTRO"), Middleware: get("RMW_IMPLEMENTATION"), DiscoveryServer: get("ROS_DISCOVERY_SERVER")}
	var err error
	if env.Domain, err = parseDomain(get("ROS_DOMAIN_ID")); err != nil {
		return Environment{}, err
	}
	localhostOnly, err := parseLocalhostOnly(get("ROS_LOCALHOST_ONLY"))
	if err != nil {
		return Environment{}, err
	}
	if env.Network.Range, err = parseRange(get("ROS_AUTOMATIC_DISCOVERY_RANGE"), env.Distro); err != nil {
		return Environment{}, err
	}
	if env.Network.StaticPeers, err = parsePeers(get("ROS_STATIC_PEERS")); err != nil {
		return Environment{}, err
	}
	env.Ineffective = ineffective(env, localhostOnly, get)
	if localhostOnly {
		env.Network = localhostOnlyNetwork(env.Distro)
	}
	if env.Security, err = readSecurity(get); err != nil {
		return Environment{}, err
	}
	env.Network.VendorConfig = get("CYCLONEDDS_URI")
	return env, nil
}

// ineffective returns a sentence for each variable that is set and has no effect.
func ineffective(env Environment, localhostOnly bool, get func(string) string) []string {
	var out []string
	switch peers := len(env.Network.StaticPeers) > 0; {
	case peers && localhostOnly:
		out = append(out, "ROS_STATIC_PEERS has no effect: ROS_LOCALHOST_ONLY is 1")
	case peers && (env.Network.Range == RangeOff || env.Network.Range == RangeSystemDefault):
		out = append(out, fmt.Sprintf("ROS_STATIC_PEERS has no effect: the discovery range is %s; set ROS_AUTOMATIC_DISCOVERY_RANGE to SUBNET or LOCALHOST", env.Network.Range))
	}
	if localhostOnly && get("ROS_AUTOMATIC_DISCOVERY_RANGE") != "" {
		out = append(out, "ROS_AUTOMATIC_DISCOVERY_RANGE has no effect: ROS_LOCALHOST_ONLY is 1")
	}
	return out
}

// maxDomain is the largest domain whose discovery ports fit in 16 bits.
const maxDomain = 232

func parseDomain(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxDomain {
		return 0, fmt.Errorf("ROS_DOMAIN_ID=%q is not a number from 0 to %d", s, maxDomain)
	}
	return n, nil
}

func parseLocalhostOnly(s string) (bool, error) {
	switch s {
	case "", "0":
		return false, nil
	case "1":
		return true, nil
	}
	return false, fmt.Errorf("ROS_LOCALHOST_ONLY=%q is neither 0 nor 1", s)
}

func localhostOnlyNetwork(distro string) Network {
	if form, _ := WireFormOf(distro); form == JazzyWire && distro != "" {
		return Network{Range: RangeLocalhost}
	}
	return Network{LoopbackOnly: true}
}

func parseRange(s, distro string) (DiscoveryRange, error) {
	if s == "" {
		if form, _ := WireFormOf(distro); form == HumbleWire {
			return RangeSystemDefault, nil
		}
		return RangeSubnet, nil
	}
	r, ok := rangeNames[s]
	if !ok {
		return 0, fmt.Errorf("ROS_AUTOMATIC_DISCOVERY_RANGE=%q is none of SUBNET, LOCALHOST, OFF, SYSTEM_DEFAULT", s)
	}
	return r, nil
}

// parsePeers splits the addresses of ROS_STATIC_PEERS at semicolons.
func parsePeers(s string) ([]string, error) {
	var peers []string
	for _, peer := range strings.Split(s, ";") {
		peer = strings.TrimSpace(peer)
		if peer == "" {
			continue
		}
		if i := strings.IndexFunc(peer, notInAddress); i >= 0 {
			return nil, fmt.Errorf("ROS_STATIC_PEERS: %q is not an address: it has the character %q; separate addresses by ';'", peer, peer[i])
		}
		peers = append(peers, peer)
	}
	return peers, nil
}

// notInAddress reports whether a character occurs neither in a host name nor in an IP address
// with a port or zone.
func notInAddress(c rune) bool {
	return c > 127 || !isAlnum(byte(c)) && !strings.ContainsRune(".:-_%[]/", c)
}
