// The validators with OMPL: spaces, motions whose answers are known by formulas, planners of one and of several threads.
#include "common.h"

#include "firstcontact_ompl.hpp"

#include <ompl/base/goals/GoalState.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/control/SpaceInformation.h>
#include <ompl/control/spaces/RealVectorControlSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/pRRT.h>
#include <ompl/tools/multiplan/ParallelPlan.h>
#include <ompl/util/Console.h>

#include <atomic>
#include <thread>

namespace ob = ompl::base;
namespace og = ompl::geometric;
namespace fo = firstcontact::ompl;
using firstcontact::Checker;
using firstcontact::Error;
using firstcontact::Robot;
using firstcontact::Scene;

// A gripper on a column: turns without end, goes up and down, reaches out.
static const char gantry_text[] =
	"<robot name='gantry'><link name='base'/><link name='turn'/><link name='lift'/>"
	"<link name='hand'><collision><origin xyz='0.5 0 0'/><geometry><box size='0.4 0.1 0.1'/></geometry></collision></link>"
	"<joint name='spin' type='continuous'><parent link='base'/><child link='turn'/><axis xyz='0 0 1'/></joint>"
	"<joint name='up' type='prismatic'><parent link='turn'/><child link='lift'/><axis xyz='0 0 1'/><limit lower='0' upper='1' effort='1' velocity='1'/></joint>"
	"<joint name='wrist' type='revolute'><parent link='lift'/><child link='hand'/><axis xyz='1 0 0'/><limit lower='-2' upper='2' effort='1' velocity='1'/></joint></robot>";
// A wall across the way round, with room above it.
static const char wall_text[] = "objects:\n  - {id: wall, type: box, xyz: [-0.5, 0, 0.2], size: [1, 0.02, 0.9]}\n  - {id: pole, type: box, xyz: [0.5, 0, 0.5], size: [1, 0.02, 2]}\n";

// A scene of which nothing is proved: the angles look like degrees.
static const char gap_text[] = "objects:\n  - {id: post, type: cylinder, xyz: [0.8, 0, 0], rpy: [0, 0, 90], radius: 0.01, length: 1}\n";

