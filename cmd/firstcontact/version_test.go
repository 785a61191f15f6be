package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

func TestVersion(t *testing.T) {
	code, out, errs := command(t, "", "--version")
	if code != cli.ExitFree || errs != "" {
		t.Fatalf("exit status %d, standard error %q", code, errs)
	}
	if !strings.HasPrefix(out, "firstcontact version ") || !strings.Contains(out, runtime.Version()) || strings.Count(out, "\n") != 1 {
		t.Errorf("--version prints %q: want one line with the name and %s", out, runtime.Version())
	}
}

// The command version prints what --version does, for people and for programs.
func TestVersionCommand(t *testing.T) {
	_, line, _ := command(t, "", "--version")
	code, text, errs := command(t, "", "version")
	if code != cli.ExitFree || errs != "" || !strings.HasPrefix(text, "firstcontact ") || !strings.Contains(text, "Cyclone DDS") || !strings.Contains(text, runtime.Version()) {
		t.Errorf("exit status %d: %s%s", code, text, errs)
	}
	_, out, _ := command(t, "", "version", "--json")
	o := clitest.Objects(t, out)[0]
	if o["schema"] != "firstcontact/version/1" || o["go"] != runtime.Version() || !strings.Contains(line, o["version"].(string)) {
		t.Errorf("%v", o)
	}
	r := newVersionReport(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "abc-dirty")
	if r.Version != "v1.2.3" || r.Commit != "abc" || !r.Modified || !strings.Contains(r.text(), "commit       abc, with changes\n") {
		t.Errorf("%+v: %s", r, r.text())
	}
}
