package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A batch compiles many mutants of one package into one test binary. Each changed
// function gets a copy for each of its mutants, and runs the one whose number the
// process finds in its environment.
type batch struct {
	*trial
	pkg     *pkg
	dir     string // of what is built
	overlay string

	mu       sync.Mutex
	binaries map[string]string          // by judge's folder
	sound    map[string]map[string]bool // by judge's folder: tests that pass while no mutant runs
	skip     map[string][]string        // by judge's folder: tests that do not
}

// variable names the mutant that a test binary runs.
const variable = "MUTATION_NUMBER"

// canBatch reports whether a mutant's function can be copied.
func canBatch(m *mutant) bool {
	d := m.decl()
	if d == nil || d.Type.TypeParams != nil || d.Name.Name == "init" || d.Name.Name == "main" {
		return false
	}
	if d.Recv != nil && len(d.Recv.List[0].Names) == 0 {
		return false
	}
	for _, f := range d.Type.Params.List {
		if len(f.Names) == 0 {
			return false
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				return false
			}
		}
	}
	return true
}

// decl returns the function that the mutant is in, or nil.
func (m *mutant) decl() *ast.FuncDecl {
	for _, d := range m.file.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && m.file.offset(f.Pos()) <= m.from && m.to <= m.file.offset(f.End()) {
			return f
		}
	}
	return nil
}

// newBatch writes the files of a batch. Mutants are numbered from 1.
func newBatch(t *trial, p *pkg, mutants []*mutant) (*batch, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	b := &batch{
		trial: t, pkg: p, dir: dir, overlay: filepath.Join(dir, "overlay.json"),
		binaries: make(map[string]string), sound: make(map[string]map[string]bool), skip: make(map[string][]string),
	}
	replace := make(map[string]string)
	add := func(name string, text []byte) error {
		to := filepath.Join(dir, name)
		replace[filepath.Join(t.root, p.dir, name)] = to
		return os.WriteFile(to, text, 0o600)
	}
	numbers := make(map[*mutant]int)
	byFile := make(map[*file][]*mutant)
	for i, m := range mutants {
		numbers[m] = i + 1
		byFile[m.file] = append(byFile[m.file], m)
	}
	for f, ms := range byFile {
		err = errors.Join(err, add(path.Base(f.path), f.withCopies(ms, numbers)))
	}
	err = errors.Join(err, add("mutation_number.go", fmt.Appendf(nil, `package %s

import (
	"os"
	"strconv"
)

var mutationNumber, _ = strconv.Atoi(os.Getenv(%q))
%s`, p.files[p.names[0]].tree.Name.Name, variable, keepFunc)))
	text, e := json.Marshal(map[string]any{"Replace": replace})
	if err = errors.Join(err, e, os.WriteFile(b.overlay, text, 0o600)); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *batch) close() error { return os.RemoveAll(b.dir) }

// withCopies returns the file with a copy of a function for each mutant.
func (f *file) withCopies(ms []*mutant, numbers map[*mutant]int) []byte {
	byDecl := make(map[*ast.FuncDecl][]*mutant)
	for _, m := range ms {
		byDecl[m.decl()] = append(byDecl[m.decl()], m)
	}
	decls := slices.SortedFunc(maps.Keys(byDecl), func(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) })
	var out, copies strings.Builder
	done := 0
	for _, d := range decls {
		brace := f.offset(d.Body.Lbrace) + 1
		out.Write(f.src[done:brace])
		done = brace
		out.WriteString(" switch mutationNumber {")
		for _, m := range byDecl[d] {
			name := d.Name.Name + "Mutant" + strconv.Itoa(numbers[m])
			fmt.Fprintf(&out, " case %d: %s;", numbers[m], forward(d, name))
			copies.WriteString("\n")
			copies.Write(f.src[f.offset(d.Pos()):f.offset(d.Name.Pos())])
			copies.WriteString(name)
			copies.Write(f.src[f.offset(d.Name.End()):m.from])
			copies.WriteString(m.chosen)
			copies.Write(f.src[m.to:f.offset(d.End())])
			copies.WriteString("\n")
		}
		out.WriteString(" }; ")
	}
	out.Write(f.src[done:])
	return []byte(out.String() + copies.String())
}

