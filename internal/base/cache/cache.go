// Package cache keeps results of expensive computations in files, named by their inputs.
//
// A checksum detects damage. It does not detect a forged entry, so a folder that others can
// write to is not used, and even so no proof may depend on an entry.
package cache

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"

	"github.com/minio/highwayhash"
)

// Key names an entry: the [Sum] of all that it depends on.
type Key [sumSize]byte

const sumSize = highwayhash.Size

// NewSum returns the hash that names entries and detects their damage: HighwayHash with 256 bits and
// a fixed key. Millions of triangles are named and read at every start, ten times as fast as by
// SHA-256 where the processor has no instructions for that. Who forges a sum gains nothing, as
// no proof depends on an entry.
func NewSum() hash.Hash {
	h, err := highwayhash.New(make([]byte, highwayhash.Size))
	if err != nil {
		panic(err) // the key has the right size
	}
	return h
}

// Store is a folder of entries, which any number of goroutines and processes may
// use at once. A nil Store has no entries and keeps none.
type Store struct {
	dir string

	mu     sync.Mutex
	real   string // the folder without links, set after it was found safe
	unsafe bool   // it was found unsafe
	first  error  // the first failure
}

// Open returns the store in dir, which is created with the first entry. An empty dir gives
// nil.
func Open(dir string) *Store {
	if dir == "" {
		return nil
	}
	return &Store{dir: dir}
}

// Err returns the first reason why an entry could not be read or written, or nil. Missing and
// damaged entries are not failures: they are computed again.
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

// An entry is the mark, the key, the payload's length, the payload and the sum
// of all before it.
const mark = "firstcontact cache entry 2\n"

const headSize = len(mark) + len(Key{}) + 8

func pathIn(dir string, k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(dir, name[:2], name[2:])
}

var errUnsafe = errors.New("the folder is not used")

// folder returns the path of the folder if it exists and no one else can write to it.
func (s *Store) folder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.real != "" {
		return s.real, nil
	}
	if s.unsafe {
		return "", errUnsafe
	}
	real, err := safeFolder(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", err // it may be created later
	}
	if s.real, s.unsafe = real, err != nil; err != nil && s.first == nil {
		s.first = fmt.Errorf("cache %s is not used: %w", s.dir, err)
	}
	return real, err
}

// Load returns the entry of k if it exists and is complete. An entry with a larger payload
// than most bytes counts as damaged.
func (s *Store) Load(k Key, most int64) (payload []byte, ok bool) {
	if s == nil {
		return nil, false
	}
	dir, err := s.folder()
	if err != nil {
		return nil, false
	}
	data, err := readEntry(pathIn(dir, k), most)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.fail(fmt.Errorf("cache %s cannot be read: %w", s.dir, err))
		}
		return nil, false
	}
	return unpack(data, k)
}

// readEntry reads a file that only this user can have written.
func readEntry(path string, most int64) ([]byte, error) {
	if err := safe(filepath.Dir(path)); err != nil {
		return nil, err
	}
	data, err := infile.ReadOwn(context.Background(), path, min(most+int64(headSize+sumSize), limit.CacheEntryBytes), mine)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; remove it", err)
	}
	return data, err
}

// unpack returns the payload of an entry that is complete and belongs to k.
func unpack(data []byte, k Key) (payload []byte, ok bool) {
	if len(data) < headSize+sumSize || string(data[:len(mark)]) != mark {
		return nil, false
	}
	if Key(data[len(mark):len(mark)+len(k)]) != k {
		return nil, false
	}
	end := len(data) - sumSize
	if n := binary.LittleEndian.Uint64(data[headSize-8:]); n != uint64(end-headSize) {
		return nil, false
	}
	if sumOf(data[:end]) != [sumSize]byte(data[end:]) {
		return nil, false
	}
	return data[headSize:end], true
}

func pack(k Key, payload []byte) []byte {
	data := make([]byte, 0, headSize+len(payload)+sumSize)
	data = append(data, mark...)
	data = append(data, k[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(payload)))
	data = append(data, payload...)
	sum := sumOf(data)
	return append(data, sum[:]...)
}

// Save writes the entry of k, replacing any previous one. Readers see the old or the new one,
// never a part. If it cannot be written Err says why; there is no other effect.
func (s *Store) Save(k Key, payload []byte) {
	if s == nil || len(payload) > limit.CacheEntryBytes-headSize-sumSize {
		return
	}
	err := os.MkdirAll(s.dir, 0o700)
	if err == nil {
		var dir string
		if dir, err = s.folder(); err != nil {
			return // folder has recorded the reason
		}
		err = replace(pathIn(dir, k), pack(k, payload))
	}
	if err != nil {
		s.fail(fmt.Errorf("cache %s cannot be written: %w", s.dir, err))
	}
}

// replace writes a file in a folder that no one else can write to.
func replace(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := safe(dir); err != nil {
		return err
	}
	return outfile.WriteCache(path, outfile.Text(data))
}

func sumOf(data []byte) [sumSize]byte { return highwayhash.Sum(data, make([]byte, highwayhash.Size)) }
