package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func key(name string) Key { return sumOf([]byte(name)) }

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "made", "yet")
	s := Open(dir)
	if _, ok := s.Load(key("a"), 1<<20); ok || s.Err() != nil {
		t.Fatalf("an empty store has an entry, or %v", s.Err())
	}
	for _, payload := range []string{"one", "", "another in its place"} {
		s.Save(key("a"), []byte(payload))
		if got, ok := s.Load(key("a"), 1<<20); !ok || string(got) != payload {
			t.Errorf("%q, %v; saved %q", got, ok, payload)
		}
	}
	if got, ok := Open(dir).Load(key("a"), 1<<20); !ok || string(got) != "another in its place" {
		t.Errorf("opened again: %q, %v", got, ok)
	}
	if _, ok := s.Load(key("b"), 1<<20); ok {
		t.Error("another key has the entry, too")
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	var none *Store
	none.Save(key("a"), []byte("x"))
	if _, ok := none.Load(key("a"), 1<<20); ok || none.Err() != nil || Open("") != nil {
		t.Error("no store keeps something")
	}
}

// A file that was changed anywhere, cut or made longer is no entry.
func TestDamage(t *testing.T) {
	s := Open(t.TempDir())
	k, payload := key("a"), bytes.Repeat([]byte("geometry "), 20)
	s.Save(k, payload)
	good, err := os.ReadFile(pathIn(s.dir, k))
	if err != nil {
		t.Fatal(err)
	}
	load := func(data []byte) bool {
		if err := os.WriteFile(pathIn(s.dir, k), data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, ok := s.Load(k, 1<<20)
		return ok
	}
	for i := range good {
		for _, bit := range []byte{1, 0x10, 0x80} {
			bad := bytes.Clone(good)
			bad[i] ^= bit
			if load(bad) {
				t.Fatalf("bit %#x of byte %d is flipped, and the entry passes", bit, i)
			}
		}
		if load(good[:i]) {
			t.Fatalf("%d of %d bytes pass for an entry", i, len(good))
		}
	}
	if load(append(bytes.Clone(good), 0)) {
		t.Error("a longer file passes")
	}
	if !load(good) {
		t.Error("the entry itself does not pass")
	}
	// An entry of another key, whole in itself, under this name.
	if load(pack(key("b"), payload)) {
		t.Error("the entry of another key passes")
	}
	seal := func(data []byte) []byte {
		sum := sumOf(data[:len(data)-sumSize])
		copy(data[len(data)-sumSize:], sum[:])
		return data
	}
	if load(seal(append([]byte("firstcontact cache entry 0\n"), good[len(mark):]...))) {
		t.Error("an entry of another version passes")
	}
	// Lengths that do not fit, with a right checksum.
	for _, n := range []uint64{0, 1, uint64(len(payload)) + 1, 1 << 63} {
		bad := bytes.Clone(good)
		binary.LittleEndian.PutUint64(bad[headSize-8:], n)
		if load(seal(bad)) {
			t.Errorf("a length of %d passes", n)
		}
	}
	if s.Err() != nil {
		t.Errorf("damage is an error: %v", s.Err())
	}
}

// A store whose folder cannot be written or read says so once and does nothing.
func TestTrouble(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Open(filepath.Join(file, "below"))
	s.Save(key("a"), []byte("x"))
	first := s.Err()
	if first == nil || !strings.Contains(first.Error(), "cannot be written") && !strings.Contains(first.Error(), "cannot be read") {
		t.Fatalf("a file for a folder: %v", first)
	}
	s.Save(key("b"), []byte("x"))
	if s.Err() != first {
		t.Errorf("told twice: %v", s.Err())
	}
	if _, ok := s.Load(key("a"), 1<<20); ok {
		t.Error("an entry that could not be written is there")
	}

	s = Open(t.TempDir())
	if err := os.MkdirAll(pathIn(s.dir, key("a")), 0o700); err != nil { // a folder in the entry's place
		t.Fatal(err)
	}
	if _, ok := s.Load(key("a"), 1<<20); ok || s.Err() == nil || !strings.Contains(s.Err().Error(), "remove it") {
		t.Errorf("a folder for an entry: %v", s.Err())
	}
	s = Open(s.dir)
	s.Save(key("a"), []byte("x"))
	if s.Err() == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "*", ".*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}

	if os.Geteuid() == 0 {
		return // root may write anywhere
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	s = Open(dir)
	s.Save(key("a"), []byte("x"))
	if s.Err() == nil {
		t.Error("a folder that is not to be written to was")
	}
}

// Writers and readers of the same entries never see a part of one.
func TestConcurrentStores(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := Open(dir)
			for i := range 50 {
				k := key(fmt.Sprint(i % 3))
				s.Save(k, bytes.Repeat([]byte{byte(w)}, 1000+i))
				got, ok := s.Load(k, 1<<20)
				if !ok || len(got) < 1000 || len(bytes.Trim(got, string(got[:1]))) != 0 {
					t.Errorf("%d bytes, %v", len(got), ok)
				}
			}
			if s.Err() != nil {
				t.Error(s.Err())
			}
		}()
	}
	wg.Wait()
}

