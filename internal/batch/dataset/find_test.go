package dataset

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the mapping says of units and names holds for tables by whatever name, and a file that it cannot hold for is refused:
// degrees that are read as radians may be free.
func TestMappingHoldsForContentNotNames(t *testing.T) {
	dir := t.TempDir()
	trajectory := "joint_names: [hinge, slide]\npoints:\n- {positions: [0, 0], time_from_start: {sec: 0, nanosec: 0}}\n- {positions: [1, 1], time_from_start: {sec: 1, nanosec: 0}}\n"
	for name, text := range map[string]string{"a.csv": "hinge,time\n0,0\n1,1\n", "a.tsv": "hinge\ttime\n0\t0\n1\t1\n", "a.txt": "hinge;time\n0;0\n1;1\n", "a": "hinge,time\n0,0\n1,1\n", "a.yaml": trajectory} {
		path := write(t, filepath.Join(dir, name), []byte(text))
		_, err := open(t, path, mapping(t, "units: deg, m"))
		refused(t, err, "deg", filepath.Base(path))
		if _, err := open(t, path, mapping(t, "units: rad, m")); err != nil {
			t.Error(err)
		}
		if _, err := open(t, path, nil); err != nil {
			t.Error(err)
		}
		src, err := open(t, path, mapping(t, "{units: \"rad, m\", columns: [hinge, time], joints: {hinge: slide}}"))
		if name == "a.yaml" {
			refused(t, err, "maps hinge to slide", name)
		} else if err != nil {
			t.Error(err)
		} else if l, err := src.Motion(0); err != nil || !slices.Equal(l.Motion.Joints, []string{"slide"}) || !slices.Contains(l.Premises, "units: rad, m, by map.yaml") {
			t.Errorf("%s: %v %v %v", name, l.Motion.Joints, l.Premises, err)
		}
	}
	_, err := open(t, filepath.Join(dir, "a.csv"), mapping(t, "{units: \"rad, m\", columns: [time, hinge]}"))
	refused(t, err, "a.csv:1", "hinge,time", "time,hinge")
	measured := write(t, filepath.Join(dir, "plot.csv"), []byte("__time,/joint_states/hinge/position\n0,0\n0.1,1\n"))
	_, err = open(t, measured, mapping(t, "{units: rad, joints: {hinge: slide}}"))
	refused(t, err, "maps hinge to slide")
}

// A dataset of which files are missing is not complete, and says so in a row of its own.
func TestLeRobotThatIsNotComplete(t *testing.T) {
	dir := leRobot(t, frames())
	find := func() (list []File, ignored []string) {
		list, ignored, err := Find(context.Background(), []string{dir}, "")
		if err != nil {
			t.Fatal(err)
		}
		return list, ignored
	}
	says := func(total int) {
		text := strings.Replace(infoText, `"fps"`, fmt.Sprintf(`"total_frames": %d, "fps"`, total), 1)
		write(t, filepath.Join(dir, infoName), []byte(text))
	}
	if files, _ := find(); len(files) != 1 {
		t.Errorf("frames are not counted: %v", files)
	}
	src, err := open(t, dir, mapping(t, "units: deg"))
	if err != nil {
		t.Fatal(err)
	}
	if l, _ := src.Motion(0); !strings.Contains(strings.Join(l.Premises, "\n"), "completeness") {
		t.Errorf("premises %v", l.Premises)
	}
	says(12)
	if files, _ := find(); len(files) != 1 {
		t.Errorf("all frames are there: %v", files)
	}
	says(20)
	files, _ := find()
	if len(files) != 2 || files[1].Problem == "" {
		t.Fatalf("of 20 frames 12 are there: %v", files)
	}
	_, err = Open(context.Background(), files[1], Options{Mapping: mapping(t, "units: deg")})
	refused(t, err, "20 frames", "have 12")

	// Files that lie elsewhere below data are read, and what is not read is listed.
	from := filepath.Join(dir, "data", "chunk-000", "file-000.parquet")
	deep := filepath.Join(dir, "data", "a", "b", "episode.PARQUET")
	if err := os.MkdirAll(filepath.Dir(deep), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(from, deep); err != nil {
		t.Fatal(err)
	}
	others := []string{filepath.Join(dir, "data", ".part.parquet"), filepath.Join(dir, "meta", "episodes.parquet"), filepath.Join(dir, "videos", "a.mp4")}
	for _, path := range others {
		write(t, path, nil)
	}
	says(12)
	files, ignored := find()
	if len(files) != 1 || files[0].Path != deep || !slices.Equal(ignored, others) {
		t.Errorf("files %v, ignored %v", files, ignored)
	}
}

// Results below an input are no input, and links that lead in a circle are followed once.
func TestFindPassesResultsAndCircles(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "sub", "results")
	write(t, filepath.Join(dir, "sub", "a.csv"), nil)
	write(t, filepath.Join(out, "watch-1", "motions.parquet"), nil)
	for from, to := range map[string]string{filepath.Join(dir, "sub", "circle"): dir, filepath.Join(dir, "again"): out} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	files, _, err := Find(context.Background(), []string{dir}, "", out)
	if err != nil || len(files) != 1 || filepath.Base(files[0].Path) != "a.csv" {
		t.Error(files, err)
	}
}

