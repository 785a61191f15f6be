package library

import (
	"bufio"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var (
	edges = flag.Int("edges", 4000, "motions of a batch that Go and Python answer in turns")
	turns = flag.Int("turns", 3, "how often each answers them")
)

// python is a process of python/tests/cost.py.
type python struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func startPython(t *testing.T, args ...string) python {
	uninstrumented(t)
	const interpreter = "/usr/bin/python3"
	if exec.Command(interpreter, "-c", "import numpy").Run() != nil {
		t.Skip("NumPy is not there: make python installs it")
	}
	cmd := exec.Command(interpreter, append([]string{root + "/python/tests/cost.py"}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+root+"/python", "PYTHONDONTWRITEBYTECODE=1", "FIRSTCONTACT_LIBRARY="+filepath.Join(library(t), "libfirstcontact.so"))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error("Python:", err)
		}
	})
	return python{t, in, bufio.NewReader(out)}
}

// ask returns the three numbers of an answer.
func (p python) ask(format string, args ...any) (first, second float64, free int) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		p.t.Fatal(err)
	}
	if _, err := fmt.Fscan(p.out, &first, &second, &free); err != nil {
		p.t.Fatal(err)
	}
	return first, second, free
}

// TestCallFromPython compares a call from Python with one in Go, in turns.
func TestCallFromPython(t *testing.T) {
	const urdfFile, sceneFile = root + "/examples/plan/arm.urdf", root + "/examples/plan/cell.yaml"
	p := startPython(t, urdfFile, sceneFile, "lift,turn")
	c := checkerInGo(t, urdfFile, sceneFile)
	var inGo, inPython []float64
	for range 50 * *turns {
		inGo = append(inGo, blocksInGo(t, c, 1, 300)...)
		us, _, free := p.ask("single -1 -1 -0.9 -0.5 300")
		if free != 1 {
			t.Fatal("a motion that is free is not")
		}
		inPython = append(inPython, us)
	}
	a, b := median(inGo), median(inPython)
	low := len(inGo) / 10 // where the machine does little else
	t.Logf("a check takes %.2f us in Go, %.2f us in Python (%.2f more); in the lowest tenth of blocks %.2f and %.2f us (%.2f more)",
		a, b, b-a, inGo[low], inPython[low], inPython[low]-inGo[low])
	if inPython[low]-inGo[low] > 10 { // loaded machines measure more; what is wrong is far more
		t.Errorf("a call from Python costs %.2f us more than one in Go", inPython[low]-inGo[low])
	}
}

// TestBatchFromPython compares check_batch with ccd.Checker.CheckAll: the same edges, in turns, from the configurations to
// the answers.
func TestBatchFromPython(t *testing.T) {
	const folder = root + "/testdata/humanoid/"
	names := []string{"right_shoulder_pitch", "right_shoulder_roll", "right_shoulder_yaw", "right_elbow"}
	robot, err := urdf.Load(folder+"humanoid.urdf", urdf.Options{SRDF: folder + "humanoid.srdf"})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.Load(folder+"obstacles.yaml", scene.Options{Robot: robot})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]float64, *edges*2*len(names))
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range numbers {
		numbers[i] = -0.5 + 0.6*rng.Float64()
	}
	file := filepath.Join(t.TempDir(), "edges")
	f, err := os.Create(file)
	if err == nil {
		err = binary.Write(f, binary.NativeEndian, numbers)
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	p := startPython(t, folder+"humanoid.urdf", folder+"obstacles.yaml", strings.Join(names, ","), folder+"humanoid.srdf")
	p.ask("batch %s", file) // both warm
	batchInGo(t, c, names, numbers)
	var wall, busy []float64
	var goWall, pythonWall float64
	for range *turns {
		took, computing, free := batchInGo(t, c, names, numbers)
		pTook, pComputing, pFree := p.ask("batch %s", file)
		if free != pFree || free == 0 || free == *edges {
			t.Fatalf("%d of %d edges are free in Go, %d in Python", free, *edges, pFree)
		}
		wall, busy = append(wall, pTook/took), append(busy, pComputing/computing)
		goWall, pythonWall = goWall+took, pythonWall+pTook
	}
	n := float64(*edges * *turns)
	t.Logf("%d edges: %.0f a second in Go, %.0f in Python; Python takes %.3f of Go's time, %.3f of its computing time (medians of %d turns)",
		*edges, n/goWall, n/pythonWall, median(wall), median(busy), *turns)
	if median(busy) > 1.5 { // loaded machines measure more
		t.Errorf("a batch from Python takes %.2f of the computing time in Go", median(busy))
	}
}

// batchInGo answers the edges and returns the time it took (s), the process's computing time (s), and how many are free.
func batchInGo(t *testing.T, c *ccd.Checker, names []string, numbers []float64) (took, computing float64, free int) {
	before, start := processTime(t), time.Now()
	n := len(names)
	motions := make([]*motion.Motion, len(numbers)/(2*n))
	for i := range motions {
		at := numbers[2*n*i:]
		m, err := motion.Between(names, at[:n], at[n:2*n], 1)
		if err != nil {
			t.Fatal(err)
		}
		motions[i] = m
	}
	for _, a := range c.CheckAll(context.Background(), motions, motion.Query{}, ccd.Batch{}) {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		if a.Verdict.Status == motion.Free {
			free++
		}
	}
	return time.Since(start).Seconds(), processTime(t) - before, free
}

func processTime(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
