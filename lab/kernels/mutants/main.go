// Command mutants breaks the vector kernels, one instruction at a time, and looks whether a test
// fails: each instruction is left out, and many are replaced by one that computes something else.
// It fails if a mutant survives that is not known to be harmless.
//
//	go run ./kernels/mutants
//
// Each change is made in an overlay (go help build, -overlay): no file of the working tree is
// touched.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

// kernel is an assembly file, and the tests that judge a change of it.
type kernel struct {
	file, tests string
	arch        string // of the processor
	emulator    string // of another processor than this one, if that is needed
}

var kernels = []kernel{
	{balls, "Balls", "amd64", ""},
	{scan, "Support|Columns", "amd64", ""},
	{lanes, ".", "amd64", ""},
	{neon, "KernelIsItsTwin|KernelOfZeros", "arm64", "qemu-aarch64"},
}

const (
	balls = "internal/engine/rules/balls_amd64.s"
	scan  = "internal/geometry/convex/scan_amd64.s"
	lanes = "internal/engine/lanes/lanes_amd64.s"
	neon  = "internal/engine/lanes/lanes_arm64.s"
)

// harmless are mutants that no result tells, by name, with the reason.
var harmless = map[string]string{
	balls + ": JE store => ":                                                   "it saves the second rule where the first has proved all four pairs",
	balls + ": VZEROUPPER => ":                                                 "it spares later code the cost of mixing instructions",
	scan + ": VZEROUPPER => ":                                                  "it spares later code the cost of mixing instructions",
	lanes + ": VZEROUPPER => ":                                                 "it spares later code the cost of mixing instructions",
	scan + ": VXORPD Y11, Y11, Y11 => ":                                        startsAnywhere,
	scan + ": VXORPD Y11, Y11, Y11 => VANDPD Y11, Y11, Y11":                    startsAnywhere,
	scan + ": VMOVAPD Y11, Y12 => ":                                            startsAnywhere,
	balls + ": VADDPD tiny<>+0(SB), Y10, Y13 => VSUBPD tiny<>+0(SB), Y10, Y13": "it is added to a squared speed so that none divides by zero, and is lost in any that moves a ball",
}

// startsAnywhere is of the places that lanes begin with, which only a direction of NaN leaves. The least of them is 0 all
// the same: VZEROUPPER of whatever ran before left 0 in half of each register, and no test leaves a number below it in the other.
const startsAnywhere = "only a direction of NaN shows where lanes begin, and half of them begin at 0 anyhow"

// others are instructions that compute something else from the same operands.
var others = map[string]string{
	"VADDPD": "VSUBPD", "VSUBPD": "VADDPD", "VMULPD": "VADDPD", "VMAXPD": "VMINPD", "VMINPD": "VMAXPD", "VMAXSD": "VMINSD",
	"VADDPS": "VSUBPS", "VSUBPS": "VADDPS", "VMULPS": "VADDPS", "VMAXPS": "VMINPS", "VMINPS": "VMAXPS", "VANDPS": "VORPS", "VORPS": "VANDPS",
	"VUNPCKLPD": "VUNPCKHPD", "VUNPCKHPD": "VUNPCKLPD", "VANDPD": "VORPD", "VORPD": "VANDPD", "VXORPD": "VANDPD",
	"BNE": "BEQ", "BLT": "BLE", "BGE": "BGT", "VBIT": "VBIF", "VBIF": "VBIT", "VAND": "VORR", "VORR": "VAND",
	"JLT": "JLE", "JL": "JLE", "JGE": "JGT", "JNZ": "JZ", "JZ": "JNZ", "JE": "JNE", "JNE": "JE",
}

// mutant is a kernel with one line replaced; an empty line leaves an instruction out.
type mutant struct {
	kernel
	line    int // from 1
	old     string
	new     string
	outcome string
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s => %s", m.file, m.line, m.old, m.new)
}

// name does not depend on lines.
func (m *mutant) name() string { return m.file + ": " + m.old + " => " + m.new }

