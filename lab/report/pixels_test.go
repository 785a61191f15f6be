package report

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/lab/browser"
)

// screenshots is where pictures of pages are left for people.
const screenshots = "../../build/screenshots"

// picture takes a picture of the page and keeps it.
func picture(t *testing.T, ctx context.Context, p *browser.Page, name string, whole bool) image.Image {
	t.Helper()
	img, err := p.Screenshot(ctx, whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(screenshots, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(screenshots, strings.ReplaceAll(name, " ", "_")+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	return img
}

// view is the 3D view as it is drawn now, pixel by pixel.
type view struct {
	image.Image
}

// drawn draws the view at once and reads it from the screen.
func drawn(t *testing.T, ctx context.Context, p *browser.Page) view {
	t.Helper()
	var box [4]float64
	eval(t, ctx, p, `(async () => {
		scrollTo(0, 0)
		page.stage.render()
		await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))
		const r = page.stage.canvas.getBoundingClientRect()
		return [r.left, r.top, r.right, r.bottom]
	})()`, &box)
	img, err := p.Screenshot(ctx, false)
	if err != nil {
		t.Fatal(err)
	}
	part, ok := img.(interface {
		SubImage(r image.Rectangle) image.Image
	})
	if !ok {
		t.Fatalf("a picture of type %T", img)
	}
	return view{part.SubImage(image.Rect(int(box[0])+2, int(box[1])+2, int(box[2])-2, int(box[3])-30))}
}

func rgb(c color.Color) [3]int {
	r, g, b, _ := c.RGBA()
	return [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
}

// count counts the pixels for which yes holds.
func (v view) count(yes func(c [3]int) bool) (n int) {
	for y := v.Bounds().Min.Y; y < v.Bounds().Max.Y; y++ {
		for x := v.Bounds().Min.X; x < v.Bounds().Max.X; x++ {
			if yes(rgb(v.At(x, y))) {
				n++
			}
		}
	}
	return n
}

// differ counts the pixels in which two views differ clearly.
func differ(a, b view) (n int) {
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			if p, q := rgb(a.At(x, y)), rgb(b.At(x, y)); far(p, q) > 24 {
				n++
			}
		}
	}
	return n
}

// far is how far two colours are apart in the channel in which they differ most.
func far(p, q [3]int) (most int) {
	for k := range p {
		most = max(most, max(p[k]-q[k], q[k]-p[k]))
	}
	return most
}

// red are the pixels of what touches: in light 0xd1242f, shaded.
func red(c [3]int) bool { return c[0] > 2*c[1] && c[0] > 2*c[2] && c[0] > 60 }

// witnessed reports whether a ball of the colour of witness points is drawn around a point of the
// scene: at the pixel to which it projects, and a third of the way to the ball's edge on each side.
func witnessed(t *testing.T, ctx context.Context, p *browser.Page, v view, point [3]float64) bool {
	t.Helper()
	var at [3]float64 // pixel and radius
	eval(t, ctx, p, fmt.Sprintf(`(() => {
		const camera = page.stage.camera, q = camera.position.clone().set(%g, %g, %g)
		const size = page.stage.markSize() / q.distanceTo(camera.position) / Math.tan(camera.fov * Math.PI / 360)
		const r = page.stage.canvas.getBoundingClientRect()
		q.project(camera)
		return [r.left + (q.x + 1) / 2 * r.width, r.top + (1 - q.y) / 2 * r.height, size * r.height / 2]
	})()`, point[0], point[1], point[2]), &at)
	t.Logf("a witness point of radius %.1f pixels at %.0f, %.0f", at[2], at[0], at[1])
	part := at[2] / 3
	for _, d := range [][2]float64{{0, 0}, {part, 0}, {-part, 0}, {0, part}, {0, -part}} {
		if far(rgb(v.At(int(at[0]+d[0]), int(at[1]+d[1]))), [3]int{0x8b, 0x1a, 0x9b}) > 30 {
			return false
		}
	}
	return at[2] > 1 // pixel: large enough to be seen
}