static void arm()
{
	Robot robot = Robot::parse(robot_text);
	Scene scene = Scene::parse("cell.yaml", scene_text, robot);
	Checker checker(robot, scene);
	auto space = fo::makeSpace(checker);
	EXPECT(space->getDimension() == 2 && space->as<ob::RealVectorStateSpace>()->getBounds().low[0] == -3);
	auto si = std::make_shared<ob::SpaceInformation>(space);
	fo::Settings exactly;
	exactly.lastValid = 1e-6;
	auto motions = fo::use(checker, si, exactly);
	si->setup();
	ob::ScopedState<ob::RealVectorStateSpace> a(space), b(space), c(space), last(space);
	a[0] = -1, a[1] = 0.5, b[0] = 1, b[1] = 0.5, c[0] = -0.2, c[1] = 0.5;
	EXPECT(si->checkMotion(a.get(), c.get()) && !si->checkMotion(a.get(), b.get()));
	std::pair<ob::State *, double> valid(last.get(), -1);
	EXPECT(!si->checkMotion(a.get(), b.get(), valid));
	const double at = (1 - TOUCHES) / 2;
	EXPECT(valid.second > at - 1e-4 && valid.second <= at && fabs(last[0] - (-1 + 2 * valid.second)) < 1e-12 && si->isValid(last.get()));
	fc_query spare = fc_query_default();
	spare.clearance = 1.5e-6; // what is within the tolerance of a contact would be told to be one, as a part of a path
	EXPECT(checker.check({a[0], a[1]}, {last[0], last[1]}, spare).free());
	fo::MotionValidity roughly(checker, si);
	ob::ScopedState<ob::RealVectorStateSpace> before(space);
	valid.first = before.get();
	EXPECT(!roughly.checkMotion(a.get(), b.get(), valid) && valid.second > at - 1e-2 && valid.second <= at && si->isValid(before.get()));
	EXPECT(checker.check({a[0], a[1]}, {before[0], before[1]}, spare).free());
	valid.first = nullptr;
	EXPECT(!si->checkMotion(a.get(), b.get(), valid) && valid.second <= at);
	EXPECT(motions->getValidMotionCount() == 1 && motions->getInvalidMotionCount() == 3);
	for (int over = 0; over < 2; over++) { // the state may be written over either end, as KPIECE1 does
		ob::ScopedState<ob::RealVectorStateSpace> s1(a), s2(b);
		std::pair<ob::State *, double> on(over ? s2.get() : s1.get(), -1);
		EXPECT(!si->checkMotion(s1.get(), s2.get(), on) && on.second == valid.second);
		EXPECT(fabs(on.first->as<ob::RealVectorStateSpace::StateType>()->values[0] - last[0]) < 1e-12);
		EXPECT((over ? s1 : s2)[0] == (over ? a : b)[0]);
	}
	b[0] = -3.5; // beyond the bounds
	EXPECT(!si->isValid(b.get()) && !si->checkMotion(a.get(), b.get()));
	EXPECT(!si->checkMotion(a.get(), b.get(), valid) && valid.second < 0.8 + 1e-9 && valid.second > 0.79);
	const double least = 0.8 * sin(0.2) - 0.06;
	EXPECT(fabs(si->getStateValidityChecker()->clearance(c.get()) - least) < 2e-3);
	fo::ClearanceObjective objective(si, motions);
	EXPECT(fabs(objective.motionCost(a.get(), c.get()).value() - least) < 2e-3);
	EXPECT(fabs(objective.motionCost(c.get(), a.get()).value() - least) < 2e-3);
	Checker own = checker.clone(), same = checker;
	same.setScene(Scene::parse("far.yaml", "objects:\n  - {id: far, type: sphere, xyz: [5, 0, 0], radius: 0.1}\n", robot));
	EXPECT(checker.check({-1, 0}, {1, 0}).free() && own.check({-1, 0}, {1, 0}).contact_found());
	checker.setScene(scene);
	auto verdicts = checker.checkAll({{-1, 0}, {-0.2, 0}, {-1, 0}, {1, 0}});
	EXPECT(verdicts[0].free() && verdicts[1].contact_found() && checker.checkPath({{-1, 0}, {-0.2, 0}}).free());
	checker.setScene(Scene::parse("cell.yaml", gap_text, robot));
	EXPECT(checker.premises().find("GAP ") != std::string::npos && checker.distance({-0.2, 0.5}).lower > 0);
	EXPECT(!si->isValid(c.get()) && si->getStateValidityChecker()->clearance(c.get()) == 0);
	checker.setScene(scene);
	EXPECT(checker.profile({-1, 0}, {-0.2, 0}).back().end == 1 && !checker.premises().empty() && checker.distance({-0.2, 0}).lower > 0);
}

template <typename F>
static void refused(F f, const char *why, int code = FC_OK)
{
	try {
		f();
	} catch (const Error &e) {
		EXPECT(strstr(e.what(), why) && (code == FC_OK || e.code() == code));
		return;
	}
	EXPECT(!"refused");
}

