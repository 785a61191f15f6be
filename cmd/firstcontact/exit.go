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
// that severity gives. An interrupted command has no outcome.
const (
	exitFree        = 0
	exitContact     = 1
	exitClearance   = 2
	exitUndecided   = 3
	exitBadInput    = 4
	exitUsage       = 64
	exitInternal    = 70
	exitOutput      = 74 // an output cannot be written
	exitInterrupted = 130
)

var severity = map[int]int{exitFree: 0, exitUndecided: 1, exitClearance: 2, exitContact: 3, exitBadInput: 4, exitUsage: 5, exitOutput: 6, exitInternal: 7}

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

// watched is the outcome of a command that goes on until it is interrupted: the interrupt is its end, and not an error.
type watched int

func (w watched) Error() string { return outcome(w).Error() }

func (o outcome) Error() string { return fmt.Sprintf("exit status %d", int(o)) }

// usageError is an error in the command line.
type usageError struct {
	err     error
	command string // as it was typed, such as "firstcontact check"
}

func (u usageError) Error() string { return u.err.Error() }

// internalError is a defect of the program.
type internalError struct{ err error }

func (i internalError) Error() string { return i.err.Error() }

// outputError is the failure to write a file that the command line names.
type outputError struct{ err error }

func (o outputError) Error() string { return o.err.Error() }

// selfTold is an error that tells itself, in words of its own.
type selfTold interface {
	error
	// Tell writes the error.
	Tell(w io.Writer)
}

// interruption is the error of a command that stopped because its context was done, and says
// what is left undone.
type interruption struct{ left string }

func (i interruption) Error() string { return "interrupted: " + i.left }

// status reports the error of a command, and returns the exit status. An interrupt counts for
// more than any answer.
func (c *console) status(ctx context.Context, err error) int {
	var alone selfTold
	var answer outcome
	var ended watched
	var internal internalError
	var usage usageError
	var output outputError
	switch {
	case errors.As(err, &alone):
		alone.Tell(c.notes())
		switch {
		case errors.As(err, &internal):
			return exitInternal
		case errors.As(err, &usage):
			return exitUsage
		}
		return exitBadInput
	case err != nil && errors.Is(err, c.lost()): // which is told last
		return exitOutput
	case err == nil:
		return exitFree
	case errors.As(err, &internal):
		return c.say(exitInternal, err)
	case errors.As(err, &ended):
		return int(ended)
	case ctx.Err() != nil:
		return c.say(exitInterrupted, interrupted(err, ctx.Err()))
	case errors.As(err, &answer):
		return int(answer)
	case errors.As(err, &output):
		return c.say(exitOutput, err)
	case errors.As(err, &usage):
		c.say(exitUsage, err)
		fmt.Fprintf(c.notes(), "Try '%s --help'.\n", usage.command)
		return exitUsage
	}
	return c.say(exitBadInput, err)
}

// interrupted says in one line what an interrupt has stopped, as far as the error tells.
func interrupted(err, cause error) error {
	left := interruption{}
	if errors.As(err, &left) {
		return left
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	if where, ok := strings.CutSuffix(line, ": "+cause.Error()); ok {
		return interruption{where}
	}
	return errors.New("interrupted")
}

// say prints an error, and returns the exit status.
func (c *console) say(status int, err error) int {
	fmt.Fprintf(c.notes(), "firstcontact: %v\n", err)
	return status
}

// answered is an error that standard output has as JSON already.
type answered struct{ err error }

func (a answered) Error() string { return a.err.Error() }
func (a answered) Unwrap() error { return a.err }

// isBadInput reports whether an error is about the input: neither about the command line nor an
// interrupt.
func isBadInput(err error) bool {
	var usage usageError
	var internal internalError
	return !errors.As(err, &usage) && !errors.As(err, &internal) && !errors.Is(err, context.Canceled)
}

// tellFailure prints an object that says why there is no answer, if the command was asked for
// JSON.
func tellFailure(out io.Writer, cmd *cobra.Command, err error) {
	asked, bad := cmd.Flags().GetBool("json")
	var a answered
	var o outcome
	if bad != nil || !asked || errors.As(err, &a) || errors.As(err, &o) {
		return
	}
	_ = encode(out, failure{headOf("failure"), "invalid", cmd.Name(), err.Error()}) // the console tells what fails
}
