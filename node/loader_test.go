package node

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// renamed is the rail robot under another name: another text of the same robot.
func renamed(name string) string {
	return strings.Replace(railURDF, `name="carts"`, `name="`+name+`"`, 1)
}

// slowly makes a package with a mesh that is a pipe, and returns the rail robot with it:
// that is being loaded until somebody writes, for five seconds at most.
func slowly(t *testing.T) (urdf, pipe string) {
	t.Helper()
	prefix := t.TempDir()
	folder := filepath.Join(prefix, "share", "slow")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	pipe = filepath.Join(folder, "mesh.stl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	t.Setenv("AMENT_PREFIX_PATH", prefix)
	t.Setenv("ROS_PACKAGE_PATH", "")
	more := `<link name="more"><collision><geometry><mesh filename="package://slow/mesh.stl"/></geometry></collision></link>
		<joint name="more" type="fixed"><parent link="right"/><child link="more"/><origin xyz="0 0 9"/></joint></robot>`
	return strings.Replace(railURDF, "</robot>", more, 1), pipe
}

const tetraSTL = `solid
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 .1 0
vertex .1 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex .1 0 0
vertex 0 0 .1
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0 .1
vertex 0 .1 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex .1 0 0
vertex 0 .1 0
vertex 0 0 .1
endloop
endfacet
endsolid
`

// feed writes to a pipe once somebody reads it.
func feed(t *testing.T, pipe string) {
	t.Helper()
	go func() {
		if w, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
			_, _ = w.WriteString(tetraSTL)
			w.Close()
		}
	}()
}

func TestLoadedBeside(t *testing.T) { testLoadedBeside(t, inMemory()) }

// testLoadedBeside changes the robot where that is accepted: until the new model is ready
// every state and every verdict is by the model before it, and says so.
func testLoadedBeside(t *testing.T, g *graph) {
	slow, pipe := slowly(t)
	r := g.newRobot(t, "-p", "model.changes:=accept")
	urdf, err := ros.Advertise[stdmsgs.String](r.node, "robot_description", ros.QoS{Durability: ros.TransientLocal, Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
	r.publish(urdf.Publish(&stdmsgs.String{Data: railURDF}))
	before, _ := r.waitLevel(0, levelFree, "")
	from := r.states.count()
	r.publish(urdf.Publish(&stdmsgs.String{Data: slow}))
	s, at := r.states.wait(from, "a warning", func(s *fcmsgs.CollisionState) bool { return s.ModelWarning != "" })
	if !strings.Contains(s.ModelWarning, "is being loaded") {
		t.Errorf("warning %q", s.ModelWarning)
	}
	r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: "meanwhile", JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: []float64{0, 0}}))
	if v := r.waitVerdict("meanwhile"); v.Status != fcmsgs.VerdictFree || v.ModelHash != before.ModelHash {
		t.Errorf("status %d by %s: %s", v.Status, v.ModelHash, v.Message)
	}
	free, all := 0, max(at, from)+20-from
	for at = from; free < all; at++ {
		s, _ := r.states.wait(at, "any state", func(*fcmsgs.CollisionState) bool { return true })
		if !(s.Level == levelFree || outOfTime(s)) || s.ModelHash != before.ModelHash || s.ModelChanges != 0 {
			t.Fatalf("level %d by %s while another model is being loaded: %s", s.Level, s.ModelHash, s.Reason)
		}
		if s.Level == levelFree {
			free++
		}
	}
	t.Logf("%d of %d states FREE by the model in use", free, at-from)
	feed(t, pipe)
	s, _ = r.states.wait(at, "another model", func(s *fcmsgs.CollisionState) bool { return s.ModelHash != before.ModelHash })
	if s.ModelChanges != 1 || !strings.Contains(s.ModelChange, fmt.Sprintf("links %d before, %d now", 4, 5)) || s.ModelWarning != "" {
		t.Errorf("%d changes, the last %q; warning %q", s.ModelChanges, s.ModelChange, s.ModelWarning)
	}
	if s.CheckedPairs <= before.CheckedPairs {
		t.Errorf("%d pairs are checked after %d", s.CheckedPairs, before.CheckedPairs)
	}
}

