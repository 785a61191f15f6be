//go:build cyclone

package live

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/browser"
	"github.com/firstcontact-ros/firstcontact/lab/product"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

const (
	humanoid = "../../testdata/humanoid/"
	shots    = "../../build/screenshots"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// graph keeps the test on loopback and apart from all others.
func graph() map[string]string {
	return map[string]string{
		"ROS_DOMAIN_ID": strconv.Itoa(1 + os.Getpid()%100), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp",
		"CYCLONEDDS_URI": fmt.Sprintf(`<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1" multicast="false"/></Interfaces></General>`+
			`<Discovery><Tag>live_%d</Tag></Discovery></Domain></CycloneDDS>`, os.Getpid()),
	}
}

// start runs the program until the test ends, and returns the address of the page that it tells.
func start(t *testing.T, program string, args ...string) (url string, cmd *exec.Cmd, stop func()) {
	t.Helper()
	cmd = exec.Command(program, args...)
	cmd.Env = os.Environ()
	for name, value := range graph() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, in, err := os.Pipe()
	must(t, err)
	cmd.Stdout, cmd.Stderr = in, in
	must(t, cmd.Start())
	_ = in.Close()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s %s: %v", filepath.Base(program), args[0], err)
		}
	}
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := regexp.MustCompile(`http://\S+`).FindString(lines.Text()); found != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return found, cmd, stop
		}
	}
	t.Fatal("the program tells no address")
	return "", nil, nil
}

// wave reads the humanoid's recorded motion.
func wave(t *testing.T) (names []string, rows [][]float64) {
	t.Helper()
	f, err := os.Open(humanoid + "wave.csv")
	must(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	table, err := r.ReadAll()
	must(t, err)
	for _, line := range table[1:] {
		var row []float64
		for k, cell := range line {
			x, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			must(t, err)
			if table[0][k] != "time" {
				row = append(row, x)
			}
		}
		rows = append(rows, row)
	}
	for _, name := range table[0] {
		if name != "time" {
			names = append(names, name)
		}
	}
	return names, rows
}

func picture(t *testing.T, ctx context.Context, p *browser.Page, name string) image.Image {
	t.Helper()
	m, err := p.Screenshot(ctx, false)
	must(t, err)
	keep(t, m, name)
	return m
}

// keep writes a picture where those who look at the test's run find it.
func keep(t *testing.T, m image.Image, name string) {
	t.Helper()
	must(t, os.MkdirAll(shots, 0o755))
	f, err := os.Create(filepath.Join(shots, name+".png"))
	must(t, err)
	must(t, png.Encode(f, m))
	must(t, f.Close())
}

// differing is the share of pixels that are clearly not the same.
func differing(a, b image.Image) float64 {
	n, box := 0, a.Bounds()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0x1800 }
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b1, _ := a.At(x, y).RGBA()
			s, h, b2, _ := b.At(x, y).RGBA()
			if far(r, s) || far(g, h) || far(b1, b2) {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy())
}

// canvas reads the picture that is drawn, as a hash of its pixels.
const canvas = `(() => { const s = firstcontact.live.stage(); s.render(); return s.canvas.toDataURL() })()`

