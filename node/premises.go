package node

import (
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// premisesOf converts premises to messages.
func premisesOf(list []premise.Premise) []fcmsgs.Premise {
	out := make([]fcmsgs.Premise, len(list))
	for i := range list {
		p := &list[i]
		out[i] = fcmsgs.Premise{
			Kind: string(p.Kind), Names: p.Names, Value: p.Value, Piece: uint32(p.Piece),
			Detail: p.Detail, Gap: p.IsGap(), Accepted: p.Accepted,
		}
	}
	return out
}

// gapsOf returns the accepted gaps, in the form in which they are accepted, and the first gap
// that is not accepted, nil if there is none.
func gapsOf(list []premise.Premise) (accepted []string, open *premise.Premise) {
	for i := range list {
		switch p := &list[i]; {
		case p.Open() && open == nil:
			open = p
		case p.Accepted:
			accepted = append(accepted, p.Entry())
		}
	}
	return accepted, open
}
