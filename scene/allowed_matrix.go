package scene

import (
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// allowed reads a moveit_msgs/AllowedCollisionMatrix into pairs of names. A default entry that
// allows everything for a name allows the pairs with the names in the message; names outside
// the message stay checked.
func (p *planningScene) allowed(v document.Value) error {
	f, err := v.Fields("allowed_collision_matrix", "entry_names", "entry_values", "default_entry_names", "default_entry_values")
	if err != nil {
		return err
	}
	names, rows, err := matrix(f)
	if err != nil {
		return err
	}
	var contradicted []string
	p.scene.Absent = names
	for i := range names {
		for j := range i {
			if !rows[i][j] && p.leftOut(names[i], names[j]) {
				contradicted = append(contradicted, names[j]+" and "+names[i])
			}
			if rows[i][j] != rows[j][i] {
				return v.Errorf("allowed_collision_matrix has both true and false for %s and %s: make it symmetric", names[i], names[j])
			}
			if rows[i][j] {
				p.allow(names[j], names[i])
			}
		}
	}
	if len(contradicted) > 0 {
		p.warn(v, "allowed_collision_matrix has %s checked, and the SRDF leaves them out: they are not checked", strings.Join(contradicted, ", "))
	}
	return p.allowByDefault(f, names)
}

// leftOut reports whether the SRDF leaves out the pair of links.
func (p *planningScene) leftOut(a, b string) bool {
	robot := p.opts.Robot
	if robot == nil || robot.Semantic == nil {
		return false
	}
	i, j := robot.Link(a), robot.Link(b)
	i, j = min(i, j), max(i, j)
	return i >= 0 && slices.ContainsFunc(robot.Semantic.Disabled, func(d urdf.DisabledPair) bool { return d.A == i && d.B == j })
}

// matrix reads the square of names and flags.
func matrix(f document.Fields) (names []string, rows [][]bool, err error) {
	if names, err = document.Optional(f, "entry_names", document.Value.Strs); err != nil {
		return nil, nil, err
	}
	items, err := document.Optional(f, "entry_values", document.Value.List)
	if err != nil {
		return nil, nil, err
	}
	if len(items) != len(names) {
		return nil, nil, f.Errorf("allowed_collision_matrix has %d rows for %d names: it must be square", len(items), len(names))
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, nil, f.Errorf("allowed_collision_matrix names %s twice: keep one", name)
		}
	}
	rows = make([][]bool, len(items))
	for i, item := range items {
		if item.IsMap() {
			g, err := item.Fields("row of allowed_collision_matrix", "enabled")
			if err != nil {
				return nil, nil, err
			}
			if item, err = g.Need("row of allowed_collision_matrix", "enabled"); err != nil {
				return nil, nil, err
			}
		}
		if rows[i], err = flags(item, "row of allowed_collision_matrix"); err != nil {
			return nil, nil, err
		}
		if len(rows[i]) != len(names) {
			return nil, nil, item.Errorf("row of %s in allowed_collision_matrix has %d flags for %d names: it must be square", names[i], len(rows[i]), len(names))
		}
	}
	return names, rows, nil
}

func flags(v document.Value, name string) ([]bool, error) {
	items, err := v.List(name)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(items))
	for i, item := range items {
		if out[i], err = item.Bool(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// allow adds the pairs of all parts of two names.
func (p *planningScene) allow(a, b string) {
	for _, x := range p.bodies(a) {
		for _, y := range p.bodies(b) {
			p.scene.Allowed = append(p.scene.Allowed, [2]string{x, y})
		}
	}
}

// bodies returns the objects with a name: the name itself if it is a link.
func (p *planningScene) bodies(name string) []string {
	if parts, ok := p.parts[name]; ok {
		return parts
	}
	return []string{name}
}

// allowByDefault applies default entries to the pairs that the matrix lacks. If both names
// have one, both must allow the pair.
func (p *planningScene) allowByDefault(f document.Fields, names []string) error {
	defaults, err := document.Optional(f, "default_entry_names", document.Value.Strs)
	if err != nil {
		return err
	}
	values, err := document.Optional(f, "default_entry_values", flags)
	if err != nil {
		return err
	}
	if len(defaults) != len(values) {
		return f.Errorf("allowed_collision_matrix has %d default_entry_values for %d default_entry_names: give one each", len(values), len(defaults))
	}
	p.scene.Absent = append(slices.Clip(names), defaults...)
	allowed := map[string]bool{}
	known := slices.Clone(names)
	for i, name := range defaults {
		if _, twice := allowed[name]; twice {
			return f.Errorf("default_entry_names has %s twice: keep one", name)
		}
		allowed[name] = values[i]
		known = append(known, name)
	}
	for id := range p.parts {
		known = append(known, id)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for i, a := range known {
		for _, b := range known[:i] {
			if slices.Contains(names, a) && slices.Contains(names, b) {
				continue // the matrix has an entry
			}
			x, hasX := allowed[a]
			y, hasY := allowed[b]
			if (x || y) && (x || !hasX) && (y || !hasY) {
				p.allow(b, a)
			}
		}
	}
	for _, name := range defaults {
		if allowed[name] {
			p.warn(f.Value, "the default entry of %s allows it to touch everything: links that the message does not name are checked against it nevertheless", name)
		}
	}
	return nil
}