// A folder that counts as one input hides nothing that lies beside its files.
func TestFindGoesOnBesideOneInput(t *testing.T) {
	const table = "time,hinge\n0,0\n1,1\n"
	const bag = "rosbag2_bagfile_information:\n  relative_file_paths: [a.mcap]\n"
	for name, c := range map[string]struct {
		files map[string]string
		one   bool // whether the folder itself is an input, of which these files are part
	}{
		"roadmap":            {map[string]string{nodesName: "hinge\n0\n1\n", edgesName: "0,1\n"}, true},
		"recording":          {map[string]string{"a.mcap": "x", "metadata.yaml": bag}, true},
		"metadata alone":     {map[string]string{"metadata.yaml": bag}, true},
		"stray recording":    {map[string]string{"a.mcap": "x", "b.db3.zstd": "x", "c.db3": "x", "c.db3-wal": "x"}, true},
		"another's metadata": {map[string]string{"metadata.yaml": "note: about this folder\n"}, false},
		"a roadmap and more": {map[string]string{nodesName: "hinge\n0\n1\n", edgesName: "0,1\n", "sub/a.mcap": "x"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range c.files {
				write(t, filepath.Join(dir, file), []byte(text))
			}
			want := []string{filepath.Join(dir, "path.csv"), filepath.Join(dir, "sub", "path.csv")}
			for _, path := range append(want, filepath.Join(dir, "picture.png")) {
				write(t, path, []byte(table))
			}
			files, ignored, err := Find(context.Background(), []string{dir})
			if err != nil || !slices.Equal(ignored, []string{filepath.Join(dir, "picture.png")}) {
				t.Errorf("ignored %v, %v", ignored, err)
			}
			for _, path := range want {
				if !slices.Contains(files, File{Path: path, Kind: Plain}) {
					t.Errorf("%s is not among %v", path, files)
				}
			}
			if one := files[0].Path == dir; one != c.one {
				t.Errorf("the folder is one input: %v, want %v", one, c.one)
			}
			for file := range c.files {
				path := filepath.Join(dir, file)
				listed := slices.ContainsFunc(files, func(f File) bool { return f.Path == path })
				if below := filepath.Dir(path) != dir; !below && listed == c.one {
					t.Errorf("%s is an input of its own: %v", file, listed)
				}
			}
		})
	}
}

// Arrays of two kinds in one file, of which one would not be checked, are refused.
func TestTwoKindsInOneArchive(t *testing.T) {
	dir := t.TempDir()
	roads := func() map[string][]byte {
		return map[string][]byte{
			"nodes": npy("<f8", "2, 2", []float64{0, 0, 1, 0.5}), "edges": npy("<i4", "1, 2", []int32{0, 1}), "joint_names": texts("hinge", "slide"),
		}
	}
	m := mapping(t, "{units: \"rad, m\", columns: [slide, hinge], rate: 1, quaternion: wxyz}")
	both, nodes, places, names := roads(), retargeted(), roads(), roads()
	both["dof_pos"] = retargeted()["dof_pos"]
	nodes["nodes"] = roads()["nodes"]
	places["root_pos"] = npy("<f8", "2, 3", make([]float64, 6))
	names["joint_names"] = texts("hinge", "slide", "wheel")
	for _, c := range []struct {
		arrays map[string][]byte
		words  []string
	}{
		{both, []string{"nodes, edges of a roadmap and dof_pos of a motion"}},
		{nodes, []string{"nodes of a roadmap and dof_pos of a motion"}},
		{places, []string{"root_pos beside nodes, edges of a roadmap"}},
		{names, []string{"2 columns and 3 names"}}, // and columns of the mapping do not replace them
	} {
		_, err := open(t, npz(t, filepath.Join(dir, "two.npz"), c.arrays), m)
		refused(t, err, append(c.words, "two.npz")...)
	}
}