// outOfTime reports whether a state is UNKNOWN for want of time on a busy machine.
func outOfTime(s *fcmsgs.CollisionState) bool {
	late := func(reason string) bool { return strings.Contains(s.Reason, reason) }
	return s.Level == levelUnknown && (late("was paused") || late("no fresh measurement") || late("the monitor has published nothing") || late("s old"))
}

// loaderOf is a loader whose models and log the test sees.
func loaderOf(t *testing.T, given map[string]any) (l *loader, used func() []string, log *lines) {
	t.Helper()
	v := values(t, given)
	p, err := pinsOf(v)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var names []string
	log = &lines{}
	l = newLoader(v, p, ros.NewLogger(log, "firstcontact", ros.LevelInfo), func(m *model, _ string) {
		mu.Lock()
		defer mu.Unlock()
		if m == nil {
			names = append(names, "none")
		} else {
			names = append(names, m.checker.Robot().Name)
		}
	})
	return l, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, names...)
	}, log
}

// running runs a loader until the test ends.
func running(t *testing.T, l *loader) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.run(ctx) }()
	t.Cleanup(cancel)
	return func() error {
		cancel()
		return <-done
	}
}

// until waits for something to come true.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s in vain", what)
		}
	}
}

func robotOf(l *loader) string {
	m, _ := l.current()
	if m == nil {
		return ""
	}
	return m.checker.Robot().Name
}

// What a model changes is known when it is taken into use, so that its first state says it.
func TestFirstStateOfAModelTellsTheChange(t *testing.T) {
	l, _, _ := loaderOf(t, map[string]any{"model.changes": "accept"})
	var mu sync.Mutex
	var told []history
	use := l.use
	l.use = func(m *model, absent string) {
		mu.Lock()
		defer mu.Unlock()
		if m != nil {
			told = append(told, *l.history.Load())
		}
		use(m, absent)
	}
	hear := l.listen("robot_description", &l.desc.urdf.text)
	running(t, l)
	for _, name := range []string{"first", "second"} {
		hear(&stdmsgs.String{Data: renamed(name)})
		until(t, "the model "+name, func() bool { return robotOf(l) == name })
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 2 || told[0].changes != 0 || told[0].change != "" || told[1].changes != 1 || !strings.Contains(told[1].change, "no number of them") {
		t.Errorf("%+v", told)
	}
}

// A second description ends the loading of the first where changes are accepted.
func TestSecondDescriptionCancelsTheFirst(t *testing.T) {
	slow, _ := slowly(t)
	l, used, _ := loaderOf(t, map[string]any{"model.changes": "accept"})
	hear := l.listen("robot_description", &l.desc.urdf.text)
	running(t, l)
	hear(&stdmsgs.String{Data: railURDF})
	until(t, "the first model", func() bool { return robotOf(l) == "carts" })
	hear(&stdmsgs.String{Data: slow})
	time.Sleep(300 * time.Millisecond)
	begin := time.Now()
	hear(&stdmsgs.String{Data: renamed("others")})
	until(t, "the other model", func() bool { return robotOf(l) == "others" })
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := strings.Join(used(), " "); got != "none none carts others" {
		t.Errorf("used %s", got)
	}
}

// Where the model is pinned, the first description is pinned from the time at which it
// comes; one that comes while it is being loaded is tried only if it makes no model.
func TestPinnedWhileLoading(t *testing.T) {
	slow, pipe := slowly(t)
	for name, c := range map[string]struct {
		first string
		want  string
		used  uint32 // descriptions refused
	}{
		"a good one": {strings.Replace(slow, `name="carts"`, `name="first"`, 1), "first", 1},
		"a bad one":  {strings.Replace(slow, "</robot>", `<link name="more"/></robot>`, 1), "stranger", 0},
	} {
		t.Run(name, func(t *testing.T) {
			l, _, _ := loaderOf(t, nil)
			hear := l.listen("robot_description", &l.desc.urdf.text)
			running(t, l)
			hear(&stdmsgs.String{Data: c.first})
			hear(&stdmsgs.String{Data: renamed("stranger")})
			feed(t, pipe)
			until(t, "a model", func() bool { return robotOf(l) != "" })
			if got := robotOf(l); got != c.want {
				t.Errorf("the robot is %q", got)
			}
			if n := l.history.Load().refused; n != c.used {
				t.Errorf("%d descriptions are refused, want %d", n, c.used)
			}
			// Whoever reads nothing keeps the writer of the next case.
			if f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
				time.Sleep(20 * time.Millisecond)
				f.Close()
			}
		})
	}
}

