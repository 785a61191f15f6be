package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A layer puts what a source knows of the surroundings upon the world below it. below is never
// nil: at the bottom it is the file of the parameter scene, or an empty world in the frame of the
// root link. A layer returns below itself if it changes nothing.
//
// It is called again when the world below it or the robot's description has changed, in another
// goroutine than the giver's, never in two at once for the model in use. It may be called from a
// second goroutine while another description is being loaded.
//
// A change is cheap if the world is derived from below, or from an earlier result, with the
// methods of scene.Snapshot, and if unchanged shapes keep their pointers.
type layer func(ctx context.Context, robot *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error)

// worldSource is where a layer comes from. Layers lie upon each other in this order.
type worldSource int

const (
	fromPlanningScene worldSource = iota
	fromPointClouds
	worldSources
)

func (s worldSource) String() string {
	return [...]string{"the planning scene", "the point clouds"}[s]
}

// swapped tells what became of a layer.
type swapped struct {
	version uint64 // scene_version of the first world in use that contains the layer
	hash    string // its scene_hash
	err     error  // errSuperseded, or why the world cannot be checked; nil if it is in use
}

// errSuperseded is the result of a layer that a newer one of its source replaced before it was
// used.
var errSuperseded = errors.New("a newer one arrived before it was used")

// worlds changes the world of the model in use. Sources put layers into it at any rate; run
// combines the newest of each source and has the loader use the result.
type worlds struct {
	loader *loader
	await  func(since time.Time)     // takes since when a layer waits; zero if none does
	at     func() map[string]float64 // the joints' present positions, as far as they are known
	wake   chan struct{}

	count atomic.Uint64 // layers given

	mu      sync.Mutex
	given   givenLayers
	waiting []ticket // layers that are not in use yet, oldest first
	taken   uint64   // of these, that the world contains that is being made, or was made last
	version uint64   // of the newest world made
	ended   bool

	made [worldSources]madeLayer // used by run only
}

// givenLayer is the newest layer of a source.
type givenLayer struct {
	layer  layer
	number uint64 // grows with each layer of any source; 0: none was given
}

type givenLayers [worldSources]givenLayer

// numbers identify the layers that a model's world contains.
func (g givenLayers) numbers() (n [worldSources]uint64) {
	for i := range g {
		n[i] = g[i].number
	}
	return n
}

// ticket is a layer that waits to be used.
type ticket struct {
	source worldSource
	number uint64
	since  time.Time // when the oldest change came that is not in use
	later  time.Time // the same, once the world that is being made is in use
	done   func(swapped)
}

// madeLayer is the world that a layer made.
type madeLayer struct {
	number uint64
	robot  *urdf.Robot
	below  *scene.Snapshot
	world  *scene.Snapshot
}

func newWorlds(l *loader, await func(time.Time), at func() map[string]float64) *worlds {
	w := &worlds{loader: l, await: await, at: at, wake: make(chan struct{}, 1)}
	l.dress, l.lacks, l.ready = w.dress, w.lacks, func() { nudge(w.wake) }
	return w
}

// put hands over the newest layer of a source. It never blocks. done, unless nil, is called once,
// in another goroutine.
//
// While a layer waits, states and verdicts are about the world before it, which they name by
// scene_version. They are not FREE if it waits for longer than joint_state_timeout, or if the
// world that contains it cannot be checked.
func (w *worlds) put(from worldSource, l layer, done func(swapped)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if done == nil {
		done = func(swapped) {}
	}
	if w.ended {
		go done(swapped{err: errors.New(stopped)})
		return
	}
	number := w.count.Add(1)
	since := time.Now()
	later := since
	kept := w.waiting[:0]
	for _, t := range w.waiting {
		if t.source == from {
			since = t.since // the source has waited since then
			if t.number > w.taken {
				later = t.later
			}
			go t.done(swapped{err: errSuperseded})
			continue
		}
		kept = append(kept, t)
	}
	w.given[from] = givenLayer{l, number}
	w.waiting = append(kept, ticket{from, number, since, later, done})
	w.tellWaiting()
	nudge(w.wake)
}

// tellWaiting passes on since when a layer waits. The caller holds mu.
func (w *worlds) tellWaiting() {
	var oldest time.Time
	for _, t := range w.waiting {
		if oldest.IsZero() || t.since.Before(oldest) {
			oldest = t.since
		}
	}
	w.await(oldest)
}

// restBetweenSwaps bounds the pause after a swap: half of the time is left to others.
const restBetweenSwaps = 100 * time.Millisecond

// run uses the layers that are put, until the context ends.
func (w *worlds) run(ctx context.Context) error {
	defer w.end()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.wake:
		}
		begin := time.Now()
		if err := w.use(ctx); err != nil {
			return err
		}
		if !sleepUntil(ctx, time.Now().Add(min(time.Since(begin), restBetweenSwaps))) {
			return nil
		}
	}
}

