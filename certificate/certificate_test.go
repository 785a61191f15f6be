package certificate

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// content is all that a certificate says.
type content struct {
	Header  Header
	Entries []Entry
}

func (c *content) write(w io.Writer) error {
	out := NewWriter(w, &c.Header)
	for _, e := range c.Entries {
		switch {
		case e.Order != nil:
			out.Order(e.Order.Body, e.Order.Atoms)
		case e.At != nil:
			out.At(*e.At)
		case e.Item != nil:
			out.Item(e.Item)
		case e.Outside != nil:
			out.Outside(*e.Outside)
		}
	}
	return out.Close()
}

func read(r io.Reader) (*content, error) {
	in, err := NewReader(r)
	if err != nil {
		return nil, err
	}
	c := &content{Header: in.Header}
	for {
		e, err := in.Next()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		c.Entries = append(c.Entries, e)
	}
}

func drawContent(t *rapid.T) *content {
	number := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
	text := rapid.String()
	sum := rapid.Custom(func(t *rapid.T) (s [32]byte) {
		copy(s[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "sum"))
		return s
	})
	named := func(what string) []Named {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Named {
			return Named{text.Draw(t, "name"), number.Draw(t, "value")}
		}), 0, 3).Draw(t, what)
	}
	natural := func(most int, what string) int { return rapid.IntRange(0, most).Draw(t, what) }
	vec := func(what string) geom.Vec {
		return geom.Vec{X: number.Draw(t, what), Y: number.Draw(t, what), Z: number.Draw(t, what)}
	}
	c := &content{Header: Header{
		Tool: text.Draw(t, "tool"), Robot: text.Draw(t, "robot"), Motion: text.Draw(t, "motion"),
		RobotSum: sum.Draw(t, "robot"), SceneSum: sum.Draw(t, "scene"), MotionSum: sum.Draw(t, "motion"),
		Clearance: number.Draw(t, "clearance"), Self: rapid.Bool().Draw(t, "self"), World: rapid.Bool().Draw(t, "world"),
		Padding: named("padding"), Tube: named("tube"), Hold: named("hold"),
	}}
	for range natural(3, "assumed") {
		a := Assumed{A: text.Draw(t, "a"), B: text.Draw(t, "b"), Reason: text.Draw(t, "reason")}
		if rapid.Bool().Draw(t, "touch") {
			touch := vec("touch")
			a.Touch = &touch
		}
		c.Header.Assumed = append(c.Header.Assumed, a)
	}
	c.Header.Start = number.Draw(t, "start")
	texts := rapid.SliceOfN(text, 0, 3)
	c.Header.Surfaces, c.Header.Ambiguous = texts.Draw(t, "surfaces"), texts.Draw(t, "ambiguous")
	for range natural(2, "turned") {
		c.Header.Turned = append(c.Header.Turned, Turned{text.Draw(t, "joint"), natural(9, "piece"), rapid.IntRange(math.MinInt32, math.MaxInt32).Draw(t, "turns")})
	}
	for range natural(2, "seams") {
		c.Header.Seams = append(c.Header.Seams, Seam{natural(9, "piece"), number.Draw(t, "length")})
	}
	for range natural(2, "accepted") {
		c.Header.Accepted = append(c.Header.Accepted, Gap{text.Draw(t, "kind"), texts.Draw(t, "names")})
	}
	for range 1 + natural(3, "bodies") {
		b := Body{Kind: BodyKind(natural(2, "kind")), Atoms: natural(math.MaxInt32, "atoms")}
		if b.Kind != World {
			b.Name = text.Draw(t, "body")
		}
		c.Header.Bodies = append(c.Header.Bodies, b)
	}
	body := func() int { return natural(len(c.Header.Bodies)-1, "body") }
	part := func() Part {
		if rapid.Bool().Draw(t, "whole") {
			return Part{Body: body()}
		}
		return Part{body(), natural(math.MaxInt32, "first"), 1 + natural(math.MaxInt32-1, "count")}
	}
	for range natural(6, "entries") {
		switch natural(3, "entry") {
		case 0:
			o := Order{Body: body(), Atoms: rapid.SliceOfN(rapid.Int32Range(0, math.MaxInt32), 1, orderLine).Draw(t, "order")}
			c.Entries = append(c.Entries, Entry{Order: &o})
		case 1:
			c.Entries = append(c.Entries, Entry{At: &At{natural(9, "piece"), number.Draw(t, "lo"), number.Draw(t, "hi")}})
		case 2:
			i := Item{A: part(), B: part(), HasNormal: rapid.Bool().Draw(t, "plane")}
			if i.HasCenterA = !i.HasNormal || rapid.Bool().Draw(t, "ball"); i.HasCenterA {
				i.CenterA = vec("center")
			}
			if i.HasCenterB = !i.HasNormal || rapid.Bool().Draw(t, "ball"); i.HasCenterB {
				i.CenterB = vec("center")
			}
			if i.HasNormal {
				i.Normal = vec("normal")
			}
			c.Entries = append(c.Entries, Entry{Item: &i})
		case 3:
			c.Entries = append(c.Entries, Entry{Outside: &Outside{body(), body(), natural(9, "piece"), number.Draw(t, "time")}})
		}
	}
	return c
}

