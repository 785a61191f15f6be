package papers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// quickly lists the entries that the tests run at quick scale: some of each paper and
// method, and fewer under the race detector, which slows everything down.
func quickly() []string {
	if race.Enabled {
		return []string{"RKLM04/figure5", "ZRLK07/figure5", "SPHERE/figure2", "SPHERE/figure3"}
	}
	return []string{
		"RKLM04/figure1", "RKLM04/figure5", "RKLM04/table1",
		"ZRLK07/figure5", "ZRLK07/figure12", "ZRLK07/table2",
		"SPHERE/figure2", "SPHERE/figure3", "SPHERE/figure4",
		"SSL04/table8", "SSL04/table3", "SSL04/table4",
	}
}

// Every table and figure of the papers has an entry, which gives numbers or says that
// the text has none, and is measured or says why not.
func TestEveryTableAndFigureIsThere(t *testing.T) {
	counts := map[string][2]int{"RKLM04": {7, 2}, "ZRLK07": {12, 2}, "SPHERE": {10, 0}, "SSL04": {16, 11}} // figures, tables
	var want []string
	for key, n := range counts {
		for i, kind := range []string{"figure", "table"} {
			for k := range n[i] {
				want = append(want, fmt.Sprintf("%s/%s%d", key, kind, k+1))
			}
		}
	}
	got := Keys()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("entries are\n%v, want\n%v", got, want)
	}
	for _, p := range papers() {
		if p.Machine == "" || p.Method == "" || p.Cite == "" {
			t.Errorf("%s lacks its machine, method or title", p.Key)
		}
		for i := range p.Entries {
			e := &p.Entries[i]
			if !e.Printed() && e.Lost == "" {
				t.Errorf("%s gives no number and does not say that the text has none", p.key(e))
			}
			if (e.Run == nil) == (e.Why == "") {
				t.Errorf("%s must be measured, or say why it is not", p.key(e))
			}
			for _, table := range e.Theirs {
				for _, row := range table.Rows {
					if len(row) != len(table.Head) {
						t.Errorf("%s: %d cells under %d heads: %v", p.key(e), len(row), len(table.Head), row)
					}
				}
			}
		}
	}
}

// The numbers that are compared with are those printed in the papers' text.
func TestNumbersAreInTheText(t *testing.T) {
	const folder = "../../../shared/papers"
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the papers' texts are not here")
	}
	checked := 0
	for _, p := range papers() {
		text, err := os.ReadFile(filepath.Join(folder, p.Key+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Entries {
			e := &p.Entries[i]
			for _, table := range e.Theirs {
				for _, row := range table.Rows {
					for k, cell := range row {
						if k == 0 || e.Name != "" && deduced(e.Name, k) {
							continue
						}
						for _, x := range strings.Split(cell, " / ") {
							if _, ok := number(x); !ok {
								continue
							}
							checked++
							if !bytes.Contains(text, []byte(x)) {
								t.Errorf("%s: %s is not in the text", p.key(e), x)
							}
						}
					}
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d numbers checked", checked)
	}
}

// deduced tells columns whose values the text has in another form: the garbled δ and
// clearance of the bad cases.
func deduced(name string, column int) bool {
	return (name == "table8" || name == "table9" || name == "table10") && column < 2
}

// A claim's value is worked out, and what it says of itself follows from the value. No
// claim is written out elsewhere, and none is made of a number that is typed in.
func TestClaimsAreComputed(t *testing.T) {
	of := func(value, null float64) effect { return effect{value: value, null: null} }
	for _, c := range []struct {
		claim Claim
		want  string
	}{
		{of(2, 1).moreThan(1), shows},
		{of(1, 1).moreThan(1), showsNot},
		{of(math.NaN(), 1).moreThan(1), cannot},
		{of(math.Inf(1), 1).moreThan(1), cannot},
		{of(1, 2).atMost(1), shows},
		{of(2, 2).atMost(1), showsNot},
		{of(math.NaN(), 2).atMost(1), cannot},
		{of(2, 1).moreThan(1).unlike("other work"), cannot},
		{of(2, 1).moreThan(1).unlike(""), shows},
	} {
		if got := c.claim.verdict(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.claim, got, c.want)
		}
		if c.claim.why() == "" || !strings.Contains(c.claim.why(), c.claim.Want) {
			t.Errorf("%+v does not print its threshold: %s", c.claim, c.claim.why())
		}
	}
	packages, err := parser.ParseDir(token.NewFileSet(), ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Fatal(err)
	}
	claims := 0
	for name, file := range packages["papers"].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				switch id, ok := n.Type.(*ast.Ident); {
				case !ok || len(n.Elts) == 0:
				case id.Name == "Claim" && name != "claim.go":
					t.Errorf("%s writes a claim out: make it of an effect", name)
				case id.Name == "effect":
					claims++
					if literal(n.Elts[2]) {
						t.Errorf("%s makes a claim of a number that is typed in", name)
					}
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "longer" || id.Name == "shorter") {
					claims++
					if literal(n.Args[2]) {
						t.Errorf("%s makes a claim of a number that is typed in", name)
					}
				}
			}
			return true
		})
	}
	if claims < 40 {
		t.Errorf("only %d claims found", claims)
	}
}

