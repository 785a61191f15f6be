package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// Program is a command line: what it is called, what its help says, and its commands.
type Program struct {
	Name, Short, About string                            // the two texts of help: a line, and all
	Commands           func(io Streams) []*cobra.Command // made anew for each command line
	Complete           func(root *cobra.Command)         // how flags are completed, if not nil
}

// Run executes a command line and returns its exit status. A panic becomes an internal error
// and never looks like an answer.
func (p *Program) Run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (code int) {
	c := newConsole(out, errs)
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(c.notes(), "firstcontact: internal error: %v\n", fault)
			code = ExitInternal
		}
	}()
	defer c.close()
	cmd := p.root(Streams{in, c.results(), c.notes()}, c)
	cmd.SetArgs(args)
	executed, err := cmd.ExecuteContextC(ctx)
	if code = c.status(ctx, executed.CommandPath(), err); code == ExitBadInput {
		tellFailure(c.results(), executed, err)
	}
	if lost := c.lost(); lost != nil && code != ExitInternal {
		return c.say(ExitOutput, fmt.Errorf("the results are not complete: %w", lost))
	}
	return code
}

// root assembles the commands.
func (p *Program) root(io Streams, c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:              p.Name,
		Short:            p.Short,
		Long:             p.About,
		Version:          buildinfo.Version(),
		SilenceUsage:     true,
		SilenceErrors:    true,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) { cmd.SetContext(c.watch(cmd.Context())) },
	}
	cmd.PersistentFlags().BoolVarP(&c.quiet, "quiet", "q", false, "no notes and no progress on standard error")
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return UsageError{fmt.Errorf("there is no command %q%s", args[0], spelling.Hint(args[0], commandNames(cmd)))}
	}
	cmd.SetIn(io.In)
	cmd.SetOut(io.Out)
	cmd.SetErr(io.Err)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return UsageError{fmt.Errorf("%w%s", err, flagHint(c, err))}
	})
	cmd.SetUsageFunc(usage)
	cmd.AddCommand(p.Commands(io)...)
	for _, c := range cmd.Commands() {
		judgeArguments(c)
		judgeValues(c)
	}
	if p.Complete != nil {
		p.Complete(cmd)
	}
	return cmd
}

// CommandLine returns the commands with nobody's streams, to look at them.
func (p *Program) CommandLine() *cobra.Command { return p.root(Streams{}, newConsole(nil, nil)) }

// commandNames lists the names of the sub-commands that help shows.
func commandNames(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// flagHint suggests the flag that an unknown one was probably meant to be.
func flagHint(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || len(unknown.GetSpecifiedName()) < 2 {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return spelling.Hint("--"+unknown.GetSpecifiedName(), names)
}

// judgeArguments makes usage errors of what a command says of the number of its arguments.
func judgeArguments(c *cobra.Command) {
	judge := c.Args
	if judge == nil {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		err := judge(c, args)
		if known := (UsageError{}); err == nil || errors.As(err, &known) {
			return err
		}
		return UsageError{err}
	}
}
