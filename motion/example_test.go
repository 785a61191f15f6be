package motion_test

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/motion"
)

func ExampleBetween() {
	m, err := motion.Between([]string{"shoulder", "elbow"}, []float64{0, 1}, []float64{2, -1}, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.At(1), m.Duration())
	// Output: [0.5 0.5] 4
}

func ExamplePath() {
	_, err := motion.Path([]string{"elbow"}, [][]float64{{0}, {1}, {2}}, []float64{0, 1, 1})
	fmt.Println(err)
	// Output: joint elbow jumps from 1 to 2 between waypoints 1 and 2, both at 1 s: give them different times
}
