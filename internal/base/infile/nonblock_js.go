package infile

// nonblock is nothing where no pipes are.
const nonblock = 0
