package papers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/firstcontact-ros/firstcontact/internal/base/outfile"
)

// results are what was measured, by key, kept in a file.
type results struct {
	path string
	of   map[string]*Result
}

// load reads what is kept; no file is no result.
func load(path string) (*results, error) {
	r := &results{path: path, of: map[string]*Result{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &r.of); err != nil {
		return nil, fmt.Errorf("%s: %w; take it away to measure all anew", path, err)
	}
	for key, x := range r.of {
		for i := range x.Samples {
			if err := x.Samples[i].check(); err != nil {
				return nil, fmt.Errorf("%s: %s, %w; measure it anew", path, key, err)
			}
		}
	}
	return r, nil
}

// put keeps a result, and the file with it. The file is replaced as a whole, so that it
// is never half written.
func (r *results) put(key string, x *Result) error {
	r.of[key] = x
	data, err := json.MarshalIndent(r.of, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return outfile.Write(r.path, outfile.Text(append(data, '\n')))
}
