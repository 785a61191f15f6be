package distance

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Searcher answers distance queries. It is the scratch of one goroutine: it grows to
// what the model needs once and then allocates nothing.
type Searcher struct {
	m  *model.Model
	at *place.Robot
	q  *engine.Question

	search       convex.Workspace
	partA, partB volume.Scratch
	solids       engine.Solids
	segments     model.Segments
	nodes        []nodePair     // stack of the pair search
	feet         []queued       // stack of nearestOn
	fine         []*convex.Core // tight hulls of elements, made when asked for

	pair      pairSearch
	known     []*knownPage // what the pair search remembers, by pair
	warmSince uint64       // the question from which on it is used
	follows   bool         // bounds of the questions before are taken further (since)
	outsides  []uint64     // by pair: the question in which neither solid was found to hold the other
	ranking   ranking
	near      near
	byPair    pairwise
}

// candidate is a pair of elements with a cheap lower bound of its distance.
type candidate struct {
	pair  int32
	lower float64
}

// found is the closest points of a pair of bodies so far.
type found struct {
	slot  int32
	touch engine.PairTouch
}

// ranking gathers the closest pairs of bodies, nearest candidates first, so that
// the running bound leaves most of them out (SPHERE, distance range interval).
type ranking struct {
	w      *Searcher
	s      *Scope
	out    *motion.Distances
	wanted int
	kept   []found
	place  []int32   // of a slot in kept, -1 where it is not
	low    []float64 // of a slot: what all that was left out of it is apart, at least
	open   []candidate
	hard   []paused
	reach  worldSearch
	left   float64 // the least lower bound of what the world's tree left out unseen
	culled culled
	slack  float64 // of any two elements at most

	// What was closest in the query before: a pair looked at for itself.
	last      int32
	lastScope *Scope
}

// culled is the part of a ranking that works with an Own.
type culled struct {
	balls Balls
	near  []int32
	seeds []int32 // pairs that were closest, and are looked at first
	left  float64 // the least distance of what was left out
}

// near is what Nearest needs from one search to the next.
type near struct {
	all  *Scope           // every pair, in one class
	seen motion.Distances // of no use but to the ranking
	last int32            // 1 more than the pair that was the closest; 0 for none
}

// Start is where a search starts: at a pair of the model, or, negative, at an element
// (Element) and all of the world.
type Start int32

// AgainstWorld returns the start of an element and the world.
func AgainstWorld(element int) Start { return ^Start(element) }

// queued is a node or an item of the world's tree, or a node of an element's
// hierarchy, and a lower bound of its distance.
type queued struct {
	at    int32
	lower float64
}

// nodePair is a pair of parts in the distance query, with a lower bound of its
// distance.
type nodePair struct {
	a, b  int32
	lower float64
}

// known is what distance queries remember of a pair from one to the next. All of it but
// the bound is guesses: a wrong one costs time.
type known struct {
	asked        uint64   // the question that noted it
	dir          geom.Vec // in a's frame: it parted the hulls; zero for none
	leafA, leafB int32    // where the closest points were
	warm         bool     // they are known
	bound        bound
}

// bound says that a pair is at least lower apart where b has a pose in a's frame. Nothing is
// known where lower is 0.
type bound struct {
	lower  float64
	poseAB geom.Pose
	slack  float64 // of both sides there
}

// knownPage is what is remembered of consecutive pairs.
type knownPage [pagePairs]known

const pagePairs = 16

// pairSearch is one distance query: the pair, what it knows so far, and directions along
// which its parts may be apart.
//
// The hulls come first (GJK, from the direction that parted them last); where their
// closest points are points of the meshes, nothing else can be closer. Otherwise it
// is Quinlan's search over both hierarchies (SPHERE), nearest children first. Lower
// bounds are support gaps, upper bounds real points of the geometry.
type pairSearch struct {
	w            *Searcher
	pair         int32
	known        *known
	elementA     int
	elementB     int
	a, b         *model.Element
	poseA, poseB *geom.Pose
	slack        float64 // of both sides
	limit        float64 // nothing farther apart matters
	goal         float64 // what is proved where it takes a search: the limit or more
	tol          float64 // the upper bound may exceed the lower by this much,
	rel          float64 // and by this part of it (SPHERE, error tolerance)

	// Below the hulls everything is seen from a: composing the poses and applying the
	// product err by less than 40u of what slackOf's 64u allow for.
	poseAB geom.Pose
	hulls  axis // along which the hulls are apart
	last   axis // between the closest points so far
	recent axis // between the leaves last looked at

	lower  float64          // of the elements as a whole
	best   engine.PairTouch // its points and normal in a's frame, until told
	lowest float64          // of all that was left aside
	// guessed tells that best is where one may be inside the other, whose mesh is
	// ambiguous.
	guessed bool
	// taken tells that the answer is a bound of a question before, taken further.
	taken bool
}

// axis is a unit vector from a to b, in a's frame and in b's; zero for none.
type axis struct{ a, b geom.Vec }

// paused is a pairSearch of which the wholes are known.
type paused struct {
	pair        int32
	lower       float64
	hulls, last axis
	best        engine.PairTouch
}

// pairwise is what looks need from one to the next.
type pairwise struct {
	paused []paused
	world  *Scope // every pair with the world
	seen   motion.Distances
}

// planesKept is how many directions an element remembers.
const planesKept = 6

// plane says n.x <= reach for every point of the element.
type plane struct {
	n     geom.Vec
	reach float64
}

// worldSearch is the search of one element of the robot among what stands still:
// nearest boxes of the world's tree first. Lower bounds are those of a ball around
// the element against a box, and the gap of its hull along directions that parted it
// from something before; upper bounds are real points.
type worldSearch struct {
	r        *ranking
	element  int
	attached bool
	e        *model.Element
	at       *place.Element
	hull     *convex.Core
	slack    float64 // of the element and the world

	planes [planesKept]plane // n.x <= reach for every point of the element
	count  int
	next   int

	spots []queued
	nodes []queued // stack of the element's parts
	memo  []memory // by element
}

// memory is what was closest to an element in the query before.
type memory struct {
	item   int32 // of the world, 1 more; 0 for none
	part   int32 // the element's part, nowhere where the one was inside the other
	planes [planesKept]geom.Vec
	count  int
	asked  uint64
}
