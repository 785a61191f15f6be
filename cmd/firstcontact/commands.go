//go:build !js

package main

import (
	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// commands lists the subcommands.
func commands(io cli.Streams) []*cobra.Command {
	return []*cobra.Command{
		checkCommand(io), batchCommand(io), workerCommand(io), verifyCommand(io), distanceCommand(io), renderCommand(io), spheresCommand(io), pairsCommand(io), benchCommand(io),
		nodeCommand(), doctorCommand(io), schemaCommand(io), demoCommand(io), viewCommand(io), versionCommand(io), manCommand(),
	}
}
