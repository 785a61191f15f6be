//go:build cyclone && cgo

package cyclone

// #include "bridge.h"
import "C"

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/peer"
)

// writers are the domain's writers on some topics. They are kept between queries, so that a
// query costs no more than what has changed.
type writers struct {
	reader C.dds_entity_t // reports changes; 0 before the first query
	topics []string       // that were ever queried
	known  map[ros.GUID]ros.DiscoveredEndpoint
}

// WritersOn keeps in memory the writers on all topics that were ever queried.
func (p *participant) WritersOn(topics ...string) ([]ros.DiscoveredEndpoint, error) {
	var on []ros.DiscoveredEndpoint
	err := p.endpoints.While(func() error {
		if err := p.writers.look(p.entity, topics); err != nil {
			return fmt.Errorf("cyclone: discovery: %w", err)
		}
		for _, w := range p.writers.known {
			if slices.Contains(topics, w.Topic) {
				on = append(on, w)
			}
		}
		return nil
	})
	slices.SortFunc(on, func(a, b ros.DiscoveredEndpoint) int { return slices.Compare(a.GUID[:], b.GUID[:]) })
	return on, err
}

// look applies what has changed. If there are new topics it reads everything again, because
// earlier changes on them were not kept.
func (w *writers) look(participant C.dds_entity_t, topics []string) error {
	for _, topic := range topics {
		if !slices.Contains(w.topics, topic) {
			w.topics = append(w.topics, topic)
			C.dds_delete(w.reader)
			w.reader = 0
		}
	}
	if w.reader <= 0 {
		w.known = map[ros.GUID]ros.DiscoveredEndpoint{}
		w.reader = C.fc_publications(participant)
		if err := check(w.reader); err != nil {
			return err
		}
	}
	return w.takeChanges()
}

func (w *writers) takeChanges() error {
	var changes [C.FC_CHANGES]C.fc_found
	var alive [C.FC_CHANGES]C.bool
	for {
		n := C.fc_take_changes(w.reader, &changes[0], &alive[0])
		if n <= 0 {
			return check(n)
		}
		for i := range changes[:n] {
			guid := peer.GUID(changes[i].guid)
			delete(w.known, guid)
			if !alive[i] {
				continue
			}
			if e := goEndpoint(&changes[i]); slices.Contains(w.topics, e.Topic) {
				w.known[guid] = e
			}
			C.fc_clear_found(&changes[i])
		}
	}
}
