package ros

// OthersPublishing returns the publishers of other participants on topics with these absolute
// names, whatever their type, as far as they are discovered. A publisher need not announce
// which node it belongs to.
func (n *Node) OthersPublishing(topics ...string) ([]GraphEndpoint, error) {
	return n.othersWriting(topics, topicToDDS)
}

// OthersCalling returns the clients of other participants of services with these absolute names,
// like OthersPublishing.
func (n *Node) OthersCalling(services ...string) ([]GraphEndpoint, error) {
	return n.othersWriting(services, requestToDDS)
}

func (n *Node) othersWriting(on []string, toDDS func(string) string) ([]GraphEndpoint, error) {
	names := make([]string, len(on))
	for i, name := range on {
		names[i] = toDDS(name)
	}
	writers, err := n.participant.WritersOn(names...)
	if err != nil {
		return nil, err
	}
	own := n.participant.GUID()
	var others []GraphEndpoint
	for _, w := range writers {
		if !w.GUID.SameParticipant(own) {
			others = append(others, graphEndpoint(w))
		}
	}
	return others, nil
}
