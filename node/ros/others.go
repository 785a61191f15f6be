package ros

import "strings"

// OthersPublishing returns the publishers of other participants on topics with
// these absolute names, whatever their type, as far as they are known now. Whoever
// publishes need not say which node it is.
func (n *Node) OthersPublishing(topics ...string) ([]GraphEndpoint, error) {
	found, err := n.participant.Discovered()
	if err != nil {
		return nil, err
	}
	own := n.participant.GUID()
	var others []GraphEndpoint
	for _, w := range found.Writers {
		if w.GUID.SameParticipant(own) || !strings.HasPrefix(w.Topic, topicPrefix) {
			continue
		}
		for _, topic := range topics {
			if w.Topic == topicToDDS(topic) {
				others = append(others, graphEndpoint(w))
			}
		}
	}
	return others, nil
}
