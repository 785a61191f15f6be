package verdict

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// BetweenSamples says of a contact in a recording that nobody measured it.
func BetweenSamples(p *motion.Piece) string {
	return fmt.Sprintf("the contact lies between samples at %.6f and %.6f s, where the joints are taken to move in straight lines", p.Start, p.End)
}
