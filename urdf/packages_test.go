package urdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Each place where a package may be holds a mesh that reaches to another x, so
// that the robot tells which one was read.
func TestPackagesAreFound(t *testing.T) {
	const uri = "package://pkg/meshes/m.stl"
	for _, tt := range []struct {
		name  string
		uri   string
		files map[string]float64 // folder, relative to the root of the test: reach
		ament string
		ros   string
		named string // for --package pkg=
		want  float64
		warn  bool
	}{
		{name: "option first", uri: uri, files: map[string]float64{"opt/meshes": 2, "am/share/pkg/meshes": 3, "ws/pkg/meshes": 4}, named: "opt", ament: "am", want: 2},
		{name: "ament before ROS 1", uri: uri, files: map[string]float64{"am/share/pkg/meshes": 3, "ros/pkg/meshes": 4}, ament: "none:am", ros: "ros", want: 3},
		{name: "ROS 1, folder of packages", uri: uri, files: map[string]float64{"ros/pkg/meshes": 4, "ws/pkg/meshes": 5}, ros: "none:ros", want: 4},
		{name: "ROS 1, the package itself", uri: uri, files: map[string]float64{"ros/pkg/meshes": 4}, ros: "ros/pkg", want: 4},
		{name: "beside the URDF", uri: uri, files: map[string]float64{"ws/src/robot/urdf/pkg/meshes": 5, "ws/pkg/meshes": 6}, want: 5},
		{name: "above the URDF", uri: uri, files: map[string]float64{"ws/pkg/meshes": 6}, want: 6},
		{name: "the URDF's own package, other name", uri: uri, files: map[string]float64{"ws/src/robot/meshes": 7}, want: 7, warn: true},
		{name: "its package.xml agrees", uri: uri, files: map[string]float64{"ws/src/robot/meshes": 7, "ws/src/robot/package.xml:pkg": 0}, want: 7},
		{name: "its package.xml denies", uri: uri, files: map[string]float64{"ws/src/robot/meshes": 7, "ws/src/robot/package.xml:other": 0}, want: 0},
		{name: "not from far above", uri: uri, files: map[string]float64{"meshes": 7}, want: 0},
		{name: "the option is binding", uri: uri, files: map[string]float64{"ws/pkg/meshes": 6, "opt/x": 1}, named: "opt", want: 0},
		{name: "relative", uri: "../meshes/m.stl", files: map[string]float64{"ws/src/robot/meshes": 8}, want: 8},
		{name: "escaped", uri: "my%20meshes/m.stl", files: map[string]float64{"ws/src/robot/urdf/my meshes": 9}, want: 9},
		{name: "not escaped", uri: "my%20meshes/m.stl", files: map[string]float64{"ws/src/robot/urdf/my%20meshes": 9}, want: 9},
		{name: "absolute", uri: "ROOT/a/m.stl", files: map[string]float64{"a": 10}, want: 10},
		{name: "file address", uri: "file://ROOT/a/m.stl", files: map[string]float64{"a": 10}, want: 10},
		{name: "file address with host", uri: "file://localhostROOT/a/m.stl", files: map[string]float64{"a": 10}, want: 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for dir, x := range tt.files {
				if d, name, ok := strings.Cut(dir, ":"); ok {
					write(t, []byte("<package><name>"+name+"</name></package>"), root, d)
					continue
				}
				write(t, stl(x), root, dir, "m.stl")
			}
			list := func(s string) string {
				var out []string
				for _, d := range strings.Split(s, ":") {
					out = append(out, filepath.Join(root, d))
				}
				return strings.Join(out, string(os.PathListSeparator))
			}
			t.Setenv("AMENT_PREFIX_PATH", list(tt.ament))
			t.Setenv("ROS_PACKAGE_PATH", list(tt.ros))
			var opts Options
			if tt.named != "" {
				opts.Packages = map[string]string{"pkg": filepath.Join(root, tt.named)}
			}
			doc := robotXML(strings.Repeat(`<collision><geometry><mesh filename="`+strings.ReplaceAll(tt.uri, "ROOT", root)+`"/></geometry></collision>`, 2), limits, "")
			r, err := Load(write(t, []byte(doc), root, "ws/src/robot/urdf/r.urdf"), opts)
			if tt.want == 0 {
				wantError(t, err, "--package pkg=DIR", "tried", "link \"b\"")
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := reach(r.Links[1].Collisions[0].Shape); got != (geom.Vec{X: tt.want, Y: 1}) {
				t.Errorf("the mesh reaches to %v, want x = %v", got, tt.want)
			}
			warned := 0
			for _, w := range r.Warnings {
				if strings.Contains(w, "--package pkg=DIR") {
					warned++
				}
			}
			if warned > 1 || (warned == 1) != tt.warn {
				t.Errorf("%d warnings about the package: %q", warned, r.Warnings)
			}
		})
	}
}

// The error lists every place.
func TestNotFoundListsPlaces(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("AMENT_PREFIX_PATH", "/ament/one:/ament/two")
	t.Setenv("ROS_PACKAGE_PATH", "/ros/one:/ros/pkg")
	doc := robotXML(`<collision><geometry><mesh filename="package://pkg/a/m.stl"/></geometry></collision>`, limits, "")
	_, err := Load(write(t, []byte(doc), dir, "r.urdf"), Options{})
	wantError(t, err, "/ament/one/share/pkg/a/m.stl", "/ament/two/share/pkg/a/m.stl", "/ros/one/pkg/a/m.stl", "/ros/pkg/pkg/a/m.stl", "/ros/pkg/a/m.stl",
		filepath.Join(dir, "pkg/a/m.stl"), filepath.Join(dir, "a/m.stl"), filepath.Join(filepath.Dir(dir), "pkg/a/m.stl"))
}
