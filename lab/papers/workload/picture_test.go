package workload

import (
	"image/color"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// A picture shows the robot in orange, what it carries in blue, the world in grey,
// and nothing in the corners.
func TestPicture(t *testing.T) {
	w := inSmall(t, "zrlk07-crane-load")
	img := w.Picture(w.Rest, -35, 160, 120)
	var orange, blue, grey int
	for y := range 120 {
		for x := range 160 {
			p := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			switch {
			case p.R > p.B+40:
				orange++
			case p.B > p.R+40:
				blue++
			case p.R < 250:
				grey++
			}
		}
	}
	if orange == 0 || blue == 0 || grey < 1000 {
		t.Errorf("%d orange, %d blue and %d grey pixels", orange, blue, grey)
	}
	if img.At(0, 0) != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("the corner is %v", img.At(0, 0))
	}
}

// A picture shows the front of a body.
func TestPictureShowsFronts(t *testing.T) {
	for _, azimuth := range []float64{-35, 60, 215} {
		s := ball(1)
		surface := s.tessellate(500)
		c := newCanvas(azimuth, 50, 50)
		things := []thing{{surface.shape("ball").Mesh, geom.IdentityPose(), geom.Vec{X: 200}}}
		c.frame(things)
		c.draw(things[0])
		if d := c.depth[25*50+25]; !(d < -0.9) {
			t.Errorf("from %g degrees the middle of a ball of radius 1 is seen at depth %g", azimuth, d)
		}
	}
}
