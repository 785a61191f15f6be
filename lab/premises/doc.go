// Package premises attacks what verdicts rest on besides inequalities: which pairs are
// checked, what is solid, how joints move between waypoints, what a file says. It makes
// random robots, scenes and motions as files, puts them to the checker, and lets a program
// that shares no reader with it refute the verdicts by samples.
//
// That program, premise_judge (folder src), reads URDF with urdfdom, SRDF with tinyxml2,
// meshes with assimp, scenes and trajectories with yaml-cpp. Which surfaces meet is FCL's
// word; what a mesh encloses is decided with CGAL's exact predicates. How joints move
// between waypoints it takes from docs/motions.md, which pairs are judged from the files.
//
// A Free is wrong if a sample is in contact, a Contact is late if an earlier sample is.
// Contacts that end when a body is moved by a micrometre are ties and count for nothing.
//
// Proofs of some verdicts are written down; the verifier must accept them.
//
// Some files hold a slip: a misspelt name, a mesh in millimetres, a first point later than
// time 0. The checker gets the file with the slip, the judge the one that its author meant.
//
// TestPremises is the campaign, TestJudgeObjects shows that the judge is not blind, and
// TestOneModel asks again about one model that the campaign names.
package premises
