// A path from -1 to 1 rad of each joint that is proved free of collision, by RRTConnect of OMPL.
//
//	c++ plan.cpp $(pkg-config --cflags firstcontact ompl) -std=c++17 $(pkg-config --libs firstcontact) -lompl -o plan
//	./plan arm.urdf cell.yaml
#include <firstcontact_ompl.hpp>
#include <iostream>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>

int main(int argc, char **argv)
try {
	firstcontact::Robot robot(argc == 3 ? argv[1] : "");
	firstcontact::Checker checker(robot, firstcontact::Scene(argv[2], robot));
	ompl::geometric::SimpleSetup setup(firstcontact::ompl::makeSpace(checker));
	firstcontact::ompl::use(checker, setup.getSpaceInformation()); // states and motions are proved from here on
	ompl::base::ScopedState<> from(setup.getStateSpace()), to(setup.getStateSpace());
	for (std::size_t i = 0; i < checker.dimension(); i++) from[i] = -1, to[i] = 1;
	setup.setStartAndGoalStates(from, to);
	setup.setPlanner(std::make_shared<ompl::geometric::RRTConnect>(setup.getSpaceInformation()));
	if (setup.solve(10.0) != ompl::base::PlannerStatus::EXACT_SOLUTION) return 1;
	setup.simplifySolution();
	setup.getSolutionPath().printAsMatrix(std::cout);
} catch (const std::exception &e) {
	std::cerr << e.what() << "\n";
	return 2;
}
