// Command gen writes the ROS parameter file and the reference from the list of
// parameters. Run it in the folder of package config: go generate ./config.
package main

import (
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("config/gen: ")
	for name, text := range files() {
		if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// files returns the generated texts by their paths relative to package config.
func files() map[string]string {
	return map[string]string{
		"firstcontact.yaml":     parameterFile(),
		"../docs/parameters.md": reference(),
	}
}
