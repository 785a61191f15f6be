package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/lab/papers"
)

const aboutPapers = `Rerun the tables and figures of the four papers that the engines come from, on models
made for it, by each paper's own method and by the default engine, and write
lab/docs/papers.md anew with its plots (--out names another folder). All of it takes
some ten minutes.

--only picks some: a paper (SSL04), a table or a figure (SSL04/table3); --scale quick
tries everything on a few motions. papers/results.json keeps what was measured, the
time of every method for every motion included, entry by entry: entries that are not
measured stay on the page as they were, and --render writes the page from it alone, in
a second.

Verdicts on the papers' claims are worked out when the page is written, by rules that
the page lists: what is not decided in its time is counted and left out, like is
compared with like, a ratio shows only if means, means without the largest time and
medians agree beyond 5 %, a paper's method enters in the form that does best, and
workloads count once. The page says of each claim that it shows, that it does not, or
that the work cannot be compared, with the threshold.`

func papersCommand(log io.Writer) *cobra.Command {
	var o papers.Options
	var scale string
	cmd := &cobra.Command{
		Use:   "papers",
		Short: "Rerun the four papers' tables and figures",
		Long:  aboutPapers,
		Example: `  firstcontact-lab papers
  firstcontact-lab papers --only RKLM04/table2 --scale quick --out /tmp/docs
  firstcontact-lab papers --render`,
		Args: cobra.NoArgs,
		PreRunE: func(*cobra.Command, []string) error {
			o.Scale, o.Log = papers.Scale(scale), log
			if err := papers.Known(o.Only, o.Scale); err != nil {
				return usageError{err}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return papers.Run(cmd.Context(), o) },
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&o.Only, "only", nil, "`keys` of papers, tables or figures, such as SSL04 or RKLM04/table2")
	fs.StringVar(&scale, "scale", string(papers.Full), fmt.Sprintf("%s or %s", papers.Quick, papers.Full))
	fs.StringVar(&o.Out, "out", "docs", "`folder` for papers.md and papers/")
	fs.BoolVar(&o.Render, "render", false, "write the page from what is kept, and measure nothing")
	return cmd
}
