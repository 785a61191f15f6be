package rosnode

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

func TestTransportIsChosenByTheEnvironment(t *testing.T) {
	secured := ros.Security{Enabled: true}
	for _, c := range []struct {
		env       ros.Environment
		uri       bool
		both      string // what is chosen where both are built in
		onlyFast  string
		onlyOther string
	}{
		{ros.Environment{}, false, "fastdds", "fastdds", "cyclone"},
		{ros.Environment{}, true, "cyclone", "fastdds", "cyclone"},
		{ros.Environment{Security: secured}, false, "cyclone", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_fastrtps_cpp"}, false, "fastdds", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_fastrtps_cpp"}, true, "fastdds", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_fastrtps_dynamic_cpp"}, false, "fastdds", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_fastrtps_cpp", Security: secured}, false, "cyclone", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_cyclonedds_cpp"}, false, "cyclone", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_connextdds"}, false, "cyclone", "fastdds", "cyclone"},
		{ros.Environment{Middleware: "rmw_something"}, false, "cyclone", "fastdds", "cyclone"},
	} {
		for _, built := range []struct {
			cyclone, fast bool
			want          string
		}{{true, true, c.both}, {false, true, c.onlyFast}, {true, false, c.onlyOther}, {false, false, "cyclone"}} {
			if got := transportFor(&c.env, c.uri, built.cyclone, built.fast).Name(); got != built.want {
				t.Errorf("%q, CYCLONEDDS_URI %v, security %v, with Cyclone DDS %v, Fast DDS %v: %s, want %s",
					c.env.Middleware, c.uri, c.env.Security.Enabled, built.cyclone, built.fast, got, built.want)
			}
		}
	}
}
