package buildinfo

import (
	"runtime/debug"
	"testing"
)

func TestVersionDescribesTheBuild(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for _, c := range []struct {
		name   string
		info   debug.BuildInfo
		linked string
		want   string
	}{
		{"nothing known", debug.BuildInfo{}, "", "(devel)"},
		{
			"a released module",
			debug.BuildInfo{GoVersion: "go1.24.0", Main: debug.Module{Version: "v1.2.3"}},
			"", "v1.2.3, go1.24.0",
		},
		{
			"a clone",
			debug.BuildInfo{GoVersion: "go1.24.0", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
				setting("-tags", "cyclone"), setting("GOOS", "linux"), setting("GOARCH", "amd64"),
				setting("vcs.revision", "0123456789ab"), setting("vcs.modified", "false"),
			}},
			"", "(devel), commit 0123456789ab, tags cyclone, go1.24.0, linux/amd64",
		},
		{
			"a clone with changes",
			debug.BuildInfo{Settings: []debug.BuildSetting{setting("vcs.revision", "0123456789ab"), setting("vcs.modified", "true")}},
			"fedcba", "(devel), commit 0123456789ab-dirty",
		},
		{"made by make", debug.BuildInfo{GoVersion: "go1.24.0"}, "fedcba-dirty", "(devel), commit fedcba-dirty, go1.24.0"},
	} {
		if got := describe(&c.info, c.linked); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
