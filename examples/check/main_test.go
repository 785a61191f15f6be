package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"arm.urdf": `<robot name="arm"><link name="base"/>
<link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="fore"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>`,
		"cell.yaml": "objects:\n  - {id: post, type: cylinder, xyz: [0.8, 0, 0], radius: 0.01, length: 1}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	robot, cell := filepath.Join(dir, "arm.urdf"), filepath.Join(dir, "cell.yaml")
	for _, c := range []struct {
		args []string
		want string // of the output, or of the error
	}{
		{[]string{robot, cell, "shoulder=-1:-0.2"}, "free: a proof"},
		{[]string{robot, cell, "shoulder=-1:1"}, "contact: fore and post first touch at 0.46"}, // asin(0.06/0.8) before the middle
		{[]string{robot, cell, "elbow=-1:1"}, "elbow"},
		{[]string{robot, cell, "shoulder=-1"}, "JOINT=FROM:TO"},
		{[]string{robot, cell}, "usage"},
		{[]string{robot, filepath.Join(dir, "none.yaml"), "shoulder=-1:1"}, "none.yaml"},
		{[]string{cell, cell, "shoulder=-1:1"}, "cell.yaml"},
	} {
		var out strings.Builder
		err := check(c.args, &out)
		got := out.String()
		if err != nil {
			got += err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %s", c.args, got)
		}
	}
}
