package firstcontact_test

import (
	"os/exec"
	"strings"
	"testing"
)

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
