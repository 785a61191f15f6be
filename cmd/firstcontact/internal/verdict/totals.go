package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// Totals is what many results add up to.
type Totals struct {
	motions int
	Left    int            // motions that were not begun before an interrupt
	Stopped bool           // there was an interrupt
	count   map[string]int // by status
	worst   *Result        // the first of the worst
	compute float64        // s
	assumed int            // pairs, the most of a motion
	remarks []*repeated
	index   map[string]*repeated
}

// repeated is a remark about some of the motions.
type repeated struct {
	text, first string // first: the motion that it is about first
	motions     int
}

// NewTotals returns the totals of no results.
func NewTotals() *Totals { return &Totals{count: map[string]int{}, index: map[string]*repeated{}} }

// Add counts a result.
func (t *Totals) Add(r *Result) {
	t.motions++
	t.count[r.Status]++
	t.compute += r.Compute
	t.assumed = max(t.assumed, r.AssumedPairs)
	if t.worst == nil || cli.Worse(t.worst.exit(), r.exit()) != t.worst.exit() {
		t.worst = r
	}
	for _, text := range r.remarks() {
		if t.index[text] == nil {
			t.index[text] = &repeated{text: text, first: r.Motion}
			t.remarks = append(t.remarks, t.index[text])
		}
		t.index[text].motions++
	}
}

// statuses are the statuses of motions in the order of totals.
var statuses = [...]string{"free", "contact", "clearance", "undecided", "invalid"}

// Write prints the totals: how many of each, the worst, and below what the answers rest on
// and do not cover.
func (t *Totals) Write(w io.Writer) error {
	var b strings.Builder
	var counts []string
	for _, s := range statuses {
		if n := t.count[s]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, s))
		}
	}
	fmt.Fprintf(&b, "%d motions: %s", t.motions, strings.Join(counts, ", "))
	if t.worst != nil && t.worst.exit() != cli.ExitFree {
		fmt.Fprintf(&b, "; worst: %s %s", strings.ToUpper(t.worst.Status), oneline.Text(t.worst.Motion, maxLine))
	}
	fmt.Fprintf(&b, "; exit status %d; %.3g s of computing time\n", t.Exit(), t.compute)
	t.writeRemarks(&b)
	if t.assumed > 0 {
		fmt.Fprintf(&b, "    %d pairs of bodies assumed to be allowed (--premises lists them)\n", t.assumed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Exit is the exit status of the command. An interrupt counts if it left something undone.
func (t *Totals) Exit() int {
	status := cli.ExitFree
	if t.worst != nil {
		status = t.worst.exit()
	}
	if t.Left > 0 || t.Stopped && status != cli.ExitFree {
		return cli.ExitInterrupted
	}
	return status
}

// frequent returns the remarks, that of most motions first.
func (t *Totals) frequent() []*repeated {
	return slices.SortedStableFunc(slices.Values(t.remarks), func(a, b *repeated) int { return cmp.Compare(b.motions, a.motions) })
}

// maxRemarks is how many different remarks totals print.
const maxRemarks = 10

// writeRemarks prints the remarks that are about most motions.
func (t *Totals) writeRemarks(b *strings.Builder) {
	most := t.frequent()
	for i, m := range most {
		if i == maxRemarks {
			fmt.Fprintf(b, "    %d more remarks: --details prints them with each motion\n", len(most)-i)
			return
		}
		whose := "all"
		switch {
		case m.motions == 1:
			whose = oneline.Text(m.first, maxLine)
		case m.motions < t.motions:
			whose = fmt.Sprintf("%d, %s first", m.motions, oneline.Text(m.first, maxLine))
		}
		fmt.Fprintf(b, "    %s (%s)\n", m.text, whose)
	}
}

// Summary is what the results of several motions add up to. It is printed behind them.
type Summary struct {
	answer.Head
	// Number of motions with an answer: the sum of the next five.
	Motions int `json:"motions"`
	// Number of motions that are free.
	Free int `json:"free"`
	// Number of motions with a contact.
	Contact int `json:"contact"`
	// Number of motions that come closer than the clearance, without contact.
	TooClose int `json:"clearance"`
	// Number of motions that are undecided.
	Undecided int `json:"undecided"`
	// Number of motions that could not be read or checked.
	Invalid int `json:"invalid"`
	// Number of motions that were not begun before an interrupt: nothing is known of them.
	Unchecked int `json:"unchecked,omitempty"`
	// The name of the first motion with the worst status.
	Worst string `json:"worst,omitempty"`
	// The exit status of the command.
	ExitStatus int `json:"exit_status"`
	// s: computing time, summed over all threads and motions.
	Compute float64 `json:"compute_s"`
	// The largest number of pairs of bodies that are left out as allowed for a motion.
	AssumedPairs int `json:"assumed_pairs"`
	// What the answers rest on and do not cover, that of most motions first.
	Remarks []totalRemark `json:"remarks"`
}

// totalRemark is a remark about some of several motions.
type totalRemark struct {
	// What is to be said, as in the text output.
	Message string `json:"message"`
	// Number of motions that it is about.
	Motions int `json:"motions"`
	// The first of these motions.
	First string `json:"first"`
}

// WriteJSON prints the totals as one object.
func (t *Totals) WriteJSON(w io.Writer) error {
	out := Summary{
		Head: answer.HeadOf("check-totals"), Motions: t.motions, Unchecked: t.Left, Compute: t.compute, AssumedPairs: t.assumed, ExitStatus: t.Exit(),
		Free: t.count["free"], Contact: t.count["contact"], TooClose: t.count["clearance"], Undecided: t.count["undecided"], Invalid: t.count["invalid"],
		Remarks: []totalRemark{},
	}
	if t.worst != nil {
		out.Worst = t.worst.Motion
	}
	for _, m := range t.frequent() {
		out.Remarks = append(out.Remarks, totalRemark{m.text, m.motions, m.first})
	}
	return answer.Encode(w, out)
}
