// Command humanoid writes the humanoid test model: meshes, URDF, SRDF, a scene,
// motions, and what a check of them must find.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

// folder holds the model, seen from here.
const folder = "../../testdata/humanoid"

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("o", folder, "directory to write to")
	flag.Parse()
	w := newWorld()
	ms, err := w.motions()
	if err != nil {
		log.Fatal(err)
	}
	w.measure(ms)
	files := w.files(ms)
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

// files returns the files by their path under testdata/humanoid.
func (w *world) files(ms []*motion) map[string][]byte {
	m := w.robot
	files := map[string][]byte{
		"humanoid.urdf":        []byte(m.urdf(true)),
		"humanoid_urdf10.urdf": []byte(m.urdf(false)),
		"humanoid.srdf":        []byte(m.srdf()),
		"obstacles.yaml":       []byte(scene(w.objects)),
		"wave.csv":             []byte(m.csv(wave, waveLength, waveRate)),
		"pairs.yaml":           []byte(pairsYAML(m, jointPairs())),
		"expected.yaml":        []byte(expected(ms)),
	}
	for _, tr := range trajectories() {
		files[tr.file] = []byte(tr.yaml(m))
	}
	for name, mesh := range meshes {
		files["humanoid_description/meshes/"+name+".stl"] = mesh.stl(name)
	}
	return files
}
