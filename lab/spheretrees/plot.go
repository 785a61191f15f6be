package main

import (
	"fmt"
	"image/color"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// line is one curve of a figure.
type line struct {
	name string
	xy   plotter.XYs
}

// figure is a chart of lines.
type figure struct {
	title, x, y string
	logX, logY  bool
	lines       []line
}

var inks = []color.RGBA{{0x1b, 0x6c, 0xa8, 255}, {0xc8, 0x4b, 0x31, 255}, {0x3d, 0x8b, 0x37, 255}, {0x7a, 0x4e, 0x9c, 255}, {0x55, 0x55, 0x55, 255}, {0xb8, 0x86, 0x0b, 255}}

// draw writes the figure as folder/name.svg.
func (f *figure) draw(folder, name string) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.title, f.x, f.y
	p.Add(plotter.NewGrid())
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
	if f.logX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if f.logY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	} else {
		p.Y.Min = 0
	}
	for i, l := range f.lines {
		curve, points, err := plotter.NewLinePoints(l.xy)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", name, l.name, err)
		}
		curve.Color, points.Color = inks[i%len(inks)], inks[i%len(inks)]
		curve.Width = vg.Points(1.5)
		points.Shape, points.Radius = draw.CircleGlyph{}, vg.Points(2)
		p.Add(curve, points)
		p.Legend.Add(l.name, curve, points)
	}
	return p.Save(16*vg.Centimeter, 10*vg.Centimeter, filepath.Join(folder, name+".svg"))
}
