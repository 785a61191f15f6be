package urdf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

func TestTooLargeRobots(t *testing.T) {
	race.LeaveOut(t)
	dir := t.TempDir()
	obj := "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + strings.Repeat("f 1 2 3\n", 150_000)
	if err := os.WriteFile(filepath.Join(dir, "m.obj"), []byte(obj), 0o600); err != nil {
		t.Fatal(err)
	}
	ball := `<collision><geometry><sphere radius="1"/></geometry></collision>`
	var links, meshes strings.Builder
	for i := range limit.Links + 1 {
		fmt.Fprintf(&links, `<link name="l%d"/>`, i)
	}
	for i := range 10 { // one file in ten sizes is ten meshes
		fmt.Fprintf(&meshes, `<collision><geometry><mesh filename="m.obj" scale="%d 1 1"/></geometry></collision>`, i+1)
	}
	for name, tc := range map[string]struct {
		text string
		most int
	}{
		"links":     {links.String(), limit.Links},
		"elements":  {`<link name="a">` + strings.Repeat(ball, limit.CollisionElements+1) + `</link>`, limit.CollisionElements},
		"triangles": {`<link name="a">` + meshes.String() + `</link>`, limit.RobotTriangles},
	} {
		_, err := Parse([]byte(`<robot name="r">`+tc.text+`</robot>`), Options{BaseDir: dir})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(tc.most)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	same := `<link name="a">` + strings.Repeat(`<collision><geometry><mesh filename="m.obj"/></geometry></collision>`, 10) + `</link>`
	if _, err := Parse([]byte(`<robot name="r">`+same+`</robot>`), Options{BaseDir: dir}); err != nil {
		t.Errorf("one mesh in ten places: %v", err)
	}
}