static void options()
{
	Robot robot = Robot::parse(robot_text);
	firstcontact::Options of;
	of.joints = {"rail", "shoulder"};
	Checker turned(robot, Scene::parse("cell.yaml", scene_text, robot), of);
	EXPECT(turned.joints()[0].name == std::string("rail") && turned.check({0, -1}, {0, 1}).contact_found() && turned.check({0, 1}, {0, 2}).free());
	of.joints = {"rail"};
	of.state = {{"shoulder", 0.5}};
	Checker held(robot, Scene::parse("cell.yaml", scene_text, robot), of);
	EXPECT(held.dimension() == 1 && held.check({0}, {1}).free());
	of.state = {{"shoulder", 0.01}};
	EXPECT(Checker(robot, Scene::parse("cell.yaml", scene_text, robot), of).check({0}, {1}).contact_found());
	of.allowed = {{"fore", "post"}};
	Scene two = Scene::parse("cell.yaml", scene_text, robot); // or no pair is left to check
	two.put(firstcontact::object("far", FC_SPHERE, {{0.1}}, {{5, 0, 0}}));
	EXPECT(Checker(robot, two, of).check({0}, {1}).free());
	of = firstcontact::Options();
	const double least = 0.8 * sin(0.2) - 0.06;
	of.padding = least + 1e-3;
	EXPECT(Checker(robot, Scene::parse("cell.yaml", scene_text, robot), of).checkState({0.2, 0}).contact_found());
	of.linkPadding = {{"fore", least - 1e-3}};
	EXPECT(Checker(robot, Scene::parse("cell.yaml", scene_text, robot), of).checkState({0.2, 0}).free());
	of.group = "arms";
	refused([&] { Checker(robot, of); }, "arms", FC_INPUT);
	const firstcontact::Strings list({"shoulder", "rail"}); // keeps its texts
	fc_options raw = fc_options_default();
	raw.joints = list.get();
	EXPECT(Checker(robot, raw).joints()[1].name == std::string("rail"));
}

// A text whose length changes while it is read is never cut.
static void edited()
{
	Robot robot = Robot::parse(robot_text);
	const Scene with = Scene::parse("cell.yaml", gap_text, robot), without = Scene::parse("cell.yaml", scene_text, robot);
	Checker checker(robot, with);
	const std::string path = checker.premises({{0, 0}, {4, 0}});
	EXPECT(path.find("beyond-limits shoulder") != std::string::npos && path.back() == '\n' && checker.premises().find("beyond-limits") == std::string::npos);
	std::atomic<bool> done{false};
	std::thread editor([&] {
		while (!done) checker.setScene(without), checker.setScene(with);
	});
	std::string last = checker.premises(), other = last;
	int changes = 0;
	for (const double end = seconds(CLOCK_MONOTONIC) + 20; changes < 300 && seconds(CLOCK_MONOTONIC) < end;) {
		const std::string now = checker.premises();
		if (now == last) continue;
		EXPECT(changes == 0 || now == other); // there are two
		other = last, last = now;
		changes++;
	}
	done = true;
	editor.join();
	EXPECT(changes == 300);
}

static void refusals()
{
	Robot robot = Robot::parse(robot_text), gantry = Robot::parse(gantry_text);
	Checker checker(robot), turning(gantry, Scene::parse("wall.yaml", wall_text, gantry));
	auto validator = [](const Checker &c, const ob::StateSpacePtr &space) { fo::MotionValidity(c, std::make_shared<ob::SpaceInformation>(space)); };
	refused([] { Robot("nowhere.urdf"); }, "nowhere.urdf", FC_INPUT);
	refused([] { Robot("nowhere.urdf", "", {"package"}); }, "name=folder", FC_MISUSE);
	refused([&] { checker.check({0, 0}, {0}); }, "belong together");
	refused([&] { checker.check({0, 0, 0}, {0, 0, 0}); }, "3 numbers");
	refused([&] { validator(checker, std::make_shared<ob::RealVectorStateSpace>(3)); }, "3 values");
	auto circles = std::make_shared<ob::CompoundStateSpace>();
	circles->addSubspace(std::make_shared<ob::SO2StateSpace>(), 1);
	circles->addSubspace(std::make_shared<ob::RealVectorStateSpace>(1), 1);
	refused([&] { validator(checker, circles); }, "shoulder has limits");
	struct Curved : ob::RealVectorStateSpace {
		Curved() : ob::RealVectorStateSpace(2) {}
	};
	refused([&] { validator(checker, std::make_shared<Curved>()); }, "another way");
	auto other = std::make_shared<ob::RealVectorStateSpace>();
	other->addDimension("rail", 0, 1);
	other->addDimension("shoulder", -3, 3);
	refused([&] { validator(checker, other); }, "the same order of joints");
	auto last = std::make_shared<ob::CompoundStateSpace>(); // the circle would be joint up
	auto circle = std::make_shared<ob::SO2StateSpace>(), spin = std::make_shared<ob::SO2StateSpace>();
	circle->setName("wrist");
	last->addSubspace(circle, 1);
	last->addSubspace(std::make_shared<ob::RealVectorStateSpace>(2), 1);
	refused([&] { validator(turning, last); }, "the same order of joints");
	circle->setName("the spin");
	validator(turning, last);
	auto controls = std::make_shared<ompl::control::RealVectorControlSpace>(fo::makeSpace(checker), 2);
	auto controlled = std::make_shared<ompl::control::SpaceInformation>(controls->getStateSpace(), controls);
	refused([&] { fo::use(checker, controlled); }, "controls");
	refused([&] { fo::MotionValidity(checker, controlled); }, "controls");
	validator(turning, std::make_shared<ob::RealVectorStateSpace>(3)); // the numbers count, and turns are kept
}

