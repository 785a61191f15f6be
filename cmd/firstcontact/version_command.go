package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/buildinfo"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
	"github.com/firstcontact-ros/firstcontact/node/ros/fastdds"
)

// versionReport is what version --json prints; the keys are stable.
type versionReport struct {
	answer.Head
	// Version of the module, "(devel)" for a build from a clone.
	Version string `json:"version"`
	// Commit that the program was built from.
	Commit string `json:"commit,omitempty"`
	// Modified: there were changes beside the commit.
	Modified bool `json:"modified"`
	// Version of Go.
	Go string `json:"go"`
	// Operating system and processor.
	Platform string `json:"platform"`
	// Version of the Cyclone DDS whose headers were used; absent: built without the node.
	Cyclone string `json:"cyclonedds,omitempty"`
	// Version of the Fast DDS whose headers were used; absent: built without it.
	Fast string `json:"fastdds,omitempty"`
}

func versionCommand(s cli.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print version, commit, Go, Cyclone DDS and Fast DDS",
		Long: `Print what this program was built from: version, commit, Go toolchain, platform,
and the versions of Cyclone DDS and Fast DDS if they were built in. Give all of it when you
report a problem. 'firstcontact --version' prints the same on one line.`,
		Example: `  firstcontact version
  firstcontact version --json | jq -r .commit`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := newVersionReport(buildinfo.Read(), buildinfo.Revision)
			if asJSON {
				return answer.Encode(s.Out, r)
			}
			_, err := fmt.Fprint(s.Out, r.text())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func newVersionReport(info *debug.BuildInfo, linked string) versionReport {
	r := versionReport{
		Head: answer.HeadOf("version"), Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Cyclone: cyclone.Version, Fast: fastdds.Version,
	}
	if info.Main.Version != "" {
		r.Version = info.Main.Version
	}
	r.Commit, r.Modified = buildinfo.Commit(info, linked)
	return r
}

func (r *versionReport) text() string {
	commit, dds, fast := "unknown", "not built in: the commands node and demo do not work", "not built in"
	if r.Commit != "" {
		commit = r.Commit
	}
	if r.Modified {
		commit += ", with changes"
	}
	if r.Fast != "" {
		dds, fast = "not built in: the command demo does not work", r.Fast
	}
	if r.Cyclone != "" {
		dds = r.Cyclone
	}
	return fmt.Sprintf("firstcontact %s\ncommit       %s\nGo           %s, %s\nCyclone DDS  %s\nFast DDS     %s\n", r.Version, commit, r.Go, r.Platform, dds, fast)
}
