package octomap

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The first lines of both kinds of file.
const (
	binaryMark = "# Octomap OcTree binary file"
	fullMark   = "# Octomap OcTree file"
)

// Is reports whether data begins like an OctoMap file.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte(binaryMark)) || bytes.HasPrefix(data, []byte(fullMark))
}

// ReadFile reads the content of a .bt or .ot file, identified by its first line. It fails if
// Read does, or if the number of nodes differs from that in the header.
func ReadFile(data []byte, opts Options) (*Map, error) {
	t, size, err := header(data)
	if err != nil {
		return nil, err
	}
	m, nodes, err := read(t, opts)
	if err != nil {
		return nil, err
	}
	if nodes != size {
		return nil, fmt.Errorf("the octree has %d nodes, not %d as its header says: the file is damaged", nodes, size)
	}
	return m, nil
}

// header reads the lines of text up to "data", after which the nodes begin: keywords with
// their values, and comments.
func header(data []byte) (t Tree, size int, err error) {
	if !Is(data) {
		return t, 0, errors.New("is not an OctoMap file: its first line is neither " + strconv.Quote(binaryMark) + " nor " + strconv.Quote(fullMark) +
			" (files of OctoMap before 1.4 are converted by its tool convert_octree)")
	}
	t.Binary = bytes.HasPrefix(data, []byte(binaryMark))
	size = -1
	for {
		line, rest, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return t, 0, errors.New("the octree's header has no end: a line \"data\" is missing")
		}
		data = rest
		word, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		value = strings.TrimSpace(value)
		switch {
		case word == "" || word[0] == '#':
		case word == "id":
			t.ID = value
		case word == "res":
			t.Resolution, err = strconv.ParseFloat(value, 64)
		case word == "size":
			size, err = strconv.Atoi(value)
		case word == "data":
			t.Data = data
			if size < 0 {
				return t, 0, errors.New("the octree's header does not say its size: the file is damaged")
			}
			return t, size, nil
		default:
			return t, 0, fmt.Errorf("the octree's header has an unknown word %q", clip(word))
		}
		if err != nil {
			return t, 0, fmt.Errorf("the octree's header has %q for its %s", clip(value), word)
		}
	}
}
