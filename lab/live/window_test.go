//go:build cyclone && gl

package live

import (
	"bufio"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/product"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// screen is an X server without a screen, whose picture is a file.
type screen struct{ display, file string }

func newScreen(t *testing.T) screen {
	t.Helper()
	if _, err := exec.LookPath("Xvfb"); err != nil {
		t.Skip(err)
	}
	s := screen{file: filepath.Join(t.TempDir(), "Xvfb_screen0")}
	out, in, err := os.Pipe()
	must(t, err)
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1100x800x24", "-fbdir", filepath.Dir(s.file), "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{in}
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_ = in.Close()
	number, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	s.display = ":" + strings.TrimSpace(number)
	return s
}

// look returns what the screen shows: a file of X's window dumps.
func (s screen) look(t *testing.T) *image.NRGBA {
	t.Helper()
	data, err := os.ReadFile(s.file)
	must(t, err)
	field := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	width, height, line, from := field(4), field(5), field(12), field(0)+12*field(19)
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p := data[from+y*line+4*x:]
			m.SetNRGBA(x, y, color.NRGBA{p[2], p[1], p[0], 255})
		}
	}
	return m
}

// bar names the colour of the bar above the picture.
func bar(m *image.NRGBA) string {
	p := m.NRGBAAt(m.Rect.Dx()/2, 8)
	r, g, b := int(p.R), int(p.G), int(p.B)
	switch {
	case r == 0 && g == 0 && b == 0:
		return "nothing"
	case r == g && g == b:
		return "grey"
	case g > r+40 && g > b+40:
		return "green"
	}
	return "a warning"
}

// orange counts the pixels of the robot while its level is known.
func orange(m *image.NRGBA) (n int) {
	for i := 4 * 20 * m.Rect.Dx(); i < len(m.Pix); i += 4 { // below the bar
		if int(m.Pix[i]) > 2*int(m.Pix[i+2]) {
			n++
		}
	}
	return n
}

// inGraph starts the program in the test's graph.
func inGraph(t *testing.T, program, display string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+display)
	for name, value := range graph() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// until looks at the screen until it is as wanted.
func (s screen) until(t *testing.T, patience time.Duration, what string, wanted func(*image.NRGBA) bool) *image.NRGBA {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		m := s.look(t)
		if wanted(m) {
			return m
		}
		if time.Since(begin) > patience {
			keep(t, m, "window-failed")
			t.Fatalf("%v long not %s: the bar is %s, %d pixels are the robot's", patience, what, bar(m), orange(m))
		}
	}
}

// A window follows a node, with the robot from the graph: its pixels move as the robot does, and
// soon after the node was killed nothing looks as if it were known.
func TestWindowFollowsANode(t *testing.T) {
	x := newScreen(t)
	program, err := product.Build("gl")
	must(t, err)
	begin := time.Now()
	node := inGraph(t, program, "", "node", "--ros-args", "-p", "robot_description_file:="+humanoid+"humanoid.urdf",
		"-p", "robot_description_semantic_file:="+humanoid+"humanoid.srdf", "-p", "scene:="+humanoid+"obstacles.yaml", "-p", "joint_state_timeout:=2.0")
	view := inGraph(t, program, x.display, "view", "--package", "humanoid_description="+humanoid+"humanoid_description", "--srdf", humanoid+"humanoid.srdf", "--scene", humanoid+"obstacles.yaml")

	set := graph()
	env, err := ros.ReadEnvironment(func(name string) (string, bool) { v, ok := set[name]; return v, ok })
	must(t, err)
	robot, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "robot", Env: env, Logger: ros.NewLogger(io.Discard, "robot", ros.LevelFatal)})
	must(t, err)
	defer robot.Close()
	description, err := ros.Advertise[stdmsgs.String](robot, "robot_description", ros.LatchedQoS)
	must(t, err)
	text, err := os.ReadFile(humanoid + "humanoid.urdf")
	must(t, err)
	must(t, description.Publish(&stdmsgs.String{Data: string(text)}))
	joints, err := ros.Advertise[sensormsgs.JointState](robot, "joint_states", ros.QoS{Depth: 10})
	must(t, err)
	names, rows := wave(t)
	moving, halt := context.WithCancel(t.Context())
	halted := make(chan struct{})
	go func() { // there and back, also when the node is dead
		defer close(halted)
		for i := 0; moving.Err() == nil; i++ {
			k := i % (2 * len(rows))
			m := &sensormsgs.JointState{Name: names, Position: rows[min(k, 2*len(rows)-1-k)]}
			m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
			_ = joints.Publish(m)
			time.Sleep(time.Second / 60)
		}
	}()
	defer func() { halt(); <-halted }()

	first := x.until(t, 30*time.Second, "a robot whose level is known", func(m *image.NRGBA) bool {
		return (bar(m) == "green" || bar(m) == "a warning") && orange(m) > 2000
	})
	keep(t, first, "window-live")
	x.until(t, 10*time.Second, "another picture", func(m *image.NRGBA) bool { return orange(m) > 2000 && differing(first, m) > 0.002 })

	must(t, node.Process.Kill())
	_ = node.Wait()
	dead := x.until(t, 5*time.Second, "grey", func(m *image.NRGBA) bool { return bar(m) == "grey" && orange(m) == 0 })
	keep(t, dead, "window-dead")
	for range 10 {
		time.Sleep(100 * time.Millisecond)
		if m := x.look(t); bar(m) != "grey" || orange(m) > 0 {
			t.Fatalf("a while after the node died the bar is %s, %d pixels look known", bar(m), orange(m))
		}
	}
	must(t, view.Process.Signal(syscall.SIGTERM))
	if err := view.Wait(); err != nil {
		t.Errorf("view: %v", err)
	}
	t.Logf("%v without the build", time.Since(begin).Round(time.Millisecond))
}
