package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// The exit statuses. Of several outcomes the worst is returned, in the order
// that severity gives.
const (
	exitFree      = 0
	exitContact   = 1
	exitClearance = 2
	exitUndecided = 3
	exitBadInput  = 4
	exitUsage     = 64
	exitInternal  = 70
)

var severity = map[int]int{exitFree: 0, exitUndecided: 1, exitClearance: 2, exitContact: 3, exitBadInput: 4, exitUsage: 5, exitInternal: 6}

// worse returns the more severe of two exit statuses.
func worse(a, b int) int {
	if severity[b] > severity[a] {
		return b
	}
	return a
}

// streams are a command's standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// outcome is the error of a command that worked, but whose answer is not "free".
type outcome int

// String returns the status that the outcome says, as answers name it.
func (o outcome) String() string {
	return map[outcome]string{
		exitFree: "free", exitContact: "contact", exitClearance: "clearance", exitUndecided: "undecided", exitBadInput: "invalid",
	}[o]
}

func (o outcome) Error() string { return fmt.Sprintf("exit status %d", int(o)) }

// usageError is an error in the command line.
type usageError struct {
	error
	command string
}

// internalError is a defect of the program.
type internalError struct{ error }

// run executes a command line and returns its exit status. A panic becomes an internal error
// and never looks like an answer.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(errs, "firstcontact: internal error: %v\n", p)
			code = exitInternal
		}
	}()
	cmd := root(streams{in, out, errs})
	cmd.SetArgs(args)
	executed, err := cmd.ExecuteContextC(ctx)
	if err == nil {
		return exitFree
	}
	var o outcome
	if errors.As(err, &o) {
		return int(o)
	}
	var alone unattended
	if errors.As(err, &alone) {
		complain(errs, "firstcontact: %v\n", err)
	} else {
		fmt.Fprintf(errs, "firstcontact: %v\n", err)
	}
	var usage usageError
	var internal internalError
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()): // interrupted while reading
		return exitUndecided
	case errors.As(err, &internal):
		return exitInternal
	case errors.As(err, &usage):
		fmt.Fprintf(errs, "Try '%s --help'.\n", usage.command)
		return exitUsage
	case strings.HasPrefix(err.Error(), "unknown command"):
		fmt.Fprintln(errs, "Try 'firstcontact --help'.")
		return exitUsage
	}
	if err := tellFailure(out, executed, err); err != nil {
		fmt.Fprintf(errs, "firstcontact: %v\n", err)
		return exitInternal
	}
	return exitBadInput
}

// answered is an error that standard output has as JSON already.
type answered struct{ error }

func (a answered) Unwrap() error { return a.error }

// isBadInput reports whether an error is about the input: neither about the command line nor an
// interrupt.
func isBadInput(err error) bool {
	var usage usageError
	var internal internalError
	return !errors.As(err, &usage) && !errors.As(err, &internal) && !errors.Is(err, context.Canceled)
}

// tellFailure prints an object that says why there is no answer, if the command was asked for
// JSON.
func tellFailure(out io.Writer, cmd *cobra.Command, err error) error {
	asked, bad := cmd.Flags().GetBool("json")
	var a answered
	if bad != nil || !asked || errors.As(err, &a) {
		return nil
	}
	return encode(out, failure{headOf("failure"), "invalid", cmd.Name(), err.Error()})
}
