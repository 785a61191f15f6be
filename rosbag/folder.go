package rosbag

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// metadataName is the file that ros2 bag record writes last.
const metadataName = "metadata.yaml"

// metadataKey tells it from files of other programs by that name.
const metadataKey = "rosbag2_bagfile_information"

// hasMetadata reports whether a folder has the metadata.yaml of a recording, damaged or not.
func hasMetadata(ctx context.Context, folder string) bool {
	name := filepath.Join(folder, metadataName)
	if !isRegular(name) {
		return false
	}
	data, err := infile.Read(ctx, name, limit.ParameterBytes)
	return err == nil && bytes.Contains(data, []byte(metadataKey))
}

// Owns reports whether a file belongs to the recording that its folder is, by its name: its metadata.yaml, or a file in
// which there are, or were, messages. Load says of those that it does not read that something is missing.
func Owns(path string) bool {
	name := filepath.Base(path)
	if name == metadataName {
		return true
	}
	info, err := os.Lstat(path)
	for _, end := range []string{"-wal", "-journal", "-shm"} { // beside a database
		name = strings.TrimSuffix(name, end)
	}
	return err == nil && info.Mode().IsRegular() && isPart(name)
}

// isPart reports whether a file is named like one with messages, compressed or not.
func isPart(name string) bool {
	ext := filepath.Ext(strings.TrimSuffix(name, ".zstd"))
	return ext == ".mcap" || ext == ".db3"
}

// metadata is what that file says.
type metadata struct {
	files  []string
	counts map[string]uint64 // messages by topic
}

// openFolder returns the files of a folder in their order.
func (r *recording) openFolder(ctx context.Context) ([]string, error) {
	name := filepath.Join(r.path, metadataName)
	data, err := infile.Read(ctx, name, limit.ParameterBytes)
	if errors.Is(err, fs.ErrNotExist) {
		files, err := filesOf(r.path)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: is a folder without %s and without a file .mcap or .db3: name a recording", r.path, metadataName)
		}
		r.missing = "the folder has no " + metadataName + ", which the recorder writes at its end"
		return files, nil
	}
	if err != nil {
		return nil, err
	}
	if r.metadata, err = parseMetadata(name, data); err != nil {
		return nil, err
	}
	paths := make([]string, len(r.metadata.files))
	for i, f := range r.metadata.files {
		if paths[i], err = r.inFolder(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	others, err := r.unlisted(paths)
	if len(others) > 0 {
		r.missing = fmt.Sprintf("the folder holds %s, which %s does not list (run ros2 bag reindex, or take away what belongs to another recording)", strings.Join(others, ", "), metadataName)
	}
	return paths, err
}

// unlisted names the files of recordings in the folder that are none of the paths, compressed or
// not.
func (r *recording) unlisted(paths []string) (names []string, err error) {
	files, err := filesOf(r.path)
	for _, f := range files {
		same := func(p string) bool { return strings.TrimSuffix(p, ".zstd") == strings.TrimSuffix(f, ".zstd") }
		if !slices.ContainsFunc(paths, same) {
			names = append(names, filepath.Base(f))
		}
	}
	return names, err
}

// inFolder finds a file that metadata.yaml names. Older recorders put the folder's name
// before it, and a file that was uncompressed by hand has lost its suffix.
func (r *recording) inFolder(name string) (string, error) {
	for _, f := range []string{name, filepath.Base(name), strings.TrimSuffix(name, ".zstd"), strings.TrimSuffix(filepath.Base(name), ".zstd")} {
		if path := filepath.Join(r.path, f); filepath.IsLocal(f) && isRegular(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("lists the file %s, which is not in the folder: add it, or run ros2 bag reindex", name)
}

// filesOf lists the files of a recording in a folder, by their numbers.
func filesOf(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && isPart(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) > limit.BagFiles {
		return nil, fmt.Errorf("%s: has %d files of recordings, more than the limit of %d", folder, len(names), limit.BagFiles)
	}
	slices.SortStableFunc(names, func(a, b string) int {
		if n := number(a) - number(b); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for i, n := range names {
		names[i] = filepath.Join(folder, n)
	}
	return names, nil
}

// number is 12 of bag_12.mcap; 0 where there is none.
func number(name string) int {
	name, _, _ = strings.Cut(name, ".")
	digits := name[strings.LastIndexByte(name, '_')+1:]
	n, err := strconv.ParseUint(digits, 10, 30)
	if err != nil {
		return 0
	}
	return int(n)
}

func parseMetadata(name string, data []byte) (*metadata, error) {
	docs, err := document.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("%s: has %d documents: give the one that ros2 bag record writes", name, len(docs))
	}
	info, ok := docs[0].Find(metadataKey)
	if !ok {
		return nil, docs[0].Errorf("metadata has no %s: give the file that ros2 bag record writes", metadataKey)
	}
	m := &metadata{counts: map[string]uint64{}}
	paths, ok := info.Find("relative_file_paths")
	if !ok {
		return nil, info.Errorf("%s has no relative_file_paths: add it, or run ros2 bag reindex", metadataKey)
	}
	if m.files, err = paths.Strs("relative_file_paths"); err != nil {
		return nil, err
	}
	if n := len(m.files); n == 0 || n > limit.BagFiles {
		return nil, paths.Errorf("relative_file_paths lists %d files: give 1 to %d", n, limit.BagFiles)
	}
	if err := m.count(info); err != nil {
		return nil, err
	}
	return m, nil
}

// count reads how many messages each topic has.
func (m *metadata) count(info document.Value) error {
	list, ok := info.Find("topics_with_message_count")
	if !ok {
		return nil
	}
	topics, err := list.List("topics_with_message_count")
	if err != nil {
		return err
	}
	for _, t := range topics {
		count, ok := t.Find("message_count")
		about, also := t.Find("topic_metadata")
		name, named := about.Find("name")
		if !ok || !also || !named {
			return t.Errorf("topics_with_message_count has an entry without message_count and topic_metadata.name: run ros2 bag reindex")
		}
		n, err := count.Int("message_count")
		if err != nil {
			return err
		}
		text, err := name.Str("name")
		if err != nil {
			return err
		}
		m.counts[text] += uint64(max(0, n))
	}
	return nil
}
