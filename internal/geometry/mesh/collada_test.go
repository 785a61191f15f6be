package mesh

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Positions of the corners that the COLLADA tests draw: a square and its middle.
const daeSquare = "0 0 0  1 0 0  1 1 0  0 1 0  .5 .5 0"

const daeLower = `<triangles count="1">` + vertexInput + `<p>0 1 2</p></triangles>`

var g0 = `<instance_geometry url="#g"/>`

func square(i ...int) (out tri) {
	c := []geom.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: .5, Y: .5}}
	for k := range out {
		out[k] = c[i[k]]
	}
	return out
}

func TestColladaPrimitives(t *testing.T) {
	for _, tt := range []struct {
		name, prims string
		want        []tri
	}{
		{"triangles", `<triangles count="2">` + vertexInput + `<p>0 1 2 0 2 3</p></triangles>`, []tri{square(0, 1, 2), square(0, 2, 3)}},
		{"several p", `<triangles count="2">` + vertexInput + `<p>0 1 2</p><p>0 2 3</p></triangles>`, []tri{square(0, 1, 2), square(0, 2, 3)}},
		{"no count", `<triangles>` + vertexInput + `<p>0 1 2</p></triangles>`, []tri{square(0, 1, 2)}},
		{"two elements", daeLower + `<triangles count="1">` + vertexInput + `<p>0 2 3</p></triangles>`, []tri{square(0, 1, 2), square(0, 2, 3)}},
		{
			"inputs interleaved",
			`<triangles count="1"><input semantic="NORMAL" source="#n" offset="0"/><input semantic="VERTEX" source="#v" offset="2"/>` +
				`<input semantic="TEXCOORD" source="#t" offset="1"/><p>9 9 0 9 9 1 9 9 2</p></triangles>`,
			[]tri{square(0, 1, 2)},
		},
		{
			"inputs sharing an offset",
			`<triangles count="1">` + vertexInput + `<input semantic="NORMAL" source="#n" offset="0"/><p>0 1 2</p></triangles>`,
			[]tri{square(0, 1, 2)},
		},
		{"position named directly", `<triangles count="1"><input semantic="POSITION" source="#s"/><p>0 1 2</p></triangles>`, []tri{square(0, 1, 2)}},
		{"polylist", `<polylist count="3">` + vertexInput + `<vcount>3 4 3</vcount><p>0 1 4 0 1 2 3 2 3 4</p></polylist>`, []tri{square(0, 1, 2), square(0, 1, 4), square(0, 2, 3), square(4, 2, 3)}},
		{"polylist, empty polygon", `<polylist count="2">` + vertexInput + `<vcount>0 3</vcount><p>0 1 2</p></polylist>`, []tri{square(0, 1, 2)}},
		{"polylist, concave", `<polylist count="1">` + vertexInput + `<vcount>4</vcount><p>0 1 4 3</p></polylist>`, []tri{square(0, 1, 4), square(0, 4, 3)}},
		{"polygons", `<polygons count="2">` + vertexInput + `<p>0 1 2 3</p><p>0 1 4</p></polygons>`, []tri{square(0, 1, 2), square(0, 1, 4), square(0, 2, 3)}},
		{"trifans", `<trifans count="2">` + vertexInput + `<p>4 0 1 2</p><p>4 2 3</p></trifans>`, []tri{square(0, 1, 4), square(1, 2, 4), square(4, 2, 3)}},
		{"tristrips", `<tristrips count="1">` + vertexInput + `<p>0 1 3 2</p></tristrips>`, []tri{square(0, 1, 3), square(3, 1, 2)}},
		{"strip of two corners", `<tristrips count="2">` + vertexInput + `<p>0 1</p><p>0 1 2</p></tristrips>`, []tri{{{}, {X: 1}, {X: 1}}, square(0, 1, 2)}},
		{"lines are segments", `<lines count="1">` + vertexInput + `<p>0 1</p></lines><linestrips count="1">` + vertexInput + `<p>2 3 4</p></linestrips>` + daeLower, []tri{square(0, 1, 2), square(0, 1, 1), square(2, 3, 3), square(3, 4, 4)}},
		{"empty triangles", `<triangles count="0">` + vertexInput + `</triangles>` + daeLower, []tri{square(0, 1, 2)}},
		{"comment among numbers", `<triangles count="1">` + vertexInput + `<p>0 1<!-- -->2</p></triangles>`, []tri{square(0, 1, 2)}},
		{"CDATA", `<triangles count="1">` + vertexInput + `<p><![CDATA[0 1 2]]></p></triangles>`, []tri{square(0, 1, 2)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.dae", dae("", daeSquare, tt.prims, inScene(`<node>`+g0+`</node>`)), one)
			if diff := cmp.Diff(sorted(tt.want), surface(m)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// sorted puts triangles into the order of surface.
func sorted(ts []tri) []tri {
	m := new(Mesh)
	for _, t := range ts {
		n := int32(len(m.Vertices))
		m.Vertices = append(m.Vertices, t[:]...)
		m.Triangles = append(m.Triangles, [3]int32{n, n + 1, n + 2})
	}
	return surface(m)
}

// The lower triangle (0,0,0) (1,0,0) (1,1,0) is carried about.
func TestColladaScenes(t *testing.T) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	lower := square(0, 1, 2)
	node := func(transform string) string { return `<node>` + transform + g0 + `</node>` }
	library := `<library_nodes><node id="n"><translate>0 0 5</translate>` + g0 + `</node></library_nodes>`
	for _, tt := range []struct {
		name, asset, rest string
		want              []tri
	}{
		{"plain", "", inScene(node("")), []tri{lower}},
		{"unit", `<unit name="inch" meter="0.0254"/>`, inScene(node("")), []tri{{v(0, 0, 0), v(.0254, 0, 0), v(.0254, .0254, 0)}}},
		{"unit scales translations", `<unit meter="0.5"/>`, inScene(node("<translate>2 0 4</translate>")), []tri{{v(1, 0, 2), v(1.5, 0, 2), v(1.5, .5, 2)}}},
		{"unit without meter", `<unit name="meter"/>`, inScene(node("")), []tri{lower}},
		{"Z up", `<up_axis>Z_UP</up_axis>`, inScene(node("")), []tri{lower}},
		{"Y up is read as it stands, as in RViz", `<up_axis>Y_UP</up_axis>`, inScene(node("")), []tri{lower}},
		{"X up too", `<up_axis>X_UP</up_axis>`, inScene(node("")), []tri{lower}},
		{"translate", "", inScene(node("<translate>1 2 3</translate>")), []tri{{v(1, 2, 3), v(2, 2, 3), v(2, 3, 3)}}},
		{"rotate", "", inScene(node("<rotate>0 0 2 90</rotate>")), []tri{{v(0, 0, 0), v(0, 1, 0), v(-1, 1, 0)}}},
		{"rotate by -90", "", inScene(node("<rotate>0 0 1 -90</rotate>")), []tri{{v(0, 0, 0), v(0, -1, 0), v(1, -1, 0)}}},
		{"rotate by 0 about nothing", "", inScene(node("<rotate>0 0 0 0</rotate>")), []tri{lower}},
		{"scale", "", inScene(node("<scale>2 3 4</scale>")), []tri{{v(0, 0, 0), v(2, 0, 0), v(2, 3, 0)}}},
		{"matrix", "", inScene(node("<matrix>0 -1 0 5  1 0 0 6  0 0 1 7  0 0 0 1</matrix>")), []tri{{v(5, 6, 7), v(5, 7, 7), v(4, 7, 7)}}},
		{"in order: first moves last", "", inScene(node("<translate>1 0 0</translate><rotate>0 0 1 90</rotate>")), []tri{{v(1, 0, 0), v(1, 1, 0), v(0, 1, 0)}}},
		{"the other order", "", inScene(node("<rotate>0 0 1 90</rotate><translate>1 0 0</translate>")), []tri{{v(0, 1, 0), v(0, 2, 0), v(-1, 2, 0)}}},
		{"turn after stretch", "", inScene(node("<rotate>0 0 1 90</rotate><scale>2 1 1</scale>")), []tri{{v(0, 0, 0), v(0, 2, 0), v(-1, 2, 0)}}},
		{"stretch after turn", "", inScene(node("<scale>2 1 1</scale><rotate>0 0 1 90</rotate>")), []tri{{v(0, 0, 0), v(0, 1, 0), v(-2, 1, 0)}}},
		{"nested", "", inScene(`<node><translate>1 0 0</translate><node><scale>2 2 2</scale><node><translate>0 0 1</translate>` + g0 + `</node></node></node>`), []tri{{v(1, 0, 2), v(3, 0, 2), v(3, 2, 2)}}},
		{"siblings do not share transforms", "", inScene(node("<translate>5 0 0</translate>") + node("")), []tri{lower, {v(5, 0, 0), v(6, 0, 0), v(6, 1, 0)}}},
		{"mirroring node keeps outward outward", "", inScene(node("<scale>1 1 -1</scale>")), []tri{{v(0, 0, 0), v(1, 1, 0), v(1, 0, 0)}}},
		{"instance_node", "", library + inScene(`<node><translate>1 0 0</translate><instance_node url="#n"/></node>`), []tri{{v(1, 0, 5), v(2, 0, 5), v(2, 1, 5)}}},
		{"instance_node of a scene's node", "", inScene(`<node id="m">` + g0 + `</node><node><translate>0 0 1</translate><instance_node url="#m"/></node>`), []tri{lower, {v(0, 0, 1), v(1, 0, 1), v(1, 1, 1)}}},
		{"node of a library alone is not shown", "", library + inScene(node("")), []tri{lower}},
		{"url without #", "", inScene(`<node><instance_geometry url="g"/></node>`), []tri{lower}},
		{"two scenes, one shown", "", `<library_visual_scenes><visual_scene id="a">` + node("") + `</visual_scene><visual_scene id="b">` + node("<translate>1 0 0</translate>") + `</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#a"/></scene>`, []tri{lower}},
		{"no scene element", "", `<library_visual_scenes><visual_scene id="a">` + node("<translate>0 0 1</translate>") + `</visual_scene></library_visual_scenes>`, []tri{{v(0, 0, 1), v(1, 0, 1), v(1, 1, 1)}}},
		{"no visual scene at all", `<unit meter="2"/>`, "", []tri{{v(0, 0, 0), v(2, 0, 0), v(2, 2, 0)}}},
		{"scene without geometry", "", inScene(`<node><translate>0 0 9</translate></node>`), []tri{lower}},
		{"lookat on a camera", "", inScene(`<node><lookat>1 0 0 0 0 0 0 0 1</lookat></node>` + node("")), []tri{lower}},
		{"extra is passed over", "", inScene(node(`<extra><technique><translate>9 9 9</translate></technique></extra>`)), []tri{lower}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.dae", dae(tt.asset, daeSquare, daeLower, tt.rest), one)
			if diff := cmp.Diff(sorted(tt.want), surface(m)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestColladaSources(t *testing.T) {
	doc := func(array, accessor string) []byte {
		return []byte(`<COLLADA><library_geometries><geometry id="g"><mesh><source id="s">` + array +
			`<technique_common>` + accessor + `</technique_common></source>` +
			`<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>` + daeLower + `</mesh></geometry></library_geometries></COLLADA>`)
	}
	want := []tri{square(0, 1, 2)}
	for _, tt := range []struct {
		name string
		data []byte
	}{
		{"no accessor", doc(`<float_array>0 0 0 1 0 0 1 1 0</float_array>`, "")},
		{"offset and stride", doc(`<float_array count="14">9 9 0 0 0 7 1 0 0 7 1 1 0 7</float_array>`, `<accessor count="3" offset="2" stride="4"><param name="X"/><param name="Y"/><param name="Z"/><param/></accessor>`)},
		{"order of params", doc(`<float_array>0 0 0 0 0 1 0 1 1</float_array>`, `<accessor count="3" stride="3"><param name="Z"/><param name="Y"/><param name="X"/></accessor>`)},
		{"array of that id", doc(`<float_array id="n">9 9 9 9 9 9 9 9 9</float_array><float_array id="p">0 0 0 1 0 0 1 1 0</float_array>`, `<accessor source="#p" count="3" stride="3"/>`)},
		{"unnamed params", doc(`<float_array>0 0 0 1 0 0 1 1 0</float_array>`, `<accessor count="3" stride="3"/>`)},
		{"convex_mesh", []byte(strings.NewReplacer("<mesh>", "<convex_mesh>", "</mesh>", "</convex_mesh>").Replace(string(doc(`<float_array>0 0 0 1 0 0 1 1 0</float_array>`, ""))))},
		{"latin-1", append([]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- Andr\xe9 -->"), doc(`<float_array>0 0 0 1 0 0 1 1 0</float_array>`, "")...)},
		{"stray byte", append([]byte("<?xml version=\"1.0\"?><!-- Andr\xe9 -->"), doc(`<float_array>0 0 0 1 0 0 1 1 0</float_array>`, "")...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(want, surface(mustParse(t, "a.dae", tt.data, one))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestBadCollada(t *testing.T) {
	show := inScene(`<node>` + g0 + `</node>`)
	prim := func(p string) []byte { return dae("", daeSquare, p, show) }
	scene := func(s string) []byte { return dae("", daeSquare, daeLower, s) }
	good := scene(show)
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"truncated", good[:len(good)-20], []string{"truncated"}},
		{"cut in the numbers", good[:strings.Index(string(good), "0 1 2")+3], []string{"truncated"}},
		{"not COLLADA", []byte("<robot/>"), []string{"<robot>", "not <COLLADA>"}},
		{"two roots", append(append([]byte(nil), good...), "<COLLADA/>"...), []string{"second root"}},
		{"nothing", []byte("   \n"), []string{"no XML element"}},
		{"1e9 triangles declared", prim(`<triangles count="1000000000">` + vertexInput + `<p>0 1 2</p></triangles>`), []string{"<triangles>", "declares \"1000000000\"", "has 1"}},
		{"too few triangles", prim(`<triangles count="2">` + vertexInput + `<p>0 1 2</p></triangles>`), []string{"declares \"2\"", "truncated"}},
		{"too many triangles", prim(`<triangles count="1">` + vertexInput + `<p>0 1 2 0 2 3</p></triangles>`), []string{"declares \"1\"", "has 2"}},
		{"part of a triangle", prim(`<triangles>` + vertexInput + `<p>0 1 2 0</p></triangles>`), []string{"4 corners", "whole number of triangles"}},
		{"part of an entry", prim(`<triangles>` + vertexInput + `<input semantic="NORMAL" offset="1"/><p>0 0 1 1 2</p></triangles>`), []string{"5 indices", "2 inputs"}},
		{"vertex out of range", prim(`<triangles count="1">` + vertexInput + `<p>0 1 5</p></triangles>`), []string{"vertex 5 of 5", "geometry \"g\""}},
		{"negative vertex", prim(`<triangles count="1">` + vertexInput + `<p>0 1 -1</p></triangles>`), []string{"vertex -1"}},
		{"index no number", prim(`<triangles count="1">` + vertexInput + `<p>0 1 2.5</p></triangles>`), []string{"number 3", "whole number"}},
		{"huge vcount", prim(`<polylist count="1">` + vertexInput + `<vcount>1000000000</vcount><p>0 1 2</p></polylist>`), []string{"polygon of 1000000000 corners"}},
		{"negative vcount", prim(`<polylist count="1">` + vertexInput + `<vcount>-3</vcount><p>0 1 2</p></polylist>`), []string{"polygon of -3"}},
		{"vcount too small", prim(`<polylist count="1">` + vertexInput + `<vcount>3</vcount><p>0 1 2 3</p></polylist>`), []string{"1 corners more"}},
		{"vcount missing", prim(`<polylist count="1">` + vertexInput + `<p>0 1 2</p></polylist>`), []string{"declares \"1\"", "has 0"}},
		{"hole", prim(`<polygons count="1">` + vertexInput + `<ph><p>0 1 2 3</p><h>4 4 4</h></ph></polygons>`), []string{"holes", "triangulate"}},
		{"unknown primitive", prim(`<nurbs/>`), []string{"<nurbs>", "export triangles"}},
		{"no vertex input", prim(`<triangles count="1"><p>0 1 2</p></triangles>`), []string{"VERTEX"}},
		{"vertices missing", prim(`<triangles count="1"><input semantic="VERTEX" source="#w" offset="0"/><p>0 1 2</p></triangles>`), []string{"vertices \"#w\""}},
		{"offset absurd", prim(`<triangles count="1"><input semantic="VERTEX" source="#v" offset="2000000000"/><p>0 1 2</p></triangles>`), []string{"offset"}},
		{"NaN", dae("", "0 0 0 NaN 0 0 1 1 0", daeLower, show), []string{"number 4", "not finite"}},
		{"Inf", dae("", "0 0 0 1 0 0 1 -INF 0", daeLower, show), []string{"number 8", "not finite"}},
		{"word among numbers", dae("", "0 0 0 1 0 0 1 one 0", daeLower, show), []string{"number 8", "\"one\" is not a number"}},
		{"array too short", []byte(strings.Replace(string(good), `count="15"`, `count="18"`, 1)), []string{"declares \"18\"", "has 15"}},
		{"accessor of another array", []byte(strings.Replace(string(good), `<accessor source="#a"`, `<accessor source="#other"`, 1)), []string{"#other", "none of its arrays"}},
		{"accessor too long", []byte(strings.Replace(string(good), `count="5" stride`, `count="6" stride`, 1)), []string{"6 positions but has 15 numbers"}},
		{"accessor of 1e9", []byte(strings.Replace(string(good), `count="5" stride`, `count="1000000000" stride`, 1)), []string{"1000000000 positions"}},
		{"accessor without Z", []byte(strings.Replace(string(good), `stride="3"`, `stride="2"`, 1)), []string{"stride 2"}},
		{"no triangles", dae("", daeSquare, "", show), []string{"no triangles"}},
		{"only lines", prim(`<lines count="1">` + vertexInput + `<p>0 1</p></lines>`), []string{"no triangles"}},
		{"half a line", prim(`<lines count="1">` + vertexInput + `<p>0 1 2</p></lines>` + daeLower), []string{"<lines>", "not a whole number of primitives"}},
		{"strip of one vertex", prim(`<linestrips count="1">` + vertexInput + `<p>0</p></linestrips>` + daeLower), []string{"<linestrips>", "one vertex"}},
		{"lines left out", prim(`<lines count="2">` + vertexInput + `<p>0 1</p></lines>` + daeLower), []string{"<lines>", "declares \"2\" and has 1"}},
		{"boundary representation", []byte(strings.NewReplacer("<mesh>", "<brep>", "</mesh>", "</brep>").Replace(string(good))), []string{"<brep>", "export it as a mesh"}},
		{"convex hull of another", []byte(strings.NewReplacer("<mesh>", `<convex_mesh convex_hull_of="#h">`, "</mesh>", "</convex_mesh>").Replace(string(good))), []string{"convex hull of \"#h\""}},
		{"geometry missing", scene(inScene(`<node><instance_geometry url="#h"/></node>`)), []string{"\"#h\"", "not in this file"}},
		{"geometry of another file", scene(inScene(`<node><instance_geometry url="other.dae#g"/></node>`)), []string{"other.dae#g", "one file"}},
		{"node missing", scene(inScene(`<node><instance_node url="#h"/></node>`)), []string{"<instance_node>", "\"#h\""}},
		{"scene missing", scene(`<scene><instance_visual_scene url="#x"/></scene>`), []string{"<instance_visual_scene>", "\"#x\""}},
		{"skin", scene(inScene(`<node><instance_controller url="#c"/></node>`)), []string{"skinned"}},
		{"skew", scene(inScene(`<node><skew>0 1 0 0 0 1 0</skew><node>` + g0 + `</node></node>`)), []string{"<skew>", "bake transforms"}},
		{"short matrix", scene(inScene(`<node><matrix>1 0 0 0</matrix>` + g0 + `</node>`)), []string{"<matrix> has 4 numbers, not 16"}},
		{"projective matrix", scene(inScene(`<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 1 0 0 1</matrix>` + g0 + `</node>`)), []string{"last row", "0 0 0 1"}},
		{"NaN in a transform", scene(inScene(`<node><translate>nan 0 0</translate>` + g0 + `</node>`)), []string{"not finite"}},
		{"rotation about nothing", scene(inScene(`<node><rotate>0 0 0 90</rotate>` + g0 + `</node>`)), []string{"no direction"}},
		{"zero unit", dae(`<unit meter="0"/>`, daeSquare, daeLower, show), []string{"unit of \"0\"", "positive"}},
		{"NaN unit", dae(`<unit meter="nan"/>`, daeSquare, daeLower, show), []string{"unit", "not finite"}},
		{"id twice", []byte(strings.Replace(string(good), "</geometry>", "</geometry><geometry id=\"g\"/>", 1)), []string{"id \"g\"", "differ"}},
		{"node in itself", scene(inScene(`<node id="m"><instance_node url="#m"/></node>`)), []string{"nested deeper", "instantiate itself"}},
		{"deep XML", []byte("<COLLADA>" + strings.Repeat("<a>", 300)), []string{"nested deeper than 200"}},
		{"UTF-16 declared", []byte(`<?xml version="1.0" encoding="UTF-16"?><COLLADA/>`), []string{"UTF-8"}},
		{"attribute twice", []byte(`<COLLADA a="1" a="2"/>`), []string{"attribute a twice"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("bad.dae", tt.data, one)
			wantError(t, err, append(tt.want, "bad.dae")...)
		})
	}
}

// Nodes that double at every level, sixty of them, must be refused before all
// their leaves are visited.
func TestColladaBomb(t *testing.T) {
	bomb := func(leaf string) []byte {
		var b strings.Builder
		b.WriteString(`<library_nodes><node id="n0">` + leaf + `</node>`)
		for i := range 60 {
			fmt.Fprintf(&b, `<node id="n%d"><instance_node url="#n%d"/><instance_node url="#n%d"/></node>`, i+1, i, i)
		}
		b.WriteString(`</library_nodes>` + inScene(`<instance_node url="#n60"/>`))
		return dae("", daeSquare, daeLower, b.String())
	}
	lim := defaultLimits
	lim.visits /= 10 // saves time
	for _, leaf := range []string{"", g0} {
		_, err := parse("bomb.dae", bomb(leaf), one, within(t, lim))
		wantError(t, err, "bomb.dae", "more than", "simplify")
	}
}

// FuzzCollada mutates the parts of a document rather than the whole, most of
// whose mutations would fail as XML (which FuzzParse of xmltree is for).
func FuzzCollada(f *testing.F) {
	f.Add(`<unit meter="0.0254"/>`, daeSquare, `<tristrips count="1">`+vertexInput+`<p>0 1 3 2</p></tristrips>`,
		`<library_nodes><node id="n"><rotate>0 0 1 45</rotate><instance_geometry url="g"/></node></library_nodes>`+
			inScene(`<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#n"/></node>`))
	f.Add("", daeSquare, `<polylist count="2">`+vertexInput+`<input semantic="NORMAL" offset="1"/><vcount>3 4</vcount><p>0 0 1 1 2 2 0 0 1 1 4 2 3 3</p></polylist>`, "")
	f.Add("", "0 0 0 9 0 0 9 9 0 1 1 0 0 9 0", `<polygons count="1">`+vertexInput+`<p>0 1 2 3 4</p></polygons>`, inScene(`<node>`+g0+`</node>`))
	f.Fuzz(func(t *testing.T, asset, positions, prims, rest string) {
		fuzzParse(t, "f.dae", dae(asset, positions, prims, rest))
	})
}
