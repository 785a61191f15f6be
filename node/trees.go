package node

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// treesPatience is how long a model may wait for its sphere trees and hulls of ranges of
// motion; without them distances are computed pair by pair.
const treesPatience = 10 * time.Second

// growTrees makes the checker find the closest of the robot's own pairs as self.method asks
// for, and builds what that needs. If it cannot be built in time, all pairs are measured.
func (m *model) growTrees(ctx context.Context, method string, patience time.Duration) error {
	wanted, err := ccd.ParseSelfMethod(method)
	if err != nil {
		return fmt.Errorf("parameter self.method: %w", err)
	}
	building, stop := context.WithTimeout(ctx, patience)
	defer stop()
	with := m.checker.WithSelfMethod(wanted)
	trees, err := with.SelfTrees(building)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		m.checker, m.trees = with, trees
		return nil
	}
	m.noTrees = err
	m.trees, err = m.checker.SelfTrees(ctx)
	return err
}

// treeWords tells how the closest of the robot's own pairs are found, and what was built
// for that.
func treeWords(t *ccd.SelfTrees) string {
	text := fmt.Sprintf("distances of %d self pairs by %s (%s)", t.Pairs, t.Method, t.Why)
	if t.Method != ccd.SelfSpheres {
		return text
	}
	text += fmt.Sprintf(": sphere trees of %d links with %d spheres in at most %d levels; hulls of the ranges of motion of %d subtrees, %d of them tight; %d pairs proved never to touch; built in %.3f s, %s",
		t.Links, t.Spheres, t.Levels, t.Hulls, t.Tight, t.Apart, t.Time.Seconds(), sizeWords(t.Bytes))
	if len(t.Unbounded) > 0 {
		text += "; no hull beyond joints without limits: " + oneline.Few(t.Unbounded)
	}
	return text
}

func sizeWords(bytes int) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
