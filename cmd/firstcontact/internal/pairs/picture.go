package pairs

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
)

// The picture of the pairs: a cell for each, m below the diagonal.
const cellSize = 18.0

var pairColours = map[pairproof.Meeting]string{pairproof.Never: "#d9e8d4", pairproof.Always: "#8aa4c8", pairproof.Sometimes: "#e08a6d", pairproof.Undecided: "#f2d57a"}

// drawPairs writes the matrix as a picture, or as a page with the picture and a table.
func drawPairs(file string, s *survey) error {
	m := newMatrix(s)
	text := m.svg(s)
	if !strings.HasSuffix(file, ".svg") {
		text = m.page(s, text)
	}
	return cli.Output{Flag: "picture", Path: file}.Failed(outfile.Write(file, outfile.Text(text)))
}

// svg draws the matrix. A cell's tooltip describes its pair.
func (m *matrix) svg(s *survey) []byte {
	var b bytes.Buffer
	wide := 0
	for _, name := range m.links {
		wide = max(wide, utf8.RuneCountInString(name))
	}
	n := float64(len(m.links))
	label := 7*float64(wide) + 16
	top := 56 + max(22, 4.2*float64(wide)) // room for the first columns' names
	right := label + n*cellSize
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" font-family="sans-serif" font-size="12">`+"\n",
		max(right+label*0.75, 640), top+n*cellSize+20, max(right+label*0.75, 640))
	b.WriteString("<style>.c:hover{stroke:#000;stroke-width:2}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
	r := &s.report
	fmt.Fprintf(&b, `<text x="12" y="24" font-size="15">%s</text>`+"\n", answer.Escaped(fmt.Sprintf("Pairs of links of %s", s.robot.Name)))
	x := 12.0
	for _, kind := range []pairproof.Meeting{pairproof.Never, pairproof.Always, pairproof.Sometimes, pairproof.Undecided} {
		text := fmt.Sprintf("%s %d", kind, r.Count(kind))
		fmt.Fprintf(&b, `<rect x="%.0f" y="36" width="13" height="13" fill="%s" stroke="#555"/><text x="%.0f" y="47">%s</text>`+"\n", x, pairColours[kind], x+18, text)
		x += 40 + 7*float64(len(text))
	}
	if s.audited {
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="42" r="3"/><text x="%.0f" y="47">disabled by the SRDF</text>`, x+6, x+15)
		fmt.Fprintf(&b, `<rect x="%.0f" y="36" width="13" height="13" fill="none" stroke="#b00000" stroke-width="2.5"/><text x="%.0f" y="47">fault</text>`+"\n", x+150, x+169)
	}
	for i, name := range m.links {
		y := top + float64(i)*cellSize
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`+"\n", label-8, y+cellSize-5, answer.Escaped(name))
		if i < len(m.links)-1 { // the column's name, on the diagonal
			fmt.Fprintf(&b, `<text transform="translate(%.1f %.1f) rotate(-35)" fill="#777">%s</text>`+"\n", label+float64(i)*cellSize+11, y+cellSize-6, answer.Escaped(name))
		}
	}
	for _, key := range m.sorted() {
		m.cell(&b, s, key, label, top)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (m *matrix) cell(b *bytes.Buffer, s *survey, key [2]int, left, top float64) {
	c := m.cells[key]
	x, y := left+float64(key[0])*cellSize, top+float64(key[1])*cellSize
	stroke, width := "white", 1.0
	if c.finding != nil && c.finding.Kind.Fault() {
		stroke, width = "#b00000", 2.5
	}
	fmt.Fprintf(b, `<g><rect class="c" x="%.1f" y="%.1f" width="%g" height="%g" fill="%s" stroke="%s" stroke-width="%g"/>`,
		x+1, y+1, cellSize-2, cellSize-2, pairColours[c.pair.Meets], stroke, width)
	if c.disabled {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2.5" pointer-events="none"/>`, x+cellSize/2, y+cellSize/2)
	}
	fmt.Fprintf(b, "<title>%s</title></g>\n", answer.Escaped(c.caption(s)))
}

// caption describes a pair.
func (c *cell) caption(s *survey) string {
	p := c.pair
	out := fmt.Sprintf("%s, %s: %s", p.LinkA, p.LinkB, p.Meets)
	switch p.Meets {
	case pairproof.Sometimes:
		at := sightingOf(p, s.report.Variables, 3)
		out += fmt.Sprintf("\nat %s", at.Text)
		if p.Depth > 0 {
			out += fmt.Sprintf("\n%s deep", answer.Metres(p.Depth))
		}
	case pairproof.Undecided:
		out += fmt.Sprintf("\n%s of its joint box is left", percent(p.VolumeLeft))
	}
	if p.Why != "" {
		out += "\n" + p.Why
	}
	if c.disabled {
		out += fmt.Sprintf("\ndisabled by the SRDF (%q)", c.reason)
	}
	if c.finding != nil {
		out += fmt.Sprintf("\n%s: %s", c.finding.Kind, c.finding.Why)
	}
	return out
}

// page is the picture, and a table of the pairs, those of interest first.
func (m *matrix) page(s *survey, picture []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>\n", answer.Escaped("Pairs of links of "+s.robot.Name))
	b.WriteString("<style>body{font-family:sans-serif;margin:2em}td,th{padding:2px 10px;text-align:left;vertical-align:top}tr:nth-child(even){background:#f6f6f6}svg{max-width:none}</style>\n")
	b.Write(picture)
	b.WriteString("<table><tr><th>links<th><th>they touch<th>details\n")
	for _, key := range m.sorted() {
		c := m.cells[key]
		_, details, _ := strings.Cut(c.caption(s), "\n")
		fmt.Fprintf(&b, `<tr><td>%s<td>%s<td style="background:%s">%s<td>%s`+"\n", answer.Escaped(c.pair.LinkA), answer.Escaped(c.pair.LinkB),
			pairColours[c.pair.Meets], c.pair.Meets, strings.ReplaceAll(answer.Escaped(details), "&#xA;", "<br>"))
	}
	b.WriteString("</table></html>\n")
	return b.Bytes()
}
