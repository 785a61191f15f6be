package verify

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// writeText prints the verdict, and below what the proof rests on: with details one by one,
// otherwise what can be summed up in one line.
func (v *Result) writeText(w io.Writer, details bool) error {
	if !v.Verified {
		_, err := fmt.Fprintf(w, "%s: REFUSED: %s\n", v.Certificate, v.Reason)
		return err
	}
	var b strings.Builder
	apart, pieces := "apart", "the whole motion"
	if v.Clearance > 0 {
		apart = "more than " + answer.AtLeast(v.Clearance) + " apart"
	}
	if v.Pieces > 1 {
		pieces = fmt.Sprintf("all %d pieces of the motion", v.Pieces)
	}
	fmt.Fprintf(&b, "%s: VERIFIED: %d pairs of bodies stay %s during %s (%d items, %.3g s)",
		v.Certificate, v.Pairs, apart, pieces, v.Items, v.Compute)
	v.writeNumbers(&b, details)
	if !v.Self {
		fmt.Fprint(&b, "\n    not proved: the robot against itself")
	}
	if !v.World {
		fmt.Fprint(&b, "\n    not proved: the robot against the world")
	}
	v.writeNotChecked(&b, details)
	v.writePremises(&b, details)
	if len(v.Open) > 0 {
		fmt.Fprintf(&b, "\n    surfaces without an inside: %s", strings.Join(v.Open, ", "))
	}
	if len(v.Floating) > 0 {
		fmt.Fprintf(&b, "\n    floating joints, held at their origin: %s", strings.Join(v.Floating, ", "))
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// writeNumbers prints paddings, tube and held joints.
func (v *Result) writeNumbers(b *strings.Builder, details bool) {
	for _, x := range []struct {
		one, all string
		list     map[string]float64
	}{
		{"link padded by", "links padded by (m)", v.Padding},
		{"joint may stray by", "joints may stray by (rad or m)", v.Tube},
		{"joint held at", "held (rad or m)", v.Held},
	} {
		var items []string
		for _, name := range slices.Sorted(maps.Keys(x.list)) {
			if details {
				fmt.Fprintf(b, "\n    %s %g: %s", x.one, x.list[name], name)
			}
			items = append(items, fmt.Sprintf("%s %g", name, x.list[name]))
		}
		if len(items) > 0 && !details {
			fmt.Fprintf(b, "\n    %s: %s", x.all, answer.Counted(items))
		}
	}
}

// writeNotChecked prints the pairs that the certificate leaves out: always those that nothing
// else confirms.
func (v *Result) writeNotChecked(b *strings.Builder, details bool) {
	confirmed := 0
	for _, n := range v.NotChecked {
		word := ""
		if !n.Confirmed {
			word = ", on the certificate's word alone"
		}
		if n.Confirmed && !details {
			confirmed++
		} else {
			fmt.Fprintf(b, "\n    not checked: %s, %s (%s)%s", n.Pair[0], n.Pair[1], n.Reason, word)
		}
	}
	if confirmed > 0 {
		fmt.Fprintf(b, "\n    not checked: %d pairs for which the model, the SRDF, the scene or --allow gives a reason (--details lists them)", confirmed)
	}
}

// writePremises prints the premises that have no line of their own, and the basis of all.
func (v *Result) writePremises(b *strings.Builder, details bool) {
	count := map[string]int{}
	var bare []string // links
	for i := range v.Premises {
		p := &v.Premises[i]
		count[p.Source]++
		switch p.Kind {
		case premise.LeftOut, premise.Surface:
		case premise.NoGeometry:
			if bare = append(bare, strings.Join(p.Names, " ")); details {
				fmt.Fprintf(b, "\n    rests on: %s", p.Premise.String())
			}
		case premise.Held:
			if p.Source == verify.OnTrust.String() {
				fmt.Fprintf(b, "\n    rests on: %s, on the certificate's word alone", p.Premise.String())
			}
		default:
			rests := "rests on"
			if p.IsGap() {
				rests = "accepted"
			}
			fmt.Fprintf(b, "\n    %s: %s", rests, p.Premise.String())
		}
	}
	if len(bare) > 0 && !details {
		fmt.Fprintf(b, "\n    links without collision geometry, which cannot touch anything: %s", answer.Some(bare))
	}
	if n := len(v.Premises); n > 0 {
		fmt.Fprintf(b, "\n    premises: %d recomputed, %d confirmed by a file, %d on trust",
			count[verify.Recomputed.String()], count[verify.FromFile.String()], count[verify.OnTrust.String()])
	}
}
