package report

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/internal/show/viewer"
	"github.com/firstcontact-ros/firstcontact/lab/browser"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The page of each robot loads from disk, draws robot and scene, plays, seeks, jumps and sorts,
// and says nothing that --json does not say.
func TestReportOfRobots(t *testing.T) {
	for _, q := range questions(t) {
		t.Run(q.name, func(t *testing.T) {
			path, answers := ask(t, &q)
			ctx, p := open(t, path, 1000, 700)
			a := &answers[0]
			picture(t, ctx, p, q.name, true)
			t.Run("numbers", func(t *testing.T) {
				for i := range answers {
					eval(t, ctx, p, fmt.Sprintf("page.select(%d)", len(answers)-1-i), nil) // and in the end the first
					numbersAreTheVerdicts(t, ctx, p, &answers[len(answers)-1-i])
				}
			})
			t.Run("pose", func(t *testing.T) { posesAreTheEngines(t, ctx, p, &q, a) })
			t.Run("drawing", func(t *testing.T) { everythingIsDrawn(t, ctx, p, &q, a) })
			t.Run("playing", func(t *testing.T) { playsAndSeeks(t, ctx, p, &q, a) })
			t.Run("sorting", func(t *testing.T) { pairsAreSorted(t, ctx, p) })
			clean(t, p)
		})
	}
}

// numbersAreTheVerdicts reads the page's numbers back: those that --json has, and no others.
func numbersAreTheVerdicts(t *testing.T, ctx context.Context, p *browser.Page, a *answer) {
	want := map[string]float64{"proven-until": a.ProvenUntil, "clearance": a.Clearance}
	texts, moment := map[string]string{}, "null"
	if a.TOC != nil {
		want["toc-lower"], want["toc-upper"] = a.TOC[0], a.TOC[1]
		moment = fmt.Sprint(a.TOC[1])
	}
	if w := a.Witness; w != nil {
		want["witness-distance"] = w.Distance
		for k, axis := range []string{"x", "y", "z"} {
			want["witness-a-"+axis], want["witness-b-"+axis], want["normal-"+axis] = w.A[k], w.B[k], w.Normal[k]
		}
	}
	if c := a.MinClearance; c != nil {
		if want["min-lower"] = c.Lower; c.Upper != nil {
			want["min-upper"] = *c.Upper
		}
	}
	if a.Pair != nil {
		texts["pair"] = strings.Join(a.Pair[:], ", ")
	}
	for name, in := range a.Inputs {
		texts["sha256-"+name] = "SHA-256 " + in.SHA256
	}
	var got map[string]float64
	eval(t, ctx, p, "Object.fromEntries([...document.querySelectorAll('.facts data')].map((e) => [e.dataset.id, Number(e.value)]))", &got)
	if !maps.Equal(got, want) {
		t.Errorf("the page has the numbers %v, --json %v", got, want)
	}
	var said map[string]string
	eval(t, ctx, p, "Object.fromEntries([...document.querySelectorAll('.facts dd [data-id]:not(data)')].map((e) => [e.dataset.id, e.textContent]))", &said)
	if !maps.Equal(said, texts) {
		t.Errorf("the page has %q, --json %q", said, texts)
	}
	var badge, at string
	eval(t, ctx, p, "document.querySelector('header .badge').textContent", &badge)
	eval(t, ctx, p, "String(document.querySelector('.moment.contact, .moment.clearance')?.dataset.time ?? null)", &at)
	if badge != strings.ToUpper(a.Status) || at != moment {
		t.Errorf("the page says %s at %s, --json %s at %s", badge, at, a.Status, moment)
	}
}

