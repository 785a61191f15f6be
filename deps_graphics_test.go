package firstcontact_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A server of HTTP that understands all of it would add 6 MB to the binary, for one page that is
// seldom asked for: node/live reads what it needs.
func TestNothingServesAllOfHTTP(t *testing.T) {
	list, err := exec.Command("go", "list", "-tags", "cyclone,fastdds,gl", "-f", `{{.ImportPath}}{{range .Imports}} {{.}} {{end}}`, "./...").Output()
	if err != nil {
		t.Fatal("go list: ", err)
	}
	if !strings.Contains(string(list), " net ") {
		t.Error("nothing imports net: this test finds nothing")
	}
	for line := range strings.Lines(string(list)) {
		if name, _, found := strings.Cut(line, " net/http "); found {
			t.Errorf("%s imports net/http", strings.Fields(name)[0])
		}
	}
}

// Who builds without the tag gl compiles nothing of a graphics library, and needs none.
func TestDefaultBuildIsFreeOfGraphics(t *testing.T) {
	reached := func(args ...string) (found []string) {
		cmd := exec.Command("go", append(append([]string{"list", "-deps"}, args...), "./...")...)
		cmd.Env = append(cmd.Environ(), "CGO_ENABLED=1")
		list, err := cmd.Output()
		if err != nil {
			t.Fatal("go list: ", err)
		}
		for _, p := range strings.Fields(string(list)) {
			if strings.HasPrefix(p, "github.com/go-gl/") {
				found = append(found, p)
			}
		}
		return found
	}
	for _, tags := range []string{"", "cyclone", "cyclone,fastdds"} {
		if found := reached("-tags", tags); len(found) > 0 {
			t.Errorf("with tags %q the build needs %v", tags, found)
		}
	}
	if len(reached("-tags", "gl")) == 0 {
		t.Error("with the tag gl the build needs no graphics: this test finds nothing")
	}
}
