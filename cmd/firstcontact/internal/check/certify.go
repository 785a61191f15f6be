package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// errNoProof prevents a file for a motion that is not free.
var errNoProof = errors.New("there is no proof to write")

// unproved says that there is no certificate, because the motion is not free.
func unproved(file string) string {
	if _, err := os.Stat(file); err == nil {
		return fmt.Sprintf("there is no proof to write: %s is an older file and stays as it is", file)
	}
	return fmt.Sprintf("there is no proof to write: %s is not created", file)
}

// certify checks a motion and writes the proof that it is free to a file. It reports whether it has: if the
// motion is not free, an existing file stays as it is and none is created.
func certify(ctx context.Context, c *ccd.Checker, m *motion.Motion, q motion.Query, file string) (v motion.Verdict, written bool, err error) {
	err = certificate.Create(file, func(w io.Writer) error {
		var err error
		if v, err = c.Certify(ctx, m, q, w); err == nil && v.Status != motion.Free {
			err = errNoProof
		}
		return err
	})
	if errors.Is(err, errNoProof) {
		return v, false, nil
	}
	return v, err == nil, cli.Output{Flag: "certificate", Path: file}.Failed(err)
}

// tellProof says where the proof is, or that there is none. A motion may be free without one: the search that
// writes a proof asks about more pairs than the one that answers, and may end sooner, for the reason given. What
// was asked for is lost then.
func (f *Flags) tellProof(r *verdict.Result, written bool, reason string) {
	switch {
	case f.certificate == "" || f.lost != nil:
	case written:
		r.Certificate = f.certificate
	case r.Status == "free":
		f.lose(r, unproved(f.certificate), fmt.Errorf("the search that writes it was not finished: %s", reason))
	default:
		r.Notes = append(r.Notes, unproved(f.certificate))
	}
}