func FuzzUnpack(f *testing.F) {
	k := key("a")
	f.Add(pack(k, []byte("payload")), false)
	f.Add([]byte(mark), true)
	f.Fuzz(func(t *testing.T, data []byte, forge bool) {
		if forge && len(data) >= sumSize {
			sum := sumOf(data[:len(data)-sumSize])
			copy(data[len(data)-sumSize:], sum[:])
		}
		payload, ok := unpack(data, k)
		if ok && !bytes.Equal(pack(k, payload), data) {
			t.Errorf("%q is read as %q", data, payload)
		}
	})
}

// A folder that others can write to is not used: neither read nor written. The error
// says why.
func TestFolderOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		open func(dir string) error // makes it unsafe
		want string
	}{
		"folder":    {func(dir string) error { return os.Chmod(dir, 0o777) }, "can be written to by other users"},
		"group":     {func(dir string) error { return errors.Join(os.Chown(dir, -1, 12345), os.Chmod(dir, 0o770)) }, "can be written to by other users"},
		"above":     {func(dir string) error { return os.Chmod(filepath.Dir(dir), 0o777) }, "above it can be written to"},
		"owner":     {func(dir string) error { return os.Chown(dir, 12345, -1) }, "belongs to user 12345"},
		"subfolder": {func(dir string) error { return os.Chmod(filepath.Dir(pathIn(dir, key("a"))), 0o777) }, "can be written to by other users"},
		"entry":     {func(dir string) error { return os.Chmod(pathIn(dir, key("a")), 0o666) }, "can be written to by other users"},
		"its owner": {func(dir string) error { return os.Chown(pathIn(dir, key("a")), 12345, -1) }, "belongs to user 12345"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			Open(dir).Save(key("a"), []byte("x"))
			if _, ok := Open(dir).Load(key("a"), 1<<20); !ok {
				t.Fatal("the entry is not there to begin with")
			}
			if err := c.open(dir); err != nil {
				t.Skip(err) // only root gives files away
			}
			s := Open(dir)
			if _, ok := s.Load(key("a"), 1<<20); ok {
				t.Error("the entry is used")
			}
			if err := s.Err(); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if dir := "/tmp"; mayWrite(dir) { // everybody's, but nobody can touch the files of others
		dir, err := os.MkdirTemp(dir, "cache-test-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := Open(dir)
		s.Save(key("a"), []byte("x"))
		if _, ok := s.Load(key("a"), 1<<20); !ok {
			t.Errorf("a folder of one's own in /tmp is not used: %v", s.Err())
		}
	}
}

func mayWrite(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode()&os.ModeSticky != 0 && mine(info) != nil
}
