//go:build cyclone && cgo

package cyclone

// #include "bridge.h"
// void fc_log_to_go (void);
import "C"

import (
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// libddsc writes its log to standard error under a lock that its receiving threads take: a
// pipe that nobody reads would block them. So its lines are passed to the user of the newest
// participant that is still open.
var listeners struct {
	sync.Mutex
	once sync.Once
	log  []*func(ros.Level, string)
}

// listen passes the library's log to f until the returned function is called. f must neither
// block nor call the library.
func listen(f func(ros.Level, string)) (end func()) {
	if f == nil {
		return func() {}
	}
	listeners.Lock()
	listeners.log = append(listeners.log, &f)
	listeners.Unlock()
	listeners.once.Do(func() { C.fc_log_to_go() })
	return func() {
		listeners.Lock()
		defer listeners.Unlock()
		listeners.log = slices.DeleteFunc(listeners.log, func(g *func(ros.Level, string)) bool { return g == &f })
	}
}

// maxLogged is the maximum length of a line of the library's log in bytes.
const maxLogged = 1000

//export fcLogged
func fcLogged(failed, warned C.bool, message *C.char, size C.size_t) {
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
		(*listeners.log[len(listeners.log)-1])(level, "Cyclone DDS: "+text)
	}
}
