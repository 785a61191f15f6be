package node

// stage is where the life of the node stands, as far as its model is concerned. The zero value
// lets the model be used as soon as it is there.
type stage struct {
	withheld string // why the model may not be used, or ""
	working  bool   // the loader runs: where there is no model, its own reason says why
}

// shown returns the model that may be used, or nil and the reason. The caller holds mu.
func (l *loader) shown() (*model, string) {
	switch {
	case l.stage.withheld == "":
		return l.model, l.absent
	case l.stage.working && l.model == nil:
		return nil, l.absent
	}
	return nil, l.stage.withheld
}

// enter changes the stage. When it returns, whoever asks for the model gets what the stage
// allows.
func (l *loader) enter(s stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage = s
	l.use(l.shown())
}

// kept returns the model, whether it may be used or not, or nil.
func (l *loader) kept() *model {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.model
}

// forget frees the model, and makes the loader ready to run again. Texts that came on topics are
// kept: they are loaded first. run must have returned.
func (l *loader) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for text, s := range l.spare { // the newest counts
		*text = s.text
	}
	l.used, l.failed, l.spare, l.loading = description{}, description{}, nil, false
	l.warn("")
	l.set(nil, l.beginning())
	if !l.given && l.desc.urdf.given() {
		l.loading = true
		nudge(l.heard)
	}
}

// beginning is why there is no model before the loader has run.
func (l *loader) beginning() string {
	if l.given {
		return "the model is being loaded"
	}
	return "no robot description has arrived yet"
}
