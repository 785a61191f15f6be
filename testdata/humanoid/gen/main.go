// Command gen writes the humanoid test model: meshes, URDF, SRDF, a scene,
// motions, and what a check of them must find.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("o", "testdata/humanoid", "directory to write to")
	flag.Parse()
	files, err := everything()
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range files {
		name = filepath.Join(*dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// everything returns the files by their path under testdata/humanoid.
func everything() (map[string][]byte, error) {
	w := newWorld()
	m := w.robot
	motion := m.csv(wave, waveLength, waveRate)
	files := map[string][]byte{
		"humanoid.urdf":        []byte(m.urdf(true)),
		"humanoid_urdf10.urdf": []byte(m.urdf(false)),
		"humanoid.srdf":        []byte(m.srdf()),
		"obstacles.yaml":       []byte(scene(w.objects)),
		"wave.csv":             []byte(motion),
		"pairs.yaml":           []byte(pairsYAML(m, jointPairs())),
	}
	for name, mesh := range meshes {
		files["humanoid_description/meshes/"+name+".stl"] = mesh.stl(name)
	}

	var facts strings.Builder
	facts.WriteString(factsHead)
	facts.WriteString("motions:\n")
	p, err := csvPath(motion)
	if err != nil {
		return nil, fmt.Errorf("wave.csv: %w", err)
	}
	w.describe(&facts, "wave.csv", p)
	for _, tr := range trajectories() {
		files[tr.file] = []byte(tr.yaml(m))
		w.describe(&facts, tr.file, tr.path())
	}
	facts.WriteString("pairs:\n")
	for _, p := range jointPairs() {
		w.describe(&facts, p.id, p.path())
	}
	files["expected.yaml"] = []byte(facts.String())
	return files, nil
}
