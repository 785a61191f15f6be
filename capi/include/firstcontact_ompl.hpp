// firstcontact for OMPL: motions and states that are proved free instead of sampled. Header only; link with libfirstcontact and OMPL.
//
//     auto space = firstcontact::ompl::makeSpace(checker);
//     auto si = std::make_shared<ompl::base::SpaceInformation>(space);
//     firstcontact::ompl::use(checker, si);
//
// From there on OMPL's geometric planners and its path simplifier work with proofs of states and of whole motions, and its
// resolution (setStateValidityCheckingResolution) does not matter to them. OMPL's own objectives go on sampling motions;
// ClearanceObjective is proved. Planners with controls are refused, because they check states alone. The validators may be used
// from any number of threads.
#ifndef FIRSTCONTACT_OMPL_HPP
#define FIRSTCONTACT_OMPL_HPP

#include "firstcontact.hpp"

#include <ompl/base/MotionValidator.h>
#include <ompl/base/ProjectionEvaluator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/objectives/MaximizeMinClearanceObjective.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/control/SpaceInformation.h>

#include <algorithm>
#include <cmath>
#include <typeinfo>

namespace firstcontact {
namespace ompl {

namespace ob = ::ompl::base;

constexpr double halfTurn = 3.14159265358979323846; // as SO2StateSpace has it

// Projection maps states to their first two values, in cells of a twentieth of the range: planners such as KPIECE need one, and
// OMPL has none for a compound space.
class Projection : public ob::ProjectionEvaluator {
public:
	Projection(const ob::StateSpace *space, const std::vector<fc_joint> &joints) : ob::ProjectionEvaluator(space)
	{
		for (std::size_t i = 0; i < joints.size() && i < 2; i++)
			cellSizes_.push_back((joints[i].bounded ? joints[i].upper - joints[i].lower : 2 * halfTurn) / 20);
	}
	unsigned int getDimension() const override { return static_cast<unsigned int>(cellSizes_.size()); }
	void defaultCellSizes() override {} // known from the joints
	void project(const ob::State *state, Eigen::Ref<Eigen::VectorXd> projection) const override
	{
		static thread_local std::vector<double> values;
		space_->copyToReals(values, state);
		for (Eigen::Index i = 0; i < projection.size(); i++) projection[i] = values[static_cast<std::size_t>(i)];
	}
};

// SmallSpace is a RealVectorStateSpace of one or two dimensions with a projection of ours: with OMPL 1.5's own, planners such as
// KPIECE end the process where Eigen's assertions are on.
class SmallSpace : public ob::RealVectorStateSpace {
public:
	explicit SmallSpace(std::vector<fc_joint> joints) : joints_(std::move(joints))
	{
		for (const fc_joint &j : joints_) addDimension(j.name, j.lower, j.upper);
	}
	void registerProjections() override { registerDefaultProjection(std::make_shared<Projection>(this, joints_)); }

private:
	std::vector<fc_joint> joints_;
};

// makeSpace returns the space of a checker's configurations: a dimension with bounds for each revolute and prismatic joint, a
// circle for each continuous one (FC_CONTINUOUS). Runs of joints with bounds share a RealVectorStateSpace. Names of joints are
// those of dimensions and circles. Any other joint, and one without bounds, is an Error.
inline ob::StateSpacePtr makeSpace(const Checker &checker)
{
	std::vector<ob::StateSpacePtr> parts;
	ob::RealVectorStateSpace *run = nullptr;
	for (const fc_joint &j : checker.joints()) {
		if (j.type == FC_CONTINUOUS) {
			parts.push_back(std::make_shared<ob::SO2StateSpace>());
			parts.back()->setName(j.name);
			run = nullptr;
			continue;
		}
		if ((j.type != FC_REVOLUTE && j.type != FC_PRISMATIC) || !j.bounded)
			throw Error(FC_INPUT, std::string("joint ") + j.name + " is neither revolute, continuous nor prismatic, or has no limits: name the joints to plan for (fc_options)");
		if (!run) {
			auto vector = std::make_shared<ob::RealVectorStateSpace>();
			run = vector.get();
			parts.push_back(vector);
		}
		run->addDimension(j.name, j.lower, j.upper);
	}
	if (parts.size() == 1 && run && run->getDimension() <= 2) return std::make_shared<SmallSpace>(checker.joints());
	if (parts.size() == 1) return parts[0];
	auto whole = std::make_shared<ob::CompoundStateSpace>();
	for (const auto &part : parts) whole->addSubspace(part, part->getDimension());
	whole->lock();
	whole->computeLocations(); // which the projection reads, also before setup
	whole->registerDefaultProjection(std::make_shared<Projection>(whole.get(), checker.joints()));
	return whole;
}

// Configurations turns states of a space into configurations of a checker, and knows which way joints go between two. It
// refuses a space that interpolates in another way than the checker proves: anything but RealVectorStateSpace, SO2StateSpace
// (for continuous joints alone) and CompoundStateSpace of these; and names of dimensions or circles that are those of other
// joints than the checker's configurations have there.
class Configurations {
public:
	Configurations(const Checker &checker, const ob::StateSpacePtr &space) : space_(space)
	{
		std::vector<Value> values;
		flatten(*space, values);
		const std::vector<fc_joint> joints = checker.joints();
		if (joints.size() != values.size())
			throw Error(FC_MISUSE, "the space " + space->getName() + " has " + std::to_string(values.size()) + " values, the checker's configurations have " + std::to_string(joints.size()));
		for (std::size_t i = 0; i < joints.size(); i++) {
			const bool circle = values[i].circle, turns = joints[i].type == FC_CONTINUOUS || joints[i].type == FC_WINDING;
			if (circle && joints[i].type == FC_WINDING)
				throw Error(FC_MISUSE, std::string("joint ") + joints[i].name + " does not come back after a turn, and the space lets it go round: use a RealVectorStateSpace for it");
			if (circle && !turns)
				throw Error(FC_MISUSE, std::string("joint ") + joints[i].name + " has limits, and the space lets it go round: use a RealVectorStateSpace for it");
			if (circle) circles_.push_back(i);
			named(values[i], i, joints);
		}
		n_ = joints.size();
		if (space->getValueLocations().size() != n_) space->computeLocations(); // else setup does, and nothing is read before
	}

