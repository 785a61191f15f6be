package ros

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
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

// Mismatch is EndpointReport.Mismatch with the names of the nodes whose publishers or
// subscribers do not match, as far as they are discovered now.
func (n *Node) Mismatch(r *EndpointReport) string {
	text := r.Mismatch()
	if text == "" {
		return ""
	}
	g, err := n.Graph()
	if err != nil {
		return text
	}
	var peers []string
	own, _ := g.Node(n.FullName())
	for _, peer := range g.Nodes {
		offers, requests := peer.Publishers, own.Subscribers
		if r.Writes {
			offers, requests = own.Publishers, peer.Subscribers
		}
		if policy := mismatch(r.Name, offers, requests); policy != "" && peer.FullName() != own.FullName() {
			peers = append(peers, LogName(peer.FullName())+" ("+policy+")")
		}
	}
	if len(peers) == 0 {
		return text
	}
	return text + ": " + oneline.Text(strings.Join(peers, ", "), limit.LogNameBytes*8)
}

// mismatch names the policy in which an offer on a topic falls short of a request; empty
// without one.
func mismatch(topic string, offers, requests []GraphEndpoint) string {
	for _, o := range offers {
		for _, r := range requests {
			if o.Name != topic || r.Name != topic || o.Type != r.Type {
				continue
			}
			if policy := incompatible(o.QoS, r.QoS); policy != "" {
				return policy
			}
		}
	}
	return ""
}
