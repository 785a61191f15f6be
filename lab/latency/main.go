// Command latency measures how long after a joint state the node's state about it comes, over
// DDS on loopback, with the robot moving among obstacles.
//
//	go run -C lab -tags cyclone ./latency -rate 100 -duration 10m -load 1
//
// The node is a process of its own. The time of a joint state runs from just before it is
// published until the first state that carries its stamp, or a later one, has been received. It
// fails if a joint state gets no answer, if a motion is not judged, if a state is UNKNOWN, or if a
// deadline is missed.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/product"
)

// settings of a measurement.
type settings struct {
	binary    string
	robot     string
	obstacles int
	rate      float64 // Hz
	duration  time.Duration
	load      int
	seed      uint64
}

func main() {
	s := settings{}
	burning := false
	flag.StringVar(&s.binary, "node", "", "the node's program; default: built from this module")
	flag.StringVar(&s.robot, "robot", "../../shared/robots/g1/g1.urdf", "URDF of the robot")
	flag.IntVar(&s.obstacles, "obstacles", 50, "how many boxes stand around the robot")
	flag.Float64Var(&s.rate, "rate", 100, "joint states per second, and the node's check_rate")
	flag.DurationVar(&s.duration, "duration", 20*time.Second, "how long it measures")
	flag.IntVar(&s.load, "load", 0, "how many processes compute besides")
	flag.Uint64Var(&s.seed, "seed", 1, "of the places of the obstacles")
	flag.BoolVar(&burning, "burn", false, "compute until the standard input ends, and measure nothing")
	flag.Parse()
	if burning {
		burn()
	}
	if err := measure(s, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

func measure(s settings, out io.Writer) error {
	folder, err := os.MkdirTemp("", "latency")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if s.binary == "" {
		if s.binary, err = product.Build(); err != nil {
			return err
		}
	}
	if s.robot, err = filepath.Abs(s.robot); err != nil {
		return err
	}
	scene := filepath.Join(folder, "boxes.yaml")
	if err := os.WriteFile(scene, boxes(s.obstacles, s.seed), 0o600); err != nil {
		return err
	}
	w := &wire{settings: s, scene: scene}
	defer w.close()
	if err := w.open(); err != nil {
		return err
	}
	if err := w.warm(); err != nil {
		return err
	}
	stop, err := startLoad(s.load)
	if err != nil {
		return err
	}
	defer stop()
	r, err := w.play()
	if err != nil {
		return err
	}
	fmt.Fprint(out, r)
	return r.fault()
}

// startLoad starts processes that do nothing but compute.
func startLoad(n int) (stop func(), err error) {
	var all []*exec.Cmd
	stop = func() {
		for _, c := range all {
			c.Process.Kill()
			c.Wait()
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for range n {
		c := exec.Command(self, "-burn")
		if _, err := c.StdinPipe(); err != nil { // held until this process ends
			return nil, err
		}
		if err := c.Start(); err != nil {
			stop()
			return nil, err
		}
		all = append(all, c)
	}
	return stop, nil
}

// burn computes until the standard input ends.
func burn() {
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for x := 1.0; ; x = math.Sqrt(1 + x) {
		runtime.KeepAlive(x)
	}
}