func (w *worlds) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	for _, t := range w.waiting {
		go t.done(swapped{err: errors.New(stopped)})
	}
	w.waiting = nil
}

// use brings the model in use up to date. It fails only on internal faults.
func (w *worlds) use(ctx context.Context) error {
	for ctx.Err() == nil {
		m := w.loader.kept()
		given, upTo := w.take()
		if m == nil {
			return nil // the loader dresses the model that it makes, and says when it is in use
		}
		if m.layers == given.numbers() {
			if w.settle(m, upTo) {
				return nil
			}
			continue
		}
		next, err := w.on(ctx, m, given, &w.made)
		if err != nil {
			return err
		}
		if ctx.Err() == nil && w.loader.swap(m, next) && w.settle(next, upTo) {
			_ = next.warmRest(ctx) // the monitor goes without, or tells the error itself
			return nil
		}
	}
	return nil
}

// newest returns the newest layers.
func (w *worlds) newest() givenLayers {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.given
}

// take returns the newest layers and how many were given up to now, and notes that the world
// that is to be used next contains them.
func (w *worlds) take() (given givenLayers, upTo uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken = w.count.Load()
	return w.given, w.taken
}

// settle tells the givers of the layers up to a number that the model is in use. It reports false
// if another model is by now, which may lack these layers: they wait on.
func (w *worlds) settle(m *model, upTo uint64) bool {
	w.loader.mu.Lock()
	defer w.loader.mu.Unlock()
	if w.loader.model != m {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := w.waiting[:0]
	for _, t := range w.waiting {
		if t.number > upTo {
			t.since = t.later // what came before that is in use
			kept = append(kept, t)
			continue
		}
		result := swapped{version: m.sceneVersion, hash: m.sceneHash, err: m.outdated}
		go t.done(result)
	}
	w.waiting = kept
	w.tellWaiting()
	return true
}

// errBehind is why nothing is FREE in the world of a new model without the newest layers. The
// model before may have had them, so nobody waits for them.
var errBehind = errors.New("the scene changed while the model was loaded, and the new one is not in use yet")

// lacks returns errBehind unless a model has the newest layers.
func (w *worlds) lacks(m *model) error {
	if given := w.newest(); m.layers != given.numbers() {
		return errBehind
	}
	return nil
}

// dress returns a model that was made of a description with the newest layers in its world.
func (w *worlds) dress(ctx context.Context, m *model) (*model, error) {
	given := w.newest()
	if m.layers == given.numbers() {
		return m, nil
	}
	return w.on(ctx, m, given, &[worldSources]madeLayer{})
}

// on returns the model in the world that the layers make. A world that cannot be checked leaves
// the model in the world that it has, and nothing is FREE in it. on fails only on internal
// faults.
func (w *worlds) on(ctx context.Context, m *model, given givenLayers, made *[worldSources]madeLayer) (next *model, err error) {
	world, err := m.origin.combine(ctx, given, made)
	copied := *m
	next = &copied
	if err == nil && !sameWorld(m.world, world) {
		if next, err = m.in(ctx, world, w.at()); err == nil {
			next.sceneVersion = w.number(m.sceneVersion)
		}
	}
	switch {
	case errors.Is(err, ErrInternal):
		return nil, err
	case err != nil:
		next, copied.outdated = &copied, fmt.Errorf("the newest scene cannot be checked: %w", err)
	default:
		next.outdated = nil
	}
	next.layers = given.numbers()
	return next, nil
}

// number returns the version of a new world.
func (w *worlds) number(before uint64) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = max(w.version, before) + 1
	return w.version
}

// combine puts the layers upon the file's world, each only if it or something below it has
// changed.
func (o *origin) combine(ctx context.Context, given givenLayers, made *[worldSources]madeLayer) (world *scene.Snapshot, err error) {
	defer guard(&err)
	world = o.file
	for i, g := range given {
		if g.number == 0 {
			continue
		}
		last := &made[i]
		if last.number != g.number || last.robot != o.robot || last.below != world {
			above, err := g.layer(ctx, o.robot, world)
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: %w", worldSource(i), err)
			case above == nil:
				return nil, fmt.Errorf("%w: %s made no world", ErrInternal, worldSource(i))
			}
			*last = madeLayer{g.number, o.robot, world, above}
		}
		world = last.world
	}
	return world, nil
}

// sameWorld reports whether a check in one world is a check in the other.
func sameWorld(a, b *scene.Snapshot) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || a.Hash == b.Hash && a.PlacedBy == b.PlacedBy && slices.Equal(a.Absent, b.Absent) &&
		slices.Equal(a.Warnings, b.Warnings) && slices.EqualFunc(a.Gaps, b.Gaps, samePremise)
}

func samePremise(a, b premise.Premise) bool {
	return a.String() == b.String() && a.Remedy == b.Remedy && a.Accepted == b.Accepted
}
