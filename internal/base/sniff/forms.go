package sniff

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	unpack    = "unpack it and name the file in it"
	saveCSV   = "write its columns as CSV, with a header of time and joints"
	saveMesh  = "convert it to STL, OBJ, COLLADA, glTF or PLY, and name that in a URDF or a scene"
	saveUTF8  = "save it as UTF-8 (iconv -f UTF-16 -t UTF-8 FILE)"
	wrongFile = "name the right file"
	ros1      = "convert it with rosbags-convert to a rosbag2, or print the topic with rostopic echo"
)

// inURDF are elements that an SRDF never has.
var inURDF = []string{"<parent ", "<child ", "<collision>", "<collision ", "<visual", "<inertial"}

// forms lists what content may look like; the first that matches counts.
var forms = []form{
	{"an empty file", none, "copy or export it again", func(c *content) bool { return len(bytes.TrimSpace(c.head)) == 0 }},
	{"a pointer of git LFS instead of the file", none, "fetch the file with git lfs pull", starts("version https://git-lfs")},
	{"text in UTF-16", none, saveUTF8, isUTF16},

	{"a gzip archive", none, "decompress it with gunzip", starts("\x1f\x8b")},
	{"an Excel workbook", none, "save the sheet as CSV, with a header of time and joints", isExcel},
	{"a NumPy archive (.npz)", none, saveCSV, all(starts("PK\x03\x04"), func(c *content) bool { return c.has(".npy") })},
	{"a USD archive (.usdz)", none, saveMesh, all(starts("PK\x03\x04"), func(c *content) bool { return c.has(".usd") })},
	{"a zip archive", none, unpack, starts("PK\x03\x04", "PK\x05\x06")},
	{"a Zstandard archive", none, "decompress it with unzstd", starts("\x28\xb5\x2f\xfd")},
	{"an LZ4 archive", none, "decompress it with unlz4", starts("\x04\x22\x4d\x18")},
	{"an xz archive", none, "decompress it with unxz", starts("\xfd7zXZ\x00")},
	{"a bzip2 archive", none, "decompress it with bunzip2", starts("BZh1", "BZh2", "BZh3", "BZh4", "BZh5", "BZh6", "BZh7", "BZh8", "BZh9")},
	{"a 7z archive", none, unpack, starts("7z\xbc\xaf\x27\x1c")},
	{"a tar archive", none, unpack, at(257, "ustar")},

	{"a ROS 1 bag", none, ros1, starts("#ROSBAG V")},
	{"a rosbag2 recording (MCAP)", Motion, "", starts("\x89MCAP0\r\n")},
	{"a SQLite database, such as a rosbag2 recording (.db3)", Motion, "", starts("SQLite format 3\x00")},
	{"the metadata of a rosbag2 recording", Motion, "", key("rosbag2_bagfile_information")},

	{"a NumPy array (.npy)", none, saveCSV, starts("\x93NUMPY")},
	{"a Parquet file", none, saveCSV, starts("PAR1")},
	{"an Arrow file", none, saveCSV, starts("ARROW1")},
	{"an HDF5 file", none, saveCSV, starts("\x89HDF\r\n")},
	{"a MATLAB file", none, saveCSV, starts("MATLAB 5.0 MAT-file")},
	{"a Python pickle", none, saveCSV, starts("\x80\x02", "\x80\x03", "\x80\x04\x95", "\x80\x05\x95")},
	{"a PDF", none, wrongFile, starts("%PDF-")},
	{"a picture", none, wrongFile, starts("\x89PNG\r\n", "\xff\xd8\xff", "GIF8", "BM6")},
	{"a program", none, wrongFile, starts("\x7fELF", "MZ\x90")},

	{"a binary glTF mesh (.glb)", Mesh, "", starts("glTF")},
	{"a glTF mesh", Mesh, "", all(key("asset"), key("meshes", "scenes", "nodes", "buffers"))},
	{"a USD file", none, saveMesh, starts("#usda ", "PXR-USDC")},
	{"a mesh or cloud in PLY", Mesh, "", starts("ply\n", "ply\r\n")},
	{"a point cloud in PCD", none, "name it in a scene file: {type: points, points: FILE, radius: 0.005}", starts("# .PCD", "VERSION 0.7\n", "VERSION .7\n")},
	{"a Blender file", none, saveMesh, starts("BLENDER")},
	{"an FBX file", none, saveMesh, starts("Kaydara FBX Binary")},
	{"a STEP file", none, saveMesh, starts("ISO-10303-21")},
	{"an OFF mesh", none, saveMesh, starts("OFF\n", "OFF\r\n", "OFF ")},
	{"an OctoMap octree", Scene, "", starts("# Octomap OcTree")},
	{"an STL mesh", Mesh, "", isSTL},
	{"an OBJ mesh", Mesh, "", func(c *content) bool { return objLines.Match(c.head) && !bytes.Contains(c.head, []byte{0}) }},

	{"a web page", none, "download the file itself (of a page of a forge, the raw file)", xml("html")},
	{"xacro", none, "expand it first: xacro FILE > robot.urdf", xml("robot", "<xacro:", "${")},
	{"an SRDF", SRDF, "", all(xml("robot", "<disable_collisions", "<group", "<virtual_joint", "<end_effector", "<disable_default_collisions", "<passive_joint"), not(xml("robot", inURDF...)))},
	{"a URDF", Robot, "", xml("robot", append([]string{"<link", "<joint"}, inURDF...)...)},
	{"a COLLADA mesh", Mesh, "", xml("collada")},
	{"an SDF model", none, "convert it to URDF, or name its meshes in a scene", xml("sdf")},
	{"an MJCF model of MuJoCo", none, "convert it to URDF, or use the URDF that it was made from", xml("mujoco")},
	{"a ROS launch file", none, wrongFile, xml("launch")},
	{"a ROS package.xml", none, wrongFile, xml("package")},
	{"XML of another kind", none, "of XML, a robot is a URDF, pairs are an SRDF and a mesh is COLLADA", func(c *content) bool { return c.root != "" && c.root != "robot" }},

	{"a JointState recording", Motion, "", all(key("name"), key("position", "velocity", "effort"))},
	{"a JointTrajectory", Motion, "", all(key("joint_names"), key("points"))},
	{"a RobotTrajectory", Motion, "", key("joint_trajectory")},
	{"a DisplayTrajectory or a goal of an action", Motion, "", key("trajectory")},
	{"a file of planning problems", none, "name it as a motion, and of a scene one problem: FILE#SET/INDEX", key("sets")},
	{"a scene", Scene, "", key("objects", "world", "collision_objects", "fixed_frame_transforms")},
	{"a scene of MoveIt", Scene, "", moveItScene},
	{"cuRobo's spheres", none, "it belongs to spheres --verify", key("collision_spheres")},
	{"a file of ROS parameters", none, "it belongs to node --ros-args --params-file", func(c *content) bool { return c.has("ros__parameters:") }},
	{"a certificate", none, "it belongs to verify --certificate", starts("firstcontact certificate")},
	{"seg lines", Motion, "", starts("seg ")},
	{"a table (CSV)", Motion, "", isTable},
	{"binary data", none, wrongFile, func(c *content) bool { return bytes.IndexByte(c.head, 0) >= 0 }},
	{"text that is not UTF-8", none, "save it as UTF-8, or name the right file", notUTF8},
}

