package workload

import "github.com/firstcontact-ros/firstcontact/motion"

// What the papers ask. The pipeline of RKLM04 has no self-collision; SSL04 wants a
// yes or no.
var (
	worldOnly = motion.Query{NoSelf: true}
	yesOrNo   = motion.Query{Question: motion.IsFree}
)

// recipes are the workloads in the order of the papers and of their tables.
var recipes = []recipe{
	{
		name: "rklm04-pipes", paper: "RKLM04",
		about: "Six-joint arm among pipes, Figure 1 and Table 1: random walks of steps of up to so many degrees for each joint. " +
			"A step that collides is followed by one from shortly before the contact.",
		query: worldOnly, build: pipes, ask: steps(1, 5, 15, 30),
	},
	{
		name: "rklm04-machine-room", paper: "RKLM04",
		about: "The same arm in an auxiliary machine room, Figure 7 and Table 2: as before.",
		query: worldOnly, build: machineRoom, ask: steps(1, 30, 60),
	},
	{
		name: "zrlk07-walk", paper: "ZRLK07", collide: (1.22 - 0.67) / (3.63 - 0.67),
		about: "A mannequin walks over a chessboard, Figure 8 a, Tables 1 and 2, and without the robot against itself Figure 12: " +
			"the motion from each frame of the animation that starts free to the next.",
		build: onChessboard, ask: walking,
	},
	{
		name: "zrlk07-exercise", paper: "ZRLK07", collide: (0.38 - 0.28) / (1.69 - 0.28),
		about: "A mannequin exercises by itself, Figure 8 b, Tables 1 and 2: as before.",
		build: exercising, ask: exercise,
	},
	{
		name: "zrlk07-two-mannequins", paper: "ZRLK07",
		about: "Two mannequins meet, Figure 1.",
		build: twoMannequins, ask: encounters,
	},
	{
		name: "zrlk07-excavator-drive", paper: "ZRLK07", collide: (780 - 150) / (820 - 150),
		about: "An excavator drives over a construction site, Figure 9 b, Table 1: local paths of a planner, which are long.",
		query: yesOrNo, build: excavatorSite(false), ask: localPaths("drive", 1, nil),
	},
	{
		name: "zrlk07-excavator-load", paper: "ZRLK07", collide: (100 - 75) / (120 - 75),
		about: "It loads a weight into a truck, Figure 9 c.",
		query: yesOrNo, build: excavatorSite(true), ask: localPaths("load", 1, map[string]float64{"drive_x": 3, "drive_y": 1.7, "chassis": 0.5}),
	},
	{
		name: "zrlk07-crane-drive", paper: "ZRLK07", collide: (5.66 - 1.32) / (11.1 - 1.32),
		about: "A tower crane moves over the same site, Figure 10 b, Table 1.",
		query: yesOrNo, build: craneSite(false), ask: localPaths("drive", 0.7, nil),
	},
	{
		name: "zrlk07-crane-load", paper: "ZRLK07", collide: (15.1 - 2.9) / (27.3 - 2.9),
		about: "It carries a weight, Figure 10 c.",
		query: yesOrNo, build: craneSite(true), ask: localPaths("load", 1, map[string]float64{"rail_x": -3, "tower": -1.5}),
	},
	{
		name: "zrlk07-four-trains", paper: "ZRLK07", collide: (535 - 454) / (2600 - 454),
		about: "Four trains collide and get tangled, Figure 11, top, Tables 1 and 2, Figure 5: each frame of a flight. " +
			"No dynamics: trains are drawn to the middle, wobble, and bounce off where they touch.",
		build: fourTrains, ask: tangled,
	},
	{
		name: "zrlk07-four-trains-by-part", paper: "ZRLK07", collide: (535 - 454) / (2600 - 454),
		about: "The same trains, each car of a dozen elements of its own, Table 2 (pairs) and Table 1.",
		build: fourTrainsByPart, ask: tangled,
	},
	{
		name: "zrlk07-falling-train", paper: "ZRLK07", collide: (274 - 259) / (294 - 259),
		about: "A train falls onto a mountain, Figure 11, bottom, Tables 1 and 2: as before.",
		build: fallingTrain, ask: falling,
	},
	{
		name: "ssl04-tori", paper: "SSL04",
		about: "Two skinny arms of 20 joints in three thin tori, Figure 1 a, Tables I, II and VII: a random walk from upright.",
		query: yesOrNo, build: tori, ask: walkFrom(4),
	},
	{
		name: "ssl04-cage-irb", paper: "SSL04",
		about: "IRB 2400 in a cage of thin bars, Figure 11 a, Tables I to VI and XI.",
		query: yesOrNo, build: irbInCage, ask: randomSegments,
	},
	{
		name: "ssl04-cage-f200", paper: "SSL04",
		about: "F 200 with an arc welding gun in a cage, Figure 11 b, Tables I to VI and XI.",
		query: yesOrNo, build: f200InCage, ask: randomSegments,
	},
	{
		name: "ssl04-lattice", paper: "SSL04",
		about: "A skinny arm of 20 joints through a lattice of thin bars, Figure 11 c, Tables II and VII: a random walk from upright.",
		query: yesOrNo, build: lattice(1), ask: walkFrom(2),
	},
	{
		name: "ssl04-lattice-9", paper: "SSL04",
		about: "Nine such arms, each through holes of its own, Table VII.",
		query: yesOrNo, build: lattice(9), ask: walkFrom(0.4),
	},
	{
		name: "ssl04-machine-tool", paper: "SSL04",
		about: "F 200 with an arc welding gun at a machine tool, Figure 12 a, Tables I to VI and XI.",
		query: yesOrNo, build: machineTool, ask: randomSegments,
	},
	{
		name: "ssl04-workshop", paper: "SSL04",
		about: "IRB 2400 in a workshop, Figure 12 b, Tables I to VI and XI.",
		query: yesOrNo, build: workshop, ask: randomSegments,
	},
	{
		name: "ssl04-six-irb", paper: "SSL04",
		about: "Six IRB 2400 around a car body, Figure 12 c, Tables I to VI and XI.",
		query: yesOrNo, build: carCell(spotWelder, 1.59/0.755, 3594, 19_668), ask: randomSegments,
	},
	{
		name: "ssl04-six-f200", paper: "SSL04",
		about: "Six F 200 with arc welding guns around a car body, Figure 12 d, Tables I to VI and XI.",
		query: yesOrNo, build: carCell(arcWelder, 1.32, 2502, 4016), ask: randomSegments,
	},
	{
		name: "ssl04-bad-floor", paper: "SSL04",
		about: "A full turn close above the floor, Figure 14 a and Table VIII: a set of one motion for each clearance. The base stands on the floor.",
		query: yesOrNo, build: badFloor, ask: grazing,
	},
	{
		name: "ssl04-bad-box", paper: "SSL04",
		about: "A full turn that grazes a box, Figure 14 b and Table IX.",
		query: yesOrNo, build: badBox(2.4), ask: grazing,
	},
	{
		name: "ssl04-bad-narrow-box", paper: "SSL04",
		about: "The same with a narrower box, Figure 14 c and Table X.",
		query: yesOrNo, build: badBox(0.5), ask: grazing,
	},
	{
		name: "sphere-armar", paper: "SPHERE",
		about: "A humanoid alone, Figures 9 b and 10 b: gestures of torso, head and arms between random postures.",
		build: armarAlone, ask: gestures("gestures", 0),
	},
	{
		name: "sphere-kitchen", paper: "SPHERE",
		about: "The humanoid in a kitchen, Figures 8 and 10 a: gestures while it drives about.",
		build: armarInKitchen, ask: gestures("kitchen", 2.4),
	},
}