// posesAreTheEngines compares where links are drawn, as the graphics library has them when it draws,
// with where the checker says that they are.
func posesAreTheEngines(t *testing.T, ctx context.Context, p *browser.Page, q *question, a *answer) {
	robot, err := urdf.Load(q.robot, urdf.Options{SRDF: q.srdf})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := motionfile.Load(q.motion, motionfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checker, err := ccd.New(robot, nil, ccd.Options{Cache: filepath.Join(reports, "cache")})
	if err != nil {
		t.Fatal(err)
	}
	if start := loaded[0].Start; len(start) > 0 {
		own := map[string]float64{}
		for name, x := range start {
			if i := robot.Joint(name); i >= 0 && robot.Joints[i].Type != urdf.Fixed && !slices.Contains(loaded[0].Motion.Joints, name) {
				own[name] = x
			}
		}
		if checker, err = checker.WithState(own); err != nil {
			t.Fatal(err)
		}
	}
	m, err := checker.Resolve(loaded[0].Motion)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for _, at := range []float64{a.TOC[1], 0, a.Duration / 3, a.Duration * 0.8123, a.Duration} {
		want, err := show.PosesAt(checker, m, at)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]float64 // columns
		eval(t, ctx, p, fmt.Sprintf("page.player.seek(%v), page.stage.render(), page.model.robot.links.map((l, i) => page.stage.robot.links[i]?.matrixWorld.elements ?? page.stage.linkPose(l.name))", at), &got)
		for i := range robot.Links {
			r, x := &want[i].R, &want[i].P
			for k, w := range [12]float64{r.XX, r.YX, r.ZX, r.XY, r.YY, r.ZY, r.XZ, r.YZ, r.ZZ, x.X, x.Y, x.Z} {
				worst = max(worst, math.Abs(got[i][k/3*4+k%3]-w))
			}
		}
	}
	if t.Logf("poses differ by %.2g at most", worst); !(worst < 1e-9) {
		t.Errorf("poses differ by %g", worst)
	}
	verticesAreDrawn(t, ctx, p, robot)
}

// verticesAreDrawn compares the drawn vertices of links that are not simplified with those of the
// robot's shapes, in the links' frames.
func verticesAreDrawn(t *testing.T, ctx context.Context, p *browser.Page, robot *urdf.Robot) {
	links := show.Links(robot, 0)
	compared := 0
	for i := range links {
		var got []float64
		eval(t, ctx, p, fmt.Sprintf("((m) => m.of * 3 > m.triangles.length ? [] : [...m.vertices])(page.model.robot.links[%d].mesh)", i), &got)
		if len(got) == 0 {
			continue
		}
		want := links[i].Mesh.Vertices
		if len(got) != len(want) {
			t.Errorf("%s has %d coordinates, %d are drawn", links[i].Name, len(want), len(got))
			continue
		}
		for k := range want {
			if math.Abs(got[k]-float64(want[k])) > 1e-6 {
				t.Fatalf("%s: coordinate %d is %g, drawn is %g", links[i].Name, k, want[k], got[k])
			}
		}
		compared++
	}
	if compared == 0 {
		t.Error("all links are simplified")
	}
}

// Numbers that are printed as bounds are bounds: the page rounds them to their side.
func TestBoundsAreRoundedToTheirSide(t *testing.T) {
	q := questions(t)[0]
	path, _ := ask(t, &q)
	ctx, p := open(t, path, 800, 600)
	var wrong []string
	eval(t, ctx, p, `(() => {
		const { metres, seconds } = firstcontact.html, unit = { m: 1, s: 1, mm: 1e-3, um: 1e-6 }, wrong = []
		for (let i = 0; i < 20000; i++) {
			const x = Math.random() * 10 ** (i % 12 - 9)
			for (const [text, side, near] of [[metres(x, 'down'), -1, 0.011 * x], [metres(x, 'up'), 1, 0.011 * x], [seconds(x, 'down'), -1, 1e-3], [seconds(x, 'up', 9), 1, 1e-9]]) {
				const [value, u] = text.split(' '), d = Number(value) * unit[u] - x
				if (side * d < -1e-15 * x || Math.abs(d) > 1.001 * near + 1e-15 * x) wrong.push(x + ': ' + text)
			}
		}
		return wrong.slice(0, 5)
	})()`, &wrong)
	if len(wrong) > 0 {
		t.Errorf("%q", wrong)
	}
}

