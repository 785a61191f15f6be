package main

import "github.com/spf13/cobra"

// commands lists the subcommands of the playground, where nothing but files is at hand.
func commands(io streams) []*cobra.Command {
	return []*cobra.Command{
		checkCommand(io), verifyCommand(io), distanceCommand(io), versionCommand(io),
	}
}
