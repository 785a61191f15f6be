package doctor

import (
	"github.com/firstcontact-ros/firstcontact/internal/graphics/offscreen"
)

// graphicsDevice describes the device that swept=gpu would use, or says why there is none; ""
// in a program without graphics.
func graphicsDevice() string {
	if !offscreen.Available {
		return ""
	}
	d, err := offscreen.Open()
	if err != nil {
		return "none: " + err.Error()
	}
	defer d.Close()
	return d.Info.String()
}
