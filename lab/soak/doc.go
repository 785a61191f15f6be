// Package soak plays recorded human motion through the node, over DDS and at its
// own pace, and holds every state that comes back against what was sent and
// against FCL. All of it is tests, built with the tag cyclone.
package soak
