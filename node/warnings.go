package node

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// warnings lists what is implausible about a motion and the joints that the question named. Gaps
// are left out: they are premises of the answer.
func (m *model) warnings(q *question, way *motion.Motion) (list []string) {
	if m.checker == nil {
		return nil
	}
	plausible := m.checker.Plausible()
	found := plausible.Motion(way)
	if len(q.held) > 0 { // way has them, the question did not
		given := slices.DeleteFunc(slices.Clone(way.Joints), func(joint string) bool { return slices.Contains(q.held, joint) })
		found = append(found, plausible.Named(given)...)
	}
	for i := range found {
		if !found[i].Gap {
			list = append(list, oneline.Text(found[i].String(), limit.TextBytes))
		}
	}
	return list
}
