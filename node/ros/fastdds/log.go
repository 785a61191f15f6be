//go:build fastdds && cgo

package fastdds

// #include "bridge.h"
import "C"

import "github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"

var library = peer.Log{Library: "Fast DDS"}

//export fdLogged
func fdLogged(failed, warned C.bool, message *C.char, size C.size_t) {
	library.Line(bool(failed), bool(warned), C.GoStringN(message, C.int(min(size, peer.MaxLogged))))
}