func main() {
	root := flag.String("root", "..", "the module's `folder`")
	only := flag.String("only", "", "mutants whose \"FILE:LINE: OLD => NEW\" matches the `expression`")
	jobs := flag.Int("jobs", 2, "try so many at once")
	list := flag.Bool("list", false, "list the mutants and try none")
	flag.Parse()
	survived, err := run(os.Stdout, *root, *only, *jobs, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// run tries the mutants and returns how many survived that are not known to be harmless.
func run(w io.Writer, root, only string, jobs int, list bool) (survived int, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return 0, err
	}
	mutants, err := mutantsOf(root, only)
	if err != nil {
		return 0, err
	}
	if !list {
		err = tryAll(root, mutants, jobs)
	}
	count := map[string]int{}
	for _, m := range mutants {
		if why := harmless[m.name()]; why != "" && m.outcome == "survived" {
			m.outcome = "harmless: " + why
		}
		fmt.Fprintln(w, m.outcome, m)
		count[m.outcome]++
	}
	fmt.Fprintf(w, "%d mutants, %d killed, %d ran for too long, %d survived\n", len(mutants), count["killed"], count["timeout"], count["survived"])
	return count["survived"], err
}

// mutantsOf lists the mutants of all kernels.
func mutantsOf(root, only string) ([]*mutant, error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	var out []*mutant
	for _, k := range kernels {
		text, err := os.ReadFile(filepath.Join(root, k.file))
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(line, "\t") {
				continue // a label, a declaration or a comment
			}
			words := strings.Fields(line)
			old := strings.Join(words, " ")
			replacements := []string{""}
			if len(words) > 1 && strings.Contains(words[1], "(FP)") { // the register may have the parameter by chance
				switch words[0] {
				case "MOVQ":
					replacements[0] = "XORQ " + words[2] + ", " + words[2]
				case "MOVD":
					replacements[0] = "MOVD $0, " + words[2]
				}
			}
			if other := others[words[0]]; other != "" {
				replacements = append(replacements, other+strings.TrimPrefix(old, words[0]))
			}
			for _, r := range replacements {
				if m := (&mutant{kernel: k, line: i + 1, old: old, new: r}); wanted.MatchString(m.String()) {
					out = append(out, m)
				}
			}
		}
	}
	return out, nil
}

// tryAll sets the outcome of each mutant.
func tryAll(root string, mutants []*mutant, jobs int) error {
	work := make(chan *mutant)
	failed := make(chan error, jobs)
	var all sync.WaitGroup
	for range max(1, jobs) {
		all.Add(1)
		go func() {
			defer all.Done()
			for m := range work {
				outcome, err := m.try(root)
				if err != nil {
					select {
					case failed <- fmt.Errorf("%s: %w", m, err):
					default:
					}
				}
				m.outcome = outcome
			}
		}()
	}
	for _, m := range mutants {
		work <- m
	}
	close(work)
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// patience is how long a mutant's tests may run: they take a second or two.
const patience = 30 * time.Second

// try runs the tests that judge a mutant.
func (m *mutant) try(root string) (outcome string, err error) {
	dir, err := os.MkdirTemp("", "kernel")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(filepath.Join(root, m.file))
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(text), "\n")
	lines[m.line-1] = "\t" + m.new
	changed, overlay, binary := filepath.Join(dir, "kernel.s"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "test")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, m.file): changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(changed, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, replace, 0o600); err != nil {
		return "", err
	}
	folder := filepath.Join(root, filepath.Dir(m.file))
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOARCH="+m.arch)
	if out, err := build.CombinedOutput(); err != nil {
		return "unbuilt", fmt.Errorf("%w: %s", err, out)
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	command := []string{binary, "-test.failfast", "-test.run", m.tests}
	if m.arch != runtime.GOARCH && m.emulator != "" {
		command = append([]string{m.emulator}, command...)
	}
	test := exec.CommandContext(ctx, command[0], command[1:]...)
	test.Dir = folder
	switch err := test.Run(); {
	case ctx.Err() != nil:
		return "timeout", nil
	case err != nil:
		return "killed", nil
	}
	return "survived", nil
}