// The way round through a half turn is the short one of SO2StateSpace, and the long one of plain numbers.
static void turns()
{
	Robot robot = Robot::parse(gantry_text);
	Checker checker(robot, Scene::parse("wall.yaml", wall_text, robot));
	auto round = fo::makeSpace(checker);
	EXPECT(round->isCompound());
	auto si = std::make_shared<ob::SpaceInformation>(round);
	fo::use(checker, si);
	si->setup();
	ob::ScopedState<> a(round), b(round);
	std::vector<double> from = {2.9, 0.1, 0}, to = {-2.9, 0.1, 0};
	round->copyFromReals(a.get(), from);
	round->copyFromReals(b.get(), to);
	EXPECT(si->isValid(a.get()) && si->isValid(b.get()) && !si->checkMotion(a.get(), b.get())); // through the wall
	from[1] = to[1] = 0.9;
	round->copyFromReals(a.get(), from);
	round->copyFromReals(b.get(), to);
	EXPECT(si->checkMotion(a.get(), b.get())); // above it
	auto plain = std::make_shared<ob::RealVectorStateSpace>(3);
	plain->setBounds(-4, 4);
	auto other = std::make_shared<ob::SpaceInformation>(plain);
	fo::use(checker, other);
	other->setup();
	ob::ScopedState<> c(plain), d(plain);
	plain->copyFromReals(c.get(), from);
	plain->copyFromReals(d.get(), to);
	EXPECT(!other->checkMotion(c.get(), d.get())); // through the pole
}

