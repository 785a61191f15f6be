package document_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/document"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	small, huge := filepath.Join(dir, "small"), filepath.Join(dir, "huge")
	if err := os.WriteFile(small, []byte("a: 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, document.MaxFile+1); err != nil { // sparse: costs no disk
		t.Fatal(err)
	}
	if got, err := document.ReadFile(small); string(got) != "a: 1" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	for _, c := range []struct{ path, want string }{
		{huge, "larger than 256 MiB"},
		{dir, "not a regular file"},
		{os.DevNull, "not a regular file"},
		{filepath.Join(dir, "none"), "no such file"},
	} {
		_, err := document.ReadFile(c.path)
		wantError(t, err, []string{c.path, c.want})
	}
}