// A node moves, and the page of the node and that of another process show it: the robot's pixels,
// the level, the pairs, a verdict; with the keyboard, on a phone's width; silence is UNKNOWN, and a
// node that has ended is not connected.
func TestLiveView(t *testing.T) {
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	program, err := product.Build()
	must(t, err)
	files := []string{"--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml"}
	url, node, end := start(t, program, "node", "--web", ":0", "--ros-args", "-p", "robot_description_file:="+humanoid+"humanoid.urdf",
		"-p", "robot_description_semantic_file:="+humanoid+"humanoid.srdf", "-p", "scene:="+humanoid+"obstacles.yaml", "-p", "joint_state_timeout:=2.0",
		"-p", "margin_overrides:=[\"torso:right_hand:0.004\"]")
	other, _, _ := start(t, program, append([]string{"view", "--web", ":0"}, files...)...)

	names, rows := wave(t)
	halt := move(t, names, rows)
	defer halt()

	b, err := browser.Start()
	must(t, err)
	defer b.Close()
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	for name, page := range map[string]struct {
		url  string
		w, h int
	}{"live-node": {url, 1200, 900}, "live-view-phone": {other, 390, 844}} {
		pageShowsTheRobot(t, ctx, b, name, page.url, page.w, page.h)
	}

	// A page that stays open shows nothing as current that is old.
	p, err := b.Open(ctx, url, 800, 600)
	must(t, err)
	level := func(want string) {
		t.Helper()
		must(t, p.Wait(ctx, "document.getElementById('level').textContent === '"+want+"'"))
	}
	must(t, p.Wait(ctx, "firstcontact.live.stage() && firstcontact.live.curve().filter(([, d]) => d !== null).length > 3"))
	must(t, p.Wait(ctx, "document.getElementById('pairs').textContent.includes('its own margin: STOP below 0.004 m')"))
	halt() // the robot, and the node says so
	level("UNKNOWN")
	must(t, p.Wait(ctx, "document.getElementById('stage').classList.contains('old')"))
	_ = node.Process.Signal(syscall.SIGSTOP) // the node, and it says nothing any more
	level("NOT CONNECTED")
	nothingIsGreen(t, ctx, p)
	picture(t, ctx, p, "live-not-connected")
	q, err := b.Open(ctx, other, 800, 600) // that process goes on, and the node's silence is its news
	must(t, err)
	must(t, q.Wait(ctx, "document.querySelectorAll('#verdicts tr').length > 0 && document.getElementById('reason').textContent.includes('has said nothing for')"))
	nothingIsGreen(t, ctx, q)
	picture(t, ctx, q, "live-silent")
	_ = node.Process.Signal(syscall.SIGCONT)
	level("UNKNOWN")
	end()
	level("NOT CONNECTED")
	var stale string
	must(t, p.Eval(ctx, "document.getElementById('distance').textContent + document.getElementById('pairs').textContent + (firstcontact.live.curve().at(-1)[1] ?? '')", &stale))
	if stale != "" {
		t.Errorf("after the end of the node the page says %s", stale)
	}
	nothingIsGreen(t, ctx, p)
	// Another robot where that one was: its model is shown, and nothing of the one before.
	_, port, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), ":")
	start(t, program, "view", "--web", ":"+port, "--robot", "../../testdata/two_link.urdf")
	must(t, p.Wait(ctx, "firstcontact.live.stage()?.model.robot.links.length < 6"))
	level("UNKNOWN") // nobody says anything about it
	var old bool
	if must(t, p.Eval(ctx, "document.getElementById('stage').classList.contains('old')", &old)); !old {
		t.Error("a robot that nobody measures is drawn as if it were measured")
	}
}

// nothingIsGreen fails if a page that knows nothing about now has the colour of what is free: in the
// level, in a verdict, anywhere.
func nothingIsGreen(t *testing.T, ctx context.Context, p *browser.Page) {
	t.Helper()
	var found []string
	must(t, p.Eval(ctx, `(() => {
		const probe = document.body.appendChild(document.createElement('i'))
		probe.style.color = 'var(--free)'
		const green = getComputedStyle(probe).color
		probe.remove()
		return [...document.querySelectorAll('body *')].filter((e) => { const s = getComputedStyle(e); return s.color === green || s.backgroundColor === green }).map((e) => e.outerHTML.slice(0, 80))
	})()`, &found))
	if len(found) > 0 {
		t.Errorf("green is %q", found)
	}
}