// A node that is told to end does so while it is loading, from parameters and from topics.
func TestEndWhileLoading(t *testing.T) {
	slow, pipe := slowly(t)
	for name, given := range map[string]map[string]any{
		"parameter": {"robot_description": slow},
		"file":      {"robot_description_file": pipe},
		"topic":     nil,
	} {
		l, _, _ := loaderOf(t, given)
		stop := running(t, l)
		if given == nil {
			l.listen("robot_description", &l.desc.urdf.text)(&stdmsgs.String{Data: slow})
		}
		time.Sleep(100 * time.Millisecond)
		begin := time.Now()
		if err := stop(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%s: it took %v to end", name, took)
		}
	}
}

// What a state says of a description from a topic does not tell whether a file is there.
func TestReasonsTellNothingOfFiles(t *testing.T) {
	there := filepath.Join(t.TempDir(), "secret")
	write(t, there, "x")
	for _, inUse := range []bool{false, true} {
		said := map[string]bool{}
		for _, file := range []string{"file://" + there, "file://" + there + "not", "file:///dev/zero", "package://p/../../../etc/passwd"} {
			l, _, _ := loaderOf(t, map[string]any{"model.changes": "accept"})
			hear := l.listen("robot_description", &l.desc.urdf.text)
			running(t, l)
			if inUse {
				hear(&stdmsgs.String{Data: railURDF})
				until(t, "a model", func() bool { return robotOf(l) != "" })
			}
			hear(&stdmsgs.String{Data: `<robot name="r"><link name="a"><collision><geometry><mesh filename="` + file + `"/></geometry></collision></link></robot>`})
			until(t, "an answer", func() bool {
				_, absent := l.current()
				return strings.Contains(absent, "cannot be checked") || strings.Contains(l.history.Load().warning, "could not be used")
			})
			_, absent := l.current()
			text := absent + l.history.Load().warning
			if said[text] = true; strings.Contains(text, "/") || strings.Contains(text, "secret") {
				t.Errorf("it says %q", text)
			}
		}
		if len(said) != 1 {
			t.Errorf("it differs: %v", said)
		}
	}
}

// Descriptions that keep coming are loaded ever more rarely, and refusals do not fill the log.
func TestDescriptionsThatKeepComing(t *testing.T) {
	t.Parallel()
	l, _, _ := loaderOf(t, map[string]any{"model.changes": "accept"})
	var mu sync.Mutex
	loads := 0
	l.build = func(ctx context.Context, d description, v config.Values) (*model, error) {
		mu.Lock()
		defer mu.Unlock()
		loads++
		return build(ctx, d, v)
	}
	hear := l.listen("robot_description", &l.desc.urdf.text)
	running(t, l)
	for i := range 200 {
		hear(&stdmsgs.String{Data: renamed(fmt.Sprint("r", i))})
		time.Sleep(10 * time.Millisecond)
	}
	mu.Lock()
	defer mu.Unlock()
	if loads > 7 { // at 0, 0.1, 0.3, 0.7, 1.5 s
		t.Errorf("%d loads in two seconds", loads)
	}

	p := pace{}
	begin := time.Now()
	now, n := begin, 0
	for ; now.Sub(begin) < time.Hour; n++ {
		if at := p.next(now); at.After(now) {
			now = at
		}
		p.began(now)
		now = now.Add(time.Millisecond)
	}
	if n > 140 {
		t.Errorf("%d loads in an hour", n)
	}
	if now = now.Add(time.Hour); p.next(now).After(now) {
		t.Error("after a quiet hour a description has to wait")
	}

	l, _, log := loaderOf(t, map[string]any{"robot_description": railURDF, "model.semantic_topic": true, "model.sha256": []string{"srdf:" + strings.Repeat("0", 64)}})
	hear = l.listen("robot_description_semantic", &l.desc.srdf.text)
	for i := range 1000 {
		hear(&stdmsgs.String{Data: fmt.Sprint("<robot/>", i)})
	}
	if n := l.history.Load().refused; n != 1000 {
		t.Errorf("%d refused", n)
	}
	l.log.Flush(time.Second)
	if n := strings.Count(log.String(), "is refused"); n < 1 || n > 3 {
		t.Errorf("%d errors in the log", n)
	}
}

