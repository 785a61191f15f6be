package main

import (
	"strings"
	"testing"
)

func TestCommandLineOfROS(t *testing.T) {
	const lib = "/opt/ros/jazzy/lib/firstcontact/"
	for _, c := range []struct{ argv, want string }{
		{"firstcontact", ""},
		{"firstcontact check x.csv", "check x.csv"},
		{"firstcontact --ros-args -r __ns:=/a", "node --ros-args -r __ns:=/a"},
		{"/usr/bin/firstcontact --help", "--help"},
		{"./node", ""},
		{lib + "firstcontact", "node"},
		{lib + "firstcontact --ros-args", "node --ros-args"},
		{lib + "firstcontact --help", "--help"},
		{lib + "firstcontact check --ros-args", "check --ros-args"},
		{lib + "firstcontact node --ros-args", "node --ros-args"},
		{lib + "node", "node"},
		{lib + "node --ros-args -p scene:=x", "node --ros-args -p scene:=x"},
		{lib + "node node", "node"},
		{lib + "node --help", "node --help"},
		{"install/firstcontact/lib/firstcontact/node", "node"},
		{"lib/firstcontact/node", "node"},
	} {
		if got := strings.Join(arguments(strings.Fields(c.argv)), " "); got != c.want {
			t.Errorf("%s runs %q, want %q", c.argv, got, c.want)
		}
	}
	if got := arguments(nil); len(got) > 0 {
		t.Errorf("no name runs %q", got)
	}
}
