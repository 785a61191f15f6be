package verify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/digest"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A proof by hand: while an arm along the x axis turns a little, some plane across y stays
// between it and a ball at y = -5. Anybody may write certificates; none is believed.
func ExampleVerify() {
	robot, err := urdf.Load("../../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	world, err := scene.New("", scene.NewSphere("ball", geom.Translation(geom.Vec{Y: -5}), 0.1))
	if err != nil {
		log.Fatal(err)
	}
	move, err := motion.Between([]string{"shoulder", "elbow"}, []float64{0, 0}, []float64{0.1, 0}, 1)
	if err != nil {
		log.Fatal(err)
	}
	prove := func(normal geom.Vec) string {
		var text bytes.Buffer
		w := certificate.NewWriter(&text, &certificate.Header{
			Tool: "by hand", Robot: robot.Name, Motion: move.ID,
			RobotSum: digest.Robot(robot), SceneSum: digest.Scene(world), MotionSum: digest.Motion(move),
			Self: true, World: true,
			Assumed: []certificate.Assumed{{A: "upper", B: "lower", Reason: "adjacent"}},
			Bodies: []certificate.Body{
				{Kind: certificate.Link, Name: "upper", Atoms: 1},
				{Kind: certificate.Link, Name: "lower", Atoms: 2}, // a box and a ball
				{Kind: certificate.World, Atoms: 1},
			},
		})
		w.At(certificate.At{Piece: 0, Lo: 0, Hi: 1})
		for link := range 2 {
			w.Item(&certificate.Item{A: certificate.Part{Body: link}, B: certificate.Part{Body: 2}, HasNormal: true, Normal: normal})
		}
		if err := w.Close(); err != nil {
			log.Fatal(err)
		}
		report, err := verify.Verify(context.Background(), robot, world, move, &text, verify.Options{})
		if err != nil {
			return fmt.Sprintf("refused: %t", errors.As(err, new(*verify.Refusal)))
		}
		return fmt.Sprint(report.Pairs, " pairs stay apart")
	}
	fmt.Println(prove(geom.Vec{Y: -1})) // from the arm towards the ball
	fmt.Println(prove(geom.Vec{X: 1}))
	// Output:
	// 2 pairs stay apart
	// refused: true
}
