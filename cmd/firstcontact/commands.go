package main

import "github.com/spf13/cobra"

// commands lists the subcommands.
func commands(io streams) []*cobra.Command {
	return []*cobra.Command{
		checkCommand(io), verifyCommand(io), distanceCommand(io), spheresCommand(io), pairsCommand(io), benchCommand(io),
		nodeCommand(), doctorCommand(io), schemaCommand(io), demoCommand(io), versionCommand(io), manCommand(),
	}
}
