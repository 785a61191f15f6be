package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A disk that is full ends the batch with an error, wherever that happens. With room again it goes on, and the table is that of one run.
func TestFullDisk(t *testing.T) {
	s, dir, disk := subject(t), roadmap(t, 2000), t.TempDir()
	p := planOf(t, s, dir, 50)
	_, want, _ := finish(t, s, p, t.TempDir())
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("cannot mount a small disk: ", err)
	}
	defer func() { _ = syscall.Unmount(disk, 0) }()
	out := filepath.Join(disk, "out")
	full := 0
	for size := 64; ; size += 64 {
		if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%dk", size)); err != nil {
			t.Fatal(err)
		}
		err := onDisk(s, p, out)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		full++
	}
	got, err := os.ReadFile(filepath.Join(out, TableName))
	if err != nil || !bytes.Equal(got, want) {
		t.Error("the table differs from that of one run", err)
	}
	if full < 3 {
		t.Errorf("full %d times: a poor test", full)
	}
	t.Logf("full %d times", full)
}

// onDisk goes on with a batch until it is done, or fails.
func onDisk(s *Subject, p *Plan, out string) error {
	ctx := context.Background()
	st, err := OpenStore(ctx, out, p)
	if err != nil {
		return err
	}
	if err := Run(ctx, NewChecker(s, p), st, 2); err != nil {
		return err
	}
	return WriteTable(ctx, st, NewSummary(1, 0, nil))
}
