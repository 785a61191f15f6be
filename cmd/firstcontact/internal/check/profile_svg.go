package check

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// The picture of a profile shows the band between its bounds over time. Words stand around it,
// never in it: title and legend above, the names of lines to the right.
const (
	pictureWidth, pictureHeight = 960.0, 480.0
	pictureLeft, pictureRight   = 70.0, 165.0
	pictureTop, pictureBottom   = 104.0, 50.0
	legendLine, legendHeight    = 66.0, 20.0 // of the first line, and of each
	letter                      = 7.3        // the width to reserve for one, at size 13
)

// The colours of the picture.
const (
	colourKnown     = "#2a6fb0"
	colourTouching  = "#c0271a"
	colourBeyond    = "#d5e4f2"
	colourUnknown   = "#bbbbbb"
	colourClearance = "#b35900"
)

// chart maps times and distances to positions on the page.
type chart struct {
	bytes.Buffer
	start, end, most float64
}

func (c *chart) x(t float64) float64 {
	return pictureLeft + (t-c.start)/(c.end-c.start)*(pictureWidth-pictureLeft-pictureRight)
}

func (c *chart) y(d float64) float64 {
	return pictureHeight - pictureBottom - math.Min(d/c.most, 1)*(pictureHeight-pictureTop-pictureBottom)
}

