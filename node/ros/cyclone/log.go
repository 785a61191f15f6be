//go:build cyclone && cgo

package cyclone

// #include "bridge.h"
// void fc_log_to_go (void);
import "C"

import (
	"sync"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// libddsc writes its log to standard error under a lock that its receiving threads take: a
// pipe that nobody reads would block them. So its lines are passed on.
var (
	library = peer.Log{Library: "Cyclone DDS"}
	divert  sync.Once
)

// listen passes the library's log to f until the returned function is called. f must neither
// block nor call the library.
func listen(f func(ros.Level, string)) (end func()) {
	if f != nil {
		divert.Do(func() { C.fc_log_to_go() })
	}
	return library.Listen(f)
}

//export fcLogged
func fcLogged(failed, warned C.bool, message *C.char, size C.size_t) {
	library.Line(bool(failed), bool(warned), C.GoStringN(message, C.int(min(size, peer.MaxLogged))))
}
