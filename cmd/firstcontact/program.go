package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
)

// program is a command line: what it is called, what its help says, and its commands.
type program struct {
	name, short, about string
	commands           func(io streams) []*cobra.Command
	complete           func(root *cobra.Command) // how flags are completed, if not nil
}

// run executes a command line and returns its exit status. A panic becomes an internal error
// and never looks like an answer.
func (p *program) run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (code int) {
	c := newConsole(out, errs)
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(c.notes(), "firstcontact: internal error: %v\n", fault)
			code = exitInternal
		}
	}()
	defer c.close()
	cmd := p.root(streams{in, c.results(), c.notes()}, c)
	cmd.SetArgs(args)
	executed, err := cmd.ExecuteContextC(ctx)
	if code = c.status(ctx, err); code == exitBadInput {
		tellFailure(c.results(), executed, err)
	}
	if lost := c.lost(); lost != nil && code != exitInternal {
		return c.say(exitOutput, fmt.Errorf("the results are not complete: %w", lost))
	}
	return code
}

// root assembles the commands.
func (p *program) root(io streams, c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:              p.name,
		Short:            p.short,
		Long:             p.about,
		Version:          version(),
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
		return usageError{fmt.Errorf("there is no command %q%s", args[0], spelling.Hint(args[0], commandNames(cmd))), cmd.CommandPath()}
	}
	cmd.SetIn(io.in)
	cmd.SetOut(io.out)
	cmd.SetErr(io.err)
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w%s", err, flagHint(c, err)), c.CommandPath()}
	})
	cmd.SetUsageFunc(usage)
	cmd.AddCommand(p.commands(io)...)
	for _, c := range cmd.Commands() {
		judgeArguments(c)
	}
	if p.complete != nil {
		p.complete(cmd)
	}
	return cmd
}

// commandLine returns the commands with nobody's streams, to look at them.
func (p *program) commandLine() *cobra.Command { return p.root(streams{}, newConsole(nil, nil)) }

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
		if known := (usageError{}); err == nil || errors.As(err, &known) {
			return err
		}
		return usageError{err, c.CommandPath()}
	}
}
