package ros

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

func TestEnvironment(t *testing.T) {
	tests := []struct {
		name string
		vars map[string]string
		want Environment
	}{
		{"empty", nil, Environment{Network: Network{Range: RangeSubnet}}},
		{"Humble", map[string]string{"ROS_DISTRO": "humble", "ROS_DOMAIN_ID": "42"}, Environment{Domain: 42, Distro: "humble"}},
		{
			"Jazzy on this machine",
			map[string]string{"ROS_DISTRO": "jazzy", "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_STATIC_PEERS": "10.0.0.7; robot.local:7400 ;;[fe80::1%eth0]"},
			Environment{Distro: "jazzy", Network: Network{Range: RangeLocalhost, StaticPeers: []string{"10.0.0.7", "robot.local:7400", "[fe80::1%eth0]"}}},
		},
		{"no discovery", map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "OFF"}, Environment{Network: Network{Range: RangeOff}}},
		{"the middleware's own", map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT"}, Environment{}},
		{
			"localhost only in Humble",
			map[string]string{"ROS_DISTRO": "humble", "ROS_LOCALHOST_ONLY": "1", "CYCLONEDDS_URI": "x.xml"},
			Environment{Distro: "humble", Network: Network{LoopbackOnly: true, VendorConfig: "x.xml"}},
		},
		{
			"localhost only in Jazzy",
			map[string]string{"ROS_DISTRO": "jazzy", "ROS_LOCALHOST_ONLY": "1", "ROS_STATIC_PEERS": "10.0.0.7", "ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"},
			Environment{
				Distro: "jazzy", Network: Network{Range: RangeLocalhost},
				Ineffective: []string{"ROS_STATIC_PEERS has no effect: ROS_LOCALHOST_ONLY is 1", "ROS_AUTOMATIC_DISCOVERY_RANGE has no effect: ROS_LOCALHOST_ONLY is 1"},
			},
		},
		{"localhost only", map[string]string{"ROS_LOCALHOST_ONLY": "1"}, Environment{Network: Network{LoopbackOnly: true}}},
		{"not localhost only", map[string]string{"ROS_LOCALHOST_ONLY": "0"}, Environment{Network: Network{Range: RangeSubnet}}},
		{"largest domain", map[string]string{"ROS_DOMAIN_ID": "232"}, Environment{Domain: 232, Network: Network{Range: RangeSubnet}}},
		{
			"security",
			map[string]string{"ROS_SECURITY_ENABLE": "true", "ROS_SECURITY_STRATEGY": "Enforce", "ROS_SECURITY_KEYSTORE": "/keys", "ROS_SECURITY_ENCLAVE_OVERRIDE": "/cell"},
			Environment{Network: Network{Range: RangeSubnet}, Security: Security{Enabled: true, Enforce: true, Keystore: "/keys", Enclave: "/cell"}},
		},
		{"a middleware", map[string]string{"RMW_IMPLEMENTATION": "rmw_fastrtps_cpp"}, Environment{Middleware: "rmw_fastrtps_cpp", Network: Network{Range: RangeSubnet}}},
		{"security off", map[string]string{"ROS_SECURITY_ENABLE": "false", "ROS_SECURITY_KEYSTORE": "/keys"}, Environment{Network: Network{Range: RangeSubnet}, Security: Security{Keystore: "/keys"}}},
	}
	for _, test := range tests {
		got, err := ReadEnvironment(lookup(test.vars))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n%+v, %v\nnot\n%+v", test.name, got, err, test.want)
		}
	}
}

func TestEnvironmentThatMakesNoSense(t *testing.T) {
	tests := []map[string]string{
		{"ROS_DOMAIN_ID": "233"},
		{"ROS_DOMAIN_ID": "-1"},
		{"ROS_DOMAIN_ID": "one"},
		{"ROS_DOMAIN_ID": "1 "},
		{"ROS_LOCALHOST_ONLY": "yes"},
		{"ROS_AUTOMATIC_DISCOVERY_RANGE": "localhost"},
		{"ROS_STATIC_PEERS": `10.0.0.7"/>`},
		{"ROS_STATIC_PEERS": "10.0.0.7,10.0.0.8"},
		{"ROS_SECURITY_ENABLE": "1"},
		{"ROS_SECURITY_STRATEGY": "strict", "ROS_SECURITY_ENABLE": "true"},
		{"ROS_SECURITY_STRATEGY": "Enforce", "ROS_SECURITY_ENABLE": "true"},
	}
	for _, vars := range tests {
		_, err := ReadEnvironment(lookup(vars))
		named := false
		for name := range vars {
			named = named || err != nil && strings.Contains(err.Error(), name)
		}
		if !named {
			t.Errorf("%v: %v", vars, err)
		}
	}
}

