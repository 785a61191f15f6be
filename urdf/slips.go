package urdf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// URDF and SRDF allow other programs to add their own elements and attributes, so unknown ones
// cannot be errors. But a misspelt <collision> would silently lose geometry, and a misspelt
// multiplier change the motion: a name similar to one of the words that decide what is checked
// counts as a misspelling, and is an error unless it changes nothing.

// words are the names in an element that decide what is checked, and others that are known to
// occur, which are no misspellings however similar they are.
type words struct {
	kids, attrs []string
	others      []string
}

var urdfWords = map[string]words{
	"robot":     {kids: []string{"link", "joint"}, attrs: []string{"name"}, others: []string{"version"}},
	"link":      {kids: []string{"collision"}, attrs: []string{"name"}, others: []string{"inertial", "visual"}},
	"collision": {kids: []string{"origin", "geometry"}, others: []string{"name", "group", "surface"}},
	"geometry":  {kids: []string{"box", "sphere", "cylinder", "capsule", "mesh"}},
	"origin":    {attrs: []string{"xyz", "rpy", "quat_xyzw"}},
	"box":       {attrs: []string{"size"}},
	"sphere":    {attrs: []string{"radius"}},
	"cylinder":  {attrs: []string{"radius", "length"}},
	"capsule":   {attrs: []string{"radius", "length"}},
	"mesh":      {attrs: []string{"filename", "scale"}},
	"joint": {
		kids: []string{"parent", "child", "origin", "axis", "limit", "mimic"}, attrs: []string{"name", "type"},
		others: []string{"calibration", "dynamics", "safety_controller"},
	},
	"parent": {attrs: []string{"link"}},
	"child":  {attrs: []string{"link"}},
	"axis":   {attrs: []string{"xyz"}},
	"limit":  {attrs: []string{"lower", "upper"}, others: []string{"effort", "velocity", "acceleration", "deceleration", "jerk"}},
	"mimic":  {attrs: []string{"joint", "multiplier", "offset"}},
}

var srdfWords = map[string]words{
	"robot": {
		kids: []string{
			"group", "group_state", "virtual_joint", "passive_joint",
			"disable_collisions", "enable_collisions", "disable_default_collisions",
		},
		attrs: []string{"name"}, others: []string{"end_effector", "joint_property", "link_sphere_approximation", "version"},
	},
	"group":                      {kids: []string{"link", "joint", "chain", "group"}, attrs: []string{"name"}},
	"chain":                      {attrs: []string{"base_link", "tip_link"}},
	"group_state":                {kids: []string{"joint"}, attrs: []string{"name", "group"}},
	"virtual_joint":              {attrs: []string{"name", "type", "parent_frame", "child_link"}},
	"disable_collisions":         {attrs: []string{"link1", "link2"}, others: []string{"reason"}},
	"enable_collisions":          {attrs: []string{"link1", "link2"}, others: []string{"reason"}},
	"disable_default_collisions": {attrs: []string{"link"}},
}

// checkSlips fails on the first element or attribute below n that is similar to a known one. n
// has one of the table's names.
func checkSlips(n *xmltree.Node, table map[string]words) error {
	w, ok := table[n.Name]
	if !ok {
		return nil
	}
	for _, a := range n.Attrs {
		if a.Name.Space != "" {
			continue
		}
		if meant := slip(a.Name.Local, w.attrs, w); meant != "" && !isDefault(n.Name, meant, a.Value) {
			return fmt.Errorf("line %d: <%s> has the unknown attribute %s: did you mean %s?", n.Line, n.Name, a.Name.Local, meant)
		}
	}
	for _, k := range n.Kids {
		if meant := slip(k.Name, w.kids, w); meant != "" {
			return fmt.Errorf("line %d: <%s> in <%s> is unknown: did you mean <%s>?", k.Line, k.Name, n.Name, meant)
		}
		if slices.Contains(w.kids, k.Name) {
			if err := checkSlips(k, table); err != nil {
				return err
			}
		}
	}
	return nil
}

// isDefault reports whether an attribute has its default value: a misspelling of its name then
// changes nothing.
func isDefault(element, attr, value string) bool {
	def := map[string]string{"origin xyz": "0", "origin rpy": "0", "mimic multiplier": "1", "mimic offset": "0", "mesh scale": "1"}[element+" "+attr]
	return def != "" && !slices.ContainsFunc(strings.Fields(value), func(x string) bool { return x != def && x != def+".0" })
}

// slip returns the word that an unknown name is nearly: the same but for case, or for
// one letter in three, and no nearer to a word that decides nothing.
func slip(name string, deciding []string, w words) string {
	if slices.Contains(deciding, name) || slices.Contains(w.others, name) {
		return ""
	}
	for _, d := range deciding {
		if strings.EqualFold(name, d) {
			return d
		}
	}
	if meant := spelling.Closest(name, slices.Concat(deciding, w.others)); slices.Contains(deciding, meant) {
		return meant
	}
	return ""
}
