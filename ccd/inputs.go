package ccd

import (
	"maps"
	"slices"
)

// clone returns a copy that shares nothing with o but its functions.
func (o Options) clone() Options {
	o.State, o.LinkPadding = maps.Clone(o.State), maps.Clone(o.LinkPadding)
	o.Allowed, o.Proven = slices.Clone(o.Allowed), o.Proven.Clone()
	o.Accept = slices.Clone(o.Accept)
	return o
}
