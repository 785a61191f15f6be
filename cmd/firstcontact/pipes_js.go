package main

// ignoreBrokenPipes does nothing: a browser has no pipes.
func ignoreBrokenPipes() {}