// A table that may have been cut short says so, and a byte order mark is no part of a name.
func TestRoadmapThatMayBeCutShort(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, nodesName), []byte("\xef\xbb\xbfhinge,slide\n0,0\n1,0.5\n2,1\n"))
	for text, want := range map[string]int{"1,0\n2,1\n": 0, "1,0\n2,1": 1} {
		write(t, filepath.Join(dir, edgesName), []byte(text))
		src, err := open(t, dir, mapping(t, "units: rad, m"))
		if err != nil {
			t.Fatal(err)
		}
		l, err := src.Motion(1)
		if err != nil || len(l.Warnings) != want || l.Motion.Joints[0] != "hinge" {
			t.Errorf("%q: warnings %v, joints %v, %v", text, l.Warnings, l.Motion.Joints, err)
		}
	}
	// A first edge that is spoiled is no header, which would be one edge less.
	write(t, filepath.Join(dir, edgesName), []byte("0,1O\n2,1\n"))
	_, err := open(t, dir, mapping(t, "units: rad, m"))
	refused(t, err, "edges.csv:1")
}

// Nodes keep their numbers, and no edge is lost or made up.
func TestRoadmapsAreNumberedAsTheyStand(t *testing.T) {
	dir := t.TempDir()
	const nodes = "# of the arm\n\nhinge,slide\n0,0\n1,0.5\n2,1\n"
	roads := func(nodes, edges string) (Source, error) {
		write(t, filepath.Join(dir, nodesName), []byte(nodes))
		write(t, filepath.Join(dir, edgesName), []byte(edges))
		return open(t, dir, mapping(t, "units: rad, m"))
	}
	for _, c := range []struct{ nodes, edges, word string }{
		{strings.Replace(nodes, "1,0.5", "#1,0.5", 1), "0,1\n", "nodes.csv:5: is no row but stands between rows"},
		{strings.Replace(nodes, "0,0", "#0,0", 1), "0,1\n", "nodes.csv:4: is no row but stands between rows"},
		{strings.Replace(nodes, "1,0.5\n", "\n1,0.5\n", 1), "0,1\n", "nodes.csv:5: is no row but stands between rows"},
		{strings.Replace(nodes, "1,0.5", "\"1\n\",0.5", 1), "0,1\n", "nodes.csv:6: is no row but stands between rows"},
		{nodes, "from,to\n0,1\n# one more\n1,2\n", "edges.csv:3: is no row but stands between rows"},
		{nodes, "\"0\",\"2\n0,1\n", "edges.csv: "},
		{nodes, ",\n0,1\n", "edges.csv:1"},
		{nodes, "0,x\n0,1\n", "edges.csv:1: column 2: \"x\" is not a number"},
	} {
		_, err := roads(c.nodes, c.edges)
		refused(t, err, c.word)
	}
	for edges, want := range map[string]int{
		"\"0\",\"2\"\n0,1\n":               0,
		"\"from\",\"to\"\n0, 2\r\n0,1\n\n": 0,
		"0,2\n0,1\n# all\n":                0,
		"0,1\n0,2\n":                       1, // may be the header that pandas writes
	} {
		src, err := roads(nodes, edges)
		if err != nil || src.Len() != 2 {
			t.Errorf("%q: %v", edges, err)
			continue
		}
		l, err := src.Motion(want)
		if err != nil || !slices.Equal(l.Motion.At(1), []float64{2, 1}) || len(l.Warnings) != want {
			t.Errorf("%q: edge %d leads to %v with warnings %v, %v", edges, want, l.Motion.At(1), l.Warnings, err)
		}
	}
}

// A stamp changes with every file that a source consists of.
func TestStamp(t *testing.T) {
	dir := t.TempDir()
	nodes := write(t, filepath.Join(dir, nodesName), []byte("hinge\n0\n"))
	write(t, filepath.Join(dir, edgesName), []byte("0,0\n"))
	before, err := Stamp(File{Path: dir, Kind: Roadmap})
	write(t, nodes, []byte("hinge\n0\n1\n"))
	after, err2 := Stamp(File{Path: dir, Kind: Roadmap})
	if err != nil || err2 != nil || before == after {
		t.Error(before, after, err, err2)
	}
}