var emptyIsNil = cmpopts.EquateEmpty()

// A certificate is read back to the last bit; one that is cut short is refused.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawContent(t)
		var buf bytes.Buffer
		if err := c.write(&buf); err != nil {
			t.Fatal(err)
		}
		got, err := read(bytes.NewReader(buf.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, buf.Bytes())
		}
		if d := cmp.Diff(c, got, emptyIsNil); d != "" {
			t.Fatalf("written (-), read (+):\n%s", d)
		}
		cut := rapid.IntRange(0, buf.Len()-2).Draw(t, "truncated")
		if _, err := read(bytes.NewReader(buf.Bytes()[:cut])); err == nil {
			t.Fatalf("cut after %d of %d bytes, it is read", cut, buf.Len())
		}
	})
}

// sample is a small certificate.
func sample() *content {
	return &content{
		Header: Header{
			Tool: "t", Robot: "r", Motion: "m \"q\"\n", Clearance: 0.01, Self: true,
			Padding: []Named{{"a", 1}}, Tube: []Named{{"b", 2}}, Hold: []Named{{"c", -3}}, Assumed: []Assumed{{A: "a", B: "b", Reason: "c d"}, {A: "a", B: "c", Reason: "touch", Touch: &geom.Vec{X: 1, Z: -2}}},
			Start: 0.5, Surfaces: []string{"s"}, Ambiguous: []string{"u"}, Turned: []Turned{{"j", 3, -1}}, Seams: []Seam{{2, 1e-10}}, Accepted: []Gap{{"start", []string{"j", "k"}}, {"default-pairs", nil}},
			Bodies: []Body{{Link, "l", 3}, {World, "", 2}},
		},
		Entries: []Entry{
			{Order: &Order{0, []int32{2, 1, 0}}},
			{At: &At{0, 0, 0.5}},
			{Item: &Item{A: Part{0, 1, 2}, B: Part{1, 0, 0}, HasNormal: true, Normal: geom.Vec{X: 1, Y: -0.25, Z: 1e-9}}},
			{Item: &Item{A: Part{0, 1, 1}, B: Part{1, 0, 1}, HasCenterA: true, HasCenterB: true}},
			{Outside: &Outside{0, 1, 0, 0.5}},
		},
	}
}