	// The configuration of a state, valid until the next call in this thread with the same slot.
	const double *of(const ob::State *state, int slot) const
	{
		static thread_local std::vector<double> room[2];
		space_->copyToReals(room[slot], state);
		if (room[slot].size() != n_)
			throw Error(FC_MISUSE, "the space " + space_->getName() + " has " + std::to_string(room[slot].size()) + " values now, and had " + std::to_string(n_) + " when the validator was made");
		return room[slot].data();
	}
	// The configuration in which a motion ends that begins at one: of the angles of a circle the one that SO2StateSpace goes to, whose
	// way is the short one, and to the last digit of half a turn that of its own rule. Valid until the next call in this thread.
	const double *towards(const double *from, const ob::State *to) const
	{
		double *end = const_cast<double *>(of(to, 1));
		for (const std::size_t i : circles_) {
			const double way = end[i] - from[i];
			if (std::fabs(way) > halfTurn) end[i] = from[i] + (way - std::copysign(2 * halfTurn, way));
		}
		return end;
	}

private:
	struct Value {
		bool circle;
		std::string name; // that OMPL has for it: for a dimension empty where none was given, for a circle one of OMPL's own
	};
	static void flatten(const ob::StateSpace &space, std::vector<Value> &values)
	{
		if (typeid(space) == typeid(ob::RealVectorStateSpace) || typeid(space) == typeid(SmallSpace)) {
			for (unsigned int i = 0; i < space.getDimension(); i++) values.push_back({false, space.as<ob::RealVectorStateSpace>()->getDimensionName(i)});
		} else if (typeid(space) == typeid(ob::SO2StateSpace)) {
			values.push_back({true, space.getName()});
		} else if (typeid(space) == typeid(ob::CompoundStateSpace)) {
			for (const auto &part : space.as<ob::CompoundStateSpace>()->getSubspaces()) flatten(*part, values);
		} else {
			throw Error(FC_MISUSE, "the space " + space.getName() + " may interpolate in another way than is proved: use RealVectorStateSpace, SO2StateSpace or CompoundStateSpace");
		}
	}
	// Refuses the name of another joint, and for a dimension any other name.
	static void named(const Value &value, std::size_t i, const std::vector<fc_joint> &joints)
	{
		if (value.name.empty() || value.name == joints[i].name) return;
		bool joint = false;
		for (const fc_joint &j : joints) joint = joint || value.name == j.name;
		if (joint || !value.circle)
			throw Error(FC_MISUSE, "value " + std::to_string(i) + " of the space is named " + value.name + ", and the checker's configurations have joint " + joints[i].name + " there: give the space the same order of joints (fc_options.joints)");
	}
	ob::StateSpacePtr space_;
	std::size_t n_ = 0;
	std::vector<std::size_t> circles_; // places of angles that go round
};

// Settings of the validators.
struct Settings {
	double clearance = 0; // m, that a state or motion must exceed to be valid
	double budget = 0;    // s of computing time for a motion, which is not valid without a proof by then; 0 is none
	double accuracy = 1e-3; // m, of clearance() of states and of ClearanceObjective
	double lastValid = 1e-2; // of lastValid, in parts of the motion: so long before the contact at most; less takes longer
};

// refuseGaps throws where a gap keeps every motion from being proved free: no planner would find anything.
inline void refuseGaps(const Checker &checker)
{
	const std::string text = checker.premises();
	for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
		if (text.compare(at, 4, "GAP ") == 0)
			throw Error(FC_INPUT, "nothing can be proved free in this model: " + text.substr(at, text.find('\n', at) - at) + ". Remedy it, or accept it by name (fc_options.accept)");
}

// refuseControls throws for a space with controls: its planners ask about states along a motion, and about no motion.
inline const ob::SpaceInformationPtr &refuseControls(const ob::SpaceInformationPtr &si)
{
	if (dynamic_cast<const ::ompl::control::SpaceInformation *>(si.get()))
		throw Error(FC_MISUSE, "planners with controls check states alone, and no motion would be proved: use a geometric planner");
	return si;
}

// StateValidity says that a state is valid if it is within the bounds of the space and proved free.
class StateValidity : public ob::StateValidityChecker {
public:
	StateValidity(const Checker &checker, const ob::SpaceInformationPtr &si, const Settings &settings = Settings())
	    : ob::StateValidityChecker(refuseControls(si)), checker_(checker), configurations_(checker, si->getStateSpace()), query_(fc_query_default()), distance_(query_), n_(checker.dimension())
	{
		refuseGaps(checker);
		query_.question = FC_IS_FREE;
		query_.clearance = settings.clearance;
		distance_.clearance_tolerance = settings.accuracy;
		specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::EXACT;
	}
	bool isValid(const ob::State *state) const override
	{
		fc_verdict v;
		if (!si_->satisfiesBounds(state)) return false;
		require(fc_check_state(checker_.get(), configurations_.of(state, 0), n_, &query_, &v));
		return v.status == FC_FREE;
	}
	// A proved lower bound (m) of the distance to the nearest contact; 0 where a gap of the model is open.
	double clearance(const ob::State *state) const override
	{
		fc_distances d;
		require(fc_distance(checker_.get(), configurations_.of(state, 0), n_, &distance_, &d));
		return d.open_gaps ? 0 : d.lower;
	}

private:
	Checker checker_;
	Configurations configurations_;
	fc_query query_, distance_;
	std::size_t n_;
};

// MotionValidity says that a motion is valid if it is proved free as a whole, with 2e-6 m to spare. It counts as OMPL's own validator does.
class MotionValidity : public ob::MotionValidator {
public:
	MotionValidity(const Checker &checker, const ob::SpaceInformationPtr &si, const Settings &settings = Settings())
	    : ob::MotionValidator(refuseControls(si)), checker_(checker), configurations_(checker, si->getStateSpace()), query_(fc_query_default()), n_(checker.dimension())
	{
		query_.keep_turns = 1; // configurations_ knows which way a circle goes
		// What comes within the tolerance of a verdict (1e-6 m) may be told to be in contact or not, according to where it is cut:
		// with twice as much to spare no part of a path and no whole path is refused later.
		query_.clearance = settings.clearance + 2e-6;
		query_.budget = settings.budget;
		query_.time_tolerance = settings.lastValid;
	}

