package ros

import (
	"fmt"
	"slices"
	"strings"
)

// WireForm describes how ROS distributions differ on the wire.
type WireForm struct {
	// GIDLength is the length in bytes of an entity's id in graph messages.
	GIDLength int
	// TypeHashes reports whether endpoints announce the hash of their type.
	TypeHashes bool
}

// Wire forms. Iron shortened the ids and introduced the hashes.
var (
	HumbleWire = WireForm{GIDLength: 24}
	JazzyWire  = WireForm{GIDLength: 16, TypeHashes: true}
)

// Distributions by wire form. A distribution in neither list is newer than these lists.
var (
	oldDistros = []string{"dashing", "eloquent", "foxy", "galactic", "humble"}
	newDistros = []string{"iron", "jazzy", "kilted", "lyrical", "rolling"}
)

// WireFormOf returns the wire form of a ROS distribution (ROS_DISTRO). note is a sentence for
// the user if the choice is a guess, otherwise empty.
func WireFormOf(distro string) (form WireForm, note string) {
	name := strings.ToLower(strings.TrimSpace(distro))
	switch {
	case slices.Contains(oldDistros, name):
		return HumbleWire, ""
	case slices.Contains(newDistros, name):
		return JazzyWire, ""
	case name == "":
		return JazzyWire, "ROS_DISTRO is not set: using the wire form of Iron and later; set ROS_DISTRO=humble beside Humble nodes"
	}
	return JazzyWire, fmt.Sprintf("ROS_DISTRO=%s is unknown: using the wire form of Iron and later", distro)
}
