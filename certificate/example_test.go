package certificate_test

import (
	"fmt"
	"io"
	"log"

	"github.com/firstcontact-ros/firstcontact/certificate"
)

// Read what a certificate says it proves, and count its items. To check the items use
// package verify.
func ExampleNewReader() {
	file, err := certificate.Open("verify/testdata/door.cert")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	r, err := certificate.NewReader(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("robot %s, motion %s, clearance %g m\n", r.Header.Robot, r.Header.Motion, r.Header.Clearance)
	items := 0
	for {
		entry, err := r.Next()
		if err == io.EOF {
			break // complete, and unchanged since it was written
		}
		if err != nil {
			log.Fatal(err)
		}
		if entry.Item != nil {
			items++
		}
	}
	fmt.Println(items, "items")
	// Output:
	// robot door, motion open, clearance 0.003 m
	// 234 items
}
