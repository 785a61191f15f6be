// Package pairfile writes the report of package pairproof about a robot's pairs of links
// to a file, reads it, and checks that it belongs to a given robot.
//
// Reading does not repeat the proofs: like an SRDF, a file is as trustworthy as everybody
// who can write it. The package refuses files that are damaged or of another version, and
// reports about another model, other limits, other padding or a smaller clearance.
package pairfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// format begins every file. It changes with the format and with the rules that prove
// never and always.
const format = "firstcontact pairs 2"

// document is a file's content. Sum is the SHA-256 of the document as Encode writes
// it with an empty Sum.
type document struct {
	Format string
	Report *pairproof.Report
	Sum    string
}

// Encode returns a report as JSON that ends with a checksum of itself.
func Encode(r *pairproof.Report) ([]byte, error) {
	d := document{Format: format, Report: r}
	bare, err := json.MarshalIndent(&d, "", " ")
	if err != nil {
		return nil, err
	}
	d.Sum = fmt.Sprintf("%x", sha256.Sum256(bare))
	text, err := json.MarshalIndent(&d, "", " ")
	return append(text, '\n'), err
}

// Decode reads the text that Encode writes. Text that is truncated, changed or of another
// version is an error. Fits checks that the report belongs to a robot.
func Decode(text []byte) (*pairproof.Report, error) {
	if len(text) > limit.ProofBytes {
		return nil, fmt.Errorf("%d bytes are more than the limit of %d", len(text), limit.ProofBytes)
	}
	var head struct{ Format string }
	if json.Unmarshal(text, &head) == nil && head.Format != format {
		return nil, fmt.Errorf("its format is %q, not %q: it is no file of pairs, or of another version; make it anew", head.Format, format)
	}
	var d document
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("cut short or damaged: %w; make it anew", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) || d.Report == nil {
		return nil, errors.New("damaged: it holds more or less than one report; make it anew")
	}
	again, err := Encode(d.Report)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w; make it anew", err)
	}
	var sum struct{ Sum string }
	if err := json.Unmarshal(again, &sum); err != nil || sum.Sum != d.Sum {
		return nil, errors.New("damaged or changed: its sum is not that of its content; make it anew")
	}
	return d.Report, nil
}

// Load reads a report from a file; the error names it.
func Load(path string) (*pairproof.Report, error) { return LoadContext(context.Background(), path) }

// LoadContext is Load that ends with an error that wraps ctx's once ctx is done.
func LoadContext(ctx context.Context, path string) (*pairproof.Report, error) {
	text, err := infile.Read(ctx, path, limit.ProofBytes)
	if err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	r, err := Decode(text)
	if err != nil {
		return nil, named(path, err)
	}
	return r, nil
}

func named(path string, err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return fmt.Errorf("pairs: %w", err)
	}
	return fmt.Errorf("pairs %s: %w", path, err)
}

// Save writes a report to a file: whole, or not at all where that fails.
func Save(path string, r *pairproof.Report) error {
	text, err := Encode(r)
	if err != nil {
		return named(path, err)
	}
	if err := outfile.Write(path, outfile.Text(text)); err != nil {
		return named(path, err)
	}
	return nil
}

// Fits fails unless the report was made for this robot with the paddings of opt, at
// whatever clearance: see pairproof.Report.Fits. It also fails on pairs that no report of
// this robot has, which only a file edited by hand contains.
func Fits(r *pairproof.Report, robot *urdf.Robot, opt pairproof.Options) error {
	opt.Clearance = r.Clearance
	if err := r.Fits(robot, opt); err != nil {
		return err
	}
	if !(r.Clearance >= 0) || math.IsInf(r.Clearance, 0) {
		return fmt.Errorf("the report on pairs is for a clearance of %g m: make it again", r.Clearance)
	}
	seen := map[[2]int]bool{}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if err := possible(r, p, robot); err != nil {
			return fmt.Errorf("the report on pairs says of %s and %s what cannot be, %w: make it again", p.LinkA, p.LinkB, err)
		}
		if seen[[2]int{p.A, p.B}] {
			return fmt.Errorf("the report on pairs names %s and %s twice: make it again", p.LinkA, p.LinkB)
		}
		seen[[2]int{p.A, p.B}] = true
	}
	return nil
}

// possible fails on a pair that a run about the robot could not report.
func possible(r *pairproof.Report, p *pairproof.Pair, robot *urdf.Robot) error {
	a, b := &robot.Links[p.A], &robot.Links[p.B]
	switch {
	case a.Name != p.LinkA || b.Name != p.LinkB:
		return fmt.Errorf("its numbers are those of %s and %s", a.Name, b.Name)
	case len(a.Collisions) == 0 || len(b.Collisions) == 0:
		return errors.New("one of them has no collision geometry")
	case p.Meets == pairproof.Sometimes && p.Witness == nil:
		return errors.New("that they touch, but not where")
	}
	for _, d := range p.Joints {
		if d < 0 || d >= len(r.Variables) {
			return fmt.Errorf("that joint number %d is between them", d)
		}
	}
	for _, q := range [...][]float64{p.Witness, p.Apart} {
		if q != nil && len(q) != len(r.Variables) {
			return fmt.Errorf("a configuration of %d positions", len(q))
		}
		for d, x := range q {
			if v := &r.Variables[d]; math.IsNaN(x) || math.IsInf(x, 0) || !v.Unbounded && (x < v.Lo || x > v.Hi) {
				return fmt.Errorf("joint %s at %g", v.Name, x)
			}
		}
	}
	return nil
}
