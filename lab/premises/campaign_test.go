package premises

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// TestPremises lets the judge refute verdicts on random files.
//
//	FIRSTCONTACT_PREMISES        how long it lasts, such as 10m, or how many motions, such as
//	                             1000000, those in the log included (8000)
//	FIRSTCONTACT_PREMISES_LOG    a file that keeps what blocks came to: a campaign goes on
//	FIRSTCONTACT_PREMISES_KEEP   a folder for the files of refuted verdicts
//	FIRSTCONTACT_PREMISES_COMMIT what the log names as the state of the code
//	FIRSTCONTACT_SEED            another campaign (1)
func TestPremises(t *testing.T) {
	c := start(t)
	l, err := openLedger(switches.PremisesLog.Get())
	if err != nil {
		t.Fatal(err)
	}
	end := duration()
	seed := switches.Seed.Or(1)
	began, told, before := time.Now(), time.Now(), l.n
	for number := uint64(0); !end.over(l.n); number++ {
		if l.have[[2]uint64{seed, number}] {
			continue
		}
		b, err := c.block(seed, number)
		if err != nil {
			t.Fatal(err)
		}
		b.Commit = switches.PremisesCommit.Get()
		if err := l.put(&b); err != nil {
			t.Fatal(err)
		}
		for _, line := range b.Slow {
			t.Log("slow: ", line)
		}
		for _, line := range b.Found {
			t.Error(line)
		}
		if time.Since(told) > time.Minute {
			told = time.Now()
			t.Logf("%d queries, %.0f a second\n%s", l.n, float64(l.n-before)/time.Since(began).Seconds(), summary(l.all))
		}
	}
	t.Logf("%d queries, %.0f a second\n%s", l.n, float64(l.n-before)/time.Since(began).Seconds(), summary(l.all))
	var all tally
	for _, one := range l.all {
		all.add(one)
	}
	if n := float64(all.Queries); float64(all.Contact) < 0.15*n || float64(all.Free) < 0.25*n {
		t.Errorf("%d of %d are contacts and %d free: the campaign shows too little", all.Contact, all.Queries, all.Free)
	}
}

// duration reads how long the campaign lasts; some seconds if nothing is said.
func duration() until {
	lasts, motions := switches.Premises.Or("8000")
	if motions > 0 {
		return until{queries: motions}
	}
	return until{time: time.Now().Add(lasts)}
}

// start starts the judge, and skips where it cannot be built.
func start(t *testing.T) *campaign {
	t.Helper()
	binary, err := Build()
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	j, err := startJudge(binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.close() })
	return &campaign{judge: j, folder: filepath.Join(scratch(t), "query"), keep: switches.PremisesKeep.Get()}
}

// scratch is a folder in memory where there is one.
func scratch(t *testing.T) string {
	if folder, err := os.MkdirTemp("/dev/shm", "premises"); err == nil {
		t.Cleanup(func() { os.RemoveAll(folder) })
		return folder
	}
	return t.TempDir()
}
