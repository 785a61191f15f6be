package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// input is one question: files as text, and arguments.
type input struct {
	robot  string            // the folder of the robot's files
	urdf   string            // the name of its URDF in there
	srdf   string            // of its SRDF; empty: none
	files  map[string][]byte // that replace files of the folder; nil: the file is missing
	scene  *scene
	motion *table

	sceneText  string // replaces what scene writes
	motionText string
	sceneName  string // default scene.yaml
	args       []string
}

// clone copies what slips change.
func (in *input) clone() *input {
	out := *in
	out.files = maps.Clone(in.files)
	if out.files == nil {
		out.files = map[string][]byte{}
	}
	if in.scene != nil {
		s := *in.scene
		s.objects = slices.Clone(s.objects)
		out.scene = &s
	}
	if in.motion != nil {
		out.motion = in.motion.clone()
	}
	out.args = slices.Clone(in.args)
	return &out
}

// text is a file of the robot's folder as it stands now.
func (in *input) text(name string) string {
	if data, ok := in.files[name]; ok {
		return string(data)
	}
	data, err := os.ReadFile(filepath.Join(in.robot, name))
	if err != nil {
		panic(err)
	}
	return string(data)
}

// edit replaces a file of the robot's folder; it tells whether that changed it.
func (in *input) edit(name string, change func(string) string) bool {
	before := in.text(name)
	after := change(before)
	in.files[name] = []byte(after)
	return after != before
}

// meshes lists the files of the robot's folder that look like meshes, named as in the folder.
func (in *input) meshes() []string {
	var found []string
	_ = filepath.WalkDir(in.robot, func(path string, d fs.DirEntry, err error) error {
		if err == nil && slices.Contains([]string{".stl", ".dae", ".obj"}, strings.ToLower(filepath.Ext(path))) {
			name, _ := filepath.Rel(in.robot, path)
			if strings.Contains(in.text(in.urdf), filepath.Base(path)) {
				found = append(found, name)
			}
		}
		return nil
	})
	return found
}

// write lays the files out in an empty folder and returns the command's arguments.
func (in *input) write(folder string) ([]string, error) {
	robot := filepath.Join(folder, "robot")
	if err := in.link(robot); err != nil {
		return nil, err
	}
	args := []string{"check", "--json", "--deadline", "20s", "--robot", filepath.Join(robot, in.urdf)}
	if in.srdf != "" {
		args = append(args, "--srdf", filepath.Join(robot, in.srdf))
	}
	if in.scene != nil || in.sceneText != "" {
		name, text := in.sceneName, in.sceneText
		if name == "" {
			name = "scene.yaml"
		}
		if text == "" {
			text = in.scene.String()
		}
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, err
		}
		args = append(args, "--scene", file)
	}
	name, text := "motion.csv", in.motionText
	if in.motion.form != asCSV && in.motion.form != asEchoCSV && in.motion.form != asPlot {
		name = "motion.yaml"
	}
	if text == "" {
		text = in.motion.String()
	}
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return nil, err
	}
	return append(append(args, in.args...), file), nil
}

// link makes a folder of links to the robot's files, with those that are replaced.
func (in *input) link(folder string) error {
	err := filepath.WalkDir(in.robot, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(in.robot, path)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, name)
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		if _, replaced := in.files[name]; replaced {
			return nil
		}
		return os.Symlink(path, to)
	})
	if err != nil {
		return err
	}
	for name, data := range in.files {
		if data == nil {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
