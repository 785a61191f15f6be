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
				if err := r.Charts[k].Draw(filepath.Join(out, "papers")); err != nil {
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

` + "`lab/docs/papers/results.json`" + ` keeps what was measured, the time of every method for every motion included, from which this page is written (` + "`--render`" + ` writes it without measuring); nothing on it is typed in but what the papers print.
Times are computing time of one thread (CLOCK_THREAD_CPUTIME_ID), the median of three where a check takes less than 3 ms, after a warm-up. The methods take
turns on each motion. A row ends after some seconds of computing even if motions are left: each says how many it has. COL means that the motion touches,
NO-COL that it does not, by the default engine. Behind the title of a table or figure stands the section of the paper that tells of it.

The rules, which are part of the program that writes the page (` + "`lab/papers/claim.go`, `duel.go`" + `):

- What a method did not decide in its time (4 s) is left out for all methods of the row, and counted; it is never averaged.
- Like is compared with like: where a paper's number is of motions that touch, so is ours.
- A ratio of times is told by means, by means without the largest time of each, and by medians, and shows only if all three pass the threshold. Two runs differ
  by some percent, so no ratio of times shows below 1.05.
- Each threshold is printed, also where it holds, and lies beyond the value that there is without the effect. Culling may leave twice what it leaves in the paper.
- A paper's method enters against the default engine in the form that does best. One duel counts for each workload and kind of work: of rows that repeat a
  workload or sweep a parameter, the one in which the paper's method does best, and no row with fewer than ten pieces of work.
- What differs from the paper's work stands in the row. Where the number of pairs differs by more than a factor of two, or the work is a small part of the paper's, nothing is compared.
- The build's profile (` + "`make hot`" + `) is trained on none of these motions.
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

// tally counts the verdicts on claims.
type tally struct{ shows, not, cannot int }

func (t *tally) add(c *Claim) {
	switch c.verdict() {
	case shows:
		t.shows++
	case showsNot:
		t.not++
	default:
		t.cannot++
	}
}

func (t tally) String() string {
	return fmt.Sprintf("%d show, %d do not show, %d cannot be compared", t.shows, t.not, t.cannot)
}

// judge works out what an entry's claims come to.
func (e *Entry) judge(r *Result) []Claim {
	if e.Judge == nil || r == nil {
		return nil
	}
	theirs := &Table{}
	if len(e.Theirs) > 0 {
		theirs = &e.Theirs[0]
	}
	return e.Judge(r, theirs)
}

// claims sums up what the papers show with numbers, and what shows here.
func (p *page) claims() {
	var rows [][]string
	var all tally
	each := map[string]*tally{}
	for _, paper := range papers() {
		each[paper.Key] = &tally{}
		for i := range paper.Entries {
			e := &paper.Entries[i]
			for _, c := range e.judge(p.kept.of[paper.key(e)]) {
				all.add(&c)
				each[paper.Key].add(&c)
				rows = append(rows, []string{paper.key(e), c.Says, c.Paper, c.ours(), c.verdict(), c.why()})
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	p.line("## What the papers claim, and whether it shows here\n\nOf %d claims %s.\n", len(rows), all)
	for _, paper := range papers() {
		p.line("- **%s**: %s.", paper.Key, each[paper.Key])
	}
	p.line("")
	p.table(&Table{Head: []string{"where", "what the paper shows", "there", "here", "shows", "wanted"}, Rows: rows})
}

// duels sums up where the default engine is faster than the papers' methods.
func (p *page) duels() {
	var all []Duel
	var left leftOut
	p.line("## The default engine against each paper's method\n\nOf the same work in the same run, one duel for each workload and kind of work. A paper's method enters in the form that does best.\n")
	for _, paper := range papers() {
		var samples []Sample
		for i := range paper.Entries {
			e := &paper.Entries[i]
			if r := p.kept.of[paper.key(e)]; r != nil {
				for _, s := range r.Samples {
					samples = append(samples, s.differing(both(s.Differs, e.Apart)))
				}
			}
		}
		of, out := counting(samples)
		left.add(out)
		if len(of) > 0 {
			for i := range of {
				of[i].Differs = both(of[i].Differs, paper.Apart)
			}
			p.line("- **%s** (`%s`): %s", paper.Key, paper.Method, judged(of))
			all = append(all, of...)
		}
	}
	if len(all) == 0 {
		p.line("Not measured yet.\n")
		return
	}
	p.line("- **all**: %s\n", judged(all))
	p.line("Not counted are %d rows that repeat a workload or sweep a parameter (of them the one counts in which the paper's method does best), and %d with fewer than %d pieces of work that both decided.\n", left.repeated, left.few, fewest)
	p.table(duelTable(all))
	var agreed agreement
	for _, r := range p.kept.of {
		agreed.add(r.Agreed)
	}
	p.line("The methods that prove were held against each other on all of these motions: %s. A disagreement is a witness within the clearance at a time that\n"+
		"another method proved free; a tie is one that is a little farther apart, within the tolerance of a contact.\n", agreed)
}

// both joins two texts of which any may be empty.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
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
	claims := e.judge(r)
	for i := range claims {
		c := &claims[i]
		p.line("- %s: there %s, here %s; %s (%s).", c.Says, c.Paper, c.ours(), map[string]string{shows: "shows", showsNot: "**does not show**", cannot: cannot}[c.verdict()], c.why())
	}
	for _, n := range r.Notes {
		p.line("- %s.", strings.TrimSuffix(n, "."))
	}
	if r.Agreed.Answers > 0 {
		p.line("- %s.", r.Agreed)
	}
	if len(claims)+len(r.Notes)+r.Agreed.Answers > 0 {
		p.line("")
	}
	if t := timesTable(r.Samples); len(t.Rows) > 0 {
		p.table(t)
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
