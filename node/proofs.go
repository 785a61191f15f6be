package node

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// quickly bounds how long a model without an SRDF waits for proofs about its neighbouring and
// close links.
const quickly = 3 * time.Second

// proofs adds the proofs that the parameters ask for to a checker's options.
func proofs(ctx context.Context, v config.Values, robot *urdf.Robot, o *ccd.Options) (err error) {
	o.OnlyProven = v.String("acm.source") == "proven"
	switch file := v.String("acm.pairs"); {
	case file != "":
		if o.Proofs, err = pairfile.LoadContext(ctx, file); err == nil {
			err = pairfile.Fits(o.Proofs, robot, o.ProofOptions())
		}
		if err != nil {
			return fmt.Errorf("parameter acm.pairs: %s: %w", file, err)
		}
	case o.OnlyProven || robot.Semantic != nil && v.String("acm.audit") != "off":
		if o.Proofs, err = pairproof.Prove(ctx, robot, o.ProofOptions(), span(v.Double("acm.budget"))); err != nil {
			return err
		}
	}
	return nil
}

// audit compares the SRDF's disabled pairs with the proofs, as acm.audit says. It returns the
// faults in words.
func audit(mode string, robot *urdf.Robot, r *pairproof.Report) (faults []string, err error) {
	if mode == "off" || r == nil || robot.Semantic == nil {
		return nil, nil
	}
	for _, f := range selfcollision.Audit(robot, r, nil) {
		if f.Kind.Fault() {
			faults = append(faults, fmt.Sprintf("the SRDF on %s and %s (%q): %s", f.A, f.B, f.Reason, f.Why))
		}
	}
	if mode == "fail" && len(faults) > 0 {
		return nil, fmt.Errorf("acm.audit: the SRDF has %d faults; run 'firstcontact pairs' to see them with witnesses: %s", len(faults), strings.Join(faults, "; "))
	}
	return faults, nil
}

// settleDefaults proves pairs within a short time, for a robot without an SRDF.
func (m *model) settleDefaults(ctx context.Context, l limits) error {
	ctx, stop := context.WithTimeout(ctx, quickly)
	defer stop()
	known, err := m.checker.ProveDefaults(ctx, l.warn)
	if err != nil {
		return err
	}
	m.checker = known
	return nil
}
