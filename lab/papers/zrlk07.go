package papers

// zrlk07 is Zhang, Redon, Lee and Kim's paper. Its numbers are from section 8.
func zrlk07() *Paper {
	return &Paper{
		Key:     "ZRLK07",
		Cite:    "Zhang, Redon, Lee, Kim: Continuous Collision Detection for Articulated Models using Taylor Models and Temporal Culling, 2007",
		Machine: "an Intel P4 3.6GHz PC with 2Gb of main memory",
		Method:  "internal/engine/catch",
		Apart:   "models made here",
		Entries: []Entry{
			{
				Name: "figure1", Title: "Two mannequins, the motion between two poses, the first contact; the arms of one", Where: "section 1",
				Says:   "15 links and 20K triangles each; a fraction of a millisecond",
				Differ: "Two mannequins that meet.",
				Run:    twoMannequins,
			},
			{Name: "figure2", Title: "Frames of a three-link arm", Where: "section 3.1", Lost: picture, Why: "a drawing of the notation"},
			{Name: "figure3", Title: "Conservative advancement", Where: "section 3.4", Lost: picture, Why: "a drawing of one step"},
			{Name: "figure4", Title: "A link's box and the dynamic AABB", Where: "section 5.2", Lost: picture, Why: "a drawing of the construction; Figure 5 measures it"},
			{
				Name: "figure5", Title: "Bounds of links by Taylor models and by intervals", Where: "section 5.2", Lost: "the sizes of the boxes: a picture",
				Says:   "interval arithmetic overestimates exponentially along a train of 10 cars, Taylor models much less",
				Differ: "The boxes of one motion of a train are compared, link by link, with boxes around sampled poses.",
				Run:    taylorAgainstIntervals, Judge: judgeBoxes,
			},
			{Name: "figure6", Title: "Temporal culling, drawn", Where: "section 7.1", Says: "m is typically 1 or 2, where n can be 300", Differ: "m and n are counted on the motions of Table 2.", Run: temporalCulling, Judge: judgeTemporal},
			{Name: "figure7", Title: "A lower bound by convex hulls", Where: "section 7.2", Lost: picture, Differ: "The hulls are switched off.", Run: hullsOff, Judge: judgeHulls},
			{
				Name: "figure8", Title: "The mannequin on the chessboard, and exercising: time by frame", Where: "section 8.1",
				Says:   "15 links, 20K triangles (4.8K convex pieces); the chessboard 101K triangles (29K convex pieces); 1.22 ms walking and 0.38 ms exercising, on average",
				Lost:   "the curves: pictures",
				Differ: "Ours are drawn.",
				Run:    mannequinFrames,
			},
			{
				Name: "figure9", Title: "The excavator on the construction site", Where: "section 8.1",
				Says: "site of 0.394M triangles (0.17M convex pieces), excavator of 18.94K triangles (13K convex pieces)",
				Why:  "pictures of a workload of Table 1, where ours is described",
			},
			{
				Name: "figure10", Title: "The tower crane on the construction site", Where: "section 8.1",
				Says: "site of 0.394M triangles, crane of 1,288 triangles (272 convex pieces)",
				Why:  "pictures of a workload of Table 1, where ours is described",
			},
			{
				Name: "figure11", Title: "Trains that collide, a train that falls", Where: "section 8.1",
				Says: "four trains of 10 links and 23K triangles each, 17,444 convex pieces in all; a train of 17 links and 42K triangles (27,931 convex pieces) on a mountain of 29K triangles (21,437)",
				Why:  "pictures of workloads of Table 1, where ours are described",
			},
			{
				Name: "figure12", Title: "CATCH against ARTICULATE on the walking mannequin, without self-collision", Where: "section 8.2",
				Says: "average CCD 0.26 ms against 3.92 ms, average TOC computation 3.1 ms against 56.44 ms: 15 to 17 times",
				Lost: "the curves: pictures",
				Theirs: []Table{printed("ms, from the caption", `
 | CATCH | ARTICULATE
average CCD | 0.26 | 3.92
average TOC computation | 3.1 | 56.44`)},
				Differ: "Both methods are this project's, on one processor: ARTICULATE has its swept volumes culled without graphics hardware.",
				Run:    catchAgainstArticulate, Judge: judgeArticulate,
			},
			{
				Name: "table1", Title: "Timing", Where: "section 8.1",
				Theirs: []Table{printed("ms: mean of all frames, of free ones, of those in collision; the worst", `
benchmark | Ta | Tf | Tc | Tw
Walk | 1.22 | 0.67 | 3.63 | 7.64
Exercise | 0.38 | 0.28 | 1.69 | 4.54
Excavator (Fig. 9(b)) | 780 | 150 | 820 | 3.40K
Excavator (Fig. 9(c)) | 100 | 75 | 120 | 980
TowerCrane (Fig. 10(b)) | 5.66 | 1.32 | 11.1 | 134
TowerCrane (Fig. 10(c)) | 15.1 | 2.90 | 27.3 | 211
Four Trains | 535 | 454 | 2.60K | 4.30K
Falling Trains | 274 | 259 | 294 | 1.30K`)},
				Differ: "Excavator and crane are asked yes or no, as in the paper; the others for the first contact. The models are made here, in the paper's sizes.",
				Run:    catchTimes,
			},
			{
				Name: "table2", Title: "Culling", Where: "section 8.1",
				Theirs: []Table{printed("pairs of links", `
benchmark | before | after spatial culling | rate | after temporal culling | rate
Walk | 229 | 8.4 | 96.3% | 0.11 | 98.7%
Exercise | 81 | 3.0 | 96.3% | 0.086 | 97.1%
Four Trains | 179574 | 34.5 | 99.9% | 3.3 | 90.4%
Falling Train | 137 | 18.2 | 86.7% | 11.3 | 37.9%`)},
				Lost:   "how pairs of links and of the environment's objects are counted",
				Differ: "A pair here is two elements: shapes of two links, or of a link and an object. 40 links have no more than 780 pairs, so the paper's 179,574 are of parts of links: the trains enter link by link, and part by part with every part of a car (wheels, couplings, tank, roof) an element of its own. The claims are of the latter.",
				Run:    catchCulling, Judge: judgeCulling,
			},
		},
	}
}
