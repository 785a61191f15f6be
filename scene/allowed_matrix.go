package scene

import (
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// allowedMessage reads a moveit_msgs/AllowedCollisionMatrix.
func allowedMessage(v document.Value) (*AllowedMessage, error) {
	f, err := v.Fields("allowed_collision_matrix", "entry_names", "entry_values", "default_entry_names", "default_entry_values")
	if err != nil {
		return nil, err
	}
	m := &AllowedMessage{From: v}
	if m.Names, err = document.Optional(f, "entry_names", document.Value.Strs); err != nil {
		return nil, err
	}
	items, err := document.Optional(f, "entry_values", document.Value.List)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		row, err := matrixRow(item)
		if err != nil {
			return nil, err
		}
		m.Rows = append(m.Rows, row)
	}
	if m.Defaults, err = document.Optional(f, "default_entry_names", document.Value.Strs); err != nil {
		return nil, err
	}
	m.Values, err = document.Optional(f, "default_entry_values", flags)
	return m, err
}

func matrixRow(v document.Value) ([]bool, error) {
	const name = "row of allowed_collision_matrix"
	if v.IsMap() {
		f, err := v.Fields(name, "enabled")
		if err != nil {
			return nil, err
		}
		if v, err = f.Need(name, "enabled"); err != nil {
			return nil, err
		}
	}
	return flags(v, name)
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

// allowed turns an allowed collision matrix into pairs of names. A default entry that allows
// everything for a name allows the pairs with the names in the message; names outside the
// message stay checked.
func (d *drawing) allowed(m *AllowedMessage) error {
	if err := m.square(); err != nil {
		return err
	}
	off := d.p.leftOut()
	isLink := make([]bool, len(m.Names)) // that the SRDF may leave out
	for i, name := range m.Names {
		isLink[i] = d.p.robot != nil && d.p.robot.Link(name) >= 0
	}
	var contradicted []string
	d.scene.Absent = m.Names
	for i, a := range m.Names {
		for j, b := range m.Names[:i] {
			if m.Rows[i][j] != m.Rows[j][i] {
				return m.From.Errorf("allowed_collision_matrix has both true and false for %s and %s: make it symmetric", a, b)
			}
			if !m.Rows[i][j] && isLink[i] && isLink[j] && off[[2]string{min(a, b), max(a, b)}] {
				contradicted = append(contradicted, b+" and "+a)
			}
			if m.Rows[i][j] {
				if err := d.allow(m.From, b, a); err != nil {
					return err
				}
			}
		}
	}
	if len(contradicted) > 0 {
		d.warn(m.From, "allowed_collision_matrix has %s checked, and the SRDF leaves them out: they are not checked", strings.Join(contradicted, ", "))
	}
	return d.allowByDefault(m)
}

// square fails unless the matrix is square and names everything once.
func (m *AllowedMessage) square() error {
	if len(m.Rows) != len(m.Names) {
		return m.From.Errorf("allowed_collision_matrix has %d rows for %d names: it must be square", len(m.Rows), len(m.Names))
	}
	given := make(map[string]bool, len(m.Names))
	for i, name := range m.Names {
		if given[name] {
			return m.From.Errorf("allowed_collision_matrix names %s twice: keep one", name)
		}
		given[name] = true
		if len(m.Rows[i]) != len(m.Names) {
			return m.From.Errorf("row of %s in allowed_collision_matrix has %d flags for %d names: it must be square", name, len(m.Rows[i]), len(m.Names))
		}
	}
	return nil
}

// leftOut returns the pairs of links that the SRDF leaves out.
func (p *planning) leftOut() map[[2]string]bool {
	out := map[[2]string]bool{}
	if p.robot == nil || p.robot.Semantic == nil {
		return out
	}
	for _, d := range p.robot.Semantic.Disabled {
		a, b := p.robot.Links[d.A].Name, p.robot.Links[d.B].Name
		out[[2]string{min(a, b), max(a, b)}] = true
	}
	return out
}

// allow adds the pairs of all parts of two names.
func (d *drawing) allow(at Place, a, b string) error {
	for _, x := range d.bodies(a) {
		for _, y := range d.bodies(b) {
			d.scene.Allowed = append(d.scene.Allowed, [2]string{x, y})
		}
	}
	if len(d.scene.Allowed) > limit.DisabledPairs {
		return at.Errorf("allowed_collision_matrix allows more than %d pairs", limit.DisabledPairs)
	}
	return nil
}

// bodies returns the objects with a name: the name itself if it is a link.
func (d *drawing) bodies(name string) []string {
	parts, ok := d.parts[name]
	if d.live && ok == (d.p.robot.Link(name) >= 0) {
		return nil // MoveIt keeps the entries of objects that are gone; or it may mean a link or an object
	}
	if ok {
		return parts
	}
	return []string{name}
}

// allowByDefault applies default entries to the pairs that the matrix lacks. If both names
// have one, both must allow the pair.
func (d *drawing) allowByDefault(m *AllowedMessage) error {
	if len(m.Defaults) != len(m.Values) {
		return m.From.Errorf("allowed_collision_matrix has %d default_entry_values for %d default_entry_names: give one each", len(m.Values), len(m.Defaults))
	}
	d.scene.Absent = append(slices.Clip(m.Names), m.Defaults...)
	allowed, inMatrix := map[string]bool{}, map[string]bool{}
	for i, name := range m.Defaults {
		if _, twice := allowed[name]; twice {
			return m.From.Errorf("default_entry_names has %s twice: keep one", name)
		}
		allowed[name] = m.Values[i]
	}
	for _, name := range m.Names {
		inMatrix[name] = true
	}
	known := slices.Concat(m.Names, m.Defaults, slices.Collect(maps.Keys(d.parts)))
	slices.Sort(known)
	known = slices.DeleteFunc(slices.Compact(known), func(name string) bool {
		x, has := allowed[name]
		return has && !x || len(d.bodies(name)) == 0
	})
	for _, a := range known {
		if !allowed[a] {
			continue
		}
		for _, b := range known {
			if a == b || inMatrix[a] && inMatrix[b] || allowed[b] && b < a {
				continue // the matrix has an entry, or the pair has had its turn
			}
			if err := d.allow(m.From, min(a, b), max(a, b)); err != nil {
				return err
			}
		}
	}
	for _, name := range m.Defaults {
		if allowed[name] {
			d.warn(m.From, "the default entry of %s allows it to touch everything: links that the message does not name are checked against it nevertheless", name)
		}
	}
	return nil
}
