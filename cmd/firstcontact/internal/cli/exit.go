// Package cli is what all commands share, whatever they are about: the program that runs them, exit
// statuses and the errors that lead to them, standard streams and the progress on them, flags by
// headings, and files to write.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
)

// The exit statuses. Of several outcomes the worst is returned, in the order
// that severity gives. An interrupted command has no outcome.
const (
	ExitFree        = 0
	ExitContact     = 1
	ExitClearance   = 2
	ExitUndecided   = 3
	ExitBadInput    = 4
	ExitUsage       = 64
	ExitInternal    = 70
	ExitOutput      = 74 // an output cannot be written
	ExitInterrupted = 130
)

var severity = map[int]int{ExitFree: 0, ExitUndecided: 1, ExitClearance: 2, ExitContact: 3, ExitBadInput: 4, ExitUsage: 5, ExitOutput: 6, ExitInternal: 7}

// Worse returns the more severe of two exit statuses, in the order that help tells.
func Worse(a, b int) int {
	if severity[b] > severity[a] {
		return b
	}
	return a
}

// Streams are a command's standard streams.
type Streams struct {
	In       io.Reader // standard input
	Out, Err io.Writer // results, and everything else
}

// Outcome is the error of a command that worked, but whose answer is not "free".
type Outcome int

// String returns the status that the outcome says, as answers name it.
func (o Outcome) String() string {
	return map[Outcome]string{
		ExitFree: "free", ExitContact: "contact", ExitClearance: "clearance", ExitUndecided: "undecided", ExitBadInput: "invalid",
	}[o]
}

// Watched is the outcome of a command that goes on until it is interrupted: the interrupt is its end, and not an error.
type Watched int

func (w Watched) Error() string { return Outcome(w).Error() }

func (o Outcome) Error() string { return fmt.Sprintf("exit status %d", int(o)) }

// UsageError is an error in the command line.
type UsageError struct{ Err error }

func (u UsageError) Error() string { return u.Err.Error() }

// InternalError is a defect of the program.
type InternalError struct{ Err error }

func (i InternalError) Error() string { return i.Err.Error() }

// OutputError is the failure to write a file that the command line names.
type OutputError struct{ Err error }

func (o OutputError) Error() string { return o.Err.Error() }

// selfTold is an error that tells itself, in words of its own.
type selfTold interface {
	error
	// Tell writes the error.
	Tell(w io.Writer)
}

// Interruption is the error of a command that stopped because its context was done, and says
// what is left undone.
type Interruption struct{ Left string }

func (i Interruption) Error() string { return "interrupted: " + i.Left }

// status reports the error of a command, such as "firstcontact check", and returns the exit status. An
// interrupt counts for more than any answer.
func (c *console) status(ctx context.Context, command string, err error) int {
	var alone selfTold
	var answer Outcome
	var ended Watched
	var internal InternalError
	var usage UsageError
	var output OutputError
	switch {
	case errors.As(err, &alone):
		alone.Tell(c.notes())
		switch {
		case errors.As(err, &internal):
			return ExitInternal
		case errors.As(err, &usage):
			return ExitUsage
		}
		return ExitBadInput
	case err != nil && errors.Is(err, c.lost()): // which is told last
		return ExitOutput
	case err == nil:
		return ExitFree
	case errors.As(err, &internal):
		return c.say(ExitInternal, err)
	case errors.As(err, &ended):
		return int(ended)
	case ctx.Err() != nil:
		return c.say(ExitInterrupted, interrupted(err, ctx.Err()))
	case errors.As(err, &answer):
		return int(answer)
	case errors.As(err, &output):
		return c.say(ExitOutput, err)
	case errors.As(err, &usage):
		c.say(ExitUsage, err)
		fmt.Fprintf(c.notes(), "Try '%s --help'.\n", command)
		return ExitUsage
	}
	return c.say(ExitBadInput, err)
}

// interrupted says in one line what an interrupt has stopped, as far as the error tells.
func interrupted(err, cause error) error {
	left := Interruption{}
	if errors.As(err, &left) {
		return left
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	if where, ok := strings.CutSuffix(line, ": "+cause.Error()); ok {
		return Interruption{where}
	}
	return errors.New("interrupted")
}

// say prints an error, and returns the exit status.
func (c *console) say(status int, err error) int {
	fmt.Fprintf(c.notes(), "firstcontact: %v\n", err)
	return status
}

// Answered is an error that standard output has as JSON already.
type Answered struct{ Err error }

func (a Answered) Error() string { return a.Err.Error() }
func (a Answered) Unwrap() error { return a.Err }

// IsBadInput reports whether an error is about the input: neither about the command line nor an
// interrupt.
func IsBadInput(err error) bool {
	var usage UsageError
	var internal InternalError
	return !errors.As(err, &usage) && !errors.As(err, &internal) && !errors.Is(err, context.Canceled)
}

// tellFailure prints an object that says why there is no answer, if the command was asked for
// JSON.
func tellFailure(out io.Writer, cmd *cobra.Command, err error) {
	asked, bad := cmd.Flags().GetBool("json")
	var a Answered
	var o Outcome
	if bad != nil || !asked || errors.As(err, &a) || errors.As(err, &o) {
		return
	}
	_ = answer.Encode(out, answer.Failure{Head: answer.HeadOf("failure"), Status: "invalid", Command: cmd.Name(), Message: err.Error()}) // the console tells what fails
}
