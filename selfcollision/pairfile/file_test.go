package pairfile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// arm has links a, b and c with shapes, d without, and joints of all kinds.
const arm = `<robot name="arm">
<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="c"><collision><geometry><sphere radius="2"/></geometry></collision></link>
<link name="d"/>
<joint name="ab" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="bc" type="continuous"><parent link="b"/><child link="c"/></joint>
<joint name="cd" type="prismatic"><parent link="c"/><child link="d"/><limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="ab"/></joint>
</robot>`

func load(t testing.TB, text string) *urdf.Robot {
	t.Helper()
	r, err := urdf.Parse([]byte(text), urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var padded = pairproof.Options{Padding: 0.01, LinkPadding: map[string]float64{"b": 0.02}}

func report(t testing.TB) *pairproof.Report {
	t.Helper()
	sum := digest.Robot(load(t, arm))
	return &pairproof.Report{
		Robot: "arm", Digest: hexadecimal(sum[:]), Padding: 0.01, LinkPadding: map[string]float64{"b": 0.02}, Clearance: 0.002,
		Variables: []pairproof.Variable{{Name: "ab", Lo: -1, Hi: 2}, {Name: "bc", Lo: -turn, Hi: turn}},
		Pairs: []pairproof.Pair{
			{A: 0, B: 1, LinkA: "a", LinkB: "b", Meets: pairproof.Always, Joints: []int{0}, Witness: []float64{0, 0}},
			{A: 0, B: 2, LinkA: "a", LinkB: "c", Meets: pairproof.Sometimes, Joints: []int{0, 1}, Witness: []float64{2, 3}, Depth: 0.1},
			{A: 1, B: 2, LinkA: "b", LinkB: "c", Meets: pairproof.Never, Joints: []int{1}, Boxes: 3},
		},
	}
}

// turn is the half turn that meet gives a continuous joint.
var turn = 3.1415926535897936

func hexadecimal(b []byte) string {
	const digits = "0123456789abcdef"
	var s strings.Builder
	for _, x := range b {
		s.WriteByte(digits[x>>4])
		s.WriteByte(digits[x&15])
	}
	return s.String()
}

func TestFits(t *testing.T) {
	if err := Fits(report(t), load(t, arm), padded); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, from, to, says string }{
		{"another limit", `upper="2"`, `upper="2.0000000001"`, "limits"},
		{"another shape", `radius="2"`, `radius="2.0000000001"`, "another robot"},
		{"another relation", `<mimic joint="ab"/>`, `<mimic joint="ab" multiplier="2"/>`, "another robot"},
		{"a joint that does not follow", `<mimic joint="ab"/>`, ``, "another robot"},
	} {
		other := strings.Replace(arm, tc.from, tc.to, 1)
		if other == arm {
			t.Fatal(tc.name)
		}
		if err := Fits(report(t), load(t, other), padded); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	for _, opt := range []pairproof.Options{{}, {Padding: 0.01}, {Padding: 0.02, LinkPadding: padded.LinkPadding}} {
		if err := Fits(report(t), load(t, arm), opt); err == nil || !strings.Contains(err.Error(), "padded") {
			t.Errorf("another padding: %v", err)
		}
	}
}

// A file of the right sum that no run wrote is not believed.
func TestWhatCannotBe(t *testing.T) {
	for name, spoil := range map[string]func(r *pairproof.Report){
		"a link that is not there":  func(r *pairproof.Report) { r.Pairs[2].B = 9 },
		"a link without a shape":    func(r *pairproof.Report) { r.Pairs[2].B, r.Pairs[2].LinkB = 3, "d" },
		"a link with itself":        func(r *pairproof.Report) { r.Pairs[2].A, r.Pairs[2].LinkA = 2, "c" },
		"another name":              func(r *pairproof.Report) { r.Pairs[2].LinkB = "a" },
		"a pair twice":              func(r *pairproof.Report) { r.Pairs[2] = r.Pairs[1] },
		"somewhere, not told where": func(r *pairproof.Report) { r.Pairs[1].Witness = nil },
		"a witness of one joint":    func(r *pairproof.Report) { r.Pairs[1].Witness = []float64{0} },
		"a joint beyond its limit":  func(r *pairproof.Report) { r.Pairs[1].Witness[0] = 2.1 },
		"a joint under its limit":   func(r *pairproof.Report) { r.Pairs[1].Apart = []float64{-1.1, 0} },
		"a joint that is not there": func(r *pairproof.Report) { r.Pairs[1].Joints = []int{2} },
		"a negative clearance":      func(r *pairproof.Report) { r.Clearance = -1 },
	} {
		r := report(t)
		spoil(r)
		if Fits(r, load(t, arm), padded) == nil {
			t.Errorf("%s: fits", name)
		}
	}
}

func TestFileComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arm.pairs")
	r := report(t)
	if err := Save(path, r); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Error(diff)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
	if _, err := Load(path + "x"); err == nil || !strings.Contains(err.Error(), path+"x") {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := Save(filepath.Join(path, "x"), r); err == nil {
		t.Error("written below a file")
	}
}

// No file that differs in anything but white space is read.
func TestDamageIsNoticed(t *testing.T) {
	text, err := Encode(report(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(bytes.ReplaceAll(text, []byte("\n "), []byte("\n\t"))); err != nil {
		t.Errorf("white space matters: %v", err)
	}
	for _, tc := range []struct{ from, to, says string }{
		{`"never"`, `"always"`, "changed"},
		{`"Meets": "always"`, `"Meets": "never"`, "changed"},
		{`"Meets": "always"`, `"Meets": "perhaps"`, "damaged"},
		{`"Hi": 2`, `"Hi": 3`, "changed"},
		{`pairs 2`, `pairs 1`, "version"},
		{`"LinkA"`, `"LinkC"`, "damaged"},
	} {
		other := bytes.Replace(text, []byte(tc.from), []byte(tc.to), 1)
		if _, err := Decode(other); err == nil || bytes.Equal(other, text) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s for %s: %v", tc.to, tc.from, err)
		}
	}
	for n := range len(text) - 1 {
		if _, err := Decode(text[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are read", n, len(text))
		}
	}
	for _, other := range []string{string(text) + "1", `{"Format": "firstcontact pairs 2"}`, "", "null"} {
		if _, err := Decode([]byte(other)); err == nil {
			t.Errorf("%.20q... is read", other)
		}
	}
}

func TestAnyBitCounts(t *testing.T) {
	text, err := Encode(report(t))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		other := bytes.Clone(text)
		other[rapid.IntRange(0, len(text)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		r, err := Decode(other)
		if err != nil {
			return
		}
		if same, _ := Encode(r); !bytes.Equal(same, text) {
			t.Errorf("a changed file is read as\n%s", same)
		}
	})
}

func FuzzDecode(f *testing.F) {
	text, err := Encode(report(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"Format": "firstcontact pairs 2"}`))
	robot := load(f, arm)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Decode(text)
		if err != nil {
			return
		}
		_ = Fits(r, robot, padded) // whatever is read does not make it panic
		again, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(again); err != nil {
			t.Error(err)
		}
	})
}
