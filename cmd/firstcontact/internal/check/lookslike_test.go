package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// A file of another kind than was asked for is an error that says what it looks like and what
// to do, wherever it is given.
func TestFilesOfAnotherKind(t *testing.T) {
	dir := t.TempDir()
	robot := clitest.Folding(t, clitest.Metre)
	urdf, err := os.ReadFile(robot)
	if err != nil {
		t.Fatal(err)
	}
	const srdf = "<robot name='folding'><group name='g'><link name='tool'/></group><disable_collisions link1='base' link2='fore' reason='Never'/></robot>"
	const stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 9 0 0\nvertex 9 1 0\nvertex 9 0 1\nendloop\nendfacet\nendsolid\n"
	fine := write(t, filepath.Join(dir, "fine.csv"), clitest.WristTurns)
	for _, c := range []struct{ name, content, robot, srdf, scene, motion string }{
		{"a.urdf", string(urdf), "", "a URDF: it belongs to --robot", "a link has the same name", "a URDF: it belongs to --robot"},
		{"a.srdf", srdf, "an SRDF: it belongs to --srdf", "", "an SRDF: it belongs to --srdf", "an SRDF: it belongs to --srdf"},
		{"a.stl", stl, "an STL mesh", "an STL mesh", "", "an STL mesh"},
		{"a.csv", clitest.WristTurns, "a table (CSV)", "a table (CSV)", "a table (CSV)", ""},
		{"a.yaml", "objects:\n  - {id: a, type: sphere, radius: 0.1, xyz: [9, 9, 9]}\n", "a scene: it belongs to --scene", "a scene", "", "a scene: it belongs to --scene"},
		{"a.xacro", "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:include filename='y'/></robot>", "xacro a.xacro > a.urdf", "xacro a.xacro > a.srdf", "expand it first", "expand it first"},
		{"a.sdf", "<sdf version='1.7'><model name='m'/></sdf>", "an SDF model: convert", "an SDF model", "is an SDF", "an SDF model"},
		{"a.xml", "<mujoco model='m'><worldbody/></mujoco>", "MuJoCo", "MuJoCo", "MuJoCo", "MuJoCo"},
		{"a.usda", "#usda 1.0\n(\n)\n", "a USD file", "a USD file", "a USD file", "a USD file"},
		{"a.bag", "#ROSBAG V2.0\nE\x00\x00\x00", "a ROS 1 bag", "a ROS 1 bag", "a ROS 1 bag", "a ROS 1 bag: convert it with rosbags-convert"},
		{"a.html", "<!DOCTYPE html>\n<html></html>\n", "a web page", "a web page", "a web page", "a web page"},
		{"lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull", "git lfs pull", "git lfs pull", "git lfs pull"},
		{"utf16", "\xff\xfet\x00i\x00m\x00e\x00,\x00a\x00\n\x000\x00,\x001\x00\n\x00", "UTF-16", "UTF-16", "UTF-16", "UTF-16"},
		{"empty", "", "an empty file", "an empty file", "an empty file", "an empty file"},
		{"a.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "gunzip", "gunzip", "gunzip", "gunzip"},
		{"a.npy", "\x93NUMPY\x01\x00v\x00{'descr': '<f8'}\n", "NumPy", "NumPy", "NumPy", "NumPy array (.npy): write its columns as CSV"},
		{"a.parquet", "PAR1\x15\x04\x15\x00\x00", "Parquet", "Parquet", "Parquet", "Parquet"},
		{"a.xlsx", "PK\x03\x04\x14\x00[Content_Types].xml", "Excel", "Excel", "Excel", "Excel"},
		{"a.json", `{"foo": 1, "bar": [1]}`, "no XML element", "no XML element", "is not a scene", "this one has bar, foo"},
	} {
		file := write(t, filepath.Join(dir, c.name), c.content)
		for as, ask := range map[string]struct {
			args []string
			want string
		}{
			"robot":  {[]string{"--robot", file, fine}, c.robot},
			"srdf":   {[]string{"--robot", robot, "--srdf", file, fine}, c.srdf},
			"scene":  {[]string{"--robot", robot, "--scene", file, fine}, c.scene},
			"motion": {[]string{"--robot", robot, file}, c.motion},
		} {
			code, out, errs := command(t, "", append([]string{"check", "-q", "--no-cache"}, ask.args...)...)
			if ask.want == "" {
				if code != cli.ExitFree {
					t.Errorf("%s as %s: exit status %d\n%s%s", c.name, as, code, out, errs)
				}
				continue
			}
			if code != cli.ExitBadInput || !strings.Contains(out+errs, ask.want) {
				t.Errorf("%s as %s: exit status %d, want %d and %q\n%s%s", c.name, as, code, cli.ExitBadInput, ask.want, out, errs)
			}
		}
	}
}

func write(t *testing.T, file, content string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
