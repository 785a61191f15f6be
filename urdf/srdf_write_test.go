package urdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The pairs make room for the new ones; nothing else moves.
func TestWriteSRDFEditsInPlace(t *testing.T) {
	r := mustParse(t, tree)
	two := []DisabledPair{{0, 1, "Adjacent"}, {2, 4, "Never"}}
	for _, tc := range []struct {
		name, source, want string
		pairs              []DisabledPair
	}{
		{"none given", "", `<?xml version="1.0" encoding="utf-8"?>
<robot name="r">
    <disable_collisions link1="base" link2="l1" reason="Adjacent"/>
    <disable_collisions link1="l2" link2="r1" reason="Never"/>
</robot>
`, two},
		{"all around stays", `<!-- mine -->
<robot name="r"><!-- arm -->
  <group name="g"><joint name="a"/></group>
	<!-- old pairs -->
	<disable_collisions link1="l1" link2="l2" reason="User"/>
	<disable_collisions link1="base" link2="r2" reason="User"> </disable_collisions>

  <!-- between -->
  <enable_collisions link1="l1" link2="tip"/>
  <disable_default_collisions link="tip"/>
  <end_effector name="e" parent_link="tip" group="g"/>
</robot><!-- end -->
`, `<!-- mine -->
<robot name="r"><!-- arm -->
  <group name="g"><joint name="a"/></group>
	<!-- old pairs -->
	<disable_collisions link1="base" link2="l1" reason="Adjacent"/>
	<disable_collisions link1="l2" link2="r1" reason="Never"/>

  <!-- between -->
  <end_effector name="e" parent_link="tip" group="g"/>
</robot><!-- end -->
`, two},
		{"entries for other variants stay", `<robot name="r">
  <disable_collisions link1="l1" link2="gripper" reason="Never"/>
  <disable_default_collisions link="gripper"/>
</robot>`, `<robot name="r">
  <disable_collisions link1="l1" link2="gripper" reason="Never"/>
  <disable_default_collisions link="gripper"/>
    <disable_collisions link1="base" link2="l1" reason="Adjacent"/>
    <disable_collisions link1="l2" link2="r1" reason="Never"/>
</robot>`, two},
		{
			"all on one line", `<robot name="r"><disable_collisions link1="l1" link2="l2" reason="a"/><passive_joint name="b"/></robot>`,
			"<robot name=\"r\">\n<disable_collisions link1=\"base\" link2=\"l1\" reason=\"Adjacent\"/>\n<disable_collisions link1=\"l2\" link2=\"r1\" reason=\"Never\"/>\n<passive_joint name=\"b\"/></robot>", two,
		},
		{
			"an empty root", `<robot name="r" />`,
			"<robot name=\"r\" >\n    <disable_collisions link1=\"base\" link2=\"l1\" reason=\"Adjacent\"/>\n    <disable_collisions link1=\"l2\" link2=\"r1\" reason=\"Never\"/>\n</robot>", two,
		},
		{"a namespace of its own", "<robot name=\"r\">\n <disable_collisions xmlns=\"urn:x\" link1=\"l1\" link2=\"l2\" reason=\"a\"/>\n</robot>", "<robot name=\"r\">\n</robot>", nil},
		{"no pairs", "<robot name=\"r\">\n <disable_collisions link1=\"l1\" link2=\"l2\" reason=\"a\"/>\n</robot>", "<robot name=\"r\">\n</robot>", nil},
		{
			"lines of another system", "<robot name=\"r\">\r\n <disable_collisions link1=\"l1\" link2=\"l2\" reason=\"a\"/>\r\n</robot>",
			"<robot name=\"r\">\r\n <disable_collisions link1=\"base\" link2=\"tip\" reason=\"x\"/>\r\n</robot>",
			[]DisabledPair{{0, 3, "x"}},
		},
		{
			"a reason with marks", "", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<robot name=\"r\">\n    <disable_collisions link1=\"base\" link2=\"tip\" reason=\"&lt;&#34;&amp;\"/>\n</robot>\n",
			[]DisabledPair{{0, 3, `<"&`}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var source []byte
			if tc.source != "" {
				source = []byte(tc.source)
			}
			out, err := WriteSRDF(r, source, tc.pairs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			again, err := WriteSRDF(r, out, tc.pairs)
			if err != nil || string(again) != string(out) {
				t.Errorf("written a second time it changes (%v):\n%s", err, cmp.Diff(string(out), string(again)))
			}
		})
	}
}

func TestWriteSRDFRefuses(t *testing.T) {
	r := mustParse(t, tree)
	for _, tc := range []struct{ name, source, says string }{
		{"cut short", `<robot name="r"><group`, "truncated"},
		{"no robot", `<world/>`, "robot"},
		{"a pair without a name", `<robot name="r"><disable_collisions link1="l1"/></robot>`, "link2"},
		{"letters of another encoding", "<?xml version=\"1.0\" encoding=\"latin1\"?><robot name=\"r\"><!-- M\xfcller --></robot>", "UTF-8"},
	} {
		if _, err := WriteSRDF(r, []byte(tc.source), nil); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: error %v, want one that says %q", tc.name, err, tc.says)
		}
	}
	if _, err := WriteSRDF(r, nil, []DisabledPair{{0, 1, "a"}, {0, 1, "a"}}); err == nil {
		t.Error("a pair given twice is written")
	}
}

