package mesh

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// A COLLADA file of some 100 KB may place its geometry until it has millions of
// triangles: that is an error before the memory is taken.
func TestInstancesAreBounded(t *testing.T) {
	var tris strings.Builder
	const each = 4000
	for range each {
		tris.WriteString("0 1 2 ")
	}
	file := func(places int) []byte {
		return []byte(`<COLLADA><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="` + fmt.Sprint(each) + `"><input semantic="VERTEX" source="#v" offset="0"/><p>` + tris.String() + `</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">` + strings.Repeat(`<node><translate>1 0 0</translate><instance_geometry url="#g"/></node>`, places) + `</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`)
	}
	if m, err := Parse("fits.dae", file(20), one); err != nil || len(m.Triangles) != 20*each {
		t.Fatal(err)
	}
	bomb := file(1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Parse("bomb.dae", bomb, one)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "bomb.dae") || !strings.Contains(err.Error(), fmt.Sprint(limit.PlacedTriangles)) {
		t.Errorf("%d bytes that place %d triangles: %v", len(bomb), 1000*each, err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("%d MiB were allocated before the error", took>>20)
	}
}

// A file with many inputs and sources is read in a time that grows with its size.
func TestManySources(t *testing.T) {
	const n = 30_000
	var b strings.Builder
	b.WriteString(`<COLLADA><library_geometries><geometry id="g"><mesh>`)
	for i := range n {
		fmt.Fprintf(&b, `<source id="s%d"/>`, i)
	}
	b.WriteString(`<source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>`)
	for range n {
		b.WriteString(`<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>`)
	}
	b.WriteString(`</mesh></geometry></library_geometries></COLLADA>`)
	begin := time.Now()
	m, err := Parse("many.dae", []byte(b.String()), one)
	if err != nil || len(m.Triangles) != n {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("%d sources and %d inputs took %v", n, n, took)
	}
}
