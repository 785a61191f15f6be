// Package cache keeps what was expensive to compute in files, named by what it was
// computed from.
//
// A file is believed to be what was written, not to be right: its checksum finds
// damage, and whoever reads an entry must not rest a proof on it.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/limit"
)

// Key names an entry: the SHA-256 of all that it depends on.
type Key [sha256.Size]byte

// Store is a folder of entries, which any number of goroutines and processes may
// use at once. A nil Store has no entries and keeps none.
type Store struct {
	dir string

	mu    sync.Mutex
	first error // what went wrong first
}

// Open returns the store in dir, which is made when the first entry is written; an
// empty dir gives nil.
func Open(dir string) *Store {
	if dir == "" {
		return nil
	}
	return &Store{dir: dir}
}

// Err returns the first reason for which an entry could not be read or written, nil
// if all went well. Entries that are not there or are damaged are no reason: they
// are computed again.
func (s *Store) Err() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first
}

func (s *Store) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first = err
	}
}

// An entry is the mark, the key, the payload's length, the payload and the SHA-256
// of all before it.
const mark = "firstcontact cache entry 1\n"

const headSize = len(mark) + len(Key{}) + 8

func (s *Store) path(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(s.dir, name[:2], name[2:])
}

// Load returns the entry of k, if there is one and it is whole.
func (s *Store) Load(k Key) (payload []byte, ok bool) {
	if s == nil {
		return nil, false
	}
	data, err := readEntry(s.path(k))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.fail(fmt.Errorf("cache %s cannot be read: %w", s.dir, err))
		}
		return nil, false
	}
	return unpack(data, k)
}

// readEntry reads a regular file of moderate size.
func readEntry(path string) ([]byte, error) {
	info, err := os.Stat(path) // before opening: that may block on a pipe
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no entry: remove it", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil { // again: another entry may have taken its place
		return nil, err
	}
	if info.Size() > limit.CacheEntryBytes {
		return nil, fmt.Errorf("%s is too large for an entry: remove it", path)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // it shrank: unpack will tell
		err = nil
	}
	return data[:n], err
}

// unpack returns the payload of an entry that is whole and for k.
func unpack(data []byte, k Key) (payload []byte, ok bool) {
	if len(data) < headSize+sha256.Size || string(data[:len(mark)]) != mark {
		return nil, false
	}
	if Key(data[len(mark):len(mark)+len(k)]) != k {
		return nil, false
	}
	end := len(data) - sha256.Size
	if n := binary.LittleEndian.Uint64(data[headSize-8:]); n != uint64(end-headSize) {
		return nil, false
	}
	if sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return nil, false
	}
	return data[headSize:end], true
}

func pack(k Key, payload []byte) []byte {
	data := make([]byte, 0, headSize+len(payload)+sha256.Size)
	data = append(data, mark...)
	data = append(data, k[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(payload)))
	data = append(data, payload...)
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

// Save writes the entry of k, in place of any before. Readers see the old one or the
// new one, never a part. Where it cannot be written Err says why; nothing else is
// lost.
func (s *Store) Save(k Key, payload []byte) {
	if s == nil || len(payload) > limit.CacheEntryBytes-headSize-sha256.Size {
		return
	}
	if err := replace(s.path(k), pack(k, payload)); err != nil {
		s.fail(fmt.Errorf("cache %s cannot be written: %w", s.dir, err))
	}
}

// replace writes a file beside path and moves it there.
func replace(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
