// Command check is the smallest program with the library: is the straight line in joint
// space from one configuration to another free of collision?
//
//	go run ./examples/check arm.urdf cell.yaml shoulder=-1:1 elbow=0:0.5
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func main() {
	if err := check(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}

func check(args []string, out io.Writer) error {
	if len(args) < 3 {
		return errors.New("usage: check ROBOT.urdf SCENE JOINT=FROM:TO... (rad or m)")
	}
	robot, err := urdf.Load(args[0], urdf.Options{})
	if err != nil {
		return err
	}
	world, err := scene.Load(args[1], scene.Options{Robot: robot})
	if err != nil {
		return err
	}
	checker, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		return err
	}
	joints, from, to, err := moves(args[2:])
	if err != nil {
		return err
	}
	move, err := motion.Between(joints, from, to, 1) // within a second
	if err != nil {
		return err
	}
	verdict, err := checker.Check(context.Background(), move, motion.Query{})
	if err != nil {
		return err
	}
	switch verdict.Status {
	case motion.Free:
		fmt.Fprintf(out, "free: a proof, for every point and every time (%d pairs of links are assumed to be allowed)\n", verdict.AssumedPairs)
	case motion.Contact:
		pair := verdict.Contact.Pair
		fmt.Fprintf(out, "contact: %s and %s first touch at %.6f s; nothing touches before %.6f s\n", pair.A.Name, pair.B.Name, verdict.TOC.Hi, verdict.TOC.Lo)
	default:
		fmt.Fprintf(out, "undecided, which is not free: %s; proved until %.6f s\n", verdict.Reason, verdict.ProvenUntil)
	}
	return nil
}

// moves reads JOINT=FROM:TO.
func moves(args []string) (joints []string, from, to []float64, err error) {
	for _, arg := range args {
		joint, ends, _ := strings.Cut(arg, "=")
		a, b, _ := strings.Cut(ends, ":")
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if err := errors.Join(errX, errY); err != nil {
			return nil, nil, nil, fmt.Errorf("%q is not JOINT=FROM:TO: %w", arg, err)
		}
		joints, from, to = append(joints, joint), append(from, x), append(to, y)
	}
	return joints, from, to, nil
}
