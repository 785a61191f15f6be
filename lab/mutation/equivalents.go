package main

// equivalents are mutants that survive without harm, by name, with the reason.
var equivalents = map[string]string{}
