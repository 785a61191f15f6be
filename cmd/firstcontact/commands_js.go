package main

import (
	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/check"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/distance"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verify"
)

// commands lists the subcommands of the playground, where nothing but files is at hand.
func commands(io cli.Streams) []*cobra.Command {
	return []*cobra.Command{
		check.Command(io), verify.Command(io), distance.Command(io), versionCommand(io),
	}
}