func (c *chart) printf(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// drawProfile writes the profile as an SVG picture, with what the answer says: when the motion
// touches or violates the clearance, and which pair.
func drawProfile(w io.Writer, r *verdict.Result, p *motion.DistanceProfile) error {
	c := &chart{start: p.Spans[0].Start, end: p.Spans[len(p.Spans)-1].End, most: 1.05 * highest(p, r.Clearance)}
	if !(c.end > c.start) {
		c.end = c.start + 1
	}
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="13">`+"\n", pictureWidth, pictureHeight)
	c.printf(`<rect width="100%%" height="100%%" fill="white"/>` + "\n")
	mark := markOf(r, p)
	const room = 112 // letters in a line: pictureWidth less the margins, by letter
	c.printf(`<text x="%g" y="24" font-size="15">%s</text>`+"\n", pictureLeft, answer.Escaped(shortened("Smallest distance during "+r.Motion, room-8)))
	c.printf(`<text x="%g" y="44">%s</text>`+"\n", pictureLeft, answer.Escaped(shortened(mark.words, room)))
	c.axes()
	for i := range p.Spans {
		c.span(&p.Spans[i])
	}
	c.lines(r.Clearance)
	c.mark(&mark)
	c.legend(p, &mark)
	c.printf("</svg>\n")
	_, err := w.Write(c.Bytes())
	return err
}

// shortened returns at most so many letters of a text: the end of a long name of a file says
// more than its beginning.
func shortened(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most/3]) + "…" + string(runes[len(runes)-(most-most/3-1):])
}

// lines draws what the distance is compared with: contact, at 0, and the clearance.
func (c *chart) lines(clearance float64) {
	line := func(d float64, colour, dashes, name string, label float64) {
		c.printf(`<path d="M%.2f %.2fH%.2f" stroke="%s"%s/>`+"\n", c.x(c.start), c.y(d), c.x(c.end), colour, dashes)
		c.printf(`<text x="%g" y="%.2f" fill="%s">%s</text>`+"\n", pictureWidth-pictureRight+6, label, colour, name)
	}
	line(0, colourTouching, "", "contact", c.y(0)+4)
	if clearance > 0 {
		label := math.Min(c.y(clearance)+4, c.y(0)+4-legendHeight) // not over the other
		line(clearance, colourClearance, ` stroke-dasharray="6 4"`, "clearance "+answer.Metres(clearance), label)
	}
}

// timeMark marks a moment of the motion.
type timeMark struct {
	at       float64
	distance float64
	known    bool   // there is such a moment
	name     string // in the legend
	words    string // below the title
}

// markOf marks what the answer says; of a motion that neither touches nor violates its
// clearance, where the profile is closest.
func markOf(r *verdict.Result, p *motion.DistanceProfile) timeMark {
	m := timeMark{words: strings.ToUpper(r.Status)}
	if r.TOC != nil {
		m.known, m.at, m.name = true, r.TOC[1], "first contact"
		if r.Status == "clearance" {
			m.distance, m.name = r.Clearance, "clearance violated"
		}
		m.words += fmt.Sprintf(" at %s: %s and %s", answer.By(m.at), r.Pair[0], r.Pair[1])
		return m
	}
	if best := closestSpan(p); best != nil {
		m.known, m.at, m.distance, m.name = true, best.At.Time, best.At.Distance, "closest"
		m.words += fmt.Sprintf(", closest: %s and %s, %s apart at %.4g s", best.At.Pair.A.Name, best.At.Pair.B.Name, answer.AtMost(best.At.Distance), m.at)
	}
	return m
}

// mark draws a mark: a line through all distances, and a circle.
func (c *chart) mark(m *timeMark) {
	if m.known {
		c.printf(`<path id="mark" d="M%.2f %gV%g" stroke="black" stroke-dasharray="2 3"/>`+"\n", c.x(m.at), pictureTop, pictureHeight-pictureBottom)
		c.printf(`<circle cx="%.2f" cy="%.2f" r="4" fill="white" stroke="black"/>`+"\n", c.x(m.at), c.y(m.distance))
	}
}

// legend explains the colours and marks that occur.
func (c *chart) legend(p *motion.DistanceProfile, m *timeMark) {
	x, y := pictureLeft, legendLine
	entry := func(symbol, words string) {
		wide := 26 + letter*float64(len([]rune(words)))
		if x+wide > pictureWidth-10 {
			x, y = pictureLeft, y+legendHeight
		}
		c.printf(`<g transform="translate(%.2f %.2f)">%s</g><text x="%.2f" y="%.2f">%s</text>`+"\n", x, y, symbol, x+20, y, answer.Escaped(words))
		x += wide + 8
	}
	words := map[string]string{
		colourKnown: "smallest distance, between its bounds", colourTouching: "touching",
		colourBeyond: "farther than was asked for", colourUnknown: "unknown",
	}
	seen := map[string]bool{}
	for i := range p.Spans {
		colour, _ := c.looks(&p.Spans[i])
		if !seen[colour] {
			seen[colour] = true
			entry(fmt.Sprintf(`<rect y="-9" width="14" height="9" fill="%s"/>`, colour), words[colour])
		}
	}
	if m.known {
		entry(`<path d="M7 2V-11" stroke="black" stroke-dasharray="2 3"/><circle cx="7" cy="-4" r="4" fill="white" stroke="black"/>`, m.name)
	}
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
func (c *chart) axes() {
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
	c.printf(`<text x="%g" y="%g" text-anchor="end">m</text>`+"\n", pictureLeft-7, pictureTop-8)
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
func (c *chart) span(s *motion.ProfileSpan) {
	x0, x1 := c.x(s.Start), c.x(s.End)
	fill, upper := c.looks(s)
	c.printf(`<path d="M%.2f %.2fL%.2f %.2fV%.2fL%.2f %.2fZ" fill="%s" stroke="%s" stroke-width="0.8"><title>%s</title></path>`+"\n",
		x0, c.y(s.Lower[0]), x1, c.y(s.Lower[1]), c.y(upper[1]), x0, c.y(upper[0]), fill, fill, answer.Escaped(captionOf(s)))
}

// looks returns the colour of a span, and its upper bound as it is drawn.
func (c *chart) looks(s *motion.ProfileSpan) (colour string, upper [2]float64) {
	switch {
	case s.Unknown:
		return colourUnknown, [2]float64{c.most, c.most}
	case s.Beyond:
		return colourBeyond, [2]float64{c.most, c.most}
	case s.Lower == [2]float64{}:
		return colourTouching, s.Upper
	}
	return colourKnown, s.Upper
}

// captionOf describes a span.
func captionOf(s *motion.ProfileSpan) string {
	when := fmt.Sprintf("%.6g to %.6g s: ", s.Start, s.End)
	least := answer.AtLeast(math.Min(s.Lower[0], s.Lower[1]))
	switch {
	case s.Unknown:
		return when + "unknown"
	case math.IsInf(s.Upper[0], 0):
		return when + "farther apart than " + least
	}
	return fmt.Sprintf("%s%s to %s, %s and %s", when, least, answer.AtMost(math.Max(s.Upper[0], s.Upper[1])), s.At.Pair.A.Name, s.At.Pair.B.Name)
}

// closestSpan returns the span with the closest points that were found, nil if there are none.
func closestSpan(p *motion.DistanceProfile) (best *motion.ProfileSpan) {
	for i := range p.Spans {
		s := &p.Spans[i]
		if s.At.Pair.A.Name != "" && (best == nil || s.At.Distance < best.At.Distance) {
			best = s
		}
	}
	return best
}
