package urdf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Mesh files are read several at a time; each shape gets its own, and of several bad ones the
// first in the URDF is reported.
func TestManyMeshes(t *testing.T) {
	dir := t.TempDir()
	const n = 40
	var links strings.Builder
	for i := range n {
		name := fmt.Sprintf("m%d.obj", i)
		text := fmt.Sprintf("v 0 0 0\nv %d 0 0\nv 0 1 0\nf 1 2 3\n", i+1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&links, `<link name="l%d"><collision><geometry><mesh filename="%s"/></geometry></collision></link>`+"\n", i, name)
		if i > 0 {
			fmt.Fprintf(&links, `<joint name="j%d" type="fixed"><parent link="l%d"/><child link="l%d"/></joint>`+"\n", i, i-1, i)
		}
	}
	text := []byte(`<robot name="r">` + links.String() + `</robot>`)
	r, err := Parse(text, Options{BaseDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Links {
		if x := r.Links[i].Collisions[0].Shape.Mesh.Vertices[1].X; x != float64(i+1) {
			t.Errorf("link %d has the mesh of link %g", i, x-1)
		}
	}
	for _, bad := range []int{31, 17, 29} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.obj", bad)), []byte("v 0 0\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		if _, err := Parse(text, Options{BaseDir: dir}); err == nil || !strings.Contains(err.Error(), `link "l17": collision element 1: line 34: `) || !strings.Contains(err.Error(), "m17.obj") {
			t.Fatal(err)
		}
	}
}

// A panic of a mesh reader reaches whoever reads the robot, and not the end of the program.
func TestPanicOfAMeshReaderIsKept(t *testing.T) {
	r := read{done: make(chan struct{})}
	go r.by(func() (mesh.File, error) { panic("index out of range") })
	<-r.done
	defer func() {
		if p := recover(); p != "index out of range" {
			t.Errorf("the panic is %v", p)
		}
	}()
	_, err := r.result()
	t.Errorf("no panic, and the error %v", err)
}
