//go:build gl && cgo

package offscreen

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"
)

func open1(t *testing.T) *Device {
	d, err := Open()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(d.Close)
	return d
}

// Whatever goes wrong ends the device, and it stays ended.
func TestADeviceThatFailsIsLost(t *testing.T) {
	for name, c := range map[string]struct {
		f    func() error
		want string
	}{
		"error":    {func() error { return errors.New("out of luck") }, "out of luck"},
		"panic":    {func() error { panic("broken") }, "panic: broken"},
		"OpenGL":   {func() error { gl.Enable(0xbad); return nil }, "OpenGL error 0x500"},
		"too late": {func() error { time.Sleep(300 * time.Millisecond); return nil }, "did not answer within 100ms"},
	} {
		d := open1(t)
		if err := d.Do(10*time.Second, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		if err := d.Do(100*time.Millisecond, c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err := d.Do(10*time.Second, func() error { t.Error("ran"); return nil }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, afterwards: %v", name, err)
		}
	}
}

func TestOpenSaysWhatItIs(t *testing.T) {
	d := open1(t)
	t.Log(d)
	if d.Name == "" || d.Version == "" {
		t.Error("a device without name or version")
	}
}
