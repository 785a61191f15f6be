package sniff_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/firstcontact-ros/firstcontact/internal/base/sniff"
)

func utf16le(s string) string {
	var b bytes.Buffer
	for _, c := range utf16.Encode([]rune(s)) {
		_ = binary.Write(&b, binary.LittleEndian, c)
	}
	return b.String()
}

func binarySTL() string {
	b := make([]byte, 84+50*2)
	b[80] = 2
	return string(b)
}

var contents = []struct {
	name, data string
	hints      map[sniff.Role]string // parts of what is said; "" for nothing
}{
	{"empty", "", map[sniff.Role]string{"robot": "an empty file: copy or export", "motion": "empty"}},
	{"blank", " \n\n", map[sniff.Role]string{"scene": "an empty file"}},
	{"LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", map[sniff.Role]string{"mesh": "git lfs pull", "robot": "git lfs pull"}},
	{"UTF-16 with mark", "\xff\xfe" + utf16le("<robot/>"), map[sniff.Role]string{"robot": "UTF-16: save it as UTF-8"}},
	{"UTF-16", utf16le("time,a,b\n0,0,0\n"), map[sniff.Role]string{"motion": "UTF-16"}},
	{"gzip", "\x1f\x8b\x08\x00", map[sniff.Role]string{"motion": "gunzip"}},
	{"Excel", "PK\x03\x04....[Content_Types].xml....xl/workbook.xml", map[sniff.Role]string{"motion": "an Excel workbook: save the sheet as CSV"}},
	{"old Excel", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", map[sniff.Role]string{"motion": "Excel"}},
	{"npz", "PK\x03\x04....arr_0.npy", map[sniff.Role]string{"motion": "NumPy archive"}},
	{"usdz", "PK\x03\x04....scene.usdc", map[sniff.Role]string{"robot": "USD archive"}},
	{"zip", "PK\x03\x04....robot.urdf", map[sniff.Role]string{"robot": "a zip archive: unpack it"}},
	{"zstd", "\x28\xb5\x2f\xfd....", map[sniff.Role]string{"motion": "unzstd"}},
	{"xz", "\xfd7zXZ\x00", map[sniff.Role]string{"motion": "unxz"}},
	{"tar", strings.Repeat("a", 257) + "ustar", map[sniff.Role]string{"robot": "a tar archive"}},
	{"ROS 1 bag", "#ROSBAG V2.0\n", map[sniff.Role]string{"motion": "a ROS 1 bag: convert it with rosbags-convert"}},
	{"MCAP", "\x89MCAP0\r\n", map[sniff.Role]string{"scene": "a rosbag2 recording (MCAP): it is a motion", "robot": "motion for check"}},
	{"SQLite", "SQLite format 3\x00", map[sniff.Role]string{"robot": "rosbag2"}},
	{"metadata", "rosbag2_bagfile_information:\n  version: 5\n", map[sniff.Role]string{"scene": "metadata of a rosbag2"}},
	{"npy", "\x93NUMPY\x01\x00v\x00{'descr'", map[sniff.Role]string{"motion": "NumPy array (.npy): write its columns as CSV"}},
	{"parquet", "PAR1\x15\x04", map[sniff.Role]string{"motion": "a Parquet file: write its columns as CSV"}},
	{"HDF5", "\x89HDF\r\n\x1a\n", map[sniff.Role]string{"motion": "HDF5"}},
	{"pickle", "\x80\x04\x95\x10\x00", map[sniff.Role]string{"motion": "pickle"}},
	{"picture", "\x89PNG\r\n\x1a\n", map[sniff.Role]string{"mesh": "a picture: name the right file"}},
	{"glb", "glTF\x02\x00\x00\x00", map[sniff.Role]string{"motion": "binary glTF mesh", "scene": ""}},
	{"gltf", `{"asset": {"version": "2.0"}, "meshes": []}`, map[sniff.Role]string{"motion": "a glTF mesh: a mesh belongs"}},
	{"usda", "#usda 1.0\n(\n)\n", map[sniff.Role]string{"robot": "a USD file: convert"}},
	{"PLY", "ply\nformat ascii 1.0\n", map[sniff.Role]string{"motion": "PLY"}},
	{"PCD", "# .PCD v0.7 - Point Cloud Data file format\n", map[sniff.Role]string{"motion": "PCD: name it in a scene file"}},
	{"OctoMap", "# Octomap OcTree binary file\n", map[sniff.Role]string{"robot": "an OctoMap octree: it belongs to --scene"}},
	{"text STL", "solid a\nfacet normal 0 0 1\n", map[sniff.Role]string{"motion": "an STL mesh: a mesh belongs into a URDF or a scene", "scene": ""}},
	{"binary STL", binarySTL(), map[sniff.Role]string{"robot": "an STL mesh", "mesh": ""}},
	{"OBJ", "# Blender\nmtllib a.mtl\nv 0.1 -0.2 0.3\nv 1e-3 0 0\n", map[sniff.Role]string{"motion": "an OBJ mesh"}},
	{"web page", "<!DOCTYPE html>\n<html lang='en'>", map[sniff.Role]string{"robot": "a web page: download the file itself", "motion": "web page"}},
	{"other web page", "<?xml version='1.0'?>\n<!-- x -->\n<html xmlns='x'>", map[sniff.Role]string{sniff.SRDF: "web page"}},
	{"xacro", "<?xml version='1.0'?><robot xmlns:xacro='x'><xacro:include filename='a'/></robot>", map[sniff.Role]string{"motion": "xacro: expand it first", "robot": ""}},
	{"expanded xacro", "<robot xmlns:xacro='x'><link name='a'/></robot>", map[sniff.Role]string{"motion": "a URDF: it belongs to --robot", "robot": ""}},
	{"expanded xacro with the source in comments", "<!-- <xacro:include/> --><robot name='a'><!-- ${x} --><link name='a'/></robot>", map[sniff.Role]string{"motion": "a URDF: it belongs to --robot"}},
	{"SRDF", "<robot name='a'><group name='g'><link name='l'/></group><disable_collisions link1='a' link2='b'/></robot>", map[sniff.Role]string{"robot": "an SRDF: it belongs to --srdf", sniff.SRDF: ""}},
	{"URDF", "<robot name='a'>\n<link name='a'><collision/></link><joint name='j'><parent link='a'/></joint></robot>", map[sniff.Role]string{sniff.SRDF: "a URDF: it belongs to --robot", "scene": ""}},
	{"COLLADA", "<?xml version='1.0'?><COLLADA xmlns='x'>", map[sniff.Role]string{"robot": "a COLLADA mesh"}},
	{"SDF", "<sdf version='1.7'>", map[sniff.Role]string{"robot": "an SDF model: convert it to URDF", "scene": ""}},
	{"MJCF", "<mujoco model='a'>", map[sniff.Role]string{"robot": "MJCF", "motion": "MuJoCo"}},
	{"launch", "<launch>", map[sniff.Role]string{"robot": "a ROS launch file"}},
	{"XML", "<a/>", map[sniff.Role]string{"robot": "XML of another kind"}},
	{"JointState", "header:\n  stamp: {sec: 1}\nname: [a]\nposition: [1]\n", map[sniff.Role]string{"scene": "a JointState recording: it is a motion", "motion": ""}},
	{"JointTrajectory", `{"joint_names": ["a"], "points": []}`, map[sniff.Role]string{"scene": "a JointTrajectory"}},
	{"goal", "trajectory:\n  joint_names: []\n", map[sniff.Role]string{"scene": "goal of an action"}},
	{"problems", `{"sets": {}}`, map[sniff.Role]string{"robot": "planning problems", "motion": "", "scene": ""}},
	{"scene", "frame: a\nobjects:\n  - {id: a}\n", map[sniff.Role]string{"motion": "a scene: it belongs to --scene", "scene": ""}},
	{"PlanningScene", `{"name": "x", "world": {"collision_objects": []}}`, map[sniff.Role]string{"motion": "a scene"}},
	{".scene", "(noname)+++\n* box\n1\nbox\n1 1 1\n.\n", map[sniff.Role]string{"motion": "a scene of MoveIt"}},
	{"parameters", "/**:\n  ros__parameters:\n    a: 1\n", map[sniff.Role]string{"motion": "ROS parameters"}},
	{"certificate", "firstcontact certificate 3\n", map[sniff.Role]string{"motion": "verify --certificate"}},
	{"table", "time,a,b\n0,0.5,1\n", map[sniff.Role]string{"scene": "a table (CSV): it is a motion", "motion": ""}},
	{"rows", "0,0.5,1\n1,1,1\n", map[sniff.Role]string{"robot": "a table"}},
	{"JSON of unknown keys", `{"foo": 1, "bar": [1]}`, map[sniff.Role]string{"motion": "", "scene": ""}},
	{"bytes", "\x01\x02\x00\x03", map[sniff.Role]string{"robot": "binary data"}},
	{"Latin 1", "id: K\xfcche\n", map[sniff.Role]string{"scene": "not UTF-8"}},
	{"text", "hello\n", map[sniff.Role]string{"robot": "", "motion": ""}},
}

func TestHint(t *testing.T) {
	for _, c := range contents {
		for role, want := range c.hints {
			got := sniff.Hint(role, []byte(c.data))
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s as %s: %q, want %q", c.name, role, got, want)
			}
		}
	}
}

// The reader's error stays: programs that look for its cause find it.
func TestExplain(t *testing.T) {
	cause := errors.New("no time")
	err := sniff.Explain("", cause, sniff.Motion, []byte("\x1f\x8b"))
	if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "it looks like a gzip archive: decompress it with gunzip (read as a motion: no time)") {
		t.Error(err)
	}
	if err := sniff.Explain("", nil, sniff.Motion, []byte("\x1f\x8b")); err != nil {
		t.Error(err)
	}
	if err := sniff.Explain("", cause, sniff.Motion, []byte("hello")); err != cause {
		t.Error(err)
	}
}

func FuzzHint(f *testing.F) {
	for _, c := range contents {
		f.Add([]byte(c.data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, role := range []sniff.Role{sniff.Robot, sniff.SRDF, sniff.Scene, sniff.Motion, sniff.Mesh} {
			if sniff.Hint(role, data) != "" && sniff.Is(role, data) {
				t.Fatalf("as %s: %s", role, sniff.Hint(role, data))
			}
		}
	})
}
