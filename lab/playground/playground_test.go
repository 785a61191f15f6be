package playground

import (
	"context"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/browser"
)

const (
	built = "../../build/playground" // by make playground
	shots = "../../build/screenshots"
)

// open opens the playground, served from a folder of files as anybody would serve it.
func open(t *testing.T, width, height int) (context.Context, *browser.Page) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(built, "firstcontact.wasm.gz")); err != nil {
		t.Skip("there is no playground: run make playground first")
	}
	if _, err := browser.Find(); err != nil {
		t.Skip(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(built)))
	t.Cleanup(server.Close)
	b, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(stop)
	p, err := b.Open(ctx, server.URL, width, height)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range p.Problems() {
			t.Errorf("the browser complains: %s", problem)
		}
		for _, url := range p.Requests() {
			if !strings.HasPrefix(url, server.URL) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:"+server.URL) {
				t.Errorf("the page asks for %s: nothing may leave the machine", url)
			}
		}
	})
	must(t, p.Wait(ctx, "document.getElementById('state').textContent === 'Ready' && document.querySelectorAll('#example option').length === 11"))
	return ctx, p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, ctx context.Context, p *browser.Page, id string) (s string) {
	t.Helper()
	must(t, p.Eval(ctx, "document.getElementById('"+id+"').textContent", &s))
	return s
}

// keep writes a screenshot where continuous integration collects them.
func keep(t *testing.T, name string, picture image.Image) {
	t.Helper()
	must(t, os.MkdirAll(shots, 0o755))
	f, err := os.Create(filepath.Join(shots, name+".png"))
	must(t, err)
	must(t, png.Encode(f, picture))
	must(t, f.Close())
}

// drawn takes a picture of what is visible, and returns how large a part of it has a colour that
// only bodies of the 3D view have.
func drawn(t *testing.T, ctx context.Context, p *browser.Page, name string) float64 {
	t.Helper()
	must(t, p.Eval(ctx, "document.getElementById('report').scrollIntoView()", nil))
	var share float64
	for range 100 {
		picture, err := p.Screenshot(ctx, false)
		must(t, err)
		keep(t, name, picture)
		if share = bluish(picture); share > 0.005 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return share
}

// bluish is the share of pixels of a lit link's hue: clearly more blue than red, and neither
// bright as the page nor saturated as a button.
func bluish(m image.Image) float64 {
	n, box := 0, m.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			r, g, b = r>>8, g>>8, b>>8
			if b > r+25 && b < r+90 && g >= r && g <= b && b > 60 && b < 235 {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy())
}

// With the keyboard alone, on a phone's width: an example is chosen, checked and shown.
func TestKeyboardOnAPhone(t *testing.T) {
	ctx, p := open(t, 390, 844)
	focused := func(id string) bool {
		var yes bool
		must(t, p.Eval(ctx, "document.activeElement.id === '"+id+"'", &yes))
		return yes
	}
	tabTo := func(id string) {
		t.Helper()
		for range 60 {
			if focused(id) {
				return
			}
			must(t, p.Press(ctx, "Tab", 0))
		}
		t.Fatalf("Tab never reaches %s", id)
	}
	tabTo("example")
	must(t, p.Press(ctx, "ArrowDown", 0))
	must(t, p.Press(ctx, "ArrowDown", 0)) // the second example
	must(t, p.Wait(ctx, "!document.getElementById('check').disabled"))
	tabTo("check")
	must(t, p.Press(ctx, "Enter", 0))
	must(t, p.Wait(ctx, "!document.getElementById('result').hidden"))
	if got := text(t, ctx, p, "verdict"); got != "CONTACT" {
		t.Errorf("the verdict is %q", got)
	}
	if got := text(t, ctx, p, "out"); !strings.Contains(got, "CONTACT world: forearm and box") {
		t.Errorf("the answer is %q", got)
	}
	var width int
	must(t, p.Eval(ctx, "document.documentElement.scrollWidth", &width))
	if width > 390 {
		t.Errorf("the page is %d pixels wide", width)
	}
	picture, err := p.Screenshot(ctx, true)
	must(t, err)
	keep(t, "playground-phone", picture)
	must(t, p.Eval(ctx, "window.scrollTo(0, 0)", nil))
	top, err := p.Screenshot(ctx, false)
	must(t, err)
	before := bluish(top)
	if share := drawn(t, ctx, p, "playground-phone-report"); share < 0.005 || share < 2*before {
		t.Errorf("%.2f %% of the picture with the 3D view are bodies, %.2f %% without", 100*share, 100*before)
	}
}

// dropped drops files and folders on the page.
func dropped(t *testing.T, ctx context.Context, p *browser.Page, files ...string) {
	t.Helper()
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		must(t, p.Call(ctx, "Input.dispatchDragEvent", map[string]any{"type": kind, "x": 300, "y": 250, "data": map[string]any{
			"items": []any{}, "files": files, "dragOperationsMask": 1,
		}}, nil))
	}
}