// The way that is proved is the one that SO2StateSpace interpolates, to the last digit of half a turn. States beyond the bounds, between
// which it goes other ways, are not valid.
static void ways()
{
	Robot robot = Robot::parse(gantry_text);
	// Across the way at 90 degrees: what passes there touches it.
	Checker checker(robot, Scene::parse("post.yaml", "objects:\n  - {id: post, type: box, xyz: [0, 0.5, 0.5], size: [0.02, 1, 3]}\n", robot));
	auto space = fo::makeSpace(checker);
	auto si = std::make_shared<ob::SpaceInformation>(space);
	auto motions = fo::use(checker, si);
	si->setup();
	ob::ScopedState<> a(space), b(space), middle(space), last(space);
	auto both = [&](double from, double to) {
		space->copyFromReals(a.get(), {from, 0.5, 0});
		space->copyFromReals(b.get(), {to, 0.5, 0});
	};
	const double edges[] = {0, 1e-16, -1e-16, 4e-16, -4e-16, 1e-15, -1e-15, M_PI, -M_PI, std::nextafter(M_PI, 0), std::nextafter(-M_PI, 0), M_PI - 1e-15, 1e-15 - M_PI};
	int over = 0, clear = 0;
	for (double from : edges)
		for (double to : edges) {
			both(from, to);
			if (std::fabs(std::remainder(from - to, 2 * M_PI)) < 1) continue; // no way at all
			space->interpolate(a.get(), b.get(), 0.5, middle.get());
			std::vector<double> at;
			space->copyToReals(at, middle.get());
			const bool passes = at[0] > 0;
			const bool bounded = si->satisfiesBounds(a.get()) && si->satisfiesBounds(b.get()); // -M_PI is, M_PI is not
			EXPECT(si->checkMotion(a.get(), b.get()) == (bounded && !passes));
			(passes ? over : clear)++;
		}
	EXPECT(over > 10 && clear > 10);
	uint64_t random = 1;
	for (int i = 0; i < 20000; i++) { // near half a turn, and anywhere
		const double from = random_in(&random, -M_PI, M_PI), way = i % 2 ? random_in(&random, -2e-15, 2e-15) : random_in(&random, -M_PI, M_PI);
		const double to = std::remainder(from + M_PI + way, 2 * M_PI);
		if (std::fabs(to) > M_PI) continue;
		both(from, to);
		const bool valid = si->checkMotion(a.get(), b.get());
		for (int k = 0; valid && k <= 8; k++) {
			space->interpolate(a.get(), b.get(), k / 8., middle.get());
			std::vector<double> at;
			space->copyToReals(at, middle.get());
			EXPECT(checker.checkState(at).free());
		}
	}
	both(10, 0); // SO2StateSpace goes back by 3.72 rad, through the post; the short way is 2.57 rad the other way, and free
	EXPECT(checker.check({10, 0.5, 0}, {0, 0.5, 0}).free());
	std::pair<ob::State *, double> valid(last.get(), -1);
	EXPECT(!si->checkMotion(a.get(), b.get()) && !si->checkMotion(a.get(), b.get(), valid) && valid.second < 1);
	EXPECT(motions->clearance(a.get(), b.get(), 1e-3).second == 0);
	EXPECT(!si->checkMotion(b.get(), a.get()));
}

// Of two continuous joints one may go round and the other count its turns.
static void mixed()
{
	Robot robot = Robot::parse("<robot name='two'><link name='base'/><link name='a'><collision><origin xyz='0.5 0 0'/><geometry><box size='0.4 0.1 0.1'/></geometry></collision></link>"
				   "<link name='b'><collision><origin xyz='0.5 0 1'/><geometry><box size='0.4 0.1 0.1'/></geometry></collision></link>"
				   "<joint name='round' type='continuous'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/></joint>"
				   "<joint name='wound' type='continuous'><parent link='base'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>");
	Checker checker(robot, Scene::parse("post.yaml", "objects:\n  - {id: post, type: box, xyz: [0.5, 0, 0.5], size: [1, 0.02, 3]}\n", robot));
	auto space = std::make_shared<ob::CompoundStateSpace>();
	auto line = std::make_shared<ob::RealVectorStateSpace>(1);
	line->setBounds(-10, 10);
	space->addSubspace(std::make_shared<ob::SO2StateSpace>(), 7); // weights are of distances alone
	space->addSubspace(line, 0.1);
	auto si = std::make_shared<ob::SpaceInformation>(space);
	fo::use(checker, si);
	si->setup();
	ob::ScopedState<> a(space), b(space);
	auto moves = [&](double round, double to, double wound, double on) {
		space->copyFromReals(a.get(), {round, wound});
		space->copyFromReals(b.get(), {to, on});
		return si->checkMotion(a.get(), b.get());
	};
	EXPECT(moves(2.9, -2.9, 3, 3) && !moves(0.4, -0.4, 3, 3));   // round: the short way, past the half turn or through the post
	EXPECT(!moves(3, 3, 2.9, -2.9) && moves(3, 3, 2.9, 3.4));    // wound: every angle between
	EXPECT(!moves(3, 3, 1, 1 + 2 * M_PI) && !moves(2.9, -2.9, 2.9, -2.9));
}

