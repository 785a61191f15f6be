package urdf

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLoadingIsCancelled(t *testing.T) {
	dir := t.TempDir()
	mesh := "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
	robot := `<robot name="r"><link name="a"><collision><geometry><mesh filename="m.obj"/></geometry></collision></link></robot>`
	for name, text := range map[string]string{"m.obj": mesh, "r.urdf": robot} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := LoadContext(ctx, filepath.Join(dir, "r.urdf"), Options{}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := LoadContext(ctx, filepath.Join(dir, "r.urdf"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a file: %v", err)
	}
	if _, err := ParseContext(ctx, []byte(robot), Options{BaseDir: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("from memory: %v", err)
	}
}