func TestBadCertificates(t *testing.T) {
	var buf bytes.Buffer
	if err := sample().write(&buf); err != nil {
		t.Fatal(err)
	}
	good := buf.String()
	if _, err := read(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, says string }{
		{"certificate 3", "certificate 2", "line 1: the certificate has version 2"},
		{"firstcontact", "secondcontact", "line 1"},
		{"clearance 0.01", "clearance NaN", "finite"},
		{"clearance 0.01", "clearance 1e999", "finite"},
		{"clearance 0.01", "clearance", "missing"},
		{"pairs self", "pairs selfish", "at the end of the line"},
		{"scene 00", "scene 0x", "SHA-256"},
		{"scene 00", "scene 0", "SHA-256"},
		{"tool \"t\"", "tool t", "quotes"},
		{"body 1", "body 2", "2 follows 0"},
		{"link", "chain", "kind of body"},
		{"hold \"c\" -3", "hold \"c\" -3 4", "at the end of the line"},
		{"hold \"c\" -3\nassume", "assume \"a\" \"b\" \"c\"\nhold \"c\" -3\nassume", "out of order"},
		{"body 0 link \"l\" 3", "body 0 link \"l\" -3", "whole number"},
		{"body 0 link \"l\" 3", "body 0 link \"l\" 3000000000", "whole number"},
		{"start 0.5", "start NaN", "finite"},
		{"start 0.5\n", "", "expected start"},
		{"1 0 -2", "1 0", "missing"},
		{"1 0 -2", "1 0 -2 3", "at the end of the line"},
		{"turned \"j\" 3 -1", "turned \"j\" 3 1.5", "whole number"},
		{"turned \"j\" 3 -1", "turned \"j\" -3 -1", "whole number"},
		{"seam 2 1e-10", "seam 2", "missing"},
		{"accept \"start\" \"j\"", "accept \"start\" j", "quotes"},
		{"surface \"s\"\n", "surface \"s\"\nhold \"d\" 1\n", "out of order"},
		{"order 0", "order 2", "no body 2"},
		{"plane 0:1+2", "plane 0:1+0", "no atoms"},
		{"plane 0:1+2", "plane 7:1+2", "no body 7"},
		{"plane 0:1+2", "plane 0:1+2 ", "blanks"},
		{"plane", "plain", "not a line of a proof"},
		{"balls 0:1", "balls 0:x", "whole number"},
		{"at 0 0 0.5", "at 0 0", "missing"},
		{"at 0 0 0.5", "at 0 0 inf", "finite"},
		{"end 2", "end 3", "truncated"},
		{"end 2", "end 2\nend 2", "modified after it was written"},
		{"end 2\n", "", "not a line of a proof"},
		{good[strings.Index(good, "sum "):], "", "ends early"},
		{"sum ", "sum 0", "modified after it was written"},
		{good[len(good)-9:], good[len(good)-9:] + "end 2\n", "after the end"},
		{"order 0 2 1 0", "order 0 2 0 1", "modified after it was written"},
		{"at 0 0 0.5", "at 0 0 0." + strings.Repeat("5", limit.CertificateLineBytes), "too long"},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%q is not in\n%s", c.old, good)
		}
		_, err := read(strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.says)
		}
	}
}

// One byte changed anywhere is noticed, and no longer where the text is sealed anew, if
// it still is a certificate.
func TestSeal(t *testing.T) {
	var buf bytes.Buffer
	if err := sample().write(&buf); err != nil {
		t.Fatal(err)
	}
	good, sealed := buf.Bytes(), 0
	if !bytes.Equal(Seal(good), good) {
		t.Errorf("sealed again it is another:\n%s", Seal(good))
	}
	for i := range good {
		bad := bytes.Clone(good)
		if bad[i] ^= 1; bad[i] == good[i] {
			t.Fatal("nothing was changed")
		}
		if _, err := read(bytes.NewReader(bad)); err == nil {
			t.Errorf("byte %d changed: read", i)
		}
		if _, err := read(bytes.NewReader(Seal(bad))); err == nil {
			sealed++
		}
	}
	if sealed < len(good)/10 {
		t.Errorf("only %d of %d changes were left to the sum to notice", sealed, len(good))
	}
}

// Files are there whole or not at all.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.cert", "b.cert.gz"} {
		path := filepath.Join(dir, name)
		want := sample()
		if err := Create(path, want.write); err != nil {
			t.Fatal(err)
		}
		got := open(t, path)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		fault := errors.New("no proof")
		if err := Create(path, func(io.Writer) error { return fault }); !errors.Is(err, fault) {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, open(t, path)); d != "" {
			t.Errorf("%s was lost: %s", name, d)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "b.cert.gz"))
	if err != nil || data[0] != 0x1f {
		t.Errorf("it is not compressed: %v", err)
	}
	short := filepath.Join(dir, "short.gz")
	if err := os.WriteFile(short, data[:len(data)-6], 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(short)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(f); err == nil {
		t.Error("a file that was cut is read")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a file that is not there is opened")
	}
	if err := Create(filepath.Join(dir, "nowhere", "x"), sample().write); err == nil {
		t.Error("a file is made in a folder that is not there")
	}
}

func open(t *testing.T, path string) *content {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := read(f)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzReader holds that no bytes make the reader panic, and that what it takes for
// a certificate is written and read back as the same.
func FuzzReader(f *testing.F) {
	var buf bytes.Buffer
	if err := sample().write(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte("firstcontact certificate 3\ntool \"\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := c.write(&again); err != nil {
			t.Fatal(err)
		}
		d, err := read(&again)
		if err != nil {
			t.Fatalf("%v in what was made of\n%s", err, data)
		}
		if diff := cmp.Diff(c, d, emptyIsNil); diff != "" {
			t.Fatal(diff)
		}
	})
}
