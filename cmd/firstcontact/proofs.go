package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// proofFlags say whose word on a robot's own pairs is taken.
type proofFlags struct {
	pairs string
	acm   string
	limit time.Duration

	proved *pairproof.Report // by proveNow, once
}

func (f *proofFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.pairs, "pairs", "", "`file` of proven pairs that 'firstcontact pairs --file' made: what never touches is left\nout by proof, what always touches as designed that way, and everything else is checked")
	fs.StringVar(&f.acm, "acm", "", "which of the robot's own pairs are left out: srdf, on the SRDF's word, or proven, by\nproof alone (with --pairs it is proven; without, the pairs are proved at the start)")
	fs.DurationVar(&f.limit, "acm-budget", 10*time.Second, "computing `time` for --acm proven without --pairs; what is left is checked")
}

// prove gives a checker's options the proofs that the flags ask for.
func (f *proofFlags) prove(ctx context.Context, robot *urdf.Robot, o *ccd.Options) (err error) {
	switch {
	case f.acm != "" && f.acm != "srdf" && f.acm != "proven":
		return usageError{fmt.Errorf("--acm %s: srdf or proven", f.acm), "firstcontact check"}
	case f.limit <= 0:
		return usageError{fmt.Errorf("--acm-budget %v: give more than zero", f.limit), "firstcontact check"}
	}
	o.OnlyProven = f.acm == "proven" || f.acm == "" && f.pairs != ""
	switch {
	case f.pairs != "" && f.proved == nil:
		if f.proved, err = pairfile.LoadContext(ctx, f.pairs); err == nil {
			err = named(f.pairs, pairfile.Fits(f.proved, robot, o.ProofOptions()))
		}
	case f.acm == "proven" && f.proved == nil:
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

// tellPairs notes on one line which pairs are checked and which are not, and why.
func (f *modelFlags) tellPairs(ctx context.Context, w io.Writer, c *ccd.Checker) {
	robot := c.Robot()
	pairs := c.Pairs()
	fmt.Fprintf(w, "note: %s: %d pairs of its own and %d with the world are checked; %d are assumed to be allowed\n", robot.Name, pairs.Self, pairs.World, len(pairs.Assumed))
	switch {
	case pairs.Proofs != nil:
		fmt.Fprintf(w, "note: %s\n", provedWords(pairs))
	case robot.Semantic == nil && len(pairs.Assumed) > 0:
		if known, err := f.withQuickProofs(ctx, c); err == nil {
			pairs = known.Pairs()
		} else {
			fmt.Fprintf(w, "note: nothing could be proved of the pairs that are left out: %v\n", err)
		}
		fmt.Fprintf(w, "note: without an SRDF %s\n", pairs.Defaults())
	}
}

// provedWords says what proofs do for the checker.
func provedWords(p *ccd.Pairs) string {
	r := p.Proofs
	out := fmt.Sprintf("of its own pairs %d are proved never to touch and left out within the joints' limits, %d always touch",
		p.Proven, r.Count(pairproof.Always))
	if n := r.Count(pairproof.Undecided); n > 0 {
		out += fmt.Sprintf(", %d are undecided and checked", n)
	}
	return out
}

// withQuickProofs proves what it can, soon, of the pairs that are left out by default,
// and remembers it in the cache: nothing but words depends on it.
func (f *modelFlags) withQuickProofs(ctx context.Context, c *ccd.Checker) (*ccd.Checker, error) {
	dir, err := f.dir()
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
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	known, err := c.ProveDefaults(ctx, 0)
	if err != nil {
		return nil, err
	}
	if r := known.Pairs().Proofs; file != "" && 2*len(r.Pairs) >= len(c.Pairs().Assumed) { // a run that was hindered is no precedent
		_ = pairfile.Save(file, r) // it is made again next time
	}
	return known, nil
}
