// Command changes asks two builds of firstcontact the same questions about the shared
// robots, planning problems and motion-capture clips, and prints each verdict that
// differs with what either says.
//
//	go run -C lab ./changes -old OLD/bin/firstcontact -new ../bin/firstcontact [-shared ../../shared]
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

func main() {
	log.SetFlags(0)
	var c comparison
	flag.StringVar(&c.builds[0], "old", "", "the old build's binary")
	flag.StringVar(&c.builds[1], "new", "", "the new build's binary")
	flag.StringVar(&c.shared, "shared", "../../shared", "the folder of robots and scenes")
	flag.IntVar(&c.segments, "segments", 60, "random motions of each robot, with and without its SRDF")
	flag.Parse()
	if c.builds[0] == "" || c.builds[1] == "" {
		log.Fatal("changes: give -old and -new, two binaries of firstcontact")
	}
	c.out = os.Stdout
	if err := c.run(); err != nil {
		log.Fatalf("changes: %v", err)
	}
}

type comparison struct {
	builds   [2]string
	shared   string
	segments int
	out      io.Writer
}

func (c *comparison) run() error {
	for _, ask := range []func() error{c.problems, c.clips, c.robots} {
		if err := ask(); err != nil {
			return err
		}
	}
	return nil
}

// problems are the segments from start to goal of the planning problems.
func (c *comparison) problems() error {
	for _, robot := range []string{"panda", "ur5", "baxter"} {
		model := c.robot(robot)
		err := c.compare("problems of "+robot, nil, "check", "-q", "--json", "--robot", model+".urdf", "--srdf", model+".srdf",
			filepath.Join(c.shared, "scenes/motionbenchmaker", robot+".json"))
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) robot(name string) string {
	return filepath.Join(c.shared, "robots", name, name)
}

// clips are the motion-capture clips, each as one motion with its moving root.
func (c *comparison) clips() error {
	folder := filepath.Join(c.shared, "scenes/g1_moves")
	text, err := os.ReadFile(filepath.Join(folder, "format.json"))
	if err != nil {
		return err
	}
	var format struct{ Columns []string }
	if err := json.Unmarshal(text, &format); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	if err != nil {
		return err
	}
	args := []string{"check", "-q", "--json", "--robot", c.robot("g1") + ".urdf", "--rate", "60", "--joints", strings.Join(format.Columns, ",")}
	return c.compare("clips of g1", nil, append(args, files...)...)
}

// robots are random motions of every robot, with its SRDF and without.
func (c *comparison) robots() error {
	files, err := filepath.Glob(filepath.Join(c.shared, "robots/*/*.urdf"))
	if err != nil {
		return err
	}
	for _, file := range files {
		joints, segments, err := c.motions(file)
		if err != nil {
			log.Printf("%s: %v", file, err)
			continue
		}
		args := []string{"check", "-q", "--json", "--robot", file, "--joints", strings.Join(joints, ","), "-"}
		if err := c.compare(filepath.Base(file)+" alone", segments, args...); err != nil {
			return err
		}
		srdf := strings.TrimSuffix(file, ".urdf") + ".srdf"
		if _, err := os.Stat(srdf); err != nil {
			continue
		}
		if err := c.compare(filepath.Base(file)+" with its SRDF", segments, append(args, "--srdf", srdf)...); err != nil {
			return err
		}
	}
	return nil
}

// motions draws segments within the joints' limits, from short to long ones.
func (c *comparison) motions(file string) (joints []string, segments []byte, err error) {
	robot, err := urdf.Load(file, urdf.Options{})
	if err != nil {
		return nil, nil, err
	}
	var lo, hi []float64
	for i := range robot.Joints {
		j := &robot.Joints[i]
		single := j.Type == urdf.Revolute || j.Type == urdf.Continuous || j.Type == urdf.Prismatic
		if !single || j.Mimic != nil {
			continue
		}
		l, h := -2*math.Pi, 2*math.Pi
		if j.Limit.Bounded {
			l, h = j.Limit.Lower, j.Limit.Upper
		}
		joints, lo, hi = append(joints, j.Name), append(lo, l), append(hi, h)
	}
	if len(joints) == 0 {
		return nil, nil, fmt.Errorf("no joint moves")
	}
	r := rand.New(rand.NewPCG(1, uint64(len(joints))))
	var b bytes.Buffer
	for i := range c.segments {
		part := math.Pow(0.5, float64(i%5))
		var from, to []string
		for k := range joints {
			x := lo[k] + (hi[k]-lo[k])*r.Float64()
			y := lo[k] + (hi[k]-lo[k])*r.Float64()
			from, to = append(from, fmt.Sprint(x)), append(to, fmt.Sprint(x+part*(y-x)))
		}
		fmt.Fprintln(&b, "seg", strings.Join(from, " "), strings.Join(to, " "))
	}
	return joints, b.Bytes(), nil
}

// verdict is what is compared of a line of check --json.
type verdict struct {
	Motion, Status, Message string
	Pair                    *[2]string
	TOC                     *[2]float64
	AssumedPairs            int      `json:"assumed_pairs"`
	OpenMeshes              []string `json:"open_meshes"`
}

// compare asks both builds and prints what differs.
func (c *comparison) compare(what string, stdin []byte, args ...string) error {
	var answers [2][]verdict
	for i, build := range c.builds {
		var err error
		if answers[i], err = ask(build, stdin, args); err != nil {
			return fmt.Errorf("%s: %s: %w", what, build, err)
		}
	}
	if len(answers[0]) != len(answers[1]) {
		return fmt.Errorf("%s: %d answers by the old build, %d by the new", what, len(answers[0]), len(answers[1]))
	}
	count, changed := map[string]int{}, 0
	alike := map[string][]string{} // motions, by how their answers differ
	for i := range answers[0] {
		a, b := &answers[0][i], &answers[1][i]
		count[a.Status+" -> "+b.Status]++
		if d := difference(a, b); d != "" {
			changed++
			alike[d] = append(alike[d], a.Motion)
		}
	}
	for _, d := range slices.Sorted(maps.Keys(alike)) {
		motions := alike[d]
		fmt.Fprintf(c.out, "    %d of them, %s first: %s\n", len(motions), motions[0], d)
	}
	var kinds []string
	for k, n := range count {
		kinds = append(kinds, fmt.Sprintf("%s %d", k, n))
	}
	slices.Sort(kinds)
	fmt.Fprintf(c.out, "%s: %d answers, %d changed (%s)\n", what, len(answers[0]), changed, strings.Join(kinds, ", "))
	return nil
}

// ask returns a build's answers; an exit status above 4 is a failure.
func ask(build string, stdin []byte, args []string) ([]verdict, error) {
	cmd := exec.Command(build, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 4 || len(out) == 0 && err != nil {
		return []verdict{{Motion: "(all)", Status: "error", Message: strings.TrimSpace(errs.String())}}, nil
	}
	var list []verdict
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, err
		}
		if v.Motion != "" { // the last line of several has totals
			list = append(list, v)
		}
	}
	return list, lines.Err()
}

// tocTolerance in seconds is that of the time of contact and what two searches may
// differ by within it.
const tocTolerance = 2e-6

func difference(a, b *verdict) string {
	var out []string
	switch {
	case a.Status != b.Status:
		out = append(out, fmt.Sprintf("%s %s -> %s %s", a.Status, a.Message, b.Status, b.Message))
	case a.TOC != nil && b.TOC != nil && math.Abs(a.TOC[1]-b.TOC[1]) > tocTolerance:
		out = append(out, fmt.Sprintf("first contact %v at %g -> %v at %g", *a.Pair, a.TOC[1], *b.Pair, b.TOC[1]))
	}
	if a.AssumedPairs != b.AssumedPairs && a.Status != "error" && b.Status != "error" {
		out = append(out, fmt.Sprintf("pairs left out %d -> %d", a.AssumedPairs, b.AssumedPairs))
	}
	if more, fewer := without(b.OpenMeshes, a.OpenMeshes), without(a.OpenMeshes, b.OpenMeshes); len(more)+len(fewer) > 0 {
		out = append(out, fmt.Sprintf("open meshes: besides %v, no longer %v", more, fewer))
	}
	return strings.Join(out, "; ")
}

// without returns the names of a that are not in b.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return slices.Contains(b, name) })
}
