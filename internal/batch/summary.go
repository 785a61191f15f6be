package batch

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

// Summary is what the rows of a batch add up to.
type Summary struct {
	Motions    int64            `json:"motions"`
	Count      map[string]int64 `json:"count"`      // of motions by status
	Share      float64          `json:"free_share"` // of motions that are free
	ExitStatus int              `json:"exit_status"`
	Worst      []Worst          `json:"worst"`            // the motions that need attention most, the worst first
	Report     string           `json:"report,omitempty"` // the page about the worst that have a verdict, in the folder
	Pairs      []Hit            `json:"pairs"`            // that touch, or come too close, first: the most frequent ones
	Histogram  []Bin            `json:"histogram"`        // of the smallest distances, if they were asked for
	Episodes   []Episode        `json:"episodes"`         // one for each motion of a dataset with episodes, and what becomes of it
	Warnings   []Remark         `json:"warnings"`         // the most frequent
	Premises   []Remark         `json:"premises"`         // the most frequent
	// Premises or warnings of more sorts than are counted: the table has them all.
	MoreRemarks bool     `json:"more_remarks,omitempty"`
	Ignored     []string `json:"ignored"` // files that hold no motions by their names
	Omitted     int64    `json:"episodes_omitted,omitempty"`
	Shown       []Worst  `json:"-"` // the worst motions that have a verdict, for the report
	most        int      // in Worst
	mostShown   int      // in Shown
	worst       int      // rank
	pairs       map[[2]string]*Hit
	warnings    remarks
	premises    remarks
}

// Worst is a motion that needs attention.
type Worst struct {
	Index     int64    `json:"index"`
	Motion    string   `json:"motion"`
	File      string   `json:"file"`
	Status    string   `json:"status"`
	Message   string   `json:"message,omitempty"`
	Time      *float64 `json:"time_s,omitempty"` // of contact
	Pair      []string `json:"pair,omitempty"`
	Clearance *float64 `json:"clearance_m,omitempty"` // the proved lower bound of the smallest distance
	Report    string   `json:"report,omitempty"`      // where the report shows it
	rank      int
	order     float64
}

// Hit is a pair of bodies and how many motions it ends.
type Hit struct {
	A       string `json:"a"`
	B       string `json:"b"`
	Motions int64  `json:"motions"`
	First   string `json:"first"`
}

// Bin counts smallest distances from From to below To, in metres; the last has no end.
type Bin struct {
	From    float64  `json:"from_m"`
	To      *float64 `json:"to_m,omitempty"`
	Motions int64    `json:"motions"`
}

// Episode is one line of the timeline.
type Episode struct {
	File        string  `json:"file"`
	Episode     int64   `json:"episode"`
	Status      string  `json:"status"`
	Duration    float64 `json:"duration_s"`
	ProvenUntil float64 `json:"proven_until_s"`
}

// Remark is a text and how many motions it is about.
type Remark struct {
	Text    string `json:"text"`
	Motions int64  `json:"motions"`
	First   string `json:"first"`
}

// Bounds of what a summary holds, so that it stays small however many motions there are.
const (
	maxPairs    = 1000 // different ones that are counted
	maxRemarks  = 1000
	maxEpisodes = 100_000
	shownPairs  = 10
)

// edges of the histogram, in metres.
var edges = []float64{0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}

// NewSummary returns an empty summary that will list so many of the worst motions, and name so many for a report.
func NewSummary(most, shown int, ignored []string) *Summary {
	return &Summary{Count: map[string]int64{}, most: most, mostShown: shown, Ignored: ignored, pairs: map[[2]string]*Hit{}, warnings: remarks{all: map[string]*Remark{}}, premises: remarks{all: map[string]*Remark{}}}
}

func (s *Summary) add(r *Row) {
	s.Motions++
	s.Count[r.Status]++
	if r.rank() > s.worst {
		s.worst, s.ExitStatus = r.rank(), r.Exit()
	}
	s.addWorst(r)
	if r.PairA != "" {
		key := [2]string{r.PairA, r.PairB}
		h := s.pairs[key]
		if h == nil && len(s.pairs) < maxPairs {
			h = &Hit{A: r.PairA, B: r.PairB, First: r.Motion}
			s.pairs[key] = h
		}
		if h != nil {
			h.Motions++
		}
	}
	if !math.IsNaN(r.ClearanceLo) {
		s.addClearance(r.ClearanceLo)
	}
	if r.Episode >= 0 {
		if len(s.Episodes) < maxEpisodes {
			s.Episodes = append(s.Episodes, Episode{r.File, r.Episode, r.Status, r.Duration, r.ProvenUntil})
		} else {
			s.Omitted++
		}
	}
	s.warnings.add(r.Warnings, r.Motion)
	s.premises.add(r.Premises, r.Motion)
}

