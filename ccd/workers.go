package ccd

import (
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
)

// workers are the idle workers of a model. One is kept whatever the garbage collector does, and
// whichever processor returned it: it is the next one to be used, so that a model that was asked
// once has no slow first answer.
type workers struct {
	kept   atomic.Pointer[spacetime.Worker]
	others sync.Pool
}

func newWorkers(m *model.Model) *workers {
	return &workers{others: sync.Pool{New: func() any { return spacetime.NewWorker(m) }}}
}

func (p *workers) get() *spacetime.Worker {
	if w := p.kept.Swap(nil); w != nil {
		return w
	}
	return p.others.Get().(*spacetime.Worker)
}

func (p *workers) put(w *spacetime.Worker) {
	if !p.kept.CompareAndSwap(nil, w) {
		p.others.Put(w)
	}
}
