package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// set is one corpus: a scene and segments to check in it.
type set struct {
	name            string
	scene, segments string // files, in the corpus folder
	noEnv           bool   // self-collision alone
}

// sets are those of the comparison.
var sets = []set{
	{"shelf local", "panda_shelf.scene", "panda_shelf.local.segs", false},
	{"shelf long", "panda_shelf.scene", "panda_shelf.long.segs", false},
	{"pipes38k", "panda_pipes38k.scene", "panda_pipes38k.local.segs", false},
	{"pipes190k", "panda_pipes190k.scene", "panda_pipes190k.local.segs", false},
	{"g1 moves", "g1.scene", "g1_moves_10hz.segs", true},
}

// inFolder returns the sets with the paths of their files.
func inFolder(corpus string) []set {
	out := make([]set, len(sets))
	for i, s := range sets {
		s.scene, s.segments = filepath.Join(corpus, s.scene), filepath.Join(corpus, s.segments)
		out[i] = s
	}
	return out
}

// corpusIn returns the folder of the corpus below the shared folder, or an error
// where it is not there.
func corpusIn(shared string) (string, error) {
	folder := filepath.Join(shared, "peers", "corpus")
	if _, err := os.Stat(filepath.Join(folder, sets[0].scene)); err != nil {
		return "", fmt.Errorf("the comparison's corpus is not there: %w", err)
	}
	return folder, nil
}
