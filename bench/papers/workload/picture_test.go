package workload

import (
	"image/color"
	"testing"
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
