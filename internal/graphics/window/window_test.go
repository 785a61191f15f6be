//go:build gl && cgo

package window

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// In the first thread, as GLFW wants.
func TestMain(m *testing.M) {
	if os.Getenv("DISPLAY") == "" {
		err := Show(context.Background(), stage(0), Options{Frames: 1})
		if err == nil || !strings.Contains(err.Error(), "xvfb-run") || !strings.Contains(err.Error(), "DISPLAY environment variable is missing") {
			println("without a display: no error with a reason and a remedy")
			os.Exit(1)
		}
		_ = os.Setenv("DISPLAY", ":7654")
		if err := Show(context.Background(), stage(0), Options{Frames: 1}); err == nil || !strings.Contains(err.Error(), `the display ":7654" cannot be opened`) {
			println("a display that is not there: no error that says so")
			os.Exit(1)
		}
	} else {
		left, right := picture(-0.5), picture(0.5)
		if left == nil || bytes.Equal(left, right) {
			println("two poses give one picture, or none")
			os.Exit(1)
		}
		im, err := png.Decode(bytes.NewReader(left))
		if err != nil {
			println(err.Error())
			os.Exit(1)
		}
		orange := coloured(im)
		for level, want := range map[string][3]uint32{"FREE": {51, 166, 77}, "WARN": {242, 179, 26}, "nonsense": {153, 153, 153}} {
			bar, robot := live(level)
			near := func(a, b uint32) bool { return max(a, b)-min(a, b) <= 2 }
			if !near(bar[0], want[0]) || !near(bar[1], want[1]) || !near(bar[2], want[2]) {
				println("the bar of", level, "is", bar[0], bar[1], bar[2])
				os.Exit(1)
			}
			if known := robot > 1000; known != (level != "nonsense") {
				println("at", level, robot, "pixels of the robot have its colour")
				os.Exit(1)
			}
		}
		if orange < 1000 {
			println("the robot covers too few pixels:", orange)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// What is tested is tested in TestMain.
func TestWindow(*testing.T) {}

// stage is a ball that a link carries, and a block.
func stage(x float64) Stage {
	ball := show.Body{Name: "ball", Kind: motion.RobotLink, Pose: geom.IdentityPose(), Mesh: show.MeshOf(&shape.Shape{Kind: shape.Sphere, Radius: 0.3}, 500)}
	block := show.Body{Name: "block", Kind: motion.WorldObject, Link: -1, Pose: geom.Translation(geom.Vec{Y: 1}), Mesh: show.MeshOf(&shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 0.4, Y: 0.4, Z: 0.4}}, 0)}
	return Stage{Title: "test", Bodies: []show.Body{ball, block}, Poses: func(float64) ([]geom.Pose, error) {
		return []geom.Pose{geom.Translation(geom.Vec{Z: x})}, nil
	}}
}

// live returns the colour of the bar at a level, and how many pixels have the robot's colour.
func live(level string) (bar [3]uint32, robot int) {
	var out bytes.Buffer
	s := stage(0)
	s.Status = func() Status { return Status{Level: level, Text: "well"} }
	if err := Show(context.Background(), s, Options{Frames: 2, Picture: &out}); err != nil {
		println(err.Error())
		return bar, 0
	}
	im, err := png.Decode(&out)
	if err != nil {
		println(err.Error())
		return bar, 0
	}
	r, g, b, _ := im.At(im.Bounds().Dx()/2, 3).RGBA()
	return [3]uint32{r >> 8, g >> 8, b >> 8}, coloured(im)
}

// coloured counts the pixels below the bar that have the robot's colour.
func coloured(im image.Image) (n int) {
	for y := 30; y < im.Bounds().Dy(); y++ {
		for x := range im.Bounds().Dx() {
			if r, _, b, _ := im.At(x, y).RGBA(); r > 2*b {
				n++
			}
		}
	}
	return n
}

func picture(x float64) []byte {
	var out bytes.Buffer
	s := stage(0)
	s.Bodies[1].Pose.P.Z = x
	if err := Show(context.Background(), s, Options{Frames: 2, Picture: &out}); err != nil {
		println(err.Error())
		return nil
	}
	return out.Bytes()
}