// forward calls another function in place of d, with its arguments.
func forward(d *ast.FuncDecl, name string) string {
	var args []string
	for _, p := range d.Type.Params.List {
		_, variadic := p.Type.(*ast.Ellipsis)
		for _, n := range p.Names {
			if variadic {
				args = append(args, n.Name+"...")
			} else {
				args = append(args, n.Name)
			}
		}
	}
	call := name + "(" + strings.Join(args, ", ") + ")"
	if d.Recv != nil {
		call = d.Recv.List[0].Names[0].Name + "." + call
	}
	if d.Type.Results != nil {
		return "return " + call
	}
	return call + "; return"
}

// binary returns the test binary of a judge.
func (b *batch) binary(dir string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if name, ok := b.binaries[dir]; ok {
		return name, nil
	}
	name := filepath.Join(b.dir, strings.ReplaceAll(dir, "/", "_")+".test")
	_, err := b.goCommand("test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+b.overlay, "-o", name, "./"+dir)
	if err != nil {
		return "", err
	}
	b.binaries[dir], b.sound[dir] = name, make(map[string]bool)
	return name, nil
}

// try runs the judges one after another until one notices the mutant.
func (b *batch) try(number int, m *mutant, judges []string) verdict {
	for _, j := range judges {
		dir, flag := splitJudge(j)
		v := b.judge(dir, flag, number)
		if v.end != survived {
			return v
		}
	}
	return b.unlessEqual(m)
}

// judge runs the tests of a package while one mutant runs; 0 is none. A test that
// fails without a mutant, as it counts allocations, say, is left out.
func (b *batch) judge(dir, flag string, number int) verdict {
	for {
		v := b.once(dir, flag, number)
		if v.end != killed || len(v.by) == 0 || b.soundTest(dir, v.by[0]) {
			return v
		}
	}
}

// soundTest reports whether a test passes without a mutant, and leaves it out from now
// on if not.
func (b *batch) soundTest(dir, test string) bool {
	b.mu.Lock()
	ok, known := b.sound[dir][test]
	b.mu.Unlock()
	if known {
		return ok
	}
	ok = b.once(dir, "run=^"+test+"$", 0).end == survived
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sound[dir][test] = ok
	if !ok && !slices.Contains(b.skip[dir], test) {
		b.skip[dir] = append(b.skip[dir], test)
	}
	return ok
}

func (b *batch) once(dir, flag string, number int) verdict {
	binary, err := b.binary(dir)
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	args := []string{"-test.failfast", "-test.timeout=" + b.wall.String()}
	kind, pattern, _ := strings.Cut(flag, "=")
	if kind == "run" {
		args = append(args, "-test.run="+pattern)
	}
	b.mu.Lock()
	skip := slices.Clone(b.skip[dir])
	b.mu.Unlock()
	for i := range skip {
		skip[i] = "^" + skip[i] + "$"
	}
	if kind == "skip" {
		skip = append(skip, pattern)
	}
	if len(skip) > 0 {
		args = append(args, "-test.skip="+strings.Join(skip, "|"))
	}
	if b.rapid[dir] {
		args = append(args, "-rapid.nofailfile", "-rapid.shrinktime=1ms")
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.wall+time.Minute)
	defer cancel()
	cmd := b.command(ctx, binary, args)
	cmd.Dir = filepath.Join(b.root, dir)
	cmd.Env = append(cmd.Env, variable+"="+strconv.Itoa(number))
	out, err := cmd.CombinedOutput()
	return outcome(string(out), err)
}

// command runs a program with limits for each of its processes, and ends all of them
// where it takes too long.
func (t *trial) command(ctx context.Context, name string, args []string) *exec.Cmd {
	limit := fmt.Sprintf("ulimit -t %d; ulimit -v %d; exec \"$0\" \"$@\"", int(t.cpu.Seconds()), t.memory<<10)
	cmd := exec.CommandContext(ctx, "bash", append([]string{"-c", limit, name}, args...)...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "FIRSTCONTACT_") }), "GOTRACEBACK=single")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
