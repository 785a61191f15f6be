package ros

import "time"

// Rate bounds how many messages of each participant a subscription reads.
type Rate struct {
	// Burst is the number read at once after a quiet period.
	Burst int
	// PerSecond is the number read in the long run.
	PerSecond float64
	// Quiet says that dropped messages are expected, and not logged.
	Quiet bool
}

// maxRated bounds the participants whose messages are counted.
const maxRated = 1024

// admission is a token bucket for each participant. It belongs to one goroutine.
type admission struct {
	rate    Rate
	now     func() time.Time
	refused func(participant GUID) // called at the first refused message of a participant
	shares  map[GUID]*share
}

type share struct {
	bucket
	told bool
}

func newAdmission(r Rate, refused func(GUID)) *admission {
	return &admission{rate: r, now: time.Now, refused: refused, shares: map[GUID]*share{}}
}

// admit reports whether to read a message of a writer, and counts it.
func (a *admission) admit(writer GUID) bool {
	participant := writer.Participant()
	s := a.shares[participant]
	if s == nil {
		if len(a.shares) >= maxRated {
			clear(a.shares)
		}
		most := float64(a.rate.Burst)
		s = &share{bucket: bucket{rate: a.rate.PerSecond, most: most, left: most}}
		a.shares[participant] = s
	}
	if s.take(1, a.now()) {
		return true
	}
	if !s.told {
		s.told = true
		a.refused(participant)
	}
	return false
}
