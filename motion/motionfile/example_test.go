package motionfile_test

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

func ExampleParse() {
	loaded, err := motionfile.Parse("wave.csv", []byte("time,elbow\n0,0\n1,0.5\n2,0\n"), motionfile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	m := loaded[0].Motion
	fmt.Println(m.ID, m.Joints, len(m.Pieces), m.At(0.5))
	// Output: wave.csv [elbow] 2 [0.25]
}