// Joints that turn without end, in a space of plain numbers: they go every turn that the numbers say.
static bool numbers_free(const Checker &checker, const std::vector<double> &from, const std::vector<double> &to)
{
	auto space = std::make_shared<ob::RealVectorStateSpace>(from.size());
	space->setBounds(-20, 20);
	auto si = std::make_shared<ob::SpaceInformation>(space);
	fo::use(checker, si);
	si->setup();
	ob::ScopedState<> a(space), b(space);
	space->copyFromReals(a.get(), from);
	space->copyFromReals(b.get(), to);
	EXPECT(si->isValid(a.get()) && si->isValid(b.get()));
	return si->checkMotion(a.get(), b.get());
}

static void endless()
{
	// A bar on a platform that goes anywhere on the floor.
	Robot platform = Robot::parse("<robot name='platform'><link name='base'/>"
				      "<link name='bar'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry></collision></link>"
				      "<joint name='drive' type='planar'><parent link='base'/><child link='bar'/><axis xyz='0 0 1'/></joint></robot>");
	Checker driving(platform, Scene::parse("cell.yaml", scene_text, platform));
	EXPECT(driving.joints()[1].type == FC_OTHER_JOINT && driving.joints()[2].type == FC_CONTINUOUS);
	EXPECT(!numbers_free(driving, {0, 0, 2.9}, {0, 0, -2.9}) && numbers_free(driving, {0, 0, 2.9}, {0, 0, 3.4}));
	refused([&] { fo::makeSpace(driving); }, "drive/x");

	// A bar that turns by half of what a wheel turns: two turns of the wheel bring it back, one does not.
	Robot geared = Robot::parse("<robot name='geared'><link name='base'/><link name='wheel'/>"
				    "<link name='bar'><collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.1 0.1'/></geometry></collision></link>"
				    "<joint name='turn' type='continuous'><parent link='base'/><child link='wheel'/><axis xyz='0 0 1'/></joint>"
				    "<joint name='half' type='continuous'><parent link='base'/><child link='bar'/><axis xyz='0 0 1'/><mimic joint='turn' multiplier='0.5'/></joint></robot>");
	Checker gear(geared, Scene::parse("cell.yaml", scene_text, geared));
	EXPECT(gear.joints().size() == 1 && gear.joints()[0].type == FC_WINDING);
	EXPECT(!numbers_free(gear, {-1}, {-1 + 4 * M_PI}) && numbers_free(gear, {1}, {6}));
	refused([&] { fo::makeSpace(gear); }, "turn");
	auto circle = std::make_shared<ob::SpaceInformation>(std::make_shared<ob::SO2StateSpace>());
	refused([&] { fo::MotionValidity(gear, circle); }, "does not come back");
}

// A validator answers before setup, and notices a space that has changed.
static void unprepared()
{
	Robot robot = Robot::parse(robot_text);
	Checker checker(robot, Scene::parse("cell.yaml", scene_text, robot));
	auto part = std::make_shared<ob::RealVectorStateSpace>(2);
	part->setBounds(-3, 3);
	auto space = std::make_shared<ob::CompoundStateSpace>();
	space->addSubspace(part, 1);
	auto si = std::make_shared<ob::SpaceInformation>(space);
	fo::MotionValidity motions(checker, si);
	auto set = [](ob::ScopedState<> &s, double x) { s->as<ob::CompoundState>()->as<ob::RealVectorStateSpace::StateType>(0)->values[0] = x, s->as<ob::CompoundState>()->as<ob::RealVectorStateSpace::StateType>(0)->values[1] = 0; };
	{
		ob::ScopedState<> a(space), b(space);
		set(a, -1), set(b, -0.2);
		EXPECT(motions.checkMotion(a.get(), b.get()));
		set(b, 1);
		EXPECT(!motions.checkMotion(a.get(), b.get()));
	}
	auto more = std::make_shared<ob::RealVectorStateSpace>(1);
	more->setBounds(0, 1);
	space->addSubspace(more, 1);
	space->setup();
	ob::ScopedState<> c(space);
	set(c, -1);
	c->as<ob::CompoundState>()->as<ob::RealVectorStateSpace::StateType>(1)->values[0] = 0;
	refused([&] { motions.checkMotion(c.get(), c.get()); }, "3 values now");
}

