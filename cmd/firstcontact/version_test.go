package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	code, out, errs := command(t, "", "--version")
	if code != exitFree || errs != "" {
		t.Fatalf("exit status %d, standard error %q", code, errs)
	}
	if !strings.HasPrefix(out, "firstcontact version ") || !strings.Contains(out, runtime.Version()) || strings.Count(out, "\n") != 1 {
		t.Errorf("--version prints %q: want one line with the name and %s", out, runtime.Version())
	}
}

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

// The command version prints what --version does, for people and for programs.
func TestVersionCommand(t *testing.T) {
	_, line, _ := command(t, "", "--version")
	code, text, errs := command(t, "", "version")
	if code != exitFree || errs != "" || !strings.HasPrefix(text, "firstcontact ") || !strings.Contains(text, "Cyclone DDS") || !strings.Contains(text, runtime.Version()) {
		t.Errorf("exit status %d: %s%s", code, text, errs)
	}
	_, out, _ := command(t, "", "version", "--json")
	o := objects(t, out)[0]
	if o["schema"] != "firstcontact/version/1" || o["go"] != runtime.Version() || !strings.Contains(line, o["version"].(string)) {
		t.Errorf("%v", o)
	}
	r := newVersionReport(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "abc-dirty")
	if r.Version != "v1.2.3" || r.Commit != "abc" || !r.Modified || !strings.Contains(r.text(), "commit       abc, with changes\n") {
		t.Errorf("%+v: %s", r, r.text())
	}
}
