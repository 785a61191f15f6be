package check

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// profileFlags set how the smallest distance over time is written.
type profileFlags struct {
	file           string
	Tolerance, max float64 // m: between the bounds, and beyond which none are given
}

func (f *profileFlags) validate() error {
	if err := (cli.Output{Flag: "profile", Path: f.file}).Ends(".svg (a picture) or .csv (a table), either with .gz (compressed)", ".svg", ".csv", ".svg.gz", ".csv.gz"); err != nil {
		return err
	}
	switch {
	case !(f.Tolerance >= 1e-7) || math.IsInf(f.Tolerance, 0):
		return fmt.Errorf("--profile-tolerance %g: give 1e-7 m or more", f.Tolerance)
	case !(f.max >= 0):
		return fmt.Errorf("--profile-max %g: give more than zero, or zero for no limit", f.max)
	}
	return nil
}

// query is the question for a profile that goes with a question about a motion.
func (f *profileFlags) query(q motion.Query) motion.ProfileQuery {
	r := q.Range
	if f.max > 0 {
		r.Max = f.max
	}
	return motion.ProfileQuery{Tolerance: f.Tolerance, Range: r, Budget: q.Budget, Deadline: q.Deadline, NoSelf: q.NoSelf, NoWorld: q.NoWorld}
}

// write bounds the smallest distance of a motion over time and writes it to the file: a
// picture if its name ends in .svg, otherwise a table. It returns why the profile is
// incomplete, if it is.
func (f *profileFlags) write(ctx context.Context, c *ccd.Checker, j *Job, q motion.Query, answer *verdict.Result) (reason string, err error) {
	p, err := c.Profile(ctx, j.Motion, f.query(q))
	if err != nil {
		return "", err
	}
	err = certificate.Create(f.file, func(w io.Writer) error {
		if strings.HasSuffix(strings.TrimSuffix(f.file, ".gz"), ".svg") {
			return drawProfile(w, answer, &p)
		}
		return tabulateProfile(w, &p)
	})
	return p.Reason, cli.Output{Flag: "profile", Path: f.file}.Failed(err)
}

// tabulateProfile writes two rows for each span, its start and its end, between which both
// bounds are linear. Unknown values are empty.
func tabulateProfile(out io.Writer, p *motion.DistanceProfile) error {
	w := csv.NewWriter(out)
	if err := w.Write([]string{"time", "lower", "upper", "a", "b"}); err != nil {
		return err
	}
	for i := range p.Spans {
		s := &p.Spans[i]
		for k, t := range [...]float64{s.Start, s.End} {
			row := []string{number(t), number(s.Lower[k]), number(s.Upper[k]), s.At.Pair.A.Name, s.At.Pair.B.Name}
			if s.Unknown {
				row[1] = ""
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

// number formats a number exactly, and an infinite one as "".
func number(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
