package urdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oneMesh is a robot whose collision geometry is the mesh file at an address.
func oneMesh(address string) []byte {
	return []byte(`<robot name="r"><link name="a"><collision><geometry><mesh filename="` + address + `"/></geometry></collision></link></robot>`)
}

const triangleSTL = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"

// packages makes an installed package p with a mesh, and a mesh outside; the package
// also has a link to that, as symlinked installations have.
func packages(t *testing.T) (prefix, outside string) {
	t.Helper()
	prefix = t.TempDir()
	share := filepath.Join(prefix, "share", "p")
	outside = filepath.Join(t.TempDir(), "outside.stl")
	if err := os.MkdirAll(share, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(share, "a.stl"), filepath.Join(prefix, "a.stl"), filepath.Join(prefix, "share", "a.stl"), outside} {
		if err := os.WriteFile(path, []byte(triangleSTL), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(share, "link.stl")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AMENT_PREFIX_PATH", prefix)
	t.Setenv("ROS_PACKAGE_PATH", "")
	return prefix, outside
}

// An address of a package does not lead out of its folder, however it is written.
func TestPackageAddressesStayInside(t *testing.T) {
	prefix, _ := packages(t)
	for address, ok := range map[string]bool{
		"package://p/a.stl": true, "package://p/link.stl": true, "package://p/x/../a.stl": true,
		"package://p/../a.stl": false, "package://p/../../a.stl": false, "package://p/x/../../../a.stl": false,
		"package://p/%2e%2e/a.stl": false, "package://../a.stl": false, "package://./a.stl": false,
		"package://p/" + prefix + "/a.stl": false, "package://p//a.stl": true,
	} {
		_, err := Parse(oneMesh(address), Options{})
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A confined description reads the files of packages alone, and does not tell whether
// others are there.
func TestConfined(t *testing.T) {
	prefix, outside := packages(t)
	share := filepath.Join(prefix, "share", "p")
	for address, ok := range map[string]bool{
		"package://p/a.stl": true, "package://p/link.stl": true,
		"file://" + share + "/a.stl": true, "file://" + share + "/x/../a.stl": true, share + "/a.stl": true,
		"file://" + outside: false, outside: false, "file://" + prefix + "/a.stl": false,
		"file://" + share + "/../../a.stl": false, "file://" + share + "/%2e%2e/%2e%2e/a.stl": false,
		"a.stl": false, "../a.stl": false, "file://a.stl": false,
	} {
		_, err := Parse(oneMesh(address), Options{Confined: true, BaseDir: share})
		if (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	said := map[string]bool{}
	for _, address := range []string{"file://" + outside, "file://" + outside + "x", "file:///etc", "file:///etc/passwd", "file:///none"} {
		_, err := Parse(oneMesh(address), Options{Confined: true})
		if err == nil {
			t.Fatal(address)
		}
		said[strings.ReplaceAll(err.Error(), address, "X")] = true
	}
	if len(said) != 1 {
		t.Errorf("what is there and what is not differ: %v", said)
	}
}
