package library

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	threads = flag.Duration("threads", 2*time.Second, "how long eight threads use the library")
	misuses = flag.Int("misuses", 10000, "how many wrong calls are made")
	inside  = flag.Bool("inside", false, "build the library itself with the sanitizers, too: calls.c, and what Go reads and writes of the caller's memory")
	rounds  = flag.Int("rounds", 20000, "of calls over which memory must not grow, 2.1 calls each")
)

// root is the product's folder.
const root = "../.."

// built is the folder that the library is installed in, once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "libfirstcontact")
	if err != nil {
		return "", err
	}
	cmd := exec.Command(root+"/packaging/library", "test", dir)
	if *inside {
		const undefined = "-fsanitize=undefined -fno-sanitize-recover=all"
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -asan", "CGO_CFLAGS=-O1 -g "+undefined, "CGO_LDFLAGS="+undefined)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if dir, err := built(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// library returns the folder of the library and its headers.
func library(t *testing.T) string {
	t.Helper()
	dir, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// sanitized finds what is wrong with memory, and what the languages leave undefined.
const sanitized = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"

// compiled returns a program of one source file of the product, linked with the library.
func compiled(t *testing.T, source, flags string) string {
	t.Helper()
	dir := library(t)
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	compiler, standard := "gcc", "-std=c11 -D_GNU_SOURCE -Wshadow -Werror"
	if filepath.Ext(source) == ".cpp" {
		compiler, standard = "g++", "-std=c++17"
	}
	args := strings.Fields("-g -Wall -Wextra -pthread " + flags + " " + standard)
	args = append(args, "-I", dir, "-o", program, filepath.Join(root, source), "-L", dir, "-lfirstcontact", "-lm", "-Wl,-rpath,"+dir)
	if strings.Contains(flags, "ompl") {
		args = append(args, "-lompl")
	}
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, out)
	}
	return program
}

// run runs a program, which must end with a status, and returns what it prints.
func run(t *testing.T, status int, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != status {
		t.Fatalf("%s %s: exit status %d (%v), want %d\n%s", filepath.Base(program), strings.Join(args, " "), got, err, status, out)
	}
	t.Logf("%s", out)
	return string(out)
}

// uninstrumented skips what a library with sanitizers in it cannot do: be loaded by a program without them, and be fast.
func uninstrumented(t *testing.T) {
	if *inside {
		t.Skip("the library has sanitizers in it")
	}
}

func TestAnswers(t *testing.T) { run(t, 0, compiled(t, "capi/tests/answers.c", sanitized)) }

func TestGaps(t *testing.T) {
	run(t, 0, compiled(t, "capi/tests/gaps.c", sanitized), root+"/internal/geometry/mesh/testdata/morph_at_rest.glb")
}

func TestMisuse(t *testing.T) {
	program := compiled(t, "capi/tests/misuse.c", sanitized)
	for seed := range 3 {
		run(t, 0, program, strconv.Itoa(*misuses), strconv.Itoa(seed))
	}
}

func TestThreads(t *testing.T) {
	run(t, 0, compiled(t, "capi/tests/threads.c", sanitized), fmt.Sprint(threads.Seconds()))
}

// TestProcess: the library is loaded late, as Python does it.
func TestProcess(t *testing.T) {
	uninstrumented(t)
	object := compiled(t, "capi/tests/process.c", "-O1 -shared -fPIC")
	run(t, 0, compiled(t, "capi/tests/load.c", "-O1 -Wl,--as-needed"), object, strconv.Itoa(*rounds))
}

func TestExamples(t *testing.T) {
	arm, cell := root+"/examples/plan/arm.urdf", root+"/examples/plan/cell.yaml"
	check := compiled(t, "examples/plan/check.c", sanitized)
	if out := run(t, 1, check, arm, cell, "-1", "1"); !strings.HasPrefix(out, "contact: bar and post at 0.462") { // (1 - asin(0.06/0.8))/2
		t.Error("it touches in the middle")
	}
	if out := run(t, 0, check, arm, cell, "-1", "-0.5"); !strings.HasPrefix(out, "free") {
		t.Error("it is free")
	}
	run(t, 2, check, arm, "none.yaml", "-1", "1")
	if out := run(t, 2, check, arm, cell, "-1"); !strings.HasPrefix(out, "usage") {
		t.Error("an argument is missing")
	}
	chain := filepath.Join(t.TempDir(), "chain.urdf")
	if err := os.WriteFile(chain, []byte(chainOf(65)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := run(t, 2, check, chain, cell, "-1", "1"); !strings.Contains(out, "65 joints") {
		t.Error("the arrays are too short")
	}
	plan := compiled(t, "examples/plan/plan.cpp", sanitized+" -O0 "+ompl(t))
	if out := run(t, 0, plan, arm, cell); !strings.Contains(out, "\n1 1 \n") {
		t.Error("the path does not end at the goal")
	}
}

// TestPage: the programs of docs/library.md do what the page shows, built by the commands that it has its readers type.
func TestPage(t *testing.T) {
	uninstrumented(t)
	ompl(t)
	dir, err := filepath.Abs(library(t))
	if err != nil {
		t.Fatal(err)
	}
	const script = `set -eu
page() { .ci/page docs/library.md "$1"; }
for name in first.c way.cpp; do page $name >"$work/$name"; done
ln -s "$library" "$work/include"
ln -s "$library" "$work/lib"
packaging/pkgconfig pc "$work" lib 1 >"$work/firstcontact.pc"
export PKG_CONFIG_PATH=$work LD_LIBRARY_PATH=$library
page commands | sed -n 's/^0\t\(c[c+]* .*\)/\1/p' | (cd "$work" && sh -eux)
"$work/first" || echo "status $?"
"$work/way"`
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "work="+t.TempDir(), "library="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "right_palm and handle touch at 0.706512 of the way, and not before\nstatus 1\n") || !strings.Contains(string(out), "\n1 1 \n") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// chainOf is a robot of so many joints.
func chainOf(n int) string {
	var b strings.Builder
	b.WriteString(`<robot name="chain"><link name="l0"/>`)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `<link name="l%[2]d"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
<joint name="j%[2]d" type="continuous"><parent link="l%[1]d"/><child link="l%[2]d"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>`, i-1, i)
	}
	return b.String() + "</robot>"
}

func TestOMPL(t *testing.T) { run(t, 0, compiled(t, "capi/tests/ompl.cpp", sanitized+" -O0 "+ompl(t))) }

// ompl returns the flags of OMPL, whose headers are those of the system: their warnings are not ours.
func ompl(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("pkg-config", "--cflags", "ompl").Output()
	if err != nil {
		t.Skip("OMPL is not there: make setup-lab installs it")
	}
	return strings.ReplaceAll(strings.TrimSpace(string(out)), "-I", "-isystem ")
}

// TestLoaded: a program that was not linked with the library can load it, too.
func TestLoaded(t *testing.T) {
	uninstrumented(t)
	run(t, 0, compiled(t, "capi/tests/loaded.c", "-O1 -Wl,--as-needed"), filepath.Join(library(t), "libfirstcontact.so"))
}
