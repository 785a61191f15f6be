// Command gate sends goals through the node's gate by the thousand, over DDS, and kills the
// node meanwhile. A third of the goals collide, a tenth is canceled or replaced at random
// times. It fails if a colliding goal ever reaches the controller, if the controller gets a
// goal that was not sent or gets one twice, or if a goal has not exactly one result.
//
//	go run -C lab -tags cyclone ./gate -goals 10000 -kills 20 -lanes 3
//
// Every second robot has a controller of each cart, with goals for both at the same time: whenever
// one of them takes a goal over, what both execute must not collide.
//
// The controller is a stand-in on Cyclone DDS, see package gatetest. The robot is two carts
// on a rail, whose collisions have closed forms: this program knows without the node which
// goals collide.
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/lab/product"
)

// settings of a campaign.
type settings struct {
	binary string
	goals  int
	kills  int
	lanes  int
	seed   uint64

	explain bool
}

func main() {
	var s settings
	flag.StringVar(&s.binary, "node", "", "the node's program; default: built from this module")
	flag.IntVar(&s.goals, "goals", 10_000, "how many goals")
	flag.IntVar(&s.kills, "kills", 20, "how often a node is killed")
	flag.IntVar(&s.lanes, "lanes", 3, "how many robots, each with a node of its own, work at once; every second one has two controllers")
	flag.BoolVar(&s.explain, "explain", false, "print why free goals were refused")
	flag.Uint64Var(&s.seed, "seed", 1, "of the random numbers")
	flag.Parse()
	if err := campaign(s, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

// campaign runs all lanes and prints what came of it.
func campaign(s settings, out interface{ Write([]byte) (int, error) }) error {
	folder, err := os.MkdirTemp("", "gate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if s.binary == "" {
		if s.binary, err = product.Build(); err != nil {
			return err
		}
	}
	if err := writeRobot(folder); err != nil {
		return err
	}
	begin := time.Now()
	all := tally{explain: s.explain}
	var wg sync.WaitGroup
	errs := make(chan error, s.lanes)
	for i := range s.lanes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			share := func(n int) int { return (n + s.lanes - 1 - i) / s.lanes }
			l := &lane{number: i, several: i%2 == 1, folder: folder, binary: s.binary, goals: share(s.goals), kills: share(s.kills), seed: s.seed, tally: &all}
			errs <- l.run()
		}()
	}
	wg.Wait()
	close(errs)
	for e := range errs {
		if e != nil {
			err = e
		}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d robots, %s\n%s", s.lanes, time.Since(begin).Round(time.Second), all.report())
	return all.verdict()
}
