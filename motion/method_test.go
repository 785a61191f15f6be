package motion_test

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
)

func TestMethodNames(t *testing.T) {
	for i, name := range motion.MethodNames() {
		m, err := motion.ParseMethod(name)
		if err != nil || int(m) != i || m.String() != name {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if _, err := motion.ParseMethod("sampling"); err == nil || !strings.Contains(err.Error(), "spacetime") {
		t.Errorf("sampling: %v", err)
	}
	if motion.Auto.Resolve() != motion.Spacetime || motion.Catch.Resolve() != motion.Catch {
		t.Error("auto is not spacetime")
	}
	if s := motion.Method(77).String(); s != "method(77)" {
		t.Error(s)
	}
}
