// Command first asks one question in twenty lines: may the arm be raised? Run it in the root of the repository.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func main() {
	robot := must(urdf.Load("testdata/humanoid/humanoid.urdf", urdf.Options{SRDF: "testdata/humanoid/humanoid.srdf"}))
	world := must(scene.Load("testdata/humanoid/obstacles.yaml", scene.Options{Robot: robot}))
	checker := must(ccd.New(robot, world, ccd.Options{}))
	joints := []string{"right_shoulder_pitch", "right_elbow"}
	raise := must(motion.Between(joints, []float64{0, 0}, []float64{-1.5, 0}, 1))
	verdict := must(checker.Check(context.Background(), raise, motion.Query{}))
	switch verdict.Status {
	case motion.Free:
		fmt.Println("proved free, for every point and every time")
	case motion.Contact:
		fmt.Printf("%s and %s touch at %.6f s, and not before\n", verdict.Contact.Pair.A.Name, verdict.Contact.Pair.B.Name, verdict.TOC.Hi)
	default:
		fmt.Println("no proof, which is not free:", verdict.Reason)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
