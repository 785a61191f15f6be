//go:build !js

package batch

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// watchPause is how often --watch looks for new files.
var watchPause = time.Second

// watch tells which files are new or have changed.
type watch struct {
	taken map[string]string // stamps by path, as they were before the file was read
	last  map[string]string // as they were at the last look
	still map[string]int    // for how many looks
}

func newWatch(files []dataset.File) *watch {
	w := &watch{taken: map[string]string{}, last: map[string]string{}, still: map[string]int{}}
	for _, file := range files {
		w.taken[file.Path], _ = dataset.Stamp(file) // where it fails, the file is new when it does not
	}
	return w
}

// wait returns files that are new or have changed, and that are not being written any more: nothing of them changes for
// two pauses. It fails when ctx ends.
func (w *watch) wait(ctx context.Context, find func() ([]dataset.File, []string, error)) ([]dataset.File, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(watchPause):
		}
		now, _, err := find()
		if err != nil {
			continue
		}
		var out []dataset.File
		for _, file := range now {
			if w.ready(file) {
				out = append(out, file)
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
}

// ready reports whether a file is to be checked now.
func (w *watch) ready(file dataset.File) bool {
	stamp, err := dataset.Stamp(file)
	if err != nil || stamp == w.taken[file.Path] {
		return false
	}
	if w.last[file.Path] != stamp {
		w.last[file.Path], w.still[file.Path] = stamp, 0
		return false
	}
	if w.still[file.Path]++; w.still[file.Path] < 2 {
		return false
	}
	w.taken[file.Path] = stamp
	return true
}
