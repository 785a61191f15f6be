// Command fleet measures what a chunk of `firstcontact batch` costs on its way through the queue, and simulates by that how many
// workers one submitter and one server can feed. It writes the page lab/docs/fleet.md.
//
//	make fleet
//
// Server, submitter and workers are the product's own, in this process; each speaks to the server through a line that notes every
// message with its times, and can delay them as a network does (line.go). A line can also hold back answers for as long as a
// worker of another machine would compute, so that a hundred workers can be had on two processors. The simulation (simulate.go)
// is held to such batches: the command fails if they differ by more than the tolerance.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	command := flag.String("command", "../bin/firstcontact", "the command whose memory is measured")
	data := flag.String("testdata", "../testdata", "the product's folder testdata")
	memory := flag.String("memory", "/dev/shm", "a folder in memory, for the server's second measurement")
	page := flag.String("page", "", "the page to write (default: print)")
	flag.Parse()
	if err := write(ctx, *command, *data, *memory, *page); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		stop()
		os.Exit(1)
	}
}

func write(ctx context.Context, command, data, memory, page string) error {
	b := &bench{robot: filepath.Join(data, "examples/arm.urdf"), scene: filepath.Join(data, "examples/table.yaml")}
	r, err := b.report(ctx, command, memory)
	if err != nil {
		return err
	}
	text := r.page()
	if page == "" {
		_, err = os.Stdout.WriteString(text)
	} else {
		err = outfile.Write(page, outfile.Text([]byte(text)))
	}
	for _, c := range r.compared {
		if err == nil && c.workers <= 2 && !c.agrees() {
			err = fmt.Errorf("%d chunks of %d edges with %d workers took %.2f s, and %.2f s are simulated: repeat it on an idle machine, or mend the simulation", c.chunks, c.each, c.workers, c.real, c.simulated)
		}
	}
	return err
}