// everythingIsDrawn compares pixels of views that must differ, and of views that must not.
func everythingIsDrawn(t *testing.T, ctx context.Context, p *browser.Page, q *question, a *answer) {
	var background int
	eval(t, ctx, p, "page.stage.colours.background", &background)
	empty := [3]int{background >> 16, background >> 8 & 255, background & 255}
	seek := func(at float64) view {
		eval(t, ctx, p, fmt.Sprintf("page.player.seek(%v)", at), nil)
		return drawn(t, ctx, p)
	}
	click := func(key string) view {
		press(t, ctx, p, key)
		return drawn(t, ctx, p)
	}
	contact := seek(a.TOC[1])
	all := contact.count(func([3]int) bool { return true })
	if n := contact.count(func(c [3]int) bool { return far(c, empty) > 24 }); n < all/50 {
		t.Errorf("%d of %d pixels are drawn", n, all)
	}
	if n := contact.count(red); n < 50 {
		t.Errorf("%d pixels of what touches", n)
	}
	if !witnessed(t, ctx, p, contact, a.Witness.A) || !witnessed(t, ctx, p, contact, a.Witness.B) {
		t.Error("the witness points are not drawn where they are")
	}
	start := seek(0)
	if witnessed(t, ctx, p, start, a.Witness.A) {
		t.Error("the witness points are drawn at the start, too")
	}
	if n := differ(start, contact); n < all/200 {
		t.Errorf("start and contact differ in %d of %d pixels", n, all)
	}
	if n := differ(start, seek(0)); n > 0 {
		t.Errorf("two drawings of one time differ in %d pixels", n)
	}
	ghost := click("g")
	if n := differ(start, ghost); n < all/500 {
		t.Errorf("the ghost makes a difference to %d of %d pixels", n, all)
	}
	if n := ghost.count(red); n > start.count(red)/2 {
		t.Errorf("without a ghost %d pixels are red, with it %d", n, start.count(red))
	}
	press(t, ctx, p, "g")
	set := func(selector, value, event string) view {
		eval(t, ctx, p, fmt.Sprintf("(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event(%q)) })()", selector, value, event), nil)
		return drawn(t, ctx, p)
	}
	var link int
	eval(t, ctx, p, fmt.Sprintf("page.model.robot.links.findIndex((l) => l.name === %q)", q.sweptLink), &link)
	if n := differ(start, set("select[aria-label^='Swept']", fmt.Sprint(link), "change")); n < all/1000 {
		t.Errorf("the swept volume of %s makes a difference to %d of %d pixels", q.sweptLink, n, all)
	}
	set("select[aria-label^='Swept']", "", "change")
	if n := differ(start, set("input[aria-label^='Opacity']", "0", "input")); n < all/200 {
		t.Errorf("the scene makes a difference to %d of %d pixels", n, all)
	}
	if n := differ(start, set("input[aria-label^='Opacity']", "1", "input")); n > 0 {
		t.Errorf("the scene comes back otherwise in %d pixels", n)
	}
}

