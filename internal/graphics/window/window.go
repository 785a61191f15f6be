//go:build gl && cgo

package window

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Available tells whether windows were built in.
const Available = true

func init() { runtime.LockOSThread() } // GLFW works in the process's first thread alone

// Show opens a window and plays the motion over and over until the window is closed or ctx is
// done, which is no error. Call it from the goroutine of main. Without a display it returns an error that names the
// remedy.
//
// Drag to turn, scroll to come closer, space to pause, left and right to seek, Esc to close.
func Show(ctx context.Context, s Stage, o Options) (err error) {
	said := ""
	defer func() {
		if r := recover(); r != nil { // GLFW's binding panics when it is used after it has failed
			err = unable(errors.New(cmp.Or(said, fmt.Sprint(r))))
		}
	}()
	if said, err = initialize(); err != nil {
		return unable(err)
	}
	defer glfw.Terminate()
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	w, err := glfw.CreateWindow(1100, 800, s.Title, nil, nil)
	if err != nil {
		return unable(err)
	}
	w.MakeContextCurrent()
	glfw.SwapInterval(1)
	if err := gl.Init(); err != nil {
		return unable(err)
	}
	v := &player{stage: &s, window: w, time: s.Start, last: time.Now()}
	if err := v.open(); err != nil {
		return err
	}
	v.listen()
	return v.play(ctx, o)
}

// initialize starts GLFW. Its binding logs what is wrong with the platform and returns no error: what it
// said is the reason if GLFW cannot be used then.
func initialize() (said string, err error) {
	var text strings.Builder
	to, flags := log.Writer(), log.Flags()
	log.SetOutput(&text)
	log.SetFlags(0)
	defer func() {
		log.SetOutput(to)
		log.SetFlags(flags)
	}()
	err = glfw.Init()
	return strings.TrimSpace(text.String()), err
}

// unable says what a window needs.
func unable(err error) error {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return fmt.Errorf("there is no display (DISPLAY is not set): run it in a desktop session, over ssh -X, or as xvfb-run firstcontact view ...; or write a page with check --report: %w", err)
	}
	if strings.Contains(err.Error(), "open display") {
		return fmt.Errorf("the display %q cannot be opened: name one that runs and that you may use, run it as xvfb-run firstcontact view ..., or write a page with check --report: %w", os.Getenv("DISPLAY"), err)
	}
	return fmt.Errorf("no window with OpenGL 4.3 on display %q: install a graphics driver or Mesa (libgl1-mesa-dri), or write a page with check --report: %w", os.Getenv("DISPLAY"), err)
}

// player plays a stage in a window.
type player struct {
	stage  *Stage
	window *glfw.Window
	scene  scene
	camera camera

	status Status
	time   float64 // of the motion
	last   time.Time
	paused bool
	drag   bool
	x, y   float64
}

// play draws frame after frame.
func (p *player) play(ctx context.Context, o Options) error {
	for frame := 1; !p.window.ShouldClose() && ctx.Err() == nil; frame++ {
		now := time.Now()
		if length := p.stage.End - p.stage.Start; !p.paused && length > 0 {
			p.time += now.Sub(p.last).Seconds()
			p.time = p.stage.Start + math.Mod(p.time-p.stage.Start, length)
		}
		p.last = now
		poses, err := p.stage.Poses(p.time)
		if err != nil {
			return err
		}
		p.status = Status{Text: fmt.Sprintf("%.3f s", p.time)}
		if p.stage.Status != nil {
			p.status = p.stage.Status()
		}
		width, height := p.window.GetFramebufferSize()
		p.draw(poses, width, height)
		if code := gl.GetError(); code != gl.NO_ERROR {
			return fmt.Errorf("OpenGL error 0x%x while drawing; check --report writes a page instead", code)
		}
		if frame == o.Frames {
			if o.Picture != nil {
				return capture(o.Picture, width, height)
			}
			return nil
		}
		p.window.SetTitle(p.stage.Title + "  " + p.status.Text)
		p.window.SwapBuffers()
		glfw.PollEvents()
		if rest := shortest - time.Since(now); rest > 0 { // where swapping does not wait for a screen
			glfw.WaitEventsTimeout(rest.Seconds())
		}
	}
	return nil
}

// shortest is how long a frame lasts at least, unless something happens to the window.
const shortest = time.Second / 60

// listen follows mouse and keys.
func (p *player) listen() {
	w := p.window
	w.SetMouseButtonCallback(func(w *glfw.Window, b glfw.MouseButton, a glfw.Action, _ glfw.ModifierKey) {
		p.drag = b == glfw.MouseButtonLeft && a == glfw.Press
		p.x, p.y = w.GetCursorPos()
	})
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		if p.drag {
			p.camera.yaw -= 0.008 * (x - p.x)
			p.camera.pitch = min(max(p.camera.pitch+0.008*(y-p.y), -1.5), 1.5)
		}
		p.x, p.y = x, y
	})
	w.SetScrollCallback(func(_ *glfw.Window, _, y float64) { p.camera.distance *= math.Pow(0.9, y) })
	w.SetKeyCallback(func(w *glfw.Window, k glfw.Key, _ int, a glfw.Action, _ glfw.ModifierKey) {
		if a == glfw.Release {
			return
		}
		step := 0.02 * (p.stage.End - p.stage.Start)
		switch k {
		case glfw.KeyEscape, glfw.KeyQ:
			w.SetShouldClose(true)
		case glfw.KeySpace:
			p.paused = !p.paused
		case glfw.KeyLeft:
			p.paused, p.time = true, max(p.time-step, p.stage.Start)
		case glfw.KeyRight:
			p.paused, p.time = true, min(p.time+step, p.stage.End)
		}
	})
}

// camera looks at a point from around it.
type camera struct {
	at              geom.Vec
	yaw, pitch      float64
	distance, reach float64
}
