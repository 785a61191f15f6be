package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The table of trusted files names files that are there, and judges that exist.
func TestTrustedFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := make(map[string]bool)
	for _, f := range trusted {
		if seen[f.path] {
			t.Errorf("%s is listed twice", f.path)
		}
		seen[f.path] = true
		if _, err := os.Stat(filepath.Join(root, f.path)); err != nil {
			t.Errorf("%v: where did it go? Change the table in trusted.go", err)
		}
		if f.why == "" || len(f.judges) == 0 {
			t.Errorf("%s: no reason or no judge", f.path)
		}
		for _, j := range f.judges {
			dir, _ := splitJudge(j)
			if tests, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go")); tests == nil {
				t.Errorf("%s: the judge %s has no tests", f.path, dir)
			}
		}
	}
}

// Each entry changes one place of its function, the changed code compiles, and the
// tests that must notice it exist.
func TestEntries(t *testing.T) {
	m, err := openModule(filepath.Join("..", ".."), entryDirs())
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, e := range entries {
		if seen[e.name] {
			t.Errorf("two entries are called %q", e.name)
		}
		seen[e.name] = true
		mu, err := e.find(m)
		if err != nil {
			t.Errorf("%v: bring the entry up to date with the code", err)
			continue
		}
		if mu.changed() == nil {
			t.Errorf("%s: the changed code does not compile", e.name)
		}
		if e.drop == "" || e.tests == "" {
			t.Errorf("%s: no condition or no test is named", e.name)
		}
		known := testsOf(t, filepath.Join(m.root, e.judged()))
		for _, name := range strings.Fields(e.tests) {
			if !known[name] {
				t.Errorf("%s: %s has no %s", e.name, e.judged(), name)
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := make(map[string]bool)
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunc.FindAllSubmatch(src, -1) {
			tests[string(m[1])] = true
		}
	}
	return tests
}

// writeModule makes a module of the given files.
func writeModule(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module example.org/m\n\ngo 1.24\n"
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func mutantsOf(t *testing.T, src string) (*module, []*mutant) {
	t.Helper()
	m, err := openModule(writeModule(t, map[string]string{"p/p.go": src}), []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	p := m.loaded["p"]
	return m, generate(p, p.files["p.go"])
}

// Each operator makes what it should, and all of it compiles.
func TestOperators(t *testing.T) {
	const src = `package p

import "math"

const u = 0x1p-53

type I struct{ Lo, Hi float64 }

func up(x float64) float64   { return math.Nextafter(x, math.Inf(1)) }
func down(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }

func add(a, b I) I { return I{down(a.Lo + b.Lo), up(a.Hi + b.Hi)} }

func bound(xs []float64, lo, hi, slack float64) (float64, bool) {
	if lo < 0 && hi > 2 {
		return 0, false
	}
	sum := 0.5 * slack * (1 + 8*u)
	for _, x := range xs {
		sum += math.Abs(x)
	}
	for i := 1; i < len(xs); i++ {
		sum = max(sum, -xs[i])
	}
	return sum, true
}
`
	_, all := mutantsOf(t, src)
	got := make(map[string]bool)
	for _, m := range all {
		got[strings.TrimPrefix(m.name(), "p ")] = true
		if m.changed() == nil && m.op != opEnds {
			t.Errorf("does not compile: %s", m.name())
		}
	}
	for _, want := range []string{
		"bound: comparison: lo < 0 => lo <= 0",
		"bound: condition: lo < 0 && hi > 2 => (lo < 0 && ((hi > 2) || true))",
		"bound: condition: lo < 0 && hi > 2 => ((lo < 0 && hi > 2) && false)",
		"bound: ends: lo => hi",
		"bound: truth value: false => true",
		"bound: constant: 0.5 => 1.0",
		"bound: constant: 2 => 1",
		"bound: rounding: 0.5 * slack * (1 + 8*u) => 0.5 * slack",
		"bound: factor: 0.5 * slack => (0.5 / slack)",
		"bound: statement: sum += math.Abs(x) => _ = math.Abs(x)",
		"bound: sign: sum += math.Abs(x) => sum -= (math.Abs(x))",
		"bound: term: sum += math.Abs(x) => sum = math.Abs(x)",
		"bound: absolute: math.Abs(x) => (x)",
		"bound: loop: xs => xs[:max(0, len(xs)-1)]",
		"bound: loop: i < len(xs) => i < len(xs)-1",
		"bound: min and max: max(sum, -xs[i]) => min(sum, -xs[i])",
		"bound: min and max: max(sum, -xs[i]) => (sum)",
		"bound: sign: -xs[i] => (xs[i])",
		"add: ends: Lo => Hi",
		"add: rounding: up(a.Hi + b.Hi) => (a.Hi + b.Hi)",
		"add: rounding: up(a.Hi + b.Hi) => down(a.Hi + b.Hi)",
		"add: term: a.Hi + b.Hi => a.Hi",
		"up: rounding: math.Nextafter(x, math.Inf(1)) => (x)",
	} {
		if !got[want] {
			t.Errorf("missing: %s", want)
		}
	}
	if got["bound: constant: 8 => 4"] {
		t.Error("a constant of rounding is changed")
	}
	if t.Failed() {
		t.Log(strings.Join(slices.Sorted(maps.Keys(got)), "\n"))
	}
}

// An edit elsewhere in a file changes neither the names of mutants nor which of them
// a sample takes.
func TestNamesDoNotDependOnPlaces(t *testing.T) {
	const f = "\nfunc F(a, b float64) float64 { return a + b }\n"
	_, before := mutantsOf(t, "package p\n"+f)
	_, after := mutantsOf(t, "package p\n\nfunc G(c bool) bool { return !c }\n"+f)
	ranks := make(map[string]bool)
	for _, m := range after {
		ranks[m.rank(7)] = true
	}
	for _, m := range before {
		if !ranks[m.rank(7)] {
			t.Errorf("%s has another rank", m.name())
		}
	}
}

// Mutants of one package that end in each of the ways, alone and in a batch.
func TestTrial(t *testing.T) {
	root := writeModule(t, map[string]string{
		"p/p.go": `package p

func Sum(xs []float64) float64 {
	s := 0.0
	for i := 0; i < len(xs); {
		s += xs[i]
		i++
	}
	return s
}

func Unsure(x float64) bool { return x < 1 }

func Same(a bool) bool { return a && true }
`,
		"p/p_test.go": `package p

import (
	"os"
	"testing"
)

// A batch leaves out what fails without a mutant.
func TestAlone(t *testing.T) {
	if _, err := os.Stat("p.go"); err != nil || os.Getenv("MUTATION_NUMBER") != "" {
		t.Fatal("in a batch")
	}
}

func TestSum(t *testing.T) {
	if Sum([]float64{1, 2}) != 3 || !Same(true) || Same(false) {
		t.Fatal("wrong")
	}
}

func TestUnsure(t *testing.T) {
	if Unsure(2) || !Unsure(0) {
		t.Fatal("wrong")
	}
}
`,
	})
	m, err := openModule(root, []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	tr := newTrial(m, limits{cpu: 3 * time.Second, wall: time.Minute, memory: 8 << 10})
	if err := tr.prepare([]string{"p"}); err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*mutant)
	for _, mu := range generate(m.loaded["p"], m.loaded["p"].files["p.go"]) {
		byName[mu.name()] = mu
	}
	tests := []struct{ name, end, by string }{
		{"p Sum: statement: s += xs[i] => _ = xs[i]", killed, "TestSum"},
		{"p Sum: statement: i++ => {}", timedOut, ""},
		{"p Unsure: comparison: x < 1 => x <= 1", survived, ""},
		{"p Same: condition: a && true => (a && ((true) || true))", equal, ""},
	}
	var mutants []*mutant
	for _, test := range tests {
		mu := byName[test.name]
		if mu == nil || mu.changed() == nil || !canBatch(mu) {
			t.Fatalf("there is no mutant %s, or it does not compile, or cannot be copied", test.name)
		}
		mutants = append(mutants, mu)
	}
	b, err := newBatch(tr, m.loaded["p"], mutants)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	for i, test := range tests {
		alone, together := tr.try(mutants[i], []string{"p"}), b.try(i+1, mutants[i], []string{"p"})
		for _, v := range []verdict{alone, together} {
			if v.end != test.end || !slices.Equal(v.by, strings.Fields(test.by)) {
				t.Errorf("%s: %s by %v, want %s by %s\n%s", test.name, v.end, v.by, test.end, test.by, v.output)
			}
		}
	}
}

// A pattern is found whatever its layout, and only if it is there once.
func TestEntryIsFoundBySyntax(t *testing.T) {
	m, _ := mutantsOf(t, `package p

type T struct{ n int }

func (t *T) Add(a int) {
	t.n +=
		a // and a comment
	if a > 0 {
		t.n++
		t.n++
	}
}

func other(t *T, a int) { t.n += a }
`)
	for _, test := range []struct{ fn, old, problem string }{
		{"T.Add", "t.n += a", ""},
		{"T.Add", "t.n++\nt.n++", ""},
		{"T.Add", "a > 0", ""},
		{"T.Add", "t.n++", "2 places"},
		{"T.Add", "t.n", "3 places"},
		{"T.Add", "t.n -= a", "0 places"},
		{"T.Sub", "t.n", "no function"},
	} {
		mu, err := (&entry{name: "e", dir: "p", fn: test.fn, old: test.old, new: "_ = a"}).find(m)
		switch {
		case test.problem == "" && err != nil:
			t.Errorf("%s: %v", test.old, err)
		case test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)):
			t.Errorf("%s: %v, want %s", test.old, err, test.problem)
		case err == nil && !bytes.Contains(mu.text(mu.with), []byte("_ = a/*line :")):
			t.Errorf("%s: the change is not in the text", test.old)
		}
	}
}
