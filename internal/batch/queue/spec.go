package queue

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
	"github.com/firstcontact-ros/firstcontact/internal/setting"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Spec is all that a worker needs to know of a batch, but for the files with motions.
type Spec struct {
	Program string // SHA-256
	Robot   *urdf.Robot
	Scene   *scene.Snapshot // nil: none
	Options ccd.Options
	Query   motion.Query
	Replace bool // the scene replaces the obstacles of planning problems

	Motion      motionfile.Options
	Topics      []string
	MappingName string // "" without a mapping
	Mapping     []byte
	Lengths     map[string]bool // joints whose positions are lengths

	Plan *batch.Plan
	Sums [4]string // of robot, SRDF, scene and what verdicts depend on besides, as the submitter's judge has them
}

// Seal fills in what the submitter's judge says, to which workers are held. It fails where the answer depends on
// what is not sent.
func (s *Spec) Seal(j *batch.Judge) error {
	if s.Options.Proofs != nil || s.Options.OnlyProven {
		return errors.New("proven pairs are not sent to workers: leave out --pairs and --acm proven, or check on one machine")
	}
	s.Sums = j.Sums()
	s.Options.Progress, s.Options.Cache = nil, ""
	return nil
}

func (s *Spec) encode() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(s)
	return b.Bytes(), err
}

// subject builds what the spec describes, and refuses it unless it is what the submitter has.
func (s *Spec) subject(ctx context.Context, dir string) (*batch.Subject, error) {
	c, err := ccd.NewContext(ctx, s.Robot.Clone(nil), s.Scene, s.Options)
	if err != nil {
		return nil, err
	}
	out := &batch.Subject{Judge: batch.NewJudge(setting.Setting{Checker: c, State: s.Options.State, Scene: s.Replace}, s.Query), Options: dataset.Options{Motion: s.Motion, Topics: s.Topics}}
	if out.Judge.Sums() != s.Sums {
		return nil, errors.New("robot, scene or question are not what the submitter has: the programs differ")
	}
	if s.MappingName != "" {
		path := filepath.Join(dir, filepath.Base(s.MappingName))
		if err := outfile.Write(path, outfile.Text(s.Mapping)); err != nil {
			return nil, err
		}
		if out.Options.Mapping, err = dataset.ReadMapping(ctx, path, s.Lengths); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pack returns a file with motions, or a folder that counts as one, as an archive.
func pack(ctx context.Context, file dataset.File) ([]byte, error) {
	paths, err := dataset.Contents(file)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, path := range paths {
		data, err := infile.Read(ctx, path, limit.BagBytes)
		if err != nil {
			return nil, err
		}
		w, err := z.Create(filepath.ToSlash(name))
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}

// unpack writes an archive below a folder, unless it has been.
func unpack(ctx context.Context, data []byte, dir string) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, entry := range z.File {
		name := filepath.FromSlash(entry.Name)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s leads out of its folder", entry.Name)
		}
		r, err := entry.Open()
		if err != nil {
			return err
		}
		text, err := infile.ReadAll(ctx, entry.Name, r, limit.BagBytes)
		r.Close()
		if err != nil {
			return err
		}
		path := filepath.Join(dir, name)
		if err := outfile.Folder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := outfile.Write(path, outfile.Text(text)); err != nil {
			return err
		}
	}
	return nil
}

// objects returns the object store of a batch.
func (r *Remote) objects(ctx context.Context, js jetstream.JetStream, id string) (jetstream.ObjectStore, error) {
	return js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket(id), Storage: jetstream.FileStorage, Replicas: max(1, r.Replicas)})
}

func bucket(id string) string { return "firstcontact-" + id[:short] }