func not(f func(*content) bool) func(*content) bool { return func(c *content) bool { return !f(c) } }

// isUTF16 tells text of two bytes a character by its mark, or by every second byte being zero.
func isUTF16(c *content) bool {
	h := c.head
	if bytes.HasPrefix(h, []byte("\xff\xfe")) || bytes.HasPrefix(h, []byte("\xfe\xff")) {
		return true
	}
	n := min(len(h), 64) &^ 1
	if n < 8 {
		return false
	}
	for _, odd := range []int{0, 1} {
		text := true
		for i := 0; i < n; i += 2 {
			text = text && h[i+odd] == 0 && h[i+1-odd] >= ' '-23 && h[i+1-odd] < 0x7f
		}
		if text {
			return true
		}
	}
	return false
}

func isExcel(c *content) bool {
	return starts("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")(c) || starts("PK\x03\x04")(c) && c.has("xl/", "[content_types].xml")
}

// isSTL tells both kinds of STL: text, and a count at byte 80 that fits the size.
func isSTL(c *content) bool {
	if strings.HasPrefix(c.text, "solid") && strings.Contains(c.text, "facet") {
		return true
	}
	return c.size > 84 && len(c.head) > 84 && int64(c.size) == 84+50*int64(binary.LittleEndian.Uint32(c.head[80:]))
}

var (
	objLines   = regexp.MustCompile(`(?m)^(v|vn|vt) +-?[0-9.]+[0-9.e+-]* +-?[0-9.]`)
	moveItLine = regexp.MustCompile(`(?m)^\* .+\n`)
	tableLine  = regexp.MustCompile(`^[^\n,;\t]*[,;\t][^\n]*\n[ \t]*-?[0-9.]`)
)

// moveItScene tells a .scene file: a name, then objects that begin with an asterisk, and a dot.
func moveItScene(c *content) bool {
	return moveItLine.Match(c.head) && !bytes.Contains(c.head, []byte{0})
}

// isTable tells lines of cells, the second of which begins with a number.
func isTable(c *content) bool {
	return tableLine.Match(bytes.TrimLeft(c.head, " \r\n")) && !bytes.Contains(c.head, []byte{0}) && !notUTF8(c)
}

func notUTF8(c *content) bool {
	h := c.head
	for len(h) > 0 && len(h) > len(c.head)-utf8.UTFMax && !utf8.Valid(h) {
		h = h[:len(h)-1] // the head may end within a character
	}
	return !utf8.Valid(h)
}
