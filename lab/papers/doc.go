// Package papers reruns the tables and figures of four papers: what each printed, as
// its text gives it, beside the same kind of work done here by the paper's method and
// by the default engine, on models made here.
//
//	firstcontact-lab papers
//
// measures all and writes lab/docs/papers.md with its plots; lab/docs/papers/results.json keeps
// what was measured, table by table, so that one can be measured again alone.
//
// The papers, by the keys used throughout: RKLM04 (rklm04.go), ZRLK07 (zrlk07.go),
// SPHERE (sphere.go) and SSL04 (ssl04.go).
package papers
