package main

import (
	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// commands lists the subcommands of the playground, where nothing but files is at hand.
func commands(io cli.Streams) []*cobra.Command {
	return []*cobra.Command{
		checkCommand(io), verifyCommand(io), distanceCommand(io), versionCommand(io),
	}
}