// A folder is dropped as from a file manager; what is wrong is said in words; a check is
// cancelled; a dark page is dark.
func TestDroppedFolder(t *testing.T) {
	ctx, p := open(t, 1200, 900)
	must(t, p.Dark(ctx, true))
	examples, err := filepath.Abs("../../testdata/examples")
	must(t, err)
	drop := func(files ...string) {
		t.Helper()
		dropped(t, ctx, p, files...)
	}
	disabled := func() (yes bool) {
		must(t, p.Eval(ctx, "document.getElementById('check').disabled", &yes))
		return yes
	}

	// The robot alone: its mesh and a motion are missing.
	drop(filepath.Join(examples, "arm.urdf"))
	must(t, p.Wait(ctx, "document.querySelectorAll('#advice .missing').length > 0"))
	advice := text(t, ctx, p, "advice")
	for _, want := range []string{"package://arm_description/meshes/upper_arm.obj, a mesh of arm.urdf", "a motion"} {
		if !strings.Contains(advice, want) {
			t.Errorf("%q is not among %q", want, advice)
		}
	}
	if !disabled() {
		t.Error("a robot without its mesh can be checked")
	}

	// With the folder of the meshes, a scene and a motion.
	drop(filepath.Join(examples, "arm_description"), filepath.Join(examples, "plate.yaml"), filepath.Join(examples, "sweep.yaml"))
	must(t, p.Wait(ctx, "!document.getElementById('check').disabled"))

	// Cancelled at once there is no answer, and the next check is not disturbed.
	must(t, p.Eval(ctx, "document.getElementById('check').click(), new Promise((done) => setTimeout(done, 30)).then(() => document.getElementById('cancel').click())", nil))
	must(t, p.Wait(ctx, "document.getElementById('state').textContent.startsWith('Cancelled')"))
	var hidden bool
	must(t, p.Eval(ctx, "document.getElementById('result').hidden", &hidden))
	if !hidden {
		t.Error("a cancelled check has an answer")
	}
	must(t, p.Click(ctx, "#check"))
	must(t, p.Wait(ctx, "!document.getElementById('result').hidden"))
	if got := text(t, ctx, p, "out"); !strings.Contains(got, "CONTACT world: hand and plate at 0.44") {
		t.Errorf("the answer is %q", got)
	}
	if share := drawn(t, ctx, p, "playground-dark"); share < 0.005 {
		t.Errorf("%.2f %% of the picture are bodies", 100*share)
	}
	picture, err := p.Screenshot(ctx, false)
	must(t, err)
	if r, g, b, _ := picture.At(2, 2).RGBA(); r+g+b > 3*0x4000 {
		t.Errorf("the dark page's corner has the colour %x %x %x", r>>8, g>>8, b>>8)
	}

	// Other input takes the answer away, also that of a check that runs.
	hide := func(what, change string) {
		t.Helper()
		must(t, p.Eval(ctx, change, nil))
		must(t, p.Eval(ctx, "document.getElementById('result').hidden", &hidden))
		if !hidden {
			t.Errorf("the answer stays after another %s", what)
		}
	}
	typed := "(() => { const f = document.getElementById('flags'); f.value = '--no-self'; f.dispatchEvent(new Event('input')) })()"
	hide("flag", typed)
	must(t, p.Eval(ctx, "document.getElementById('check').click(), new Promise((done) => setTimeout(done, 30))", nil))
	hide("flag while it runs", typed)
	must(t, p.Wait(ctx, "document.getElementById('state').textContent.startsWith('Stopped')"))

	// What checks nothing is no answer.
	must(t, p.Eval(ctx, "document.getElementById('flags').value = '--help', document.getElementById('check').click()", nil))
	must(t, p.Wait(ctx, "!document.getElementById('result').hidden"))
	if got := text(t, ctx, p, "verdict"); got != "No answer: nothing was checked" {
		t.Errorf("of --help the page says %q", got)
	}

	// Wrong flags are told as the command tells them.
	must(t, p.Eval(ctx, "document.getElementById('flags').value = '--clearence 1', document.getElementById('check').click()", nil))
	must(t, p.Wait(ctx, "document.getElementById('verdict').textContent.includes('flags are wrong')"))
	if got := text(t, ctx, p, "out"); !strings.Contains(got, "--clearance") {
		t.Errorf("the answer is %q", got)
	}
}
