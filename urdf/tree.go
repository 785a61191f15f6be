package urdf

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// connect gives every link its parent joint and finds the root. It fails unless links and
// joints form one tree.
func connect(r *Robot) error {
	if len(r.Links) == 0 {
		return errors.New("it has no links")
	}
	for i := range r.Joints {
		j := &r.Joints[i]
		child := &r.Links[j.Child]
		if child.ParentJoint >= 0 {
			return fmt.Errorf("link %q: joints %q and %q both have it as child: a link has one parent",
				child.Name, r.Joints[child.ParentJoint].Name, j.Name)
		}
		child.ParentJoint = i
	}
	var roots []string
	for i := range r.Links {
		if r.Links[i].ParentJoint < 0 {
			r.Root = i
			roots = append(roots, fmt.Sprintf("%q", r.Links[i].Name))
		}
	}
	if cycle := findCycle(r); cycle != "" {
		return fmt.Errorf("links form a cycle (%s): remove one of the joints", cycle)
	}
	if len(roots) > 1 {
		return fmt.Errorf("%d links have no parent (%s): connect them to one root, by fixed joints if they do not move",
			len(roots), strings.Join(roots, ", "))
	}
	return nil
}

// findCycle returns the links of a cycle, or "". Links above which there is no cycle reach a
// root; without any cycle there is a root.
func findCycle(r *Robot) string {
	const unknown, onPath, good = 0, 1, 2
	state := make([]byte, len(r.Links))
	for i := range r.Links {
		var path []int
		k := i
		for state[k] == unknown {
			state[k] = onPath
			path = append(path, k)
			if r.Links[k].ParentJoint < 0 {
				break
			}
			k = r.Joints[r.Links[k].ParentJoint].Parent
		}
		if state[k] == onPath && r.Links[k].ParentJoint >= 0 {
			path = path[slices.Index(path, k):]
			slices.Reverse(path[1:]) // from parent to child, k first
			var names []string
			for _, p := range append(path, path[0]) {
				names = append(names, r.Links[p].Name)
			}
			return strings.Join(names, " -> ")
		}
		for _, p := range path {
			state[p] = good
		}
	}
	return ""
}
