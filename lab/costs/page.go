package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/lab/papers"
)

// table is the curve in Markdown.
func (c *curve) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | free motions | intervals | proof rules | searches | us | yes or no: intervals | us |\n|---|---|---|---|---|---|---|---|\n", c.x)
	for _, p := range c.points {
		fmt.Fprintf(&b, "| %g | %d | %.0f | %.0f | %.0f | %.1f | %.0f | %.1f |\n", p.x, p.motions, p.intervals, p.proofs, p.searches, p.micros, p.yesNoIntervals, p.yesNoMicros)
	}
	return b.String()
}

// law is what was fitted, in a sentence.
func (c *curve) law() string {
	tell := func(what string, l law) string {
		if c.grows == logarithmic {
			return fmt.Sprintf("%s = %.1f + %.1f log10(x), within %.1f", what, l.a, l.b, l.off)
		}
		return fmt.Sprintf("%s = %s x^%.2f, within a factor of %.1f", what, digits(l.a), l.b, l.off)
	}
	rules := tell("proof rules", c.fit(func(p *cost) float64 { return p.proofs }))
	return "Fitted: " + rules + "; " + tell("us", c.fit(func(p *cost) float64 { return p.micros })) + "."
}

func digits(x float64) string {
	if x != 0 && math.Abs(x) < 0.1 {
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.1f", x)
}

const about = `# How the cost of a proof grows

    make costs

Each row is a family of free motions of a robot made here (` + "`lab/costs`" + `), medians. The first contact is asked for, and in the last two columns whether the motion is free. Intervals, evaluations of proof rules and searches for closest points are the
same on every machine. Microseconds are the thread's computing time, the least of five, on the machine of [measurements](measurements.md), beside other work. The laws are fitted by least squares,
of powers in the logarithms; behind them stands by how much the worst row differs.
`

// writePage writes the page, and a picture of each curve into the folder.
func writePage(page, folder string, curves []curve) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(about)
	for i := range curves {
		c := &curves[i]
		chart := papers.Chart{Name: c.name, Title: c.title, X: c.x, Y: "steps, us", LogX: true, LogY: true}
		for _, s := range []struct {
			name string
			of   func(*cost) float64
		}{
			{"intervals", func(p *cost) float64 { return p.intervals }},
			{"proof rules", func(p *cost) float64 { return p.proofs }},
			{"us", func(p *cost) float64 { return p.micros }},
		} {
			series := papers.Series{Name: s.name}
			for k := range c.points {
				series.X, series.Y = append(series.X, c.points[k].x), append(series.Y, s.of(&c.points[k]))
			}
			chart.Series = append(chart.Series, series)
		}
		if err := chart.Draw(folder); err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n%s\n\n![%s](%s/%s.svg)\n", c.title, c.table(), c.law(), c.title, filepath.Base(folder), c.name)
	}
	return outfile.Write(page, outfile.Text([]byte(b.String())))
}