// playsAndSeeks uses the keyboard alone, and then points at the curve.
func playsAndSeeks(t *testing.T, ctx context.Context, p *browser.Page, q *question, a *answer) {
	eval(t, ctx, p, "document.activeElement.blur()", nil)
	press(t, ctx, p, "Home")
	if at := now(t, ctx, p); at != 0 {
		t.Errorf("Home leads to %g s", at)
	}
	press(t, ctx, p, " ")
	if err := p.Wait(ctx, "page.time > 0.05"); err != nil {
		t.Fatal(err)
	}
	press(t, ctx, p, " ")
	paused := now(t, ctx, p)
	time.Sleep(200 * time.Millisecond)
	if at := now(t, ctx, p); at != paused {
		t.Errorf("paused at %g s, it goes on to %g s", paused, at)
	}
	press(t, ctx, p, "Home", "ArrowRight", "ArrowRight", "ArrowLeft")
	if at := now(t, ctx, p); math.Abs(at-a.Duration/100) > 1e-9 {
		t.Errorf("an arrow moves by %g s of %g s", at, a.Duration)
	}
	if err := p.Press(ctx, "ArrowRight", browser.Shift); err != nil {
		t.Fatal(err)
	}
	if at := now(t, ctx, p); math.Abs(at-a.Duration*0.11) > 1e-9 {
		t.Errorf("with Shift an arrow moves to %g s of %g s", at, a.Duration)
	}
	press(t, ctx, p, "End")
	if at := now(t, ctx, p); at != a.Duration {
		t.Errorf("End leads to %g s of %g s", at, a.Duration)
	}
	press(t, ctx, p, "c")
	if at := now(t, ctx, p); at != a.TOC[1] {
		t.Errorf("c leads to %v s, the time of contact is %v s", at, a.TOC[1])
	}
	press(t, ctx, p, "Home", "m")
	if at := now(t, ctx, p); at == 0 {
		t.Error("m does not lead to the minimum")
	}
	if err := p.Click(ctx, ".chart .u-over"); err != nil {
		t.Fatal(err)
	}
	if at := now(t, ctx, p); math.Abs(at-a.Duration/2) > a.Duration/50 {
		t.Errorf("the middle of the curve leads to %g s of %g s", at, a.Duration)
	}
	var bounds [2]float64
	eval(t, ctx, p, "['now-lower', 'now-upper'].map((id) => Number(document.querySelector(`[data-id=${id}]`).value))", &bounds)
	if !(bounds[0] <= bounds[1]) || bounds[1]-bounds[0] > max(2e-3, q.tolerance) {
		t.Errorf("there the distance is between %g and %g m", bounds[0], bounds[1])
	}
	if err := p.Click(ctx, ".moment.contact"); err != nil {
		t.Fatal(err)
	}
	if at := now(t, ctx, p); at != a.TOC[1] {
		t.Errorf("the button leads to %v s, the time of contact is %v s", at, a.TOC[1])
	}
}

// pairsAreSorted sorts the pairs by each column, both ways.
func pairsAreSorted(t *testing.T, ctx context.Context, p *browser.Page) {
	for i, id := range []string{"", "", "pair-lower", "pair-upper", "pair-time"} {
		for _, want := range []string{"ascending", "descending"} {
			selector := fmt.Sprintf("table.pairs th:nth-child(%d) button", i+1)
			if i == 3 && want == "ascending" { // by which they are sorted from the start
				selector = "table.pairs th:nth-child(1) button"
				eval(t, ctx, p, fmt.Sprintf("document.querySelector(%q).click()", selector), nil)
				selector = "table.pairs th:nth-child(4) button"
			}
			if err := p.Click(ctx, selector); err != nil {
				t.Fatal(err)
			}
			var said string
			eval(t, ctx, p, fmt.Sprintf("document.querySelector('table.pairs th:nth-child(%d)').ariaSort", i+1), &said)
			if said != want {
				t.Errorf("column %d is %s, want %s", i, said, want)
			}
			if id == "" {
				continue
			}
			var values []float64
			eval(t, ctx, p, fmt.Sprintf("[...document.querySelectorAll('table.pairs [data-id=%s]')].map((e) => Number(e.value))", id), &values)
			if want == "descending" {
				slices.Reverse(values)
			}
			if !slices.IsSorted(values) || id != "pair-lower" && len(values) == 0 {
				t.Errorf("%s %s: %v", id, want, values)
			}
		}
	}
}

