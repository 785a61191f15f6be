package jointstates

import "time"

// lossShare is the reciprocal of the share of lost messages from which a publisher may seem
// silent although all of its messages were sent: a flood displaces the messages of others as
// well as its own. If less than a fifth is lost, ten in a row are lost once in ten million
// times.
const lossShare = 5

// losses counts sent and lost messages of publishers, over one to two timeouts.
type losses struct {
	begin        time.Time // of the present half
	sent, lost   uint64
	sent0, lost0 uint64 // in the previous half
}

// add counts a message and the number of messages missing before it. It reports whether
// many are lost.
func (l *losses) add(missed uint64, now time.Time, half time.Duration) (many bool) {
	switch since := now.Sub(l.begin); {
	case since < 0 || since >= 2*half:
		*l = losses{begin: now}
	case since >= half:
		*l = losses{begin: now, sent0: l.sent, lost0: l.lost}
	}
	l.sent += 1 + missed
	l.lost += missed
	return l.lost+l.lost0 > 0 && (l.lost+l.lost0)*lossShare >= l.sent+l.sent0
}
