package papers

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var inks = []color.RGBA{{0x1b, 0x6c, 0xa8, 255}, {0xc8, 0x4b, 0x31, 255}, {0x3d, 0x8b, 0x37, 255}, {0x7a, 0x4e, 0x9c, 255}, {0x55, 0x55, 0x55, 255}, {0xb8, 0x86, 0x0b, 255}}

// Draw writes the chart as folder/name.svg.
func (c *Chart) Draw(folder string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Add(plotter.NewGrid())
	p.Title.TextStyle.Font.Size = vg.Points(11)
	p.Legend.TextStyle.Font.Size = vg.Points(9)
	p.Legend.Top, p.Legend.Padding, p.Legend.XOffs = true, vg.Points(4), -vg.Points(6)
	if c.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if c.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	} else {
		p.Y.Min = 0
	}
	for i := range c.Series {
		if err := c.curve(p, i); err != nil {
			return fmt.Errorf("%s, %s: %w", c.Name, c.Series[i].Name, err)
		}
	}
	canvas := vgsvg.New(17*vg.Centimeter, 9*vg.Centimeter)
	const margin = vg.Centimeter / 2 // labels at the axes' ends stick out of the plot
	p.Draw(draw.Crop(draw.New(canvas), 0, -margin, 0, -margin/2))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return os.WriteFile(filepath.Join(folder, c.Name+".svg"), out.Bytes(), 0o644)
}

// curve adds series i to the plot.
func (c *Chart) curve(p *plot.Plot, i int) error {
	s := &c.Series[i]
	xy := make(plotter.XYs, 0, len(s.X))
	for k := range s.X {
		if c.LogY && !(s.Y[k] > 0) || c.LogX && !(s.X[k] > 0) {
			continue // has no place on such an axis
		}
		xy = append(xy, plotter.XY{X: s.X[k], Y: s.Y[k]})
	}
	if len(xy) == 0 {
		return nil
	}
	curve, points, err := plotter.NewLinePoints(xy)
	if err != nil {
		return err
	}
	curve.Color, points.Color = inks[i%len(inks)], inks[i%len(inks)]
	curve.Width = vg.Points(1.5)
	points.Shape, points.Radius = draw.CircleGlyph{}, vg.Points(1.5)
	if c.Steps {
		curve.StepStyle = plotter.PostStep
		p.Add(curve)
		p.Legend.Add(s.Name, curve)
		return nil
	}
	p.Add(curve, points)
	p.Legend.Add(s.Name, curve, points)
	return nil
}