	bool checkMotion(const ob::State *from, const ob::State *to) const override { return counted(within(from, to) && ask(from, to, FC_IS_FREE).status == FC_FREE); }

	// lastValid gets a time until which the motion is proved free, by Settings::lastValid before a contact at most, and the state there,
	// which may be written over from or to.
	bool checkMotion(const ob::State *from, const ob::State *to, std::pair<ob::State *, double> &lastValid) const override
	{
		const fc_verdict v = ask(from, to, FC_FIRST_CONTACT);
		if (v.status == FC_FREE && within(from, to)) return counted(true);
		lastValid.second = before(v.status == FC_FREE ? 1 : v.proven_until, from, to, lastValid.first);
		return counted(false);
	}

	// The bounds of the least distance (m) over a motion: 0 and 0 where it is not free, or leaves the bounds of the space.
	std::pair<double, double> clearance(const ob::State *from, const ob::State *to, double accuracy) const
	{
		if (!within(from, to)) return {0, 0};
		fc_query q = query_;
		q.clearance_tolerance = accuracy;
		const fc_verdict v = ask(from, to, FC_MIN_CLEARANCE, q);
		if (v.status != FC_FREE || !v.clearance_known) return {0, 0};
		return {v.clearance_lo, v.clearance_hi};
	}

private:
	// Bounds are convex, so that the whole motion is within them.
	bool within(const ob::State *from, const ob::State *to) const { return si_->satisfiesBounds(from) && si_->satisfiesBounds(to); }
	fc_verdict ask(const ob::State *from, const ob::State *to, fc_question question) const { return ask(from, to, question, query_); }
	fc_verdict ask(const ob::State *from, const ob::State *to, fc_question question, fc_query q) const
	{
		fc_verdict v;
		q.question = question;
		const double *a = configurations_.of(from, 0), *b = configurations_.towards(a, to);
		require(fc_check(checker_.get(), a, b, n_, &q, &v));
		return v;
	}
	// A time at or before a time of proof whose state is valid by itself: at the very contact it may not be, and the motion may
	// leave the bounds, which are convex, before. It is within 1e-6 of the last such time.
	double before(double time, const ob::State *from, const ob::State *to, ob::State *at) const
	{
		ob::ScopedState<> here(si_->getStateSpace());
		const auto valid = [&](double t) {
			si_->getStateSpace()->interpolate(from, to, t, here.get());
			return si_->isValid(here.get());
		};
		double good = 0, bad = time;
		for (double step = 0; step < time; step = 8 * step + 1e-9) {
			if (valid(time - step)) {
				good = time - step;
				break;
			}
			bad = time - step;
		}
		while (bad - good > 1e-6) {
			const double middle = (good + bad) / 2;
			(valid(middle) ? good : bad) = middle;
		}
		si_->getStateSpace()->interpolate(from, to, good, here.get());
		if (at) si_->copyState(at, here.get());
		return good;
	}
	bool counted(bool valid) const
	{
		__atomic_fetch_add(valid ? &valid_ : &invalid_, 1, __ATOMIC_RELAXED); // planners of several threads share it
		return valid;
	}

