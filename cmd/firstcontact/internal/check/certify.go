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

// certify checks a motion and writes the proof that it is free to a file. If it is not free,
// an existing file stays as it is and none is created.
func certify(ctx context.Context, c *ccd.Checker, m *motion.Motion, q motion.Query, file string) (v motion.Verdict, err error) {
	err = certificate.Create(file, func(w io.Writer) error {
		var err error
		if v, err = c.Certify(ctx, m, q, w); err == nil && v.Status != motion.Free {
			err = errNoProof
		}
		return err
	})
	if errors.Is(err, errNoProof) {
		err = nil
	}
	return v, cli.Output{Flag: "certificate", Path: file}.Failed(err)
}
