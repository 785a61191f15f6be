package node

import (
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Remark is one thing that a user should know of a model.
type Remark struct {
	Level ros.Level // Info; Warn for what may surprise; Error for what keeps every state UNKNOWN
	Text  string
}

// remarks lists what a user should know of a model: what it checks, on which assumptions,
// and by which method.
func (m *model) remarks(v config.Values, took time.Duration) []Remark {
	var r remarks
	m.remarkDoubts(v, &r)
	m.remarkExtent(v, took, &r)
	return r
}

type remarks []Remark

func (r *remarks) say(level ros.Level, format string, args ...any) {
	*r = append(*r, Remark{level, fmt.Sprintf(format, args...)})
}

// remarkDoubts says what is missing or odd in the input, and what of it is accepted.
func (m *model) remarkDoubts(v config.Values, r *remarks) {
	robot, world := m.checker.Robot(), m.checker.World()
	for _, warning := range robot.Warnings {
		r.say(ros.LevelWarn, "%s", warning)
	}
	if world != nil {
		for _, warning := range world.Warnings {
			r.say(ros.LevelWarn, "%s", warning)
		}
	}
	if err := m.checker.CacheError(); err != nil {
		level := ros.LevelWarn
		if v.String("cache") == "" {
			level = ros.LevelInfo // nobody asked for one
		}
		r.say(level, "meshes are compiled anew at each start: %v (the parameter cache names another folder, or is off)", err)
	}
	if m.ignored > 0 {
		r.say(ros.LevelWarn, "%d pairs that the scene allows to touch are checked nevertheless, because acm.source does not name the scene", m.ignored)
	}
	if m.gap != nil {
		r.say(ros.LevelError, "nothing will be reported as FREE: %s", m.gap.Why())
	}
	for _, f := range m.checker.Plausible().Findings() {
		r.say(ros.LevelWarn, "implausible: %s", f)
	}
	for _, entry := range m.accepted {
		r.say(ros.LevelWarn, "accepted as it is: %s", entry)
	}
}

// remarkExtent says what is checked, and how.
func (m *model) remarkExtent(v config.Values, took time.Duration, r *remarks) {
	robot := m.checker.Robot()
	r.say(ros.LevelInfo, "loaded in %.2f s: robot %s, %d joints; %s", took.Seconds(), ros.LogName(robot.Name), len(m.joints), m.extent())
	r.say(ros.LevelInfo, "to accept only this model, set model.sha256: %s", m.sums)
	for _, fault := range m.faults {
		r.say(ros.LevelWarn, "%s", fault)
	}
	if m.proven > 0 {
		r.say(ros.LevelInfo, "%d self pairs are proved never to touch: within the joints' limits they are not checked and raise no level", m.proven)
	}
	if robot.Semantic == nil && m.assumed > 0 {
		r.say(ros.LevelInfo, "without an SRDF %s", m.checker.Pairs().Defaults())
	}
	if m.noTrees != nil {
		r.say(ros.LevelWarn, "self.method %s is not used: %v", v.String("self.method"), m.noTrees)
	}
	r.say(ros.LevelInfo, "%s", treeWords(&m.trees))
	r.say(ros.LevelInfo, "distance ranges: %s; WARN below %g m", rangeWords(limitsOf(v).ranges), v.Double("warn_distance"))
	if names := m.awaited(); len(names) > 0 {
		r.say(ros.LevelWarn, "margin_overrides or distance_range.pairs names %s: nothing has that name yet, and the range holds once an object of the live scene does", oneline.Few(names))
	}
	if len(m.margins) > 0 {
		r.say(ros.LevelInfo, "%d pairs have a margin of their own: %s", len(m.margins), m.marginWords())
	}
}
