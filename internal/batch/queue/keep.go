package queue

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// How long Keep waits before it starts a worker again: twice as long each time, until one has lived that long.
const (
	shortPause = time.Second / 10
	longPause  = 10 * time.Second
)

// Keep runs a worker as a process until ctx ends, and starts it again whenever it ends: a chunk may have killed it. tell gets
// a line each time. It returns when the process has ended; only one that cannot be started is an error.
func Keep(ctx context.Context, command func(context.Context) *exec.Cmd, tell func(string)) error {
	for pause := shortPause; ; pause = min(2*pause, longPause) {
		begin := time.Now()
		cmd := command(ctx)
		in, err := cmd.StdinPipe() // it ends when this process does, whatever that dies of
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		err = cmd.Wait()
		_ = in.Close()
		if ctx.Err() != nil {
			return nil
		}
		tell(fmt.Sprintf("a worker has ended (%v): another one is started", err))
		if time.Since(begin) > longPause {
			pause = shortPause
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}
