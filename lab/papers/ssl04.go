package papers

import "strings"

const (
	letters   = "the letters of sub-figures: rows are taken to stand in the order of the figures"
	algorithm = "an algorithm: it has no numbers"
)

// ssl04 is Schwarzer, Saha and Latombe's paper. Its numbers are from sections III to VI.
func ssl04() *Paper {
	return &Paper{
		Key:     "SSL04",
		Cite:    "Schwarzer, Saha, Latombe: Adaptive Dynamic Collision Checking for Single and Multiple Articulated Robots in Complex Environments",
		Machine: "a 1GHz Pentium III PC with 1GB RAM",
		Method:  "internal/engine/bisect",
		Apart:   "models made here, in metres",
		Roman:   true,
		Entries: []Entry{
			{Name: "figure1", Title: "Two skinny arms in three rings; a robot with an arc welding gun", Where: "section I", Says: "20 joints and 320 triangles an arm, tori of 6,000 triangles; gun and IRB 2400 of 3,500 triangles", Why: "pictures of workloads of the tables"},
			{Name: "figure2", Title: "ADAPTIVE-BISECTION", Where: "section II-B", Lost: algorithm, Why: "an algorithm; internal/engine/bisect has it"},
			{Name: "figure3", Title: "Covering strategies", Where: "section II-E", Lost: "how much they gain", Says: "the gains over bisection are small", Differ: "The strategies are run.", Run: coverings, Judge: judgeCoverings},
			{Name: "figure4", Title: "GREEDY-DIST", Where: "section III-B", Lost: algorithm, Why: "an algorithm; Table I measures it"},
			{Name: "figure5", Title: "A bad case of GREEDY-DIST", Where: "section III-C", Lost: picture, Why: "a drawing"},
			{Name: "figure6", Title: "A planar linkage", Where: "section IV-A", Lost: picture, Why: "a drawing of the example of the bound"},
			{Name: "figure7", Title: "COMPUTE-SPHERE", Where: "section IV-C", Lost: algorithm, Why: "an algorithm; Figure 9 measures its bounds"},
			{Name: "figure8", Title: "One step of COMPUTE-SPHERE", Where: "section IV-C", Lost: picture, Why: "a drawing of the construction"},
			{
				Name: "figure9", Title: "Quality of the bounds of lengths", Where: "section IV-D", Lost: "the histograms: pictures",
				Says:   "more than 80% of the bounds of both robots are within 5 times the length of a random point's curve; those of the 20-joint arm are mostly below 15 times; 99% of the results are shown",
				Differ: "The length is that of a random point of each link too, by 64 steps.",
				Run:    qualityOfBounds, Judge: judgeBounds,
			},
			{Name: "figure10", Title: "The reference links", Where: "section V-A", Lost: picture, Why: "a picture for Table II"},
			{Name: "figure11", Title: "Robots at cages, an arm in a lattice", Where: "section V-A", Says: "a: IRB 2400 of 2,991 triangles, cage of 432; b: F 200 with gun of 2,502, cage of 432; c: 20-joint arm of 320, lattice of 384", Why: "pictures of workloads of the tables"},
			{Name: "figure12", Title: "A machine tool, a workshop, six robots at a car body", Where: "section V-A", Says: "a: F 200 with gun of 2,502 triangles, machine tool of 34,171; b: IRB 2400 of 5,450, workshop of 74,681; c: six IRB 2400 of 3,594 each, car body of 19,668; d: six F 200 of 2,502 each, car body of 4,016", Why: "pictures of workloads of the tables"},
			{Name: "figure13", Title: "Where a fixed resolution looks along a path", Where: "section V-C", Lost: picture, Says: "at a resolution of 0.005 the tip's steps are longer than 0.005 units: to sample its curve so finely takes a considerably smaller resolution", Differ: "The longest step of the tip at the resolution of Table VI is measured. The metric is that of joint angles in rad; how the paper weighs joints is not told.", Run: stepsOfTheTip, Judge: judgeTip},
			{Name: "figure14", Title: "Three bad cases", Where: "section V-F", Says: "a robot of 2,502 triangles, its end-effector of 1,080, a floor or a box's face of 8,000", Why: "pictures for Tables VIII to X"},
			{Name: "figure15", Title: "REFINED-ADAPTIVE-BISECTION", Where: "section VI", Lost: algorithm, Why: "an algorithm; Table XI measures it"},
			{Name: "figure16", Title: "Finding elements for the queue", Where: "section VI", Lost: algorithm, Why: "an algorithm; Table XI measures it"},
			{
				Name: "table1", Title: "Ways to measure distance: tests of volumes / triangles a query, and quality of the bound", Where: "section III-C",
				Theirs: []Table{printed("tests of volumes / of triangles a query", `
figure | queries | COLL-CHECKER | GREEDY-DIST | EXACT-DIST | APPROX-DIST | ρ of GREEDY-DIST | ρ of APPROX-DIST
1a | 40,000 | 1.7 / 0.1 | 2.1 / 0.1 | 859 / 141 | 3.7 / 0.1 | 0.99 | 0.53
11a | 54,000 | 47 / 0.6 | 54 / 0.8 | 946 / 78 | 105 / 2.0 | 0.82 | 0.64
11b | 42,000 | 26 / 1.0 | 25 / 0.8 | 827 / 67 | 58 / 1.9 | 0.81 | 0.61
12a | 14,000 | 14 / 0.4 | 14 / 0.3 | 1,444 / 268 | 70 / 2.2 | 0.64 | 0.60
12b | 22,000 | 42 / 0.9 | 46 / 1.0 | 819 / 125 | 129 / 5.4 | 0.51 | 0.58
12c | 18,000 | 25 / 1.3 | 26 / 1.4 | 1,248 / 128 | 111 / 3.2 | 0.57 | 0.62
12d | 21,000 | 2.6 / 0.1 | 3.9 / 0.2 | 703 / 170 | 74 / 16 | 0.58 | 0.58`)},
				Run: waysToMeasure, Judge: judgeWays,
			},
			{
				Name: "table2", Title: "Lengths of reference links", Where: "section V-A",
				Theirs: []Table{printed("units", `
 | 1a | 11a | 11b | 11c | 12a | 12b | 12c | 12d
Lref | 0.5 | 1.77 | 1.65 | 0.5 | 1.16 | 0.64 | 1.59 | 1.32`)},
				Lost: "how long a unit is; " + letters,
				Why:  "sizes of the paper's robots, for its values of δ; ours are in metres",
			},
			{
				Name: "table3", Title: "Segments that collide: fixed resolution against adaptive bisection", Where: "section V-B",
				Theirs: []Table{printed("a segment", `
figure | fixed, ε = 0: ms | volumes | triangles | adaptive, δ = 0: ms | volumes | triangles | adaptive, δ = 0.001: ms | volumes | triangles
11a | 0.44 | 375 | 3.1 | 0.33 | 197 | 3.0 | 0.29 | 169 | 2.6
11b | 0.46 | 380 | 3.5 | 0.43 | 324 | 3.9 | 0.38 | 255 | 3.2
12a | 0.67 | 522 | 18.7 | 0.40 | 501 | 18.0 | 0.37 | 420 | 21.8
12b | 1.21 | 1,035 | 10.1 | 0.57 | 571 | 10.8 | 0.40 | 440 | 13.4
12c | 3.11 | 2,866 | 13.1 | 2.44 | 686 | 12.1 | 2.23 | 610 | 12.7
12d | 1.14 | 999 | 16.3 | 1.93 | 609 | 19.5 | 1.71 | 528 | 21.6`)},
				Lost: letters,
				Run:  collidingSegments, Judge: judgeSegments("colliding", "1e-06"),
			},
			{
				Name: "table4", Title: "SBL with a fixed resolution ε: the first that gave N runs in a row without a colliding path", Where: "section V-D",
				Theirs: []Table{printed("", `
figure | N = 50: ε | s | N = 100: ε | s
11a | 0.00402 | 4.13 | 0.00232 | 5.15
11b | 0.00078 | 12.26 | 0.00078 | 13.87
12a | 0.00833 | 0.17 | 0.00833 | 0.17
12b | 0.00162 | 7.52 | 0.00038 | 16.45
12c | 0.00694 | 2.72 | 0.00279 | 3.82
12d | 0.01200 | 0.67 | 0.00833 | 0.92`)},
				Lost: letters,
				Run:  plannersFixed, Judge: judgePlanners,
			},
			{
				Name: "table5", Title: "A-SBL by δ: mean time", Where: "section V-D",
				Theirs: []Table{printed("s", `
figure | δ = .01 | .005 | .001 | .0005 | .0001 | .00005 | .00001 | .0
11a | 5.59 | 5.04 | 5.60 | 7.95 | 11.17 | 13.38 | 17.07 | 24.85
11b | 11.78 | 12.37 | 11.47 | 13.17 | 16.03 | 16.99 | 20.59 | 27.54
12a | 0.16 | 0.22 | 0.42 | 0.49 | 1.32 | 1.87 | 3.48 | 21.48
12b | 6.71 | 7.33 | 9.55 | 12.63 | 27.53 | 31.91 | 67.52 | 251.56
12c | 2.00 | 1.59 | 1.80 | 1.76 | 2.95 | 2.89 | 3.83 | 5.54
12d | 0.43 | 0.65 | 0.71 | 0.86 | 2.05 | 2.42 | 3.23 | 10.90`)},
				Lost: letters,
				Run:  plannersAdaptive, Judge: judgeDeltas,
			},
			{
				Name: "table6", Title: "Free segments: fixed resolution against adaptive bisection", Where: "section V-C",
				Theirs: []Table{printed("a segment", `
figure | fixed: ms | volumes | triangles | adaptive: ms | volumes | triangles
11 | 14.6 | 15,060 | 19.8 | 11.3 | 9,239 | 200.8
12 | 5.1 | 4,032 | 17.9 | 3.9 | 3,834 | 158.6`)},
				Lost:   "the letters of the two sub-figures; the resolution ε is 0.005 by the text on Figure 13, the last digit of δ is lost: 0.001 by Table III",
				Differ: "All six workloads.",
				Run:    freeSegments, Judge: judgeSegments("free", "0.001"),
			},
			{
				Name: "table7", Title: "Random walks and smoothing", Where: "section V-E",
				Theirs: []Table{printed("", `
figure | segments of the walk | s | N of smoothing | s | length by that before
1a | 40,439 | 82 | 1,000 | 152 | 0.06
11c, 1 linkage | 4,208 | 5.9 | 500 | 16 | 0.11
11c, 9 linkages | 47,744 | 823 | 6,000 | 5,952 | 0.25`)},
				Apart: "a walk of 200 segments (paper: 4,208 to 47,744)",
				Run:   walksAndSmoothing, Judge: judgeSmoothing,
			},
			badCase("table8", "Bad case a: above a floor", "14a", `
11,232 | 0 | 8,789 | 0
62,866 | 0 | 62,727 | 0
990,766 | 0 | 990,595 | 0
7.91e+06 | 0 | 7.91e+06 | 0
258 | 0 | 127 | 0
753,939 | 0 | 753,800 | 0
1.12e+06 | 0 | 1.12e+06 | 0
7.91e+06 | 0 | 7.91e+06 | 0`, badCaseA),
			badCase("table9", "Bad case b: above a box", "14b", `
1,421 | 105 | 1,397 | 105
5,664 | 101 | 5,646 | 101
73,018 | 122 | 72,998 | 122
578,220 | 3,358 | 578,200 | 3,358
33 | 0 | 17 | 0
23,801 | 0 | 23,783 | 0
67,165 | 0 | 67,145 | 0
578,220 | 3,358 | 578,200 | 3,358`, badCaseB),
			badCase("table10", "Bad case c: above a narrow box", "14c", `
653 | 5 | 634 | 5
3,059 | 51 | 3,045 | 51
27,685 | 87 | 27,671 | 87
202,870 | 2,153 | 202,856 | 2,153
27 | 0 | 15 | 0
315 | 0 | 301 | 0
15,426 | 0 | 15,412 | 0
202,870 | 2,153 | 202,856 | 2,153`, badCaseC),
			{
				Name: "table11", Title: "Adaptive bisection against the refined checker", Where: "section VI",
				Theirs: []Table{printed("a segment", `
figure | adaptive: ms | volumes | triangles | refined: ms | volumes | triangles
11a | 0.066 | 17491 | 45 | 0.037 | 1510 | 10
11b | 0.060 | 13182 | 201 | 0.040 | 1342 | 14
12a | 0.020 | 5038 | 222 | 0.010 | 546 | 15
12b | 0.032 | 7299 | 66 | 0.023 | 1144 | 14
12c | 0.155 | 15978 | 367 | 0.142 | 2914 | 30
12d | 0.507 | 73579 | 4623 | 0.373 | 8523 | 169`)},
				Lost: "what the times are: milliseconds as printed would be 4 ns a test of two volumes, so seconds, it seems; " + letters,
				Run:  refined, Judge: judgeRefined,
			},
		},
	}
}

// badCase is one of Tables VIII to X, whose rows have the same clearances and δ.
func badCase(name, title, figure, counts string, run func(*Bench) (*Result, error)) Entry {
	of := []string{"0.1 | 0.1", "0.01 | 0.01", "0.001 | 0.001", "0.0001 | 0.0001", "0.1 | 0.0001", "0.01 | 0.0001", "0.001 | 0.0001", "0.0001 | 0.0001"}
	t := printed("pairs tested, figure "+figure, "clearance | δ | all links: volumes | triangles | end-effector: volumes | triangles\n"+strings.TrimSpace(counts))
	for i := range t.Rows {
		t.Rows[i] = append(strings.Split(of[i], " | "), t.Rows[i]...)
	}
	return Entry{
		Name: name, Title: title, Where: "section V-F", Theirs: []Table{t},
		Lost:   "the heads of the first two columns: that the first is the clearance follows from its fifth row, the cheapest",
		Differ: "The clearance is exceeded by 0.1 to 0.5 %. Links are checked against obstacles alone. The default engine is asked with the tolerance δ.",
		Run:    run,
		Judge:  judgeBadCase,
	}
}
