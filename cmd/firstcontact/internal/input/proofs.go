package input

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// proofFlags select how allowed self pairs are justified.
type proofFlags struct {
	Pairs string // the file of proven pairs
	ACM   string // srdf, proven, or "" for what suits Pairs
	limit time.Duration

	proved *pairproof.Report // by proveNow, once
}

func (f *proofFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.Pairs, "pairs", "", "`file` of proven pairs that 'firstcontact pairs --file' made: pairs that never touch\nare left out by proof, pairs that always touch by design, and all others are checked")
	fs.StringVar(&f.ACM, "acm", "", "which self pairs are left out: srdf, those that the SRDF lists, or proven, by proof\nalone (with --pairs from the file, otherwise pairs are proved at the start)")
	fs.DurationVar(&f.limit, "acm-budget", 10*time.Second, "computing `time` for --acm proven without --pairs; undecided pairs are checked")
}

// prove adds the proofs that the flags ask for to a checker's options.
func (f *proofFlags) prove(ctx context.Context, robot *urdf.Robot, o *ccd.Options) (err error) {
	switch {
	case f.ACM != "" && f.ACM != "srdf" && f.ACM != "proven":
		return cli.UsageError{Err: fmt.Errorf("--acm %s: srdf or proven", f.ACM)}
	case f.limit <= 0:
		return cli.UsageError{Err: fmt.Errorf("--acm-budget %v: give more than zero", f.limit)}
	}
	o.OnlyProven = f.ACM == "proven" || f.ACM == "" && f.Pairs != ""
	switch {
	case f.Pairs != "" && f.proved == nil:
		if f.proved, err = pairfile.LoadContext(ctx, f.Pairs); err == nil {
			err = named(f.Pairs, pairfile.Fits(f.proved, robot, o.ProofOptions()))
		}
	case f.ACM == "proven" && f.proved == nil:
		f.proved, err = pairproof.Prove(ctx, robot, o.ProofOptions(), f.limit)
	}
	if o.Proofs = f.proved; err != nil {
		o.Proofs = nil
	}
	return err
}

func named(file string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--pairs %s: %w", file, err)
}

// tellPairs writes a note that says which pairs are checked, which are not, and why.
func (f *ModelFlags) tellPairs(ctx context.Context, w io.Writer, c *ccd.Checker) {
	robot := c.Robot()
	pairs := c.Pairs()
	fmt.Fprintf(w, "note: %s: %d self pairs and %d pairs with the world are checked; %d are assumed to be allowed\n", robot.Name, pairs.Self, pairs.World, len(pairs.Assumed))
	switch {
	case pairs.Proofs != nil:
		fmt.Fprintf(w, "note: %s\n", provedWords(pairs))
	case robot.Semantic == nil && len(pairs.Assumed) > 0:
		if known, err := f.withQuickProofs(ctx, c); err == nil {
			pairs = known.Pairs()
		} else {
			fmt.Fprintf(w, "note: no proof about the allowed pairs is available: %v\n", err)
		}
		fmt.Fprintf(w, "note: without an SRDF %s\n", pairs.Defaults())
	}
}

// provedWords describes the proofs that the checker uses.
func provedWords(p *ccd.Pairs) string {
	r := p.Proofs
	out := fmt.Sprintf("of the self pairs %d are proved never to touch and left out within the joints' limits, %d always touch",
		p.Proven, r.Count(pairproof.Always))
	if n := r.Count(pairproof.Undecided); n > 0 {
		out += fmt.Sprintf(", %d are undecided and checked", n)
	}
	return out
}

// withQuickProofs proves as many of the pairs that are left out by default as it can in a
// short time, and caches the result: only messages depend on it.
func (f *ModelFlags) withQuickProofs(ctx context.Context, c *ccd.Checker) (*ccd.Checker, error) {
	dir, err := f.Dir()
	if err != nil {
		return nil, err
	}
	file := ""
	if none, err := pairproof.None(c.Robot(), pairproof.Options{}); err == nil && dir != "" {
		file = filepath.Join(dir, "neighbours-"+none.Digest+".pairs")
		if r, err := pairfile.LoadContext(ctx, file); err == nil {
			if known, err := c.WithProofs(r); err == nil {
				return known, nil
			}
		}
	}
	ctx, stop := context.WithTimeout(ctx, cli.Patience)
	defer stop()
	known, err := c.ProveDefaults(ctx, 0)
	if err != nil {
		return nil, err
	}
	if r := known.Pairs().Proofs; file != "" && 2*len(r.Pairs) >= len(c.Pairs().Assumed) { // do not keep the result of an interrupted run
		_ = pairfile.Save(file, r) // on failure it is computed again next time
	}
	return known, nil
}