// The page needs no mouse: every control has a name, Tab reaches it and shows that it has, and keys
// alone play, pause, seek, jump to the contact, turn the view and sort.
func TestReportByKeyboard(t *testing.T) {
	for _, q := range questions(t) {
		t.Run(q.name, func(t *testing.T) {
			path, answers := ask(t, &q)
			ctx, p := open(t, path, 1000, 700)
			controlsHaveNames(t, ctx, p)
			a := &answers[0]
			tabTo(t, ctx, p, ".theme")
			tabTo(t, ctx, p, ".stage canvas")
			eye := "page.stage.camera.position.toArray().join()"
			var before, after string
			eval(t, ctx, p, eye, &before)
			press(t, ctx, p, "ArrowLeft", "+")
			if eval(t, ctx, p, eye, &after); before == after {
				t.Error("keys do not turn the view")
			}
			tabTo(t, ctx, p, ".play")
			press(t, ctx, p, "Enter")
			if err := p.Wait(ctx, fmt.Sprintf("page.player.playing && page.time > %v", a.TOC[1])); err != nil {
				t.Fatal(err)
			}
			press(t, ctx, p, "Enter")
			tabTo(t, ctx, p, ".time")
			press(t, ctx, p, "Home", "ArrowRight")
			if at := now(t, ctx, p); math.Abs(at-a.Duration/100) > 1e-9 {
				t.Errorf("the slider leads to %v s", at)
			}
			tabTo(t, ctx, p, ".moment.contact")
			press(t, ctx, p, "Enter")
			if at := now(t, ctx, p); at != a.TOC[1] {
				t.Errorf("Enter leads to %v s, the time of contact is %v s", at, a.TOC[1])
			}
			tabTo(t, ctx, p, "table.pairs th:nth-child(5) button")
			press(t, ctx, p, "Enter", "Enter")
			var times []float64
			eval(t, ctx, p, "[...document.querySelectorAll('table.pairs [data-id=pair-time]')].map((e) => -Number(e.value))", &times)
			if len(times) < 3 || !slices.IsSorted(times) {
				t.Errorf("pairs sorted with keys: %v", times)
			}
			tabTo(t, ctx, p, "table.pairs tbody tr:nth-child(2) button")
			press(t, ctx, p, "Enter")
			if at := now(t, ctx, p); at != -times[1] {
				t.Errorf("the second pair leads to %v s, want %v s", at, -times[1])
			}
			clean(t, p)
		})
	}
}

// tabTo presses Tab until the element that a selector finds has the focus. Whatever has it on the
// way is seen to have it.
func tabTo(t *testing.T, ctx context.Context, p *browser.Page, selector string) {
	t.Helper()
	for range 80 {
		press(t, ctx, p, "Tab")
		var on struct {
			There         bool
			Name, Outline string
		}
		eval(t, ctx, p, fmt.Sprintf(`((e) => ({ there: e.matches(%q), name: e.className + ' ' + e.textContent.slice(0, 40), outline: e === document.body ? 'no matter' : getComputedStyle(e).outlineStyle }))(document.activeElement)`, selector), &on)
		if on.Outline == "none" {
			t.Errorf("nobody sees that %s has the focus", on.Name)
		}
		if on.There {
			return
		}
	}
	t.Fatalf("Tab does not reach %s", selector)
}

// controlsHaveNames looks at the page as a screen reader does.
func controlsHaveNames(t *testing.T, ctx context.Context, p *browser.Page) {
	t.Helper()
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name struct{ Value any }
			Properties []struct {
				Name  string
				Value struct{ Value any }
			}
		}
	}
	if err := p.Call(ctx, "Accessibility.getFullAXTree", nil, &tree); err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, n := range tree.Nodes {
		for _, x := range n.Properties {
			if x.Name != "focusable" || x.Value.Value != true || n.Ignored || n.Role.Value == "RootWebArea" || n.Role.Value == "generic" {
				continue
			}
			if name, _ := n.Name.Value.(string); strings.TrimSpace(name) == "" {
				t.Errorf("a control of the role %v has no name", n.Role.Value)
			}
			named++
		}
	}
	if named < 20 {
		t.Errorf("only %d controls", named)
	}
}

// What is not proved never looks as if it were: of a scene with a box in millimetres the page says
// what is not covered, and nothing of it is green.
func TestReportOfAGap(t *testing.T) {
	q := questions(t)[0]
	text, err := os.ReadFile(q.scene)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(testdata)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("mesh: humanoid_description"), []byte("mesh: "+folder+"/humanoid_description"))
	q.scene = newFile(t, "gap.yaml", string(text)+"  - {id: crate, type: box, size: [1500, 400, 400], xyz: [3000, 0, 0]}\n")
	q.name, q.motion, q.otherMotions, q.wantStatus = "gap", testdata+"/trajectory_free.yaml", nil, "undecided"
	path, answers := ask(t, &q)
	ctx, p := open(t, path, 1000, 700)
	picture(t, ctx, p, q.name, true)
	numbersAreTheVerdicts(t, ctx, p, &answers[0])
	var colours [2]string
	eval(t, ctx, p, `[getComputedStyle(document.querySelector('header .badge')).backgroundColor, getComputedStyle(document.body).getPropertyValue('--free')]`, &colours)
	var rgb [3]int
	if _, err := fmt.Sscanf(colours[0], "rgb(%d, %d, %d)", &rgb[0], &rgb[1], &rgb[2]); err != nil || rgb[1] > rgb[0]+10 && rgb[1] > rgb[2]+10 {
		t.Errorf("the verdict of what is not proved has the colour %s, %v", colours[0], err)
	}
	var green int
	eval(t, ctx, p, "document.querySelectorAll('.badge.free').length", &green)
	var headline, uncovered string
	eval(t, ctx, p, "document.querySelector('.headline').textContent", &headline)
	eval(t, ctx, p, "document.querySelector('.words .open').textContent", &uncovered)
	if green > 0 || !strings.HasPrefix(headline, "Undecided, which is never to be treated as free") || !strings.Contains(headline+uncovered, "crate") {
		t.Errorf("%d green badges; %q; not covered: %q", green, headline, uncovered)
	}
	clean(t, p)
}

