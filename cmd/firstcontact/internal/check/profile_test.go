package check

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

func TestProfileTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.csv")
	code, out, errs := command(t, "", humanoidArgs("--profile", file, humanoid+"trajectory_between.yaml")...)
	if code != cli.ExitContact || !strings.Contains(out, file) {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	rows := profileRows(t, file)
	if len(rows) < 20 || len(rows)%2 != 0 {
		t.Fatalf("%d rows", len(rows))
	}
	at, apart, touching := 0.0, 0, 0
	for i, row := range rows {
		time, lower, upper := value(t, row[0]), value(t, row[1]), value(t, row[2])
		if i%2 == 0 && time != at || time < at {
			t.Errorf("row %d is of %g, the one before of %g", i, time, at)
		}
		at = time
		if !(lower >= 0 && lower <= upper && upper-lower <= 1e-3) || row[3] == "" || row[4] == "" {
			t.Errorf("row %d: %v", i, row)
		}
		switch {
		case lower > 0.01:
			apart++
		case row[3] == "left_hand" && row[4] == "post" && lower == 0:
			touching++
		}
	}
	if at != 2.1 || apart < 4 || touching < 4 {
		t.Errorf("ends at %g, %d rows apart, %d touching", at, apart, touching)
	}
}

func profileRows(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || strings.Join(rows[0], ",") != "time,lower,upper,a,b" {
		t.Fatalf("%v: %v", rows[:1], err)
	}
	return rows[1:]
}

func value(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Unknown values are empty cells, and a note says so.
func TestProfileCutShort(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.csv")
	code, out, _ := command(t, "", humanoidArgs("--deadline", "1ns", "--profile", file, humanoid+"trajectory_free.yaml")...)
	if code != cli.ExitUndecided || !strings.Contains(out, "the profile was cut short: the deadline") {
		t.Errorf("exit %d: %s", code, out)
	}
	rows := profileRows(t, file)
	if last := rows[len(rows)-1]; strings.Join(last, ",") != "8.5,,,," {
		t.Errorf("ends with %q", last)
	}
}

// Beyond the limit there is a lower bound, and none above.
func TestProfileBeyond(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.csv")
	if code, out, errs := command(t, "", humanoidArgs("--no-self", "--profile-max", "0.1", "--profile", file, humanoid+"trajectory_free.yaml")...); code != cli.ExitFree {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	beyond := 0
	for _, row := range profileRows(t, file) {
		if row[2] == "" && math.Abs(value(t, row[1])-0.1) < 1e-9 {
			beyond++
		}
	}
	if beyond == 0 {
		t.Error("nothing is beyond a decimetre")
	}
}

// The picture is XML, with a shape for each span and the closest pair by name.
func TestProfilePicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.svg")
	command(t, "", humanoidArgs("--clearance", "0.02", "--profile", file, humanoid+"trajectory_between.yaml")...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	spans := 0
	for d := xml.NewDecoder(strings.NewReader(string(text))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "title" {
			spans++
		}
	}
	if spans < 10 {
		t.Errorf("%d spans", spans)
	}
	for _, want := range []string{"trajectory_between.yaml", "left_hand and post", "clearance 20.00 mm"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("nothing of %q in the picture", want)
		}
	}
	if strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") {
		t.Error("numbers that are none")
	}
}

func TestProfileUsage(t *testing.T) {
	free := humanoid + "trajectory_free.yaml"
	for _, args := range [][]string{
		{"--profile", "p.csv", free, free},
		{"--profile", "p.csv", "--profile-tolerance", "0", free},
		{"--profile", "p.csv", "--profile-max", "-1", free},
	} {
		if code, _, errs := command(t, "", humanoidArgs(args...)...); code != cli.ExitUsage || !strings.Contains(errs, "profile") {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	if code, _, errs := command(t, "", humanoidArgs("--profile", "nowhere/p.csv", free)...); code != cli.ExitOutput || !strings.Contains(errs, "--profile nowhere") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestRoundNumbers(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   []float64
	}{
		{0, 1, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{0, 0.0537, []float64{0, 0.01, 0.02, 0.03, 0.04, 0.05}},
		{2.1, 10, []float64{3, 4, 5, 6, 7, 8, 9, 10}},
	} {
		got := roundBetween(c.lo, c.hi)
		if len(got) != len(c.want) {
			t.Errorf("%g to %g: %v", c.lo, c.hi, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%g to %g: %v", c.lo, c.hi, got)
			}
		}
	}
}
