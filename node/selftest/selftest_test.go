package selftest

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	if err := Check(context.Background(), Questions()); err != nil {
		t.Error(err)
	}
	wrong := Questions()
	wrong[2].TOC += 1e-4
	if err := Check(context.Background(), wrong); !errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), wrong[2].Name) {
		t.Errorf("of a wrong answer: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Check(ctx, Questions()); err == nil || errors.Is(err, ErrWrong) {
		t.Errorf("without time: %v", err)
	}
}

func BenchmarkCheck(b *testing.B) {
	for range b.N {
		if err := Check(context.Background(), Questions()); err != nil {
			b.Fatal(err)
		}
	}
}
