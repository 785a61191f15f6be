// Package window shows a robot, its surroundings and a motion in a window: GLFW and OpenGL
// 4.3. It is built with the tag gl; without the tag, Show returns an error that says how to build
// it. A picture proves nothing: what is drawn is what package show makes of the model.
package window

import (
	"io"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/show"
)

// Stage is what is shown.
type Stage struct {
	Title  string
	Bodies []show.Body
	// Poses returns where the links are at a time (s), by their indices, in the scene's frame.
	Poses      func(t float64) ([]geom.Pose, error)
	Start, End float64 // of the motion (s); equal where what is shown is live
	// Status tells how things stand where what is shown is live; nil: it is not.
	Status func() Status
}

// Status is how things stand: a line for the title, and a level, which the bar above the picture
// has the colour of. A level that is none of FREE, WARN, STOP and COLLISION is grey, and so is the
// robot then.
type Status struct{ Level, Text string }

// Options say how. The zero value plays until the window is closed.
type Options struct {
	Frames  int       // close after so many; 0: when the user does
	Picture io.Writer // of the last frame, as PNG; nil: none
}
