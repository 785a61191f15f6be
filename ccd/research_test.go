package ccd

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	methods "github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// researchValues are the values to try for settings that are more than switches.
var researchValues = map[string][]string{
	"swept":      {"slices", "tessellate", "cpu", "auto"}, // gpu and image: internal/graphics/sweptgl
	"refinement": {"0", "2", "8"},
	"order":      {"likely", "longest", "earliest"}, "cover": {"middle", "ends", "midst"},
}

// research calls f with every method that has settings and each of its flags.
func research(f func(by methods.Tunable, setting *flag.Flag)) {
	for _, e := range methods.All() {
		if by, ok := e.(methods.Tunable); ok {
			by.Settings().VisitAll(func(setting *flag.Flag) { f(by, setting) })
		}
	}
}

// researchSettings lists the settings of every method, one by one and a few together.
func researchSettings(t *testing.T) map[motion.Method][]string {
	all := map[motion.Method][]string{
		motion.Articulate: {"no-dynamic-bvh,no-swept,no-newton", "swept=tessellate,one-step"},
		motion.Catch:      {"simultaneous,no-hulls", "no-sorting,no-temporal-culling,no-memory", "no-directions,sums-of-norms,interval-boxes"},
		motion.Bisect:     {"refined,cover=middle,no-never"},
	}
	research(func(by methods.Tunable, f *flag.Flag) {
		values := researchValues[f.Name]
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			values = []string{"true", "false"}
		}
		if values == nil {
			t.Errorf("no values are tried for %s of method %s", f.Name, by.Method())
		}
		for _, v := range values {
			all[by.Method()] = append(all[by.Method()], f.Name+"="+v)
		}
	})
	return all
}

// No research setting changes what a verdict proves: none has a witness where the
// default engine has a proof, nor the other way round.
func TestResearchSettingsAgree(t *testing.T) {
	settings := researchSettings(t)
	motions := 12
	if race.Enabled {
		motions = 2
	}
	motions = switches.Methods.Or(motions)
	var tally agreement.Tally
	undecided := map[string]int{}
	for i := range motions {
		d := dice{chance.New(41, uint64(i))}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		m := d.motion(c.ActiveJoints())
		for by, all := range settings {
			for _, setting := range all {
				q := motion.Query{Question: motion.Question(i % 2), Budget: methodBudget}
				var answers []agreement.Answer
				for _, q.Method = range []motion.Method{motion.Spacetime, by} {
					if q.Research = ""; q.Method == by {
						q.Research = setting
					}
					v, err := c.Check(context.Background(), m, q)
					if err != nil {
						t.Fatalf("method %s with %s: %v", q.Method, q.Research, err)
					}
					if answers = append(answers, agreement.Answer{Method: q.Method, Verdict: v}); v.Status == motion.Undecided {
						undecided[fmt.Sprint(by, " ", setting)]++
					}
				}
				for _, wrong := range tally.Add(&q, answers) {
					t.Errorf("motion %d, method %s with %s: %s", i, by, setting, wrong)
				}
			}
		}
	}
	t.Log(&tally, "undecided:", undecided)
	if !race.Enabled && (tally.Contact == 0 || tally.Contact == tally.Questions) {
		t.Errorf("%d of %d questions end in a contact: the test is one-sided", tally.Contact, tally.Questions)
	}
}

// A setting has an effect: a method with stages left out does other work.
func TestResearchSettingsReachTheEngine(t *testing.T) {
	for by, setting := range map[motion.Method]string{
		motion.Articulate: "no-dynamic-bvh,no-swept", motion.Catch: "no-spatial-culling,no-hulls", motion.Bisect: "refined,no-never",
	} {
		differs := false
		for i := range 6 {
			d := dice{chance.New(43, uint64(i))}
			c, err := New(d.robot(), d.world(), anyRobot)
			if err != nil {
				t.Fatal(err)
			}
			m := d.motion(c.ActiveJoints())
			work := func(research string) motion.Work {
				v, err := c.Check(context.Background(), m, motion.Query{Method: by, Research: research})
				if err != nil {
					t.Fatal(err)
				}
				return v.Work
			}
			differs = differs || work("") != work(setting)
		}
		if !differs {
			t.Errorf("method %s does the same work with %s", by, setting)
		}
	}
}

func TestResearchSettingsRefused(t *testing.T) {
	c, m := pendulum(t, 3)
	for _, x := range []struct {
		by       motion.Method
		settings string
		why      string
	}{
		{motion.Auto, "no-newton", "method spacetime has no research settings"},
		{motion.Spacetime, "no-newton", "method spacetime has no research settings"},
		{motion.Articulate, "no-hulls", `method articulate has no research setting "no-hulls": there are no-dynamic-bvh, `},
		{motion.Articulate, "swept", "swept=VALUE"},
		{motion.Articulate, "swept=pixels", "give slices, tessellate, cpu, gpu, image or auto"},
		{motion.Articulate, "refinement=9", "from 0 to 8"},
		{motion.Articulate, "refinement=-1", "from 0 to 8"},
		{motion.Articulate, "no-newton,,", `has no research setting ""`},
		{motion.Catch, "no-hulls=maybe", "no-hulls=maybe"},
		{motion.Bisect, "order=random", "give one of earliest, likely, longest"},
	} {
		_, err := c.Check(context.Background(), m, motion.Query{Method: x.by, Research: x.settings})
		if err == nil || !strings.Contains(err.Error(), x.why) {
			t.Errorf("method %s with %q: %v", x.by, x.settings, err)
		}
	}
	if _, err := c.PathChecker(motion.Query{Research: "no-newton"}); err == nil {
		t.Error("a path checker takes research settings")
	}
}

func TestResearchSettingsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/methods.md")
	if err != nil {
		t.Fatal(err)
	}
	research(func(by methods.Tunable, f *flag.Flag) {
		name := f.Name
		if _, valued := researchValues[name]; valued {
			name += "=VALUE"
		}
		if row := fmt.Sprintf("| `%s` | `%s` | %s |\n", by.Method(), name, f.Usage); !strings.Contains(string(page), row) {
			t.Errorf("docs/methods.md lacks %s", row)
		}
	})
}