func TestWireFormFollowsTheDistribution(t *testing.T) {
	tests := []struct {
		distro string
		want   WireForm
		note   bool
	}{
		{"humble", HumbleWire, false},
		{"foxy", HumbleWire, false},
		{"Humble ", HumbleWire, false},
		{"iron", JazzyWire, false},
		{"jazzy", JazzyWire, false},
		{"rolling", JazzyWire, false},
		{"", JazzyWire, true},
		{"zebra", JazzyWire, true},
	}
	for _, test := range tests {
		form, note := WireFormOf(test.distro)
		if form != test.want || (note != "") != test.note {
			t.Errorf("%q: %+v, note %q", test.distro, form, note)
		}
	}
}

// What passes between this node and nodes of each middleware.
func TestMiddlewares(t *testing.T) {
	for _, test := range []struct {
		transport, rmw string
		want           Note
	}{
		{"cyclone", "rmw_cyclonedds_cpp", Note{LevelInfo, "this node uses Cyclone DDS"}},
		{"cyclone", "", Note{LevelInfo, "is not set: this node uses Cyclone DDS"}},
		{"cyclone", "rmw_fastrtps_cpp", Note{LevelWarn, "topics and the graph work with nodes on Fast DDS, services and parameters do not"}},
		{"cyclone", "rmw_fastrtps_dynamic_cpp", Note{LevelWarn, "topics and the graph work with nodes on Fast DDS, services and parameters do not"}},
		{"cyclone", "rmw_connextdds", Note{LevelWarn, "topics and the graph work with nodes on RTI Connext DDS, services and parameters do not"}},
		{"cyclone", "rmw_gurumdds_cpp", Note{LevelWarn, "topics and the graph work with nodes on GurumDDS, services and parameters do not"}},
		{"cyclone", "rmw_zenoh_cpp", Note{LevelError, "neither topics nor services pass between them"}},
		{"cyclone", "rmw_something", Note{LevelWarn, "is unknown: this node uses Cyclone DDS"}},
		{"fastdds", "", Note{LevelInfo, "is not set: this node uses Fast DDS"}},
		{"fastdds", "rmw_fastrtps_cpp", Note{LevelInfo, "this node uses Fast DDS"}},
		{"fastdds", "rmw_cyclonedds_cpp", Note{LevelInfo, "this node uses Fast DDS"}},
		{"fastdds", "rmw_connextdds", Note{LevelWarn, "services and parameters do not"}},
		{"fastdds", "rmw_zenoh_cpp", Note{LevelError, "neither topics nor services pass between them"}},
		{"fastdds", "rmw_something", Note{LevelWarn, "is unknown: this node uses Fast DDS"}},
	} {
		got := middlewareNote(test.transport, test.rmw)
		if got.Level != test.want.Level || !strings.Contains(got.Text, test.want.Text) {
			t.Errorf("%s, %s: %+v, want %+v", test.transport, test.rmw, got, test.want)
		}
		if test.rmw != "" && !strings.Contains(got.Text, "RMW_IMPLEMENTATION="+test.rmw) {
			t.Errorf("%q does not name %s", got.Text, test.rmw)
		}
	}
}

// A discovery server is of Fast DDS.
func TestDiscoveryServer(t *testing.T) {
	env, err := ReadEnvironment(lookup(map[string]string{"ROS_DISCOVERY_SERVER": "10.0.0.7:11811"}))
	if err != nil {
		t.Fatal(err)
	}
	for transport, want := range map[string]bool{"cyclone": true, "fastdds": false} {
		env.Transport = transport
		got := slices.ContainsFunc(env.Notes(), func(n Note) bool { return strings.Contains(n.Text, "ROS_DISCOVERY_SERVER has no effect") })
		if got != want {
			t.Errorf("%s: said %v, want %v", transport, got, want)
		}
	}
}

func TestIneffectiveVariables(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want []string
	}{
		{map[string]string{"ROS_STATIC_PEERS": "10.0.0.7"}, nil},
		{map[string]string{"ROS_STATIC_PEERS": "10.0.0.7", "ROS_AUTOMATIC_DISCOVERY_RANGE": "OFF"}, []string{"ROS_STATIC_PEERS has no effect: the discovery range is OFF"}},
		{map[string]string{"ROS_STATIC_PEERS": "10.0.0.7", "ROS_DISTRO": "humble"}, []string{"the discovery range is SYSTEM_DEFAULT"}},
		{
			map[string]string{"ROS_STATIC_PEERS": "10.0.0.7", "ROS_LOCALHOST_ONLY": "1", "ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"},
			[]string{"ROS_STATIC_PEERS has no effect", "ROS_AUTOMATIC_DISCOVERY_RANGE has no effect"},
		},
	} {
		env, err := ReadEnvironment(lookup(test.env))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(env.Ineffective, test.want, strings.Contains) {
			t.Errorf("%v: %q, want %q", test.env, env.Ineffective, test.want)
		}
	}
}
