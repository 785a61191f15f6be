//go:build gl && cgo

package offscreen

/*
#cgo pkg-config: egl
#include <stdlib.h>
#include "context.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"
)

// Available tells whether graphics processors were built in.
const Available = true

// Device is a graphics processor with a thread of its own. Several goroutines may use it.
type Device struct {
	Info
	jobs chan job

	mu   sync.Mutex
	lost error
}

type job struct {
	run  func() error
	done chan error
}

// startTime bounds how long a driver may take to open.
const startTime = 20 * time.Second

// Open opens the best device: the first that is hardware, else a software renderer. The error says
// what was tried, and what to install.
func Open() (*Device, error) {
	d := &Device{jobs: make(chan job)}
	opened := make(chan error, 1)
	go d.serve(opened)
	select {
	case err := <-opened:
		if err != nil {
			return nil, err
		}
		return d, nil
	case <-time.After(startTime):
		return nil, fmt.Errorf("the graphics driver did not open within %v", startTime)
	}
}

// serve is the device's thread, which ends with it.
func (d *Device) serve(opened chan<- error) {
	runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
	c, info, err := best()
	if err != nil {
		opened <- err
		return
	}
	d.Info = info
	opened <- nil
	for j := range d.jobs {
		j.done <- protected(j.run)
	}
	C.fc_close(&c)
}

// protected runs f, whose panic is an error.
func protected(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// Do runs f in the device's thread, where OpenGL may be called, and returns its error or what
// OpenGL noted. If f fails, if OpenGL has an error, or if it takes longer than limit, the
// device is lost: f may then still be running, and what it writes must not be used again.
func (d *Device) Do(limit time.Duration, f func() error) error {
	if err := d.Err(); err != nil {
		return err
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	j := job{run: func() error { return errors.Join(f(), noted()) }, done: make(chan error, 1)}
	late := func() error { return d.lose(fmt.Errorf("it did not answer within %v", limit)) }
	select {
	case d.jobs <- j:
	case <-timer.C:
		return late()
	}
	select {
	case err := <-j.done:
		return d.lose(err)
	case <-timer.C:
		return late()
	}
}

// Err returns why the device is lost, nil as long as it is not.
func (d *Device) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// lose notes the first error.
func (d *Device) lose(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lost == nil && err != nil {
		d.lost = fmt.Errorf("graphics device %s: %w", d.Name, err)
	}
	return d.lost
}

// Close ends the device.
func (d *Device) Close() {
	if d.lose(errors.New("closed")); d.jobs != nil {
		go func() { // behind what is still running
			d.jobs <- job{run: func() error { return nil }, done: make(chan error, 1)}
			close(d.jobs)
		}()
	}
}

// noted returns the errors that OpenGL has noted, or that it was reset.
func noted() error {
	var found error
	for range 16 {
		code := gl.GetError()
		if code == gl.NO_ERROR {
			break
		}
		found = errors.Join(found, fmt.Errorf("OpenGL error 0x%x", code))
	}
	if status := resetStatus(); status != gl.NO_ERROR {
		found = errors.Join(found, fmt.Errorf("OpenGL was reset (0x%x)", status))
	}
	return found
}

// resetStatus tells whether the context is lost, where the driver can tell.
var resetStatus = func() uint32 { return gl.NO_ERROR }

// best makes the context of the best place current.
func best() (C.fc_context, Info, error) {
	var soft *C.fc_context
	var softInfo Info
	var tried []error
	for _, place := range places() {
		c, info, err := open(place)
		switch {
		case err != nil:
			tried = append(tried, fmt.Errorf("%s: %w", nameOf(place), err))
		case !info.Software:
			return c, info, nil
		case soft == nil:
			soft, softInfo = &c, info
			C.eglMakeCurrent(c.display, nil, nil, nil)
		default:
			C.fc_close(&c)
		}
	}
	if soft == nil {
		return C.fc_context{}, Info{}, fmt.Errorf("no graphics device has OpenGL 4.3 without a display; install a driver, or Mesa's software renderer (libgl1-mesa-dri, libegl1): %w", errors.Join(tried...))
	}
	if C.eglMakeCurrent(soft.display, nil, nil, soft.context) == C.EGL_FALSE {
		return C.fc_context{}, Info{}, errors.New("the software renderer cannot be used again")
	}
	return *soft, softInfo, nil
}

// places lists what to try, hardware first as EGL lists it.
func places() []int {
	var all []int
	for i := range int(C.fc_devices()) {
		all = append(all, i)
	}
	return append(all, C.FC_SURFACELESS, C.FC_DEFAULT)
}

func nameOf(place int) string {
	switch place {
	case C.FC_SURFACELESS:
		return "Mesa without a surface"
	case C.FC_DEFAULT:
		return "the default display"
	}
	return fmt.Sprintf("EGL device %d", place)
}

// open makes a place's context current and asks what it is.
func open(place int) (C.fc_context, Info, error) {
	var c C.fc_context
	if step := C.fc_open(C.int(place), &c); step != 0 {
		return c, Info{}, errors.New(C.GoString(C.fc_failure(step)))
	}
	if err := load(); err != nil {
		C.fc_close(&c)
		return c, Info{}, err
	}
	info := Info{Name: gl.GoStr(gl.GetString(gl.RENDERER)), Version: gl.GoStr(gl.GetString(gl.VERSION))}
	for _, word := range []string{"llvmpipe", "softpipe", "swiftshader", "software", "swr"} {
		info.Software = info.Software || strings.Contains(strings.ToLower(info.Name), word)
	}
	return c, info, nil
}

// load finds OpenGL's functions.
func load() error {
	if err := gl.InitWithProcAddrFunc(address); err != nil {
		return err
	}
	if address("glGetGraphicsResetStatusKHR") != nil && hasExtension("GL_KHR_robustness") {
		resetStatus = gl.GetGraphicsResetStatusKHR
	}
	return nil
}

func address(name string) unsafe.Pointer {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return unsafe.Pointer(C.eglGetProcAddress(s))
}

func hasExtension(name string) bool {
	var n int32
	gl.GetIntegerv(gl.NUM_EXTENSIONS, &n)
	for i := range n {
		if gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i))) == name {
			return true
		}
	}
	return false
}
