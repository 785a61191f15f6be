package main

import "os"

// Example is what the program prints, in the root of the repository.
func Example() {
	must(0, os.Chdir("../.."))
	main()
	// Output: right_palm and handle touch at 0.706512 s, and not before
}
