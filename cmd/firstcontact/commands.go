//go:build !js

package main

import (
	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/bench"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/check"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/demo"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/distance"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/doctor"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/pairs"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/rosnode"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/spheres"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verify"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/view"
)

// commands lists the subcommands.
func commands(io cli.Streams) []*cobra.Command {
	return []*cobra.Command{
		check.Command(io), batch.Command(io), batch.WorkerCommand(io), verify.Command(io), distance.Command(io), check.RenderCommand(io), spheres.Command(io), pairs.Command(io), bench.Command(io),
		rosnode.Command(), doctor.Command(io), schemaCommand(io), demo.Command(io), view.Command(io), versionCommand(io), manCommand(),
	}
}
