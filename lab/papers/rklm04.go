package papers

const picture = "a picture: it has no numbers in the text"

// rklm04 is Redon, Kim, Lin and Manocha's paper. Its numbers are from sections 5.1 and 6.
func rklm04() *Paper {
	return &Paper{
		Key:     "RKLM04",
		Cite:    "Redon, Kim, Lin, Manocha: Fast Continuous Collision Detection for Articulated Models, 2004",
		Machine: "one 2.4 GHz Pentium PC with 1 Gbyte of RAM, swept volumes culled on an NVIDIA GeForce FX 5800",
		Method:  "internal/engine/articulate",
		Apart:   "models made here; swept volumes culled on the processor, not by graphics hardware",
		Entries: []Entry{
			{
				Name: "figure1", Title: "Two poses of a robot among pipes, the motion between, the first contact", Where: "section 1",
				Says:   "a Puma of 800 triangles and 7 links, pipes of 38,000 triangles; the average time of a continuous overlap test of two OBBs, bounds known, is about one microsecond (section 6)",
				Differ: "The point of the picture is measured: how many motions that touch are free at both ends, where a discrete test looks.",
				Run:    throughPipes, Judge: judgeEnds,
			},
			{Name: "figure2", Title: "A link in the frame of its parent", Where: "section 3", Lost: picture, Why: "a drawing of the notation"},
			{Name: "figure3", Title: "The pipeline", Where: "section 3.5", Lost: picture, Why: "a drawing of the stages; Table 2 switches them off one by one"},
			{Name: "figure4", Title: "The swept volume of a line swept sphere", Where: "section 4.2", Lost: picture, Why: "a drawing of the construction"},
			{
				Name: "figure5", Title: "The Puma's line swept spheres", Where: "section 4.2", Lost: picture,
				Differ: "Their fit is measured: the volume of each link's line swept sphere by that of its box.",
				Run:    fitOfSpheres,
			},
			{
				Name: "figure6", Title: "Culling by swept volumes", Where: "section 5.1", Lost: picture,
				Differ: "What the two culling stages leave is counted, by the size of the motion.",
				Run:    culledByStages, Judge: judgeSwept,
			},
			{
				Name: "figure7", Title: "The Puma in the auxiliary machine room", Where: "section 6",
				Says: "1,180 objects, 187,000 triangles",
				Why:  "a picture of the scene of Table 2, where ours is described",
			},
			{
				Name: "table1", Title: "The Puma among pipes: time by stage and size of motion", Where: "section 5.2",
				Theirs: []Table{printed("mean, ms", `
θmax | stage 1 COL | stage 1 NO-COL | stage 2 COL | stage 2 NO-COL | stage 3 COL | stage 3 NO-COL | total COL | total NO-COL
1°  | 0.0014 | 0.0012 | 11.9552 | 2.9801 | 11.8 | 3.3123 | 23.7566 | 6.2936
5°  | 0.0017 | 0.0013 | 16.1848 | 4.3327 | 17.9427 | 3.6844 | 32.3713 | 8.0184
15° | 0.0018 | 0.0015 | 22.1523 | 3.9728 | 30.5652 | 5.4548 | 52.7193 | 9.4291
30° | 0.0018 | 0.0013 | 18.6973 | 4.4477 | 85.4134 | 18.7761 | 104.1125 | 23.2251`)},
				Differ: "Stage 2 is done on the processor here. Every joint turns by up to θmax, drawn evenly; COL means that the default engine found a contact.",
				Run:    pipes, Judge: judgePipes,
			},
			{
				Name: "table2", Title: "The Puma in a machine room: what each stage is worth", Where: "section 6",
				Theirs: []Table{printed("mean, ms", `
θmax | stages | stage 1 COL | stage 1 NO-COL | stage 2 COL | stage 2 NO-COL | stage 3 COL | stage 3 NO-COL | total COL | total NO-COL
1°  | 1+2+3 | 0.33 | 0.33 | 41.58 | 18.54 | 7.01 | 2.06 | 48.92 | 19.04
1°  | 1+3 | 0.34 | 0.33 | - | - | 7.33 | 1.79 | 7.67 | 1.24
1°  | 2+3 | - | - | 47.60 | 41.68 | 23.29 | 15.00 | 70.89 | 43.53
1°  | 3 | - | - | - | - | 82.24 | 75.05 | 82.24 | 75.05
30° | 1+2+3 | 0.33 | 0.33 | 30.83 | 20.18 | 116.42 | 46.15 | 147.58 | 48.31
30° | 1+3 | 0.33 | 0.33 | - | - | 121.93 | 43.43 | 122.26 | 115.40
30° | 2+3 | - | - | 56.14 | 44.74 | 147.00 | 63.72 | 203.14 | 98.90
30° | 3 | - | - | - | - | 190.79 | 98.41 | 190.79 | 98.41
60° | 1+2+3 | 0.34 | 0.33 | 43.13 | 19.05 | 480.45 | 91.74 | 523.92 | 40.91
60° | 1+3 | 0.35 | 0.33 | - | - | 577.70 | 73.06 | 578.05 | 36.79
60° | 2+3 | - | - | 62.23 | 44.70 | 519.39 | 107.86 | 581.62 | 70.08
60° | 3 | - | - | - | - | 649.48 | 107.29 | 649.48 | 107.29`)},
				Lost:   "why some totals without collision are less than their stages' sum (19.04 against 20.93, 1.24 against 2.12): a stage's mean seems to be over the motions that reach it; and why one is more (115.40 against 43.76)",
				Differ: "As in Table 1. Stage times are means over all motions here, so that they add up.",
				Run:    machineRoom, Judge: judgeStages,
			},
		},
	}
}
