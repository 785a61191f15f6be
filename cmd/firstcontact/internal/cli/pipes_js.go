package cli

// IgnoreBrokenPipes does nothing: a browser has no pipes.
func IgnoreBrokenPipes() {}
