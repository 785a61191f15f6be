// Package browser drives a headless Chromium, to test pages as people see them: it loads them,
// presses keys, reads values back and takes pictures. It speaks the DevTools protocol over two
// pipes, so that it needs nothing besides the browser.
package browser

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Browser is a running Chromium.
type Browser struct {
	cmd  *exec.Cmd
	home string
	to   *os.File

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	pages   map[string]*Page // by session
	gone    error
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Names are the programs that Start looks for.
var Names = []string{"chromium", "chromium-browser", "google-chrome"}

// Find returns the path of a Chromium, or an error that says what to install.
func Find() (string, error) {
	for _, name := range Names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("none of %s is installed: install Debian's package chromium", strings.Join(Names, ", "))
}

// Start starts a browser without a window. Close ends it.
func Start() (*Browser, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "firstcontact-browser-")
	if err != nil {
		return nil, err
	}
	// It reads commands from descriptor 3 and writes to 4.
	theirs, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, mine, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir="+home,
		"--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--force-color-profile=srgb", "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, mine}
	cmd.Env = append(os.Environ(), "TMPDIR="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its processes end together, and write no more to home
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_ = theirs.Close()
	_ = mine.Close()
	b := &Browser{cmd: cmd, home: home, to: to, waiting: map[int]chan reply{}, pages: map[string]*Page{}}
	go b.listen(from)
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() error {
	_ = syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL)
	_ = b.cmd.Wait()
	_ = b.to.Close()
	return os.RemoveAll(b.home)
}

// message is what the browser sends: a reply or an event.
type message struct {
	ID        int
	Method    string
	SessionID string
	Params    json.RawMessage
	reply
}

// listen hands out what the browser sends.
func (b *Browser) listen(from *os.File) {
	in := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			b.gone = errors.New("the browser has ended")
			for _, c := range b.waiting {
				close(c)
			}
			b.waiting = map[int]chan reply{}
			b.mu.Unlock()
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		c, page := b.waiting[m.ID], b.pages[m.SessionID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		switch {
		case m.ID != 0 && c != nil:
			c <- m.reply
		case m.ID == 0 && page != nil:
			page.event(m.Method, m.Params)
		}
	}
}

// call sends a command and waits for its result.
func (b *Browser) call(ctx context.Context, session, method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	b.mu.Lock()
	if b.gone != nil {
		b.mu.Unlock()
		return b.gone
	}
	b.next++
	id, c := b.next, make(chan reply, 1)
	b.waiting[id] = c
	command := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		command["sessionId"] = session
	}
	text, err := json.Marshal(command)
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case r, ok := <-c:
		switch {
		case !ok:
			return fmt.Errorf("%s: the browser has ended", method)
		case r.Error != nil:
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		case result != nil:
			return json.Unmarshal(r.Result, result)
		}
		return nil
	}
}

// Page is a tab.
type Page struct {
	b       *Browser
	session string

	mu       sync.Mutex
	loaded   chan struct{}
	problems []string
	requests []string
}

// Open opens a page of a size in pixels and waits until it is loaded.
func (b *Browser) Open(ctx context.Context, url string, width, height int) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	if err := b.call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p := &Page{b: b, session: attached.SessionID, loaded: make(chan struct{}, 1)}
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		if err := p.Call(ctx, domain+".enable", nil, nil); err != nil {
			return nil, err
		}
	}
	if err := p.Resize(ctx, width, height); err != nil {
		return nil, err
	}
	if err := p.Call(ctx, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.loaded:
	}
	return p, nil
}

// Close closes the tab.
func (p *Page) Close(ctx context.Context) error { return p.Call(ctx, "Page.close", nil, nil) }

// Call sends a command of the DevTools protocol. params and result may be nil.
func (p *Page) Call(ctx context.Context, method string, params, result any) error {
	return p.b.call(ctx, p.session, method, params, result)
}