// What model.sha256 requires is used, and nothing else.
func TestRequiredSums(t *testing.T) {
	world := filepath.Join(t.TempDir(), "scene.yaml")
	write(t, world, railScene)
	file := filepath.Join(t.TempDir(), "carts.urdf")
	write(t, file, railURDF)
	v := values(t, map[string]any{"robot_description": railURDF, "scene": world})
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.Trim(strings.ReplaceAll(m.sums.String(), `"`, ""), "[]"), ", ")
	if len(all) != 3 || all[0] != "urdf:"+sumOf([]byte(railURDF)) {
		t.Fatalf("sums %q", all)
	}
	zero := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		pins []string
		want string
	}{
		"all":      {all, ""},
		"capitals": {[]string{"urdf:" + strings.ToUpper(strings.TrimPrefix(all[0], "urdf:"))}, ""},
		"urdf":     {[]string{"urdf:" + zero}, "the SHA-256 of urdf is"},
		"srdf":     {[]string{"srdf:" + zero}, "requires srdf"},
		"scene":    {[]string{"scene:" + zero}, "the SHA-256 of scene is"},
		"model":    {[]string{"model:" + zero}, "the SHA-256 of model is"},
		"a word":   {[]string{"urdf:abc"}, "64 hexadecimal digits"},
		"no name":  {[]string{zero}, "64 hexadecimal digits"},
		"unknown":  {[]string{"mesh:" + zero}, "urdf, srdf, scene, model"},
		"twice":    {[]string{all[0], all[0]}, "given twice"},
	} {
		for _, given := range []map[string]any{{"robot_description": railURDF}, {"robot_description_file": file}} {
			given["scene"], given["model.sha256"] = world, c.pins
			v := values(t, given)
			_, err := build(context.Background(), describe(v), v)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	// From a topic: another is refused and pins nothing, whoever comes first.
	l, _, log := loaderOf(t, map[string]any{"model.sha256": all[:1]})
	hear := l.listen("robot_description", &l.desc.urdf.text)
	running(t, l)
	hear(&stdmsgs.String{Data: renamed("stranger")})
	hear(&stdmsgs.String{Data: railURDF})
	until(t, "a model", func() bool { return robotOf(l) == "carts" })
	l.log.Flush(time.Second)
	if n := l.history.Load().refused; n != 1 || !strings.Contains(log.String(), "[ERROR]") || !strings.Contains(log.String(), "requires "+sumOf([]byte(railURDF))) {
		t.Errorf("%d refused; log:\n%s", n, log)
	}
}

// A change of what is checked is a warning with numbers before and after.
func TestChangesAreTold(t *testing.T) {
	l, _, log := loaderOf(t, map[string]any{"model.changes": "accept"})
	urdf := l.listen("robot_description", &l.desc.urdf.text)
	running(t, l)
	third := `<link name="tip"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
		<joint name="tip" type="fixed"><parent link="right"/><child link="tip"/><origin xyz="0 0 1"/></joint></robot>`
	urdf(&stdmsgs.String{Data: strings.Replace(railURDF, "</robot>", third, 1)})
	until(t, "a model", func() bool { return robotOf(l) != "" })
	before, _ := l.current()
	urdf(&stdmsgs.String{Data: railURDF})
	until(t, "another", func() bool { m, _ := l.current(); return m != before })
	until(t, "its words", func() bool { return l.history.Load().change != "" })
	m, _ := l.current()
	want := fmt.Sprintf("self pairs checked %d before, %d now", before.extent().self, m.extent().self)
	l.log.Flush(time.Second)
	if h := l.history.Load(); h.changes != 1 || !strings.Contains(h.change, want) || !strings.Contains(log.String(), "[WARN]") || !strings.Contains(log.String(), want) {
		t.Errorf("want %q in %+v and in\n%s", want, h, log)
	}
}
