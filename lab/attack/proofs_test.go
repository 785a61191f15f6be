package attack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// prove has a proof written down and verified, and every corrupted copy refused.
func (s *subject) prove(t *testing.T, d dice, f *found, p *place, m *motion.Motion) {
	var text bytes.Buffer
	c := p.checker
	v, err := c.Certify(context.Background(), m, motion.Query{}, &text)
	must(t, err)
	if v.Status != motion.Free {
		return
	}
	check := func(text string) (*verify.Report, error) {
		return verify.Verify(context.Background(), c.Robot(), c.World(), m, strings.NewReader(text), verify.Options{})
	}
	f.Proofs++
	r, err := check(text.String())
	if err != nil {
		f.ProofsFailed++
		t.Errorf("%v: %v", p, err)
		return
	}
	f.Items += r.Items
	for _, how := range slices.Sorted(maps.Keys(corruptions)) { // in one order, for the dice's sake
		bad, ok := corruptions[how](d, text.String())
		if !ok {
			continue
		}
		f.Corrupted++
		if _, err := check(bad); err == nil {
			f.Believed++
			t.Errorf("%v: a proof that was corrupted (%s) is believed", p, how)
		}
		// With a sum that fits, what is left must not prove it either, unless the other
		// items say all there is to say.
		bad = string(certificate.Seal([]byte(bad)))
		if bad == text.String() {
			continue // only the sum was cut
		}
		if _, err := check(bad); err == nil {
			if f.Needless++; how == needless {
				continue
			}
			f.Believed++
			t.Errorf("%v: a proof that was corrupted (%s) and sealed is believed", p, how)
		}
	}
}

// needless is the corruption that may leave a proof as good as it was: what it takes
// away may have been said twice.
const needless = "another body"

// corruptions make a proof one that proves less, or nothing; ok is false where a proof
// has nothing of the kind.
var corruptions = map[string]func(dice, string) (string, bool){
	// All that was said of a pair of bodies is missing. (A single item may be one too many.)
	"a pair left out": func(d dice, text string) (string, bool) {
		lines, i, ok := pick(d, text, "plane", "balls")
		if !ok {
			return "", false
		}
		gone, pair := 0, bodiesOf(lines[i])
		for i, line := range lines {
			if bodiesOf(line) == pair {
				lines[i] = ""
				gone++
			}
		}
		end := len(lines) - 1
		for !strings.HasPrefix(lines[end], "end ") {
			end--
		}
		lines[end] = fmt.Sprintf("end %d\n", int(parsed(strings.TrimSpace(lines[end][4:])))-gone)
		return strings.Join(lines, ""), true
	},
	// An interval ends a rounding earlier.
	"a gap in time": func(d dice, text string) (string, bool) {
		return edit(d, text, []string{"at"}, func(w []string) { w[3] = float(math.Nextafter(parsed(w[3]), -1)) })
	},
	// The plane's sides are swapped.
	"a plane turned round": func(d dice, text string) (string, bool) {
		return edit(d, text, []string{"plane"}, func(w []string) {
			for k := 3; k < 6; k++ {
				w[k] = float(-parsed(w[k]))
			}
		})
	},
	// What is said of a pair of bodies is said of another.
	needless: func(d dice, text string) (string, bool) {
		lines, i, ok := pick(d, text, "plane", "balls")
		if !ok {
			return "", false
		}
		pair, bodies := bodiesOf(lines[i]), strings.Count(text, "\nbody ")
		other := (pair[0] + 1 + d.IntN(bodies-1)) % bodies
		for other == pair[1] && bodies > 2 {
			other = (other + 1) % bodies
			if other == pair[0] {
				other = (other + 1) % bodies
			}
		}
		for i, line := range lines {
			if bodiesOf(line) != pair {
				continue
			}
			w := strings.Fields(line)
			for side := 1; side <= 2; side++ {
				if int(parsed(strings.SplitN(w[side], ":", 2)[0])) == pair[0] {
					w[side] = strconv.Itoa(other)
					break
				}
			}
			lines[i] = strings.Join(w, " ") + "\n"
		}
		return strings.Join(lines, ""), true
	},
	"more clearance claimed": func(d dice, text string) (string, bool) {
		return edit(d, text, []string{"clearance"}, func(w []string) { w[1] = "1000" })
	},
	"another motion": func(d dice, text string) (string, bool) {
		return edit(d, text, []string{"motion"}, func(w []string) { w[len(w)-1] = flipped(d, w[len(w)-1]) })
	},
	"another scene": func(d dice, text string) (string, bool) {
		return edit(d, text, []string{"scene"}, func(w []string) { w[1] = flipped(d, w[1]) })
	},
	"cut off": func(d dice, text string) (string, bool) {
		return text[:d.IntN(len(text)-1)], true
	},
}

// pick splits a text into its lines, ends included, and draws one with a first word.
func pick(d dice, text string, words ...string) (lines []string, i int, ok bool) {
	lines = strings.SplitAfter(text, "\n")
	var of []int
	for i, line := range lines {
		for _, w := range words {
			if strings.HasPrefix(line, w+" ") {
				of = append(of, i)
			}
		}
	}
	if len(of) == 0 {
		return lines, 0, false
	}
	return lines, of[d.IntN(len(of))], true
}

// edit changes the words of a line.
func edit(d dice, text string, words []string, change func([]string)) (string, bool) {
	lines, i, ok := pick(d, text, words...)
	if !ok {
		return "", false
	}
	w := strings.Fields(lines[i])
	change(w)
	lines[i] = strings.Join(w, " ") + "\n"
	return strings.Join(lines, ""), true
}

// bodiesOf is the two bodies that an item is about; of other lines it is -1.
func bodiesOf(line string) [2]int {
	w := strings.Fields(line)
	if len(w) < 3 || w[0] != "plane" && w[0] != "balls" {
		return [2]int{-1, -1}
	}
	var pair [2]int
	for i := range pair {
		pair[i] = int(parsed(strings.SplitN(w[1+i], ":", 2)[0]))
	}
	slices.Sort(pair[:])
	return pair
}

func float(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func parsed(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(errors.Join(fmt.Errorf("a number of a certificate: %q", s), err))
	}
	return x
}

// flipped changes one digit of a sum.
func flipped(d dice, sum string) string {
	b := []byte(sum)
	i := d.IntN(len(b))
	if b[i]++; b[i] > '9' && b[i] < 'a' || b[i] > 'f' {
		b[i] = '0'
	}
	return string(b)
}
