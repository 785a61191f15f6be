package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// The picture of a profile shows the band between its bounds over time.
const (
	pictureWidth, pictureHeight = 960.0, 420.0
	pictureLeft, pictureRight   = 70.0, 20.0
	pictureTop, pictureBottom   = 44.0, 50.0
)

// picture maps times and distances to positions on the page.
type picture struct {
	bytes.Buffer
	start, end, most float64
}

func (c *picture) x(t float64) float64 {
	return pictureLeft + (t-c.start)/(c.end-c.start)*(pictureWidth-pictureLeft-pictureRight)
}

func (c *picture) y(d float64) float64 {
	return pictureHeight - pictureBottom - math.Min(d/c.most, 1)*(pictureHeight-pictureTop-pictureBottom)
}

func (c *picture) printf(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// drawProfile writes the profile as an SVG picture. A clearance other than 0 is drawn as a
// line.
func drawProfile(w io.Writer, title string, clearance float64, p *motion.DistanceProfile) error {
	c := &picture{start: p.Spans[0].Start, end: p.Spans[len(p.Spans)-1].End, most: 1.05 * highest(p, clearance)}
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="13">`+"\n", pictureWidth, pictureHeight)
	c.printf(`<rect width="100%%" height="100%%" fill="white"/>` + "\n")
	c.printf(`<text x="%g" y="26" font-size="15">%s</text>`+"\n", pictureLeft, escaped("Smallest distance (m) of "+title))
	c.axes()
	for i := range p.Spans {
		c.span(&p.Spans[i])
	}
	if clearance > 0 {
		c.printf(`<path d="M%.2f %.2fH%.2f" stroke="#b35900" stroke-dasharray="6 4"/>`+"\n", c.x(c.start), c.y(clearance), c.x(c.end))
		c.printf(`<text x="%.2f" y="%.2f" fill="#b35900" text-anchor="end">clearance %s</text>`+"\n", c.x(c.end), c.y(clearance)-5, metres(clearance))
	}
	c.closest(p)
	c.printf("</svg>\n")
	_, err := w.Write(c.Bytes())
	return err
}

func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer never fails
	return b.String()
}

// highest is the largest distance to draw.
func highest(p *motion.DistanceProfile, clearance float64) float64 {
	most := clearance
	for i := range p.Spans {
		for k := range p.Spans[i].Upper {
			most = math.Max(most, p.Spans[i].Lower[k])
			if x := p.Spans[i].Upper[k]; !math.IsInf(x, 0) {
				most = math.Max(most, x)
			}
		}
	}
	if most == 0 {
		return 1e-3
	}
	return most
}

// axes draws both axes, with round numbers.
func (c *picture) axes() {
	bottom, right := pictureHeight-pictureBottom, pictureWidth-pictureRight
	for _, t := range roundBetween(c.start, c.end) {
		c.printf(`<path d="M%.2f %gV%g" stroke="#ddd"/><text x="%.2f" y="%g" text-anchor="middle">%g</text>`+"\n",
			c.x(t), pictureTop, bottom, c.x(t), bottom+18, t)
	}
	for _, d := range roundBetween(0, c.most) {
		c.printf(`<path d="M%g %.2fH%g" stroke="#ddd"/><text x="%g" y="%.2f" text-anchor="end">%g</text>`+"\n",
			pictureLeft, c.y(d), right, pictureLeft-7, c.y(d)+4, d)
	}
	c.printf(`<path d="M%g %gV%gH%g" fill="none" stroke="black"/>`+"\n", pictureLeft, pictureTop, bottom, right)
	c.printf(`<text x="%g" y="%g" text-anchor="end">time (s)</text>`+"\n", right, bottom+38)
}

// roundBetween returns some four to ten round numbers from lo to hi.
func roundBetween(lo, hi float64) (out []float64) {
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/4)))
	for _, k := range [...]float64{5, 2} {
		if (hi-lo)/(k*step) >= 4 {
			step *= k
			break
		}
	}
	for k := math.Ceil(lo / step); k*step <= hi*(1+1e-12); k++ {
		// Remove rounding errors from the printed number.
		var x float64
		_, _ = fmt.Sscan(fmt.Sprintf("%.9g", k*step), &x)
		out = append(out, x)
	}
	return out
}

// span draws the band of one span: below it the motion is proved free.
func (c *picture) span(s *motion.ProfileSpan) {
	x0, x1 := c.x(s.Start), c.x(s.End)
	fill, upper := "#2a6fb0", s.Upper
	switch {
	case s.Unknown:
		fill, upper = "#bbbbbb", [2]float64{c.most, c.most}
	case s.Beyond:
		fill, upper = "#d5e4f2", [2]float64{c.most, c.most}
	case s.Lower == [2]float64{}:
		fill = "#c0271a"
	}
	c.printf(`<path d="M%.2f %.2fL%.2f %.2fV%.2fL%.2f %.2fZ" fill="%s" stroke="%s" stroke-width="0.8"><title>%s</title></path>`+"\n",
		x0, c.y(s.Lower[0]), x1, c.y(s.Lower[1]), c.y(upper[1]), x0, c.y(upper[0]), fill, fill, escaped(captionOf(s)))
}

// captionOf describes a span.
func captionOf(s *motion.ProfileSpan) string {
	when := fmt.Sprintf("%.6g to %.6g s: ", s.Start, s.End)
	least := metres(math.Min(s.Lower[0], s.Lower[1]))
	switch {
	case s.Unknown:
		return when + "unknown"
	case math.IsInf(s.Upper[0], 0):
		return when + "farther apart than " + least
	}
	return fmt.Sprintf("%s%s to %s, %s and %s", when, least, metres(math.Max(s.Upper[0], s.Upper[1])), s.At.Pair.A.Name, s.At.Pair.B.Name)
}

// closest marks the closest points.
func (c *picture) closest(p *motion.DistanceProfile) {
	var best *motion.ProfileSpan
	for i := range p.Spans {
		s := &p.Spans[i]
		if s.At.Pair.A.Name != "" && (best == nil || s.At.Distance < best.At.Distance) {
			best = s
		}
	}
	if best == nil {
		return
	}
	x, y, anchor := c.x(best.At.Time), c.y(best.At.Distance), "start"
	if x > pictureWidth/2 {
		anchor = "end"
	}
	c.printf(`<circle cx="%.2f" cy="%.2f" r="4" fill="white" stroke="black"/>`+"\n", x, y)
	c.printf(`<text x="%.2f" y="%.2f" text-anchor="%s">%s</text>`+"\n", x, math.Max(y-10, pictureTop+12), anchor,
		escaped(fmt.Sprintf("%s: %s and %s, %.4g s", metres(best.At.Distance), best.At.Pair.A.Name, best.At.Pair.B.Name, best.At.Time)))
}
