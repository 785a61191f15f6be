package picture

import (
	"image/color"

	"github.com/firstcontact-ros/firstcontact/internal/picture/raster"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// theme is the colours of a picture.
type theme struct {
	raster.Theme
	link, carried, obstacle, ghost raster.Colour
	pair                           [2]raster.Colour
	text, faint                    color.RGBA
}

var light = theme{
	Theme: raster.Theme{
		Top: raster.Colour{251, 252, 254}, Bottom: raster.Colour{222, 227, 234},
		Ground: raster.Colour{228, 232, 237}, Line: raster.Colour{168, 177, 190}, Sky: 0.55,
	},
	link: raster.Colour{0xb9, 0xc7, 0xd6}, carried: raster.Colour{0x9c, 0xb8, 0x9a}, obstacle: raster.Colour{0xd8, 0xcd, 0xb6},
	ghost: raster.Colour{0x3f, 0x7f, 0xd0},
	pair:  [2]raster.Colour{{0xf0, 0x96, 0x2a}, {0xd2, 0x3c, 0x30}},
	text:  color.RGBA{0x1a, 0x22, 0x2c, 255}, faint: color.RGBA{0x58, 0x63, 0x70, 255},
}

var dark = theme{
	Theme: raster.Theme{
		Top: raster.Colour{22, 25, 31}, Bottom: raster.Colour{44, 50, 60},
		Ground: raster.Colour{52, 58, 68}, Line: raster.Colour{92, 101, 115}, Sky: 0.5,
	},
	link: raster.Colour{0xb4, 0xc2, 0xd2}, carried: raster.Colour{0x9c, 0xb8, 0x9a}, obstacle: raster.Colour{0xb8, 0xab, 0x92},
	ghost: raster.Colour{0x5c, 0x9c, 0xf0},
	pair:  [2]raster.Colour{{0xf5, 0x9c, 0x30}, {0xe0, 0x45, 0x38}},
	text:  color.RGBA{0xf0, 0xf3, 0xf6, 255}, faint: color.RGBA{0xa6, 0xb0, 0xbc, 255},
}

// colourOf returns the colour of a part.
func (t *theme) colourOf(p *part, w *motion.Witness) raster.Colour {
	if side := sideOf(p, w); side >= 0 {
		return t.pair[side]
	}
	switch p.Kind {
	case motion.WorldObject:
		return t.obstacle
	case motion.AttachedObject:
		return t.carried
	}
	return t.link
}

func rgba(c raster.Colour) color.RGBA { return color.RGBA{c[0], c[1], c[2], 255} }