// literal reports whether an expression is made of typed numbers alone.
func literal(e ast.Expr) bool {
	found := true
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.Ident); ok {
			found = false
		}
		return found
	})
	return found
}

// A quick run measures, keeps each entry, leaves the others and writes page and plots.
// FIRSTCONTACT_LONG=1 runs all entries.
func TestQuickRun(t *testing.T) {
	out := t.TempDir()
	quickly := quickly()
	if switches.Long.Set() {
		quickly = nil
		for _, p := range papers() {
			for i := range p.Entries {
				if p.Entries[i].Run != nil {
					quickly = append(quickly, p.key(&p.Entries[i]))
				}
			}
		}
	}
	run := func(only ...string) string {
		t.Helper()
		if err := Run(context.Background(), Options{Only: only, Scale: Quick, Out: out}); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(out, "papers.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	first := run(quickly[:len(quickly)-1]...)
	last := quickly[len(quickly)-1]
	if notYet := "--only " + last + "`"; !strings.Contains(first, notYet) {
		t.Errorf("the page does not say how to measure %s", last)
	}
	page := run(last)
	kept, err := load(filepath.Join(out, "papers", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	answers := 0
	for _, key := range quickly {
		r := kept.of[key]
		if r == nil {
			t.Errorf("%s is not kept", key)
			continue
		}
		if strings.Contains(page, "--only "+key+"`") {
			t.Errorf("the page says that %s is not measured", key)
		}
		for _, c := range entryOf(key).judge(r) {
			if strings.Count(page, c.Says) < 2 || !strings.Contains(page, c.ours()) || strings.Count(page, c.Want) < 2 {
				t.Errorf("%s: the page lacks the claim %q, %s, wanted %s", key, c.Says, c.ours(), c.Want)
			}
		}
		for _, c := range r.Charts {
			if info, err := os.Stat(filepath.Join(out, "papers", c.Name+".svg")); err != nil || info.Size() < 1000 {
				t.Errorf("%s: no plot %s: %v", key, c.Name, err)
			}
		}
		answers += r.Agreed.Answers
		if r.Agreed.Disagreements > 0 {
			t.Errorf("%s: %s", key, r.Agreed)
		}
	}
	if len(quickly) > 4 && answers == 0 {
		t.Error("no two methods were held against each other")
	}
	for _, p := range papers() {
		if !strings.Contains(page, p.Machine) {
			t.Errorf("the page lacks the machine of %s", p.Key)
		}
		for i := range p.Entries {
			if !strings.Contains(page, p.Entries[i].Title) {
				t.Errorf("the page lacks %s", p.key(&p.Entries[i]))
			}
		}
	}
	if !strings.Contains(page, "quick scale") {
		t.Error("the page does not say that it is of a quick run")
	}
}

// A run that is cancelled fails, and keeps what was kept before.
func TestCancelled(t *testing.T) {
	out := t.TempDir()
	if err := Run(context.Background(), Options{Only: []string{"SPHERE/figure2"}, Scale: Quick, Out: out}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Run(ctx, Options{Only: []string{"SPHERE/figure2", "SPHERE/figure3"}, Scale: Quick, Out: out}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run returned %v", err)
	}
	kept, err := load(filepath.Join(out, "papers", "results.json"))
	if err != nil || kept.of["SPHERE/figure2"] == nil || kept.of["SPHERE/figure3"] != nil {
		t.Errorf("kept are %v, %v", kept.of, err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{{Only: []string{"RKLM04/table9"}}, {Only: []string{""}}, {Scale: "huge"}} {
		o.Out = t.TempDir()
		if err := Run(context.Background(), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	out := t.TempDir()
	if err := os.MkdirAll(filepath.Join(out, "papers"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "papers", "results.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), Options{Out: out, Render: true}); err == nil || !strings.Contains(err.Error(), "results.json") {
		t.Errorf("a broken file of results: %v", err)
	}
}

// entryOf is the entry of a key.
func entryOf(key string) *Entry {
	for _, p := range papers() {
		for i := range p.Entries {
			if p.key(&p.Entries[i]) == key {
				return &p.Entries[i]
			}
		}
	}
	return nil
}

func TestRoman(t *testing.T) {
	for n, want := range map[int]string{1: "I", 4: "IV", 9: "IX", 10: "X", 11: "XI", 24: "XXIV"} {
		if got := roman(n); got != want {
			t.Errorf("roman(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for cell, want := range map[string]float64{"20,000": 20000, "3.40K": 3400, "96.3%": 96.3, "7.91e+06": 7.91e6, ".005": 0.005} {
		if got, ok := number(cell); !ok || got != want {
			t.Errorf("number(%q) = %g, %v", cell, got, ok)
		}
	}
	for x, want := range map[float64]string{0: "0", 1234567: "1,234,567", -1234: "-1,234", 0.012345: "0.0123", 99.96: "99.960", 99.94: "99.9", 1e-7: "1e-07", 12.345: "12.3"} {
		if got := digits(x); got != want {
			t.Errorf("digits(%g) = %q, want %q", x, got, want)
		}
	}
}
