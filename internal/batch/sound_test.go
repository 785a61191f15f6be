package batch

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A plan of which a file says what cannot be is not gone on with, and the error names the file and the
// remedy.
func TestPlansThatAreNotBelieved(t *testing.T) {
	s, dir := subject(t), roadmap(t, 20)
	if err := os.WriteFile(filepath.Join(dir, "one.csv"), []byte("x,time\n0,0\n0.6,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := planOf(t, s, dir, 6)
	if len(p.Files) < 2 || len(p.Chunks) < 3 {
		t.Fatalf("%d files in %d chunks", len(p.Files), len(p.Chunks))
	}
	changes := map[string]func(p *Plan){
		"nothing":                 func(*Plan) {},
		"a chunk less":            func(p *Plan) { p.Chunks = p.Chunks[:len(p.Chunks)-1] },
		"and fewer motions":       func(p *Plan) { n := len(p.Chunks) - 1; p.Motions = p.Chunks[n].Index; p.Chunks = p.Chunks[:n] },
		"a chunk twice":           func(p *Plan) { p.Chunks = append(p.Chunks, p.Chunks[0]) },
		"another order":           func(p *Plan) { p.Chunks[0], p.Chunks[1] = p.Chunks[1], p.Chunks[0] },
		"a chunk without motions": func(p *Plan) { p.Chunks[1].Spans = nil },
		"a gap":                   func(p *Plan) { p.Chunks[1].Spans[0].First++ },
		"an overlap":              func(p *Plan) { p.Chunks[1].Spans[0].First-- },
		"no count":                func(p *Plan) { p.Chunks[0].Spans[0].Count = 0 },
		"a negative count":        func(p *Plan) { p.Chunks[0].Spans[0].Count = -1 },
		"another file":            func(p *Plan) { p.Chunks[0].Spans[0].File = 1 },
		"no such file":            func(p *Plan) { p.Chunks[len(p.Chunks)-1].Spans[0].File = 7 },
		"a negative file":         func(p *Plan) { p.Chunks[0].Spans[0].File = -1 },
		"another number":          func(p *Plan) { p.Chunks[1].Index++ },
		"another total":           func(p *Plan) { p.Motions++ },
		"no chunks":               func(p *Plan) { p.Chunks, p.Motions = nil, 0 },
		"sums":                    func(p *Plan) { p.Sums = p.Sums[1:] },
		"reasons":                 func(p *Plan) { p.Unread = append(p.Unread, "") },
	}
	for name, change := range changes {
		data, err := p.encode()
		if err != nil {
			t.Fatal(err)
		}
		other, err := decodePlan(data)
		if err != nil {
			t.Fatal(err)
		}
		change(other)
		if err := other.sound(); (err == nil) != (name == "nothing") {
			t.Errorf("%s: %v", name, err)
		}
	}

	// What is sound in itself, and not what was written.
	out := t.TempDir()
	finish(t, s, p, out)
	path := filepath.Join(out, planName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shorter := map[string]any{}
	if err := json.Unmarshal(data, &shorter); err != nil {
		t.Fatal(err)
	}
	shorter["Ignored"] = []string{"more.txt"}
	edited, err := json.Marshal(shorter)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"edited": string(edited), "half": string(data[:len(data)/2]), "empty": "", "null": "null", "{}": "{}", "no sum": strings.Replace(string(data), `"Sum"`, `"Other"`, 1)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := ReadPlan(context.Background(), out)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "give another folder") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := OpenStore(context.Background(), out, p); err == nil {
			t.Errorf("%s: the store opens", name)
		}
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPlan(context.Background(), out); err != nil {
		t.Error(err)
	}
}

// A chunk that was set aside is tried again if its part is removed, as its rows say.
func TestWhatWasSetAsideIsTriedAgain(t *testing.T) {
	s, dir, out, ctx := subject(t), roadmap(t, 20), t.TempDir(), context.Background()
	p := planOf(t, s, dir, 6)
	want, _, _ := finish(t, s, p, out)
	part := filepath.Join(out, partsName, partName(1))
	if err := os.WriteFile(part, Aside(p, s.Judge, 1, "it died"), 0o644); err != nil {
		t.Fatal(err)
	}
	before, _, _ := finish(t, s, p, out) // which is --resume
	row := before[p.Chunks[1].Index]
	if row.Status != SetAside || !strings.Contains(row.Message, "remove parts/00000001.part of the results and go on with --resume") {
		t.Fatalf("%s: %s", row.Status, row.Message)
	}
	if err := os.Remove(part); err != nil {
		t.Fatal(err)
	}
	st, err := OpenStore(ctx, out, p)
	if err != nil || st.Left() != 1 {
		t.Fatal(err, st.Left())
	}
	after, _, _ := finish(t, s, p, out)
	if diff := cmp.Diff(want, after, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}
