// Command firstcontact-lab reruns what the project was measured by.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit statuses.
const (
	exitFailed = 1
	exitUsage  = 64
)

// usageError is a fault of the command line.
type usageError struct{ error }

// run executes a command line and returns its exit status.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	cmd := &cobra.Command{
		Use:           "firstcontact-lab",
		Short:         "Rerun what firstcontact was measured by",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.SetOut(out)
	cmd.SetErr(errs)
	cmd.SetArgs(args)
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cmd.AddCommand(papersCommand(errs))
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(errs, "firstcontact-lab: %v\n", err)
	if errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitFailed
}
