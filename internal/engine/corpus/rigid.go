package corpus

import "github.com/firstcontact-ros/firstcontact/urdf"

// Rigid lists the pairs of links, and of links and obstacles, that no moving
// joint separates. No segment changes their distance, some of them are in contact by
// design, and the harness does not test them: to check the harness's pairs, allow these as
// well.
func (s *Scene) Rigid() [][2]string {
	r := s.Robot
	carrier := make([]int, len(r.Links)) // the outermost link it is fixed to
	for i := range r.Links {             // parents stand before children
		carrier[i] = i
		if j := r.Links[i].ParentJoint; j >= 0 && r.Joints[j].Type == urdf.Fixed {
			carrier[i] = carrier[r.Joints[j].Parent]
		}
	}
	var pairs [][2]string
	for i := range r.Links {
		for k := i + 1; k < len(r.Links); k++ {
			if carrier[i] == carrier[k] {
				pairs = append(pairs, [2]string{r.Links[i].Name, r.Links[k].Name})
			}
		}
		if carrier[i] != r.Root {
			continue
		}
		for k := range s.World.Objects {
			pairs = append(pairs, [2]string{r.Links[i].Name, s.World.Objects[k].ID})
		}
	}
	return pairs
}