// move publishes joint states, there and back, and a colliding and a free question each second, until
// halt is called.
func move(t *testing.T, names []string, rows [][]float64) (halt func()) {
	t.Helper()
	set := graph()
	env, err := ros.ReadEnvironment(func(name string) (string, bool) { v, ok := set[name]; return v, ok })
	must(t, err)
	robot, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "robot", Env: env, Logger: ros.NewLogger(io.Discard, "robot", ros.LevelFatal)})
	must(t, err)
	joints, err := ros.Advertise[sensormsgs.JointState](robot, "joint_states", ros.QoS{Depth: 10})
	must(t, err)
	questions, err := ros.Advertise[fcmsgs.JointStatePair](robot, "firstcontact/joint_state_pair", ros.QoS{Depth: 10})
	must(t, err)
	moving, stop := context.WithCancel(t.Context())
	halted := make(chan struct{})
	go func() {
		defer close(halted)
		defer robot.Close()
		for i := 0; moving.Err() == nil; i++ {
			k := i % (2 * len(rows))
			m := &sensormsgs.JointState{Name: names, Position: rows[min(k, 2*len(rows)-1-k)]}
			m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
			_ = joints.Publish(m)
			if i%60 == 0 {
				q := &fcmsgs.JointStatePair{ID: "a question", JointNames: names, Start: rows[0], Goal: rows[len(rows)/2], Duration: builtininterfaces.DurationOf(time.Second)}
				q.Header.Stamp = m.Header.Stamp
				_ = questions.Publish(q)
				q.ID, q.Goal = "a step", rows[1]
				_ = questions.Publish(q)
			}
			time.Sleep(time.Second / 60)
		}
	}()
	return func() { stop(); <-halted }
}

// pageShowsTheRobot opens a page while the robot moves.
func pageShowsTheRobot(t *testing.T, ctx context.Context, b *browser.Browser, name, url string, w, h int) {
	p, err := b.Open(ctx, url, w, h)
	must(t, err)
	must(t, p.Wait(ctx, "firstcontact.live.stage() && ['FREE', 'WARN', 'STOP', 'COLLISION'].includes(document.getElementById('level').textContent)"))
	must(t, p.Wait(ctx, "document.querySelectorAll('#pairs tr').length > 0 && document.getElementById('verdicts').textContent.includes('a question') && document.querySelector('#verdicts .status')"))
	var remark, before, after string
	must(t, p.Eval(ctx, "document.getElementById('remark').textContent", &remark))
	if remark != "" {
		t.Errorf("%s: %s", name, remark)
	}
	// The robot moves, and so do its pixels.
	must(t, p.Eval(ctx, canvas, &before))
	first := picture(t, ctx, p, name)
	must(t, p.Wait(ctx, "new Promise((done) => setTimeout(() => done(true), 1500))"))
	must(t, p.Eval(ctx, canvas, &after))
	if before == after {
		t.Errorf("%s: the robot moves, and its picture does not", name)
	}
	if share := differing(first, picture(t, ctx, p, name+"-later")); share < 0.001 {
		t.Errorf("%s: %.3f %% of the pixels differ", name, 100*share)
	}
	// With the keyboard alone: to the view, which turns.
	for range 20 {
		var there bool
		must(t, p.Eval(ctx, "document.activeElement === firstcontact.live.stage().canvas", &there))
		if there {
			break
		}
		must(t, p.Press(ctx, "Tab", 0))
	}
	eye := "firstcontact.live.stage().camera.position.toArray().join()"
	must(t, p.Eval(ctx, eye, &before))
	must(t, p.Press(ctx, "ArrowLeft", 0))
	must(t, p.Eval(ctx, eye, &after))
	if before == after {
		t.Errorf("%s: the arrow keys do not turn the view", name)
	}
	must(t, p.Dark(ctx, true))
	must(t, p.Wait(ctx, "document.documentElement.dataset.theme === 'dark'"))
	picture(t, ctx, p, name+"-dark")
	var width int
	must(t, p.Eval(ctx, "document.documentElement.scrollWidth", &width))
	if width > w {
		t.Errorf("%s: the page is %d pixels wide", name, width)
	}
	for _, problem := range p.Problems() {
		t.Errorf("%s: the browser complains: %s", name, problem)
	}
	for _, asked := range p.Requests() {
		if !strings.HasPrefix(asked, url) && !strings.HasPrefix(asked, "data:") {
			t.Errorf("%s: the page asks for %s", name, asked)
		}
	}
	must(t, p.Call(ctx, "Page.navigate", map[string]any{"url": "about:blank"}, nil))
}
