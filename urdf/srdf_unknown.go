package urdf

import "fmt"

// NamedPair is a pair of links by name, as an SRDF gives it.
type NamedPair struct{ Link1, Link2, Reason string }

// UnknownPairs lists, in their order, the entries of an SRDF that disable a pair with a link
// that r lacks. LoadSRDF leaves them out and counts them in a warning.
func UnknownPairs(r *Robot, source []byte) ([]NamedPair, error) {
	root, err := readXML(source, "", "srdf")
	if err != nil {
		return nil, fmt.Errorf("srdf: %w", err)
	}
	var out []NamedPair
	for _, n := range root.All("disable_collisions") {
		p := NamedPair{}
		p.Link1, _ = n.Attr("link1")
		p.Link2, _ = n.Attr("link2")
		p.Reason, _ = n.Attr("reason")
		if r.Link(p.Link1) < 0 || r.Link(p.Link2) < 0 {
			out = append(out, p)
		}
	}
	return out, nil
}
