package ccd_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A motion is proved free, the proof written down, and verified by code that shares
// nothing with what proved it.
func ExampleChecker_Certify() {
	robot, err := urdf.Load("../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	cell := "objects: [{id: post, type: cylinder, radius: 0.05, length: 1, xyz: [1, -1, 0]}]"
	world, err := scene.Parse("cell.yaml", []byte(cell), scene.Options{})
	if err != nil {
		log.Fatal(err)
	}
	checker, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		log.Fatal(err)
	}
	move, err := motion.Between([]string{"shoulder", "elbow"}, []float64{0, 0}, []float64{1, 0.5}, 2)
	if err != nil {
		log.Fatal(err)
	}
	var certificate bytes.Buffer
	verdict, err := checker.Certify(context.Background(), move, motion.Query{}, &certificate)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Status)
	report, err := verify.Verify(context.Background(), robot, world, move, &certificate, verify.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Pairs, "pairs stay apart")
	// Output:
	// free
	// 2 pairs stay apart
}