static void planners()
{
	Robot robot = Robot::parse(gantry_text);
	Checker checker(robot, Scene::parse("wall.yaml", wall_text, robot));
	auto space = fo::makeSpace(checker);
	auto si = std::make_shared<ob::SpaceInformation>(space);
	auto motions = fo::use(checker, si);
	si->setup();
	auto problem = [&] {
		auto p = std::make_shared<ob::ProblemDefinition>(si);
		ob::ScopedState<> a(space), b(space);
		space->copyFromReals(a.get(), {2.5, 0, 0});
		space->copyFromReals(b.get(), {-2.5, 0, 0});
		p->setStartAndGoalStates(a, b);
		return p;
	};
	auto good = [&](const ob::ProblemDefinitionPtr &p, const char *name) {
		auto path = p->getSolutionPath()->as<og::PathGeometric>();
		EXPECT(path->getStateCount() > 2);
		for (std::size_t i = 0; i + 1 < path->getStateCount(); i++) {
			std::vector<double> from, to;
			space->copyToReals(from, path->getState(i));
			space->copyToReals(to, path->getState(i + 1));
			EXPECT(checker.check(from, to).free());
		}
		printf("%s: a proved path of %zu states\n", name, path->getStateCount());
	};
	std::vector<ob::PlannerPtr> all = {std::make_shared<og::RRTConnect>(si), std::make_shared<og::LBKPIECE1>(si), std::make_shared<og::KPIECE1>(si)};
	auto parallel = std::make_shared<og::pRRT>(si);
	parallel->setThreadCount(4);
	all.push_back(parallel);
	all.push_back(std::make_shared<og::PRM>(si)); // grows and solves in two threads
	for (auto &planner : all) {
		auto p = problem();
		planner->setProblemDefinition(p);
		planner->setup();
		EXPECT(planner->solve(20.0) == ob::PlannerStatus::EXACT_SOLUTION);
		og::PathSimplifier(si).simplifyMax(*p->getSolutionPath()->as<og::PathGeometric>());
		good(p, planner->getName().c_str());
		const auto path = p->getSolutionPath()->as<og::PathGeometric>();
		const double clear = path->cost(std::make_shared<fo::ClearanceObjective>(si, motions)).value();
		double least = INFINITY; // of spans that follow the whole path
		for (std::size_t i = 0; i + 1 < path->getStateCount(); i++) {
			std::vector<double> from, to;
			space->copyToReals(from, path->getState(i));
			space->copyToReals(to, path->getState(i + 1));
			for (const fc_span &s : checker.profile(from, to)) least = std::min({least, s.upper[0], s.upper[1]});
		}
		EXPECT(clear >= 0 && clear <= least && clear > least - 3e-3); // each within 1e-3
	}
	auto q = problem();
	ompl::tools::ParallelPlan together(q);
	for (int i = 0; i < 4; i++) together.addPlanner(std::make_shared<og::RRTConnect>(si));
	EXPECT(together.solve(20.0, 1, 4, true));
	good(q, "four RRTConnect at once");
}

int main()
{
	ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
	arm();
	options();
	edited();
	refusals();
	turns();
	ways();
	mixed();
	endless();
	unprepared();
	planners();
	puts("ompl: all as expected");
	return 0;
}
