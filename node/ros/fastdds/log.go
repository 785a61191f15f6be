//go:build fastdds && cgo

package fastdds

// #include "bridge.h"
import "C"

import (
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// listeners get the library's log: its lines are passed to the user of the newest participant
// that is still open.
var listeners struct {
	sync.Mutex
	log []*func(ros.Level, string)
}

// listen passes the library's log to f until the returned function is called.
func listen(f func(ros.Level, string)) (end func()) {
	if f == nil {
		return func() {}
	}
	listeners.Lock()
	defer listeners.Unlock()
	listeners.log = append(listeners.log, &f)
	return func() {
		listeners.Lock()
		defer listeners.Unlock()
		listeners.log = slices.DeleteFunc(listeners.log, func(g *func(ros.Level, string)) bool { return g == &f })
	}
}

// maxLogged is the maximum length of a line of the library's log in bytes.
const maxLogged = 1000

//export fdLogged
func fdLogged(failed, warned C.bool, message *C.char, size C.size_t) {
	listeners.Lock()
	defer listeners.Unlock()
	if len(listeners.log) == 0 {
		return
	}
	level := ros.LevelInfo
	switch {
	case bool(failed):
		level = ros.LevelError
	case bool(warned):
		level = ros.LevelWarn
	}
	text := strings.TrimSpace(string(unsafe.Slice((*byte)(unsafe.Pointer(message)), min(int(size), maxLogged))))
	if text != "" {
		(*listeners.log[len(listeners.log)-1])(level, "Fast DDS: "+text)
	}
}