func TestUnknownPairs(t *testing.T) {
	r := mustParse(t, tree)
	got, err := UnknownPairs(r, []byte(`<robot name="r">
<disable_collisions link1="l1" link2="l2" reason="a"/><disable_collisions link1="l1" link2="hand" reason="b"/><disable_collisions link1="x" link2="y"/></robot>`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]NamedPair{{"l1", "hand", "b"}, {"x", "y", ""}}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := UnknownPairs(r, []byte(`<robot`)); err == nil {
		t.Error("an SRDF cut short is read")
	}
}

// Whatever an SRDF says beside pairs, it says after the pairs are replaced; the
// function reads what it wrote, so that it suffices that it does not fail.
func TestWriteSRDFKeeps(t *testing.T) {
	r := mustParse(t, tree)
	bits := []string{
		`<group name="g%"><joint name="a"/></group>`, `<virtual_joint name="v%" type="fixed" parent_frame="w" child_link="base"/>`,
		`<disable_collisions link1="l1" link2="l2" reason="%"/>`, `<disable_collisions link1="l1" link2="no%"/>`, `<enable_collisions link1="tip" link2="base"/>`,
		`<disable_default_collisions link="r2"/>`, "<!-- <disable_collisions % -->", "\n", "  ", "\t", "\r\n", `<x><disable_collisions link1="q" link2="%"/></x>`,
		"<![CDATA[%<]]>", `<passive_joint name="b"/>`, `<disable_collisions link1="r1" link2="r2"><!-- why % --></disable_collisions>`,
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for i, k := range rapid.SliceOfN(rapid.IntRange(0, len(bits)-1), 0, 20).Draw(t, "bits") {
			b.WriteString(strings.ReplaceAll(bits[k], "%", string(rune('a'+i))))
		}
		var pairs []DisabledPair
		for a := range r.Links {
			for b := range a {
				if rapid.Bool().Draw(t, "off") {
					pairs = append(pairs, DisabledPair{b, a, rapid.SampledFrom([]string{"Never", "Always", "Adjacent"}).Draw(t, "why")})
				}
			}
		}
		source := `<robot name="r">` + b.String() + `</robot>`
		out, err := WriteSRDF(r, []byte(source), pairs)
		if err != nil {
			t.Fatalf("%v\nof\n%s", err, source)
		}
		if a, b := strings.Count(string(out), "<!--"), strings.Count(source, "<!--")-strings.Count(source, "<!-- why"); a != b {
			t.Errorf("%d comments of %d are left\n%s\nof\n%s", a, b, out, source)
		}
	})
}

func FuzzWriteSRDF(f *testing.F) {
	r := mustParse(f, tree)
	f.Add([]byte(`<robot name="r"><group name="g"><joint name="a"/></group><disable_collisions link1="l1" link2="l2"/></robot>`))
	f.Add([]byte(`<robot name="r"/>`))
	f.Add([]byte("<robot name=\"r\">\r\n <disable_default_collisions link='tip'/>\r\n<!-- x --></robot>"))
	f.Fuzz(func(t *testing.T, source []byte) {
		if source == nil {
			return
		}
		if _, err := ParseSRDF(r, source); err != nil {
			if _, err := WriteSRDF(r, source, nil); err == nil {
				t.Error("what cannot be read is edited")
			}
			return
		}
		_, err := WriteSRDF(r, source, []DisabledPair{{0, 1, "Adjacent"}})
		if err != nil && strings.Contains(err.Error(), "was written") {
			t.Error(err) // it noticed, but should not have come to this
		}
	})
}

// The SRDFs that robots come with keep all but their pairs.
func TestWriteSRDFOfRobots(t *testing.T) {
	race.LeaveOut(t)
	files, _ := filepath.Glob("../../shared/robots/*/*.srdf")
	if len(files) == 0 {
		t.Skip("no robots in ../shared")
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Load(strings.TrimSuffix(file, ".srdf")+".urdf", Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := WriteSRDF(r, source, []DisabledPair{{0, 1, "Never"}})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if strings.Count(string(out), "\n") > strings.Count(string(source), "\n")+3 {
			t.Errorf("%s has grown", file)
		}
	}
}