// The page fits a phone, in light and in dark.
func TestReportOnAPhone(t *testing.T) {
	for _, q := range questions(t) {
		path, _ := ask(t, &q)
		ctx, p := open(t, path, 390, 844)
		var wide float64
		eval(t, ctx, p, "document.documentElement.scrollWidth", &wide)
		if wide > 390 {
			t.Errorf("%s: the page is %g pixels wide", q.name, wide)
		}
		light := drawn(t, ctx, p)
		picture(t, ctx, p, q.name+" phone", true)
		var buttons []string
		eval(t, ctx, p, `[...document.querySelectorAll('.player button, .player select, .moments button')].filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > 390 || r.height < 30 }).map((e) => e.textContent)`, &buttons)
		if len(buttons) > 0 {
			t.Errorf("%s: out of reach of a thumb: %q", q.name, buttons)
		}
		eval(t, ctx, p, "document.querySelector('.theme').click()", nil)
		dark := drawn(t, ctx, p)
		picture(t, ctx, p, q.name+" phone dark", true)
		bright := func(c [3]int) bool { return c[0]+c[1]+c[2] > 600 }
		if l, d := light.count(bright), dark.count(bright); l < 4*d {
			t.Errorf("%s: %d bright pixels in light, %d in dark", q.name, l, d)
		}
		clean(t, p)
	}
}

// One page has several motions; each is shown when it is chosen.
func TestReportOfSeveralMotions(t *testing.T) {
	q := questions(t)[0]
	path, answers := ask(t, &q)
	ctx, p := open(t, path, 1000, 700)
	for i, name := range []string{"wave.csv", "trajectory_free.yaml", "wave.csv"} {
		k := i % 2
		if err := p.Click(ctx, fmt.Sprintf("nav.motions tbody tr:nth-child(%d) button", k+1)); err != nil {
			t.Fatal(err)
		}
		var title, badge string
		var until float64
		eval(t, ctx, p, "document.querySelector('h1').textContent", &title)
		eval(t, ctx, p, "document.querySelector('header .badge').textContent", &badge)
		eval(t, ctx, p, "Number(document.querySelector('[data-id=proven-until]').value)", &until)
		if title != name || badge != strings.ToUpper(answers[k].Status) || until != answers[k].ProvenUntil {
			t.Errorf("the page shows %s, %s, proved until %g s", title, badge, until)
		}
	}
	clean(t, p)
}

// A file that was damaged says so.
func TestReportOfABrokenFile(t *testing.T) {
	q := questions(t)[0]
	path, _ := ask(t, &q)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(text), `id="data">`) + len(`id="data">`)
	broken := string(text[:i]) + "AAAA" + string(text[i+4:])
	path = filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p := load(t, ctx, path, 800, 600)
	if err := p.Wait(ctx, "document.querySelector('[role=alert]')?.textContent.includes('cannot be shown')"); err != nil {
		t.Error(err)
	}
}

// The page without its data stays below what a mail takes.
func TestPageIsSmall(t *testing.T) {
	if n := len(viewer.Script) + len(viewer.Style); n > 1<<20 {
		t.Errorf("script and style are %d bytes", n)
	}
}