// event notes what went wrong and what was asked for over the network.
func (p *Page) event(method string, params json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch method {
	case "Page.loadEventFired":
		select {
		case p.loaded <- struct{}{}:
		default:
		}
	case "Runtime.exceptionThrown", "Log.entryAdded":
		p.problems = append(p.problems, method+" "+string(params))
	case "Runtime.consoleAPICalled":
		var c struct{ Type string }
		if json.Unmarshal(params, &c) == nil && (c.Type == "error" || c.Type == "warning" || c.Type == "assert") {
			p.problems = append(p.problems, method+" "+string(params))
		}
	case "Network.requestWillBeSent":
		var r struct{ Request struct{ URL string } }
		if json.Unmarshal(params, &r) == nil {
			p.requests = append(p.requests, r.Request.URL)
		}
	}
}

// Problems lists uncaught errors, errors and warnings of the console, and entries of the
// browser's log since the page was opened.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.problems...)
}

// Requests lists the addresses that the page asked for.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.requests...)
}

// Eval evaluates an expression of JavaScript, waits for it if it is a promise, and stores its
// value, which must be one of JSON. result may be nil.
func (p *Page) Eval(ctx context.Context, expression string, result any) error {
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.Call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &out)
	switch {
	case err != nil:
		return err
	case out.ExceptionDetails != nil:
		return fmt.Errorf("%s: %s %s", expression, out.ExceptionDetails.Text, out.ExceptionDetails.Exception.Description)
	case result == nil:
		return nil
	case out.Result.Value == nil:
		return fmt.Errorf("%s has no value", expression)
	}
	return json.Unmarshal(out.Result.Value, result)
}

// Wait waits until an expression is true, or what it promises.
func (p *Page) Wait(ctx context.Context, expression string) error {
	for {
		var yes bool
		if err := p.Eval(ctx, "(async () => !!(await ("+expression+")))()", &yes); err != nil || yes {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", expression, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// keys are the keys with a name, by what they type and their code.
var keys = map[string]struct {
	text string
	code int
}{
	"Tab": {"", 9}, "Enter": {"\r", 13}, "Escape": {"", 27}, " ": {" ", 32}, "PageUp": {"", 33}, "PageDown": {"", 34}, "End": {"", 35}, "Home": {"", 36},
	"ArrowLeft": {"", 37}, "ArrowUp": {"", 38}, "ArrowRight": {"", 39}, "ArrowDown": {"", 40},
}

// Shift is the modifier of Press.
const Shift = 8

// Press presses a key, such as "Tab", " " or "c", with modifiers or 0.
func (p *Page) Press(ctx context.Context, key string, modifiers int) error {
	k, named := keys[key]
	if !named {
		k.text, k.code = key, int(strings.ToUpper(key)[0])
	}
	code := key
	if key == " " {
		code = "Space"
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		event := map[string]any{"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": k.code, "modifiers": modifiers}
		if kind == "keyDown" && k.text != "" {
			event["text"] = k.text
		}
		if err := p.Call(ctx, "Input.dispatchKeyEvent", event, nil); err != nil {
			return err
		}
	}
	return nil
}

// Click clicks in the middle of the element that a selector finds.
func (p *Page) Click(ctx context.Context, selector string) error {
	var at [2]float64
	expression := fmt.Sprintf("(() => { const e = document.querySelector(%q); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()", selector)
	if err := p.Eval(ctx, expression, &at); err != nil {
		return err
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		event := map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}
		if err := p.Call(ctx, "Input.dispatchMouseEvent", event, nil); err != nil {
			return err
		}
	}
	return nil
}

// Resize sets the size of the page in pixels.
func (p *Page) Resize(ctx context.Context, width, height int) error {
	return p.Call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
}

// Dark sets whether the user prefers dark pages.
func (p *Page) Dark(ctx context.Context, yes bool) error {
	value := "light"
	if yes {
		value = "dark"
	}
	return p.Call(ctx, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": value}}}, nil)
}

// Screenshot takes a picture of what is visible; whole, of the page from top to bottom.
func (p *Page) Screenshot(ctx context.Context, whole bool) (image.Image, error) {
	var out struct{ Data string }
	params := map[string]any{"format": "png", "captureBeyondViewport": whole}
	if whole {
		var size [2]float64
		if err := p.Eval(ctx, "[document.documentElement.clientWidth, document.documentElement.scrollHeight]", &size); err != nil {
			return nil, err
		}
		params["clip"] = map[string]any{"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
	}
	if err := p.Call(ctx, "Page.captureScreenshot", params, &out); err != nil {
		return nil, err
	}
	return png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(out.Data)))
}