// remarks counts the lines of texts. Texts that follow each other are often the same.
type remarks struct {
	all  map[string]*Remark
	left bool // there are more than are counted
	last string
	of   []*Remark // the lines of last
}

func (r *remarks) add(text, first string) {
	if text != r.last {
		r.last, r.of = text, r.of[:0]
		for line := range strings.SplitSeq(text, "\n") {
			m := r.all[line]
			switch {
			case m != nil || line == "":
			case len(r.all) < maxRemarks:
				m = &Remark{Text: line, First: first}
				r.all[line] = m
			default:
				r.left = true
			}
			if m != nil {
				r.of = append(r.of, m)
			}
		}
	}
	for _, m := range r.of {
		m.Motions++
	}
}

func (s *Summary) addClearance(x float64) {
	if s.Histogram == nil {
		for i, from := range edges {
			b := Bin{From: from}
			if i+1 < len(edges) {
				b.To = &edges[i+1]
			}
			s.Histogram = append(s.Histogram, b)
		}
	}
	i, found := slices.BinarySearch(edges, x)
	if !found {
		i--
	}
	s.Histogram[max(0, i)].Motions++
}

// addWorst keeps a motion if it is among the worst: by status, then by how soon it touches or how close it comes.
func (s *Summary) addWorst(r *Row) {
	if r.Status == "free" && math.IsNaN(r.ClearanceLo) {
		return
	}
	w := Worst{Index: r.Index, Motion: r.Motion, File: r.File, Status: r.Status, Message: r.Message, rank: -r.rank(), order: r.ProvenUntil}
	if r.PairA != "" {
		at := r.TOCHi
		w.Time, w.Pair, w.order = &at, []string{r.PairA, r.PairB}, r.TOCHi
	}
	if !math.IsNaN(r.ClearanceLo) {
		d := r.ClearanceLo
		w.Clearance = &d
		if w.Pair == nil && r.ClosestA != "" {
			w.Pair = []string{r.ClosestA, r.ClosestB}
		}
		if r.Status == "free" || r.Status == "clearance" {
			w.order = d
		}
	}
	s.Worst = among(s.Worst, &w, s.most)
	if r.Status != Invalid && r.Status != SetAside {
		s.Shown = among(s.Shown, &w, s.mostShown)
	}
}

// among adds a motion to a list of at most so many, the worst first, if it is one of them.
func among(list []Worst, w *Worst, most int) []Worst {
	at, _ := slices.BinarySearchFunc(list, *w, func(a, b Worst) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order), cmp.Compare(a.Index, b.Index))
	})
	if at >= most {
		return list
	}
	list = slices.Insert(list, at, *w)
	return list[:min(len(list), most)]
}

// Link names the page that shows the motions of Shown, in that order.
func (s *Summary) Link(page string) {
	s.Report = page
	for i := range s.Worst {
		w := &s.Worst[i]
		if k := slices.IndexFunc(s.Shown, func(v Worst) bool { return v.Index == w.Index }); k >= 0 {
			w.Report = fmt.Sprintf("%s#motion=%d", page, k+1)
		}
	}
}

// Finish sorts what was counted.
func (s *Summary) Finish() {
	if s.Motions > 0 {
		s.Share = float64(s.Count["free"]) / float64(s.Motions)
	}
	s.Pairs = []Hit{}
	for _, h := range s.pairs {
		s.Pairs = append(s.Pairs, *h)
	}
	slices.SortFunc(s.Pairs, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Motions, a.Motions), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	s.Warnings, s.Premises = frequent(s.warnings.all), frequent(s.premises.all)
	s.MoreRemarks = s.warnings.left || s.premises.left
}

func frequent(all map[string]*Remark) []Remark {
	out := []Remark{}
	for _, r := range all {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Remark) int { return cmp.Or(cmp.Compare(b.Motions, a.Motions), cmp.Compare(a.Text, b.Text)) })
	return out
}

// SummaryName is the file in the folder of results with the summary.
const SummaryName = "summary.json"

// Save writes the summary to the folder of results.
func (s *Summary) Save(dir string) error {
	return outfile.Write(filepath.Join(dir, SummaryName), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(s)
	})
}
