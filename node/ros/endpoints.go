package ros

import (
	"cmp"
	"fmt"
	"slices"
)

// EndpointReport describes one of a node's endpoints. A service and a client have two.
type EndpointReport struct {
	// Name is the absolute name of the topic or service.
	Name string
	// Writes reports whether it is a writer: of messages, replies or requests.
	Writes bool
	Stats  EndpointStats
}

// Endpoints reports the node's endpoints that are open now, sorted by name.
func (n *Node) Endpoints() (all []EndpointReport) {
	n.mu.Lock()
	open := make([]closer, 0, len(n.open))
	for c := range n.open {
		open = append(open, c)
	}
	n.mu.Unlock()
	for _, c := range open {
		if r, ok := c.(interface{ endpoints() []EndpointReport }); ok {
			all = append(all, r.endpoints()...)
		}
	}
	slices.SortFunc(all, func(a, b EndpointReport) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func (p *Publisher[T]) endpoints() []EndpointReport {
	return []EndpointReport{{Name: p.topic, Writes: true, Stats: p.writer.Stats()}}
}

func (s *Subscription) endpoints() []EndpointReport {
	return []EndpointReport{{Name: s.topic, Stats: s.reader.Stats()}}
}

func (s *Service) endpoints() []EndpointReport {
	return []EndpointReport{{Name: s.name, Stats: s.reader.Stats()}, {Name: s.name, Writes: true, Stats: s.writer.Stats()}}
}

func (c *Client[Req, Resp]) endpoints() []EndpointReport {
	return []EndpointReport{{Name: c.name, Stats: c.reader.Stats()}, {Name: c.name, Writes: true, Stats: c.writer.Stats()}}
}

// Mismatch describes the peers that do not match the endpoint because of their quality of
// service, or returns "" if there have been none.
func (r *EndpointReport) Mismatch() string {
	if r.Stats.Incompatible == 0 {
		return ""
	}
	what := "a publisher offers less than this node asks for: its messages do not come"
	if r.Writes {
		what = "a subscriber asks for more than this node offers: it gets nothing"
	}
	return fmt.Sprintf("%s: %s (policy %s, %d so far); ros2 topic info -v shows both sides", r.Name, what, r.Stats.IncompatiblePolicy, r.Stats.Incompatible)
}
