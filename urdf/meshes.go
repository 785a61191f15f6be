package urdf

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// unread is a mesh file that a shape waits for.
type unread struct {
	meshFile
	shape *shape.Shape
	uri   string
	where string // in the URDF, for messages
}

// readAhead bounds how many files are read beyond the one that is next, and so the memory that a
// robot takes whose meshes are too large together.
const readAhead = 4

// read is a file that is being read; the others are set once done is closed.
type read struct {
	done     chan struct{}
	file     mesh.File
	err      error
	panicked any
}

// by reads the file. A panic is kept for result: where the reading goroutine dies of it, nobody can
// make it an internal error.
func (r *read) by(load func() (mesh.File, error)) {
	defer close(r.done)
	defer func() { r.panicked = recover() }()
	r.file, r.err = load()
}

// result returns what by has read, or panics as it did.
func (r *read) result() (mesh.File, error) {
	if r.panicked != nil {
		panic(r.panicked)
	}
	return r.file, r.err
}

// readMeshes reads the mesh files of all shapes, several at a time, and adds their gaps. Of
// several files that cannot be read, the first in the URDF makes the error.
func (l *loader) readMeshes() error {
	ctx, stop := context.WithCancel(l.quiet())
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	reads := make([]read, len(l.unread))
	for i := range reads {
		reads[i].done = make(chan struct{})
	}
	start := func(work func()) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			work()
		}()
	}
	next, ahead := make(chan int), make(chan struct{}, readAhead)
	start(func() { hand(ctx, len(reads), next, ahead) })
	for range min(runtime.GOMAXPROCS(0), readAhead, len(reads)) {
		start(func() {
			for i := range next {
				u := &l.unread[i]
				reads[i].by(func() (mesh.File, error) { return mesh.LoadContext(ctx, u.path, u.scale) })
			}
		})
	}
	gaps := map[*shape.Shape][]premise.Premise{}
	for i := range reads {
		u := &l.unread[i]
		select {
		case <-reads[i].done:
		case <-ctx.Done():
			return fmt.Errorf("%s: mesh: %s: %w", u.where, u.path, ctx.Err())
		}
		<-ahead
		file, err := reads[i].result()
		if err != nil {
			return fmt.Errorf("%s: %w", u.where, err)
		}
		m := file.Mesh
		if l.triangles += len(m.Triangles); l.triangles > limit.RobotTriangles {
			return fmt.Errorf("%s: with the %d triangles of %s its meshes have %d, more than %d: use simpler meshes for collision", u.where, len(m.Triangles), u.uri, l.triangles, limit.RobotTriangles)
		}
		u.shape.Mesh, gaps[u.shape] = m, file.Gaps
	}
	l.addGaps(gaps)
	return nil
}

// hand gives out numbers below n, no more than ahead has room for before they are taken off it.
func hand(ctx context.Context, n int, next chan<- int, ahead chan<- struct{}) {
	defer close(next)
	for i := range n {
		select {
		case ahead <- struct{}{}:
		case <-ctx.Done():
			return
		}
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}

// quiet returns the loader's context with reports of progress that come one at a time.
func (l *loader) quiet() context.Context {
	var mu sync.Mutex
	return progress.With(l.ctx, func(s progress.Step) {
		mu.Lock()
		defer mu.Unlock()
		progress.Tell(l.ctx, s)
	})
}

// addGaps adds what the meshes of links' shapes leave open to the robot's gaps, once for each
// link.
func (l *loader) addGaps(of map[*shape.Shape][]premise.Premise) {
	for i := range l.robot.Links {
		link := &l.robot.Links[i]
		for _, c := range link.Collisions {
			for _, g := range of[c.Shape] {
				g.Names = []string{link.Name}
				g.Detail = fmt.Sprintf("link %s, %s: %s", link.Name, filepath.Base(c.Shape.Source), g.Detail)
				if !slices.ContainsFunc(l.robot.Gaps, func(o premise.Premise) bool { return o.Kind == g.Kind && o.Detail == g.Detail }) {
					l.robot.Gaps = append(l.robot.Gaps, g)
				}
			}
		}
	}
}
