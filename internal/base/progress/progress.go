// Package progress carries reports of how far long work has come, in the work's context, from
// the code that does it to the code that shows them.
//
// A reader or an engine that may take more than a second calls Tell now and then, say every
// few milliseconds of work. Nothing happens unless a caller further up has asked with With, so
// a library that uses this package stays silent for others.
package progress

import "context"

// Step says how far a piece of work has come. The zero Step means that no work is going on
// that somebody would wait for.
type Step struct {
	What  string // what is being done, as in "reading big.stl"
	Done  int64  // of Total, in Unit
	Total int64  // 0: not known
	Unit  string // of Done and Total, as in "triangles"; Bytes is shown in MB
	Note  string // something to add, such as what was done last; it may be empty
}

// Bytes is the unit of bytes.
const Bytes = "bytes"

type key struct{}

// With returns a context whose work reports to show, which must be safe for concurrent use and
// should be fast.
func With(ctx context.Context, show func(Step)) context.Context {
	return context.WithValue(ctx, key{}, show)
}

// Tell reports a step to whoever asked for reports with With. If nobody did it does nothing.
func Tell(ctx context.Context, s Step) {
	if show, ok := ctx.Value(key{}).(func(Step)); ok {
		show(s)
	}
}
