package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

// manCommand writes the manual pages, for packages: what --help prints, in the form of man.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages of all commands to a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := outfile.Folder(args[0]); err != nil {
				return err
			}
			for _, c := range append([]*cobra.Command{cmd.Root()}, cmd.Root().Commands()...) {
				if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
					continue
				}
				if err := outfile.Write(filepath.Join(args[0], manName(c)+".1"), outfile.Text(manPage(c))); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// manName is the name of a command's page: firstcontact-check.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the manual page of a command.
func manPage(c *cobra.Command) []byte {
	var b bytes.Buffer
	name := manName(c)
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"\" \"firstcontact\"\n.nh\n.ad l\n", roffEscaped(strings.ToUpper(name)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roffEscaped(name), roffEscaped(strings.ToLower(c.Short[:1])+c.Short[1:]))
	use := c.UseLine()
	if c.HasAvailableSubCommands() {
		use = c.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n.SH DESCRIPTION\n", roffEscaped(use))
	for i, paragraph := range strings.Split(strings.TrimSpace(c.Long), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roffEscaped(paragraph) + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roffEscaped(manName(sub)), roffEscaped(sub.Short))
			}
		}
	}
	manBlock(&b, "OPTIONS", cli.FlagHelp(c))
	manBlock(&b, "EXAMPLES", c.Example)
	b.WriteString(".SH SEE ALSO\n")
	if c.HasParent() {
		b.WriteString(".BR firstcontact (1)\n")
	} else {
		b.WriteString("The documentation in /usr/share/doc/firstcontact.\n")
	}
	return b.Bytes()
}

// manBlock writes a section whose lines stay as they are.
func manBlock(b *bytes.Buffer, heading, text string) {
	if text != "" {
		fmt.Fprintf(b, ".SH %s\n.nf\n%s\n.fi\n", heading, roffEscaped(text))
	}
}

// roffEscaped returns text that roff prints as it stands.
func roffEscaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
