package papers

// sphere is the paper on compact sphere trees. Its numbers are from sections II-C and
// VI; its figures are pictures.
func sphere() *Paper {
	return &Paper{
		Key:     "SPHERE",
		Cite:    "the paper on compact sphere trees, range-of-motion hulls and distance range intervals of the humanoid ARMAR (its title is lost in the text)",
		Machine: "not available in the text",
		Method:  "lab/spheretree, internal/engine/romtree",
		Apart:   "humanoid, kitchen and gestures made here",
		Entries: []Entry{
			{Name: "figure1", Title: "The humanoid ARMAR", Where: "section I", Says: "23 degrees of freedom; 16,440 triangles (section VI)", Why: "a picture; ours is described at Figure 9"},
			{Name: "figure2", Title: "Greedy and compact combination", Where: "section II-B", Lost: picture, Differ: "Both are measured on two balls around points.", Run: combineTwo, Judge: judgeTwoBalls},
			{Name: "figure3", Title: "Candidate centres of a cube's ball", Where: "section II-B", Lost: picture, Says: "the best centre of a cube's ball is the cube's", Differ: "The centre found is compared with the cube's.", Run: cubeCentre, Judge: judgeCube},
			{Name: "figure4", Title: "Levels of a greedy and a compact tree of an L", Where: "section II-B", Lost: picture, Differ: "The balls of each level are measured.", Run: levelsOfAnL, Judge: judgeLevels},
			{Name: "figure5", Title: "Range-of-motion hulls of an arm", Where: "section III-A", Lost: picture, Why: "a drawing of the construction"},
			{Name: "figure6", Title: "The steps of self-collision", Where: "section IV", Lost: picture, Differ: "The steps are run on the humanoid: how few shapes they measure.", Run: threeSteps, Judge: judgeSteps},
			{Name: "figure7", Title: "The error of a sampled hull", Where: "section IV", Lost: picture, Says: "the most is e = r (1 - cos(α/2))", Why: "a drawing of a bound that is too small where several joints are sampled; docs/self-collision.md says why and gives ours, and a test shows the counter-example"},
			{Name: "figure8", Title: "The kitchen", Where: "section VI", Says: "more than 95,000 triangles", Why: "a picture; ours is described at Figure 9"},
			{
				Name: "figure9", Title: "Time: greedy against compact by the distance of two cubes; self-collision by the maximum distance", Where: "section VI",
				Lost: "all its numbers: pictures", Says: "greedy trees take longer than compact ones, less so at small distances; a maximum helps, below the distance and above it",
				Differ: "Cubes of 3,072 triangles; a humanoid and a kitchen made here.",
				Run:    cubesAndLimits, Judge: judgeCubesAndLimits,
			},
			{
				Name: "figure10", Title: "Time and distance by the error tolerance, in the kitchen and alone", Where: "section VI",
				Lost: "all its numbers: pictures", Says: "a larger tolerance is considerably faster, most of all alone; caching centres saves approximately 30% on average (section II-C)",
				Differ: "A humanoid and a kitchen made here.",
				Run:    tolerances, Judge: judgeTolerances,
			},
		},
	}
}