	Checker checker_;
	Configurations configurations_;
	fc_query query_;
	std::size_t n_;
};

// ClearanceObjective prefers paths whose least distance to a contact is large: that of each whole motion, proved, not of
// samples.
class ClearanceObjective : public ob::MaximizeMinClearanceObjective {
public:
	ClearanceObjective(const ob::SpaceInformationPtr &si, std::shared_ptr<MotionValidity> motions, double accuracy = 1e-3)
	    : ob::MaximizeMinClearanceObjective(si), motions_(std::move(motions)), accuracy_(accuracy)
	{
	}
	ob::Cost motionCost(const ob::State *from, const ob::State *to) const override { return ob::Cost(motions_->clearance(from, to, accuracy_).first); }

private:
	std::shared_ptr<MotionValidity> motions_;
	double accuracy_;
};

// use makes si judge states and motions by a checker.
inline std::shared_ptr<MotionValidity> use(const Checker &checker, const ob::SpaceInformationPtr &si, const Settings &settings = Settings())
{
	si->setStateValidityChecker(std::make_shared<StateValidity>(checker, si, settings));
	auto motions = std::make_shared<MotionValidity>(checker, si, settings);
	si->setMotionValidator(motions);
	return motions;
}

} // namespace ompl
} // namespace firstcontact
#endif
