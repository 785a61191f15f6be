package main

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

//go:generate go test -run "TestSchemasAreCurrent|TestSchemaPageIsCurrent" -write

// schemas are the JSON Schemas of what --json prints.
//
//go:embed schema/*.json
var schemas embed.FS

const aboutSchema = `Print the JSON Schema (draft 2020-12) of an object that --json prints.

Every object has a key schema with its name and version, such as
firstcontact/check/1. Within a version keys may be added; a key that vanishes
or changes its meaning makes a new version.

Without NAME the command lists the names: those of commands, and
  check-totals              check, behind the objects of several motions
  spheres-verify            spheres --verify
  spheres-range-of-motion   spheres --range-of-motion
  bench-segment             bench --dump
  failure                   any command whose input is bad`

func schemaCommand(io cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "The JSON Schema of what --json prints",
		Long:  aboutSchema,
		Example: `  firstcontact schema
  firstcontact schema check > check.schema.json`,
		ValidArgs: schemaNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				_, err := fmt.Fprintln(io.Out, strings.Join(schemaNames(), "\n"))
				return err
			case 1:
				text, err := schemas.ReadFile(schemaFile(args[0]))
				if err != nil {
					return cli.UsageError{Err: fmt.Errorf("%s: there is no such schema: give one of %s", args[0], strings.Join(schemaNames(), ", "))}
				}
				_, err = io.Out.Write(text)
				return err
			}
			return cli.UsageError{Err: fmt.Errorf("%d names are given: give one", len(args))}
		},
	}
}

func schemaFile(name string) string { return "schema/" + name + ".json" }

// schemaNames lists the schemas in alphabetical order.
func schemaNames() (names []string) {
	files, _ := schemas.ReadDir("schema") // it is embedded
	for _, f := range files {
		names = append(names, strings.TrimSuffix(path.Base(f.Name()), ".json"))
	}
	slices.Sort(names)
	return names
}
