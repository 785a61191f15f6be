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

// Back where it was after a second, but on the way it swings out by a quarter of
// the velocity times the time.
func ExampleSpline() {
	m, err := motion.Spline([]string{"elbow"}, []motion.Waypoint{
		{Time: 0, Positions: []float64{0}, Velocities: []float64{4}},
		{Time: 1, Positions: []float64{0}, Velocities: []float64{-4}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.At(0.5), m.At(1))
	// Output: [1] [0]
}
