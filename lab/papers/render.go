package papers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// page is lab/docs/papers.md as it grows.
type page struct {
	strings.Builder
	kept *results
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// render writes papers.md and its plots of what is kept.
func render(out string, kept *results) error {
	p := &page{kept: kept}
	p.head()
	p.claims()
	p.duels()
	for _, paper := range papers() {
		p.paper(paper)
	}
	for _, paper := range papers() {
		for i := range paper.Entries {
			r := kept.of[paper.key(&paper.Entries[i])]
			if r == nil {
				continue
			}
			for k := range r.Charts {
				if err := r.Charts[k].draw(filepath.Join(out, "papers")); err != nil {
					return err
				}
			}
		}
	}
	return os.WriteFile(filepath.Join(out, "papers.md"), []byte(p.String()), 0o644)
}

const about = `# The four papers' tables and figures, rerun

What each table and figure of the four papers gives in numbers, with the machine they were taken on, and the same kind of work done here: by
the paper's method as it is built in this project, and by the default engine, in the same run. A figure that the text does not give is "not available in
the text". The models are not the papers' own: a generator makes others of the same sizes (` + "`lab/papers/workload`" + `, fixed seeds), so compare
ratios, counts and shapes of curves, not milliseconds with milliseconds.

    firstcontact-lab papers                          all of it, some minutes
    firstcontact-lab papers --only SSL04/table3      one table or figure, or one paper (SSL04)

` + "`lab/docs/papers/results.json`" + ` keeps what was measured, one entry a table, from which this page is written; nothing on it is typed in but what the papers print.
Times are computing time of one thread (CLOCK_THREAD_CPUTIME_ID), the median of three where a check takes less than 3 ms, after a warm-up. The methods take
turns on each motion. A row ends after some seconds of computing even if motions are left: each says how many it has. COL means that the motion touches,
NO-COL that it does not, by the default engine. Behind the title of a table or figure stands the section of the paper that tells of it.
`

func (p *page) head() {
	p.line("%s", about)
	machines, quick := map[string]bool{}, 0
	for _, r := range p.kept.of {
		machines[r.Machine] = true
		if r.Scale != string(Full) {
			quick++
		}
	}
	names := make([]string, 0, len(machines))
	for m := range machines {
		names = append(names, m)
	}
	slices.Sort(names)
	p.line("Our machine: %s.", strings.Join(names, "; "))
	if quick > 0 {
		p.line("\n**%d of the entries below were measured at quick scale, on a few motions each.**", quick)
	}
	p.line("")
}

// claims sums up what the papers show with numbers, and what shows here.
func (p *page) claims() {
	var rows [][]string
	held, all := 0, 0
	for _, paper := range papers() {
		for i := range paper.Entries {
			key := paper.key(&paper.Entries[i])
			r := p.kept.of[key]
			if r == nil {
				continue
			}
			for _, c := range r.Claims {
				all++
				if c.Holds {
					held++
				}
				rows = append(rows, []string{key, c.Says, c.Paper, c.ours(), c.verdict()})
			}
		}
	}
	if all == 0 {
		return
	}
	p.line("## What the papers claim, and whether it shows here\n\n%d of %d show.\n", held, all)
	p.table(&Table{Head: []string{"where", "what the paper shows", "there", "here", "shows"}, Rows: rows})
}

func (c *Claim) ours() string {
	if c.Missing != "" {
		return "not measured: " + c.Missing
	}
	return strings.TrimSpace(digits(c.Value) + " " + c.Unit)
}

func (c *Claim) verdict() string {
	if c.Holds {
		return "yes"
	}
	return "**no** (" + c.Want + ")"
}

// duels sums up where the default engine is faster than the papers' methods.
func (p *page) duels() {
	var all []Duel
	p.line("## The default engine against each paper's method\n\nMeans over the same motions, in the same run; of a paper's method in several forms, the one that does best.\n")
	for _, paper := range papers() {
		var of []Duel
		for i := range paper.Entries {
			if r := p.kept.of[paper.key(&paper.Entries[i])]; r != nil {
				of = append(of, r.Duels...)
			}
		}
		if len(of) > 0 {
			p.line("- **%s** (`%s`): %s", paper.Key, paper.Method, judged(of))
			all = append(all, of...)
		}
	}
	if len(all) == 0 {
		p.line("Not measured yet.\n")
		return
	}
	p.line("- **all**: %s\n", judged(all))
	var agreed agreement
	for _, r := range p.kept.of {
		agreed.add(r.Agreed)
	}
	p.line("The methods that prove were held against each other on all of these motions: %s. A disagreement is a witness within the clearance at a time that\n"+
		"another method proved free; a tie is one that is a little farther apart, within the tolerance of a contact.\n", agreed)
}

// judged says in how many of the duels the default engine is faster, and names those
// where it is not.
func judged(of []Duel) string {
	var slower []string
	faster := 0
	var ratios []float64
	for i := range of {
		d := &of[i]
		ratios = append(ratios, d.Ratio())
		if d.Ratio() > 1 {
			faster++
			continue
		}
		slower = append(slower, fmt.Sprintf("%s against %s (%s times its time, n = %d)", d.What, d.Method, digits(1/d.Ratio()), d.N))
	}
	slices.Sort(ratios)
	s := fmt.Sprintf("the default engine is faster in %d of %d: the other method takes %s to %s times its time, %s in the median.",
		faster, len(of), digits(ratios[0]), digits(ratios[len(ratios)-1]), digits(ratios[len(ratios)/2]))
	if len(slower) == 0 {
		return s
	}
	return s + " **It is not faster on:** " + strings.Join(slower, "; ") + "."
}

func (p *page) paper(of *Paper) {
	p.line("## %s\n\n%s. Its machine: %s. Its method here: `%s`.\n", of.Key, of.Cite, of.Machine, of.Method)
	for i := range of.Entries {
		p.entry(of, &of.Entries[i])
	}
}

func (p *page) entry(of *Paper, e *Entry) {
	p.line("### %s %s: %s (%s)\n", of.Key, of.named(e.Name), e.Title, e.Where)
	p.theirs(of, e)
	switch r := p.kept.of[of.key(e)]; {
	case e.Run == nil:
		p.line("*Here:* not measured: %s.\n", e.Why)
	case r == nil:
		p.line("*Here:* not measured yet: `firstcontact-lab papers --only %s`.\n", of.key(e))
	default:
		p.ours(e, r)
	}
}

// named writes table11 as its paper counts: Table XI or Table 11.
func (of *Paper) named(name string) string {
	for _, kind := range []string{"figure", "table"} {
		if n, ok := strings.CutPrefix(name, kind); ok {
			if i, err := strconv.Atoi(n); err == nil && kind == "table" && of.Roman {
				n = roman(i)
			}
			return strings.ToUpper(kind[:1]) + kind[1:] + " " + n
		}
	}
	return name
}

// roman writes a number below 40.
func roman(n int) string {
	ones := []string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	return strings.Repeat("X", n/10) + ones[n%10]
}

// theirs writes what the paper gives.
func (p *page) theirs(of *Paper, e *Entry) {
	if !e.Printed() {
		p.line("*Paper:* not available in the text (%s).\n", e.Lost)
		return
	}
	if e.Says != "" {
		p.line("*Paper:* %s.\n", e.Says)
	}
	for i := range e.Theirs {
		t := e.Theirs[i]
		t.Title = "Paper, on " + of.Machine
		if e.Theirs[i].Title != "" {
			t.Title += " (" + e.Theirs[i].Title + ")"
		}
		p.table(&t)
	}
	if e.Lost != "" {
		p.line("Not available in the text: %s.\n", strings.TrimSuffix(e.Lost, "."))
	}
}

// ours writes what was measured.
func (p *page) ours(e *Entry, r *Result) {
	p.line("%s\n", strings.Join(append(append([]string{"*Here:*"}, sentences(e.Differ)...), r.Setup...), " "))
	for i := range r.Tables {
		p.table(&r.Tables[i])
	}
	for _, c := range r.Charts {
		p.line("![%s](papers/%s.svg)\n", c.Title, c.Name)
	}
	for _, c := range r.Claims {
		p.line("- %s: there %s, here %s; %s.", c.Says, c.Paper, c.ours(), map[bool]string{true: "shows", false: "**does not show** (" + c.Want + ")"}[c.Holds])
	}
	for _, n := range r.Notes {
		p.line("- %s.", strings.TrimSuffix(n, "."))
	}
	if r.Agreed.Answers > 0 {
		p.line("- %s.", r.Agreed)
	}
	if len(r.Duels) > 0 {
		p.line("- Of the means above, %s", judged(r.Duels))
	}
	if len(r.Claims)+len(r.Notes)+len(r.Duels)+r.Agreed.Answers > 0 {
		p.line("")
	}
}

func sentences(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// table writes a table; bars inside cells would end them.
func (p *page) table(t *Table) {
	if t.Title != "" {
		p.line("%s:\n", t.Title)
	}
	row := func(cells []string) {
		clean := make([]string, len(cells))
		for i, c := range cells {
			clean[i] = strings.ReplaceAll(c, "|", "\\|")
		}
		p.line("| %s |", strings.Join(clean, " | "))
	}
	row(t.Head)
	p.line("|%s", strings.Repeat("---|", len(t.Head)))
	for _, r := range t.Rows {
		row(r)
	}
	p.line("")
}
