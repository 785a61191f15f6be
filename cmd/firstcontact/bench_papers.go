package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/bench/papers"
)

// papersFlags are those of bench --papers.
type papersFlags struct {
	on, render bool
	only       []string
	scale, out string
}

func (f *papersFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.on, "papers", false, "rerun the tables and figures of the four papers")
	fs.StringSliceVar(&f.only, "only", nil, "with --papers: `keys` of papers, tables or figures, such as SSL04 or RKLM04/table2")
	fs.StringVar(&f.scale, "scale", string(papers.Full), "with --papers: quick or full")
	fs.StringVar(&f.out, "out", "docs", "with --papers: `folder` for papers.md and papers/")
	fs.BoolVar(&f.render, "render", false, "with --papers: write the page of what is kept, and measure nothing")
}

// validate tells flags and arguments of one use from those of the other.
func (f *papersFlags) validate(cmd *cobra.Command, args []string) error {
	if !f.on {
		for _, name := range []string{"only", "scale", "out", "render"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --papers", name)
			}
		}
		return nil
	}
	for _, name := range []string{"method", "truth", "json", "dump", "noself", "noenv", "reps", "limit", "tolerance"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is not for --papers, which asks of each table what its paper asks", name)
		}
	}
	if len(args) > 0 {
		return fmt.Errorf("bench --papers takes no arguments: its models are made, not read")
	}
	return papers.Known(f.only, papers.Scale(f.scale))
}

func (f *papersFlags) run(ctx context.Context, io streams) error {
	return papers.Run(ctx, papers.Options{Only: f.only, Scale: papers.Scale(f.scale), Out: f.out, Render: f.render, Log: io.err})
}
