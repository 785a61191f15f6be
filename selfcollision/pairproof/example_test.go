package pairproof_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Which links of a robot can ever meet, for a file that a checker reads again.
func ExampleProve() {
	robot, err := urdf.Load("../../testdata/pairs/lever.urdf", urdf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	report, err := pairproof.Prove(context.Background(), robot, pairproof.Options{}, 10*time.Second)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Count(pairproof.Never), "pairs never meet,", report.Count(pairproof.Always), "always")
	hidden := report.Of(robot.Link("base"), robot.Link("hand"))
	fmt.Println(hidden.LinkA, "and", hidden.LinkB, "meet", hidden.Meets)

	dir, err := os.MkdirTemp("", "pairs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "lever.pairs")
	if err := pairfile.Save(file, report); err != nil {
		log.Fatal(err)
	}
	loaded, err := pairfile.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("as it is:", pairfile.Fits(loaded, robot, pairproof.Options{}) == nil)
	fmt.Println("with padding:", pairfile.Fits(loaded, robot, pairproof.Options{Padding: 0.01}) == nil)
	// Output:
	// 3 pairs never meet, 1 always
	// base and hand meet sometimes
	// as it is: true
	// with padding: false
}
