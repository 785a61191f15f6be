package node

import (
	"context"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/live"
)

// web serves the live view, beside the goroutines that judge: they leave on its board what they
// publish, and it asks for the rest itself, a bounded number of times a second and only while
// somebody looks. No fault of it ends the node.
type web struct {
	board  live.Board
	server *live.Server
	tell   func(format string, args ...any)

	model    func() (*model, string)
	measured func() map[string]float64
}

// serveWeb opens the address that the parameter web names.
func (n *Node) serveWeb() {
	address := n.values.String("web")
	if address == "" {
		return
	}
	log := n.ros.Logger()
	w := &web{tell: log.Warnf, model: n.loader.current, measured: n.monitor.measured}
	var err error
	if w.server, err = live.Listen(address, w, log.Warnf); err != nil {
		log.Errorf("parameter web: %v; the node works without it", err)
		return
	}
	if w.server.Open() {
		log.Warnf("the live view on %s is open to everybody who reaches this machine", w.server.URL())
	}
	log.Infof("the live view is on %s", w.server.URL())
	n.web = w
}

// see takes a state.
func (w *web) see(s *fcmsgs.CollisionState) {
	if w != nil {
		w.board.State(s)
	}
}

// judged takes a verdict.
func (w *web) judged(v *fcmsgs.Verdict) {
	if w != nil {
		w.board.Verdict(v)
	}
}

// run serves until the context ends.
func (w *web) run(ctx context.Context) error {
	if w == nil {
		return nil
	}
	err := guarded(func() error { return w.server.Run(ctx) })
	if err != nil {
		w.tell("the live view has ended: %v", err)
	}
	return nil
}

// close frees the address, also where run was never called.
func (w *web) close() {
	if w != nil {
		_ = w.server.Close() // where run has closed it, that is an error
	}
}

// Model returns what is checked.
func (w *web) Model() (*ccd.Checker, string) {
	m, absent := w.model()
	if m == nil {
		return nil, fmt.Sprintf("There is no model: %s.", absent)
	}
	return m.checker, ""
}

// Now returns the newest of what is known.
func (w *web) Now() live.View {
	v := w.board.View(w.measured())
	if m, _ := w.model(); m != nil && v.State != nil && v.State.ModelHash == m.hash {
		v.State.Mark(m.ownMargin)
	}
	return v
}

// ownMargin returns the margin that a pair has in place of that of its class.
func (m *model) ownMargin(a, b string) (live.Margin, bool) {
	own, special := m.margins[namesOf(a, b)]
	return live.Margin{Stop: own.stop, Warn: own.warn}, special
}
