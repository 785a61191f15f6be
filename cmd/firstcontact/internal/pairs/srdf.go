package pairs

import (
	"cmp"
	"context"
	"slices"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// writeSRDF writes the SRDF that disables what is proved, and returns the number of disabled
// pairs.
func (f *flags) writeSRDF(ctx context.Context, s *survey) (int, error) {
	source, err := f.srdfSource(ctx)
	if err != nil {
		return 0, err
	}
	pairs := disabledBy(s.robot, &s.report, f.disable)
	text, err := urdf.WriteSRDF(s.robot, source, pairs)
	if err != nil {
		return 0, err
	}
	return len(pairs), cli.Output{Flag: "write-srdf", Path: f.srdfOut}.Failed(outfile.Write(f.srdfOut, outfile.Text(text)))
}

// disabledBy lists the pairs of the given kinds, with the reasons that MoveIt's setup
// assistant uses.
func disabledBy(robot *urdf.Robot, r *pairproof.Report, kinds []string) []urdf.DisabledPair {
	neighbours := selfcollision.Neighbours(robot)
	var out []urdf.DisabledPair
	for i := range r.Pairs {
		p := &r.Pairs[i]
		adjacent := neighbours[[2]int{min(p.A, p.B), max(p.A, p.B)}]
		d := urdf.DisabledPair{A: min(p.A, p.B), B: max(p.A, p.B)}
		switch {
		case p.Meets == pairproof.Never && slices.Contains(kinds, "never"):
			d.Reason = "Never"
		case p.Meets == pairproof.Always && slices.Contains(kinds, "always"):
			d.Reason = "Always"
			if adjacent {
				d.Reason = "Adjacent"
			}
		case adjacent && slices.Contains(kinds, "adjacent"):
			d.Reason = "Adjacent"
		default:
			continue
		}
		out = append(out, d)
	}
	slices.SortFunc(out, func(p, q urdf.DisabledPair) int {
		return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	})
	return out
}
