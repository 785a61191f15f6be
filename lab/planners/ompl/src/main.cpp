// plan solves problems by planners of OMPL whose motions are judged by samples of FCL or by proofs, and judges the paths. One
// line in on standard input gives one line out: "ok", an object of JSON, or "error REASON".
//
//     robot URDF SRDF A B A B ...        pairs of links that touch as designed
//     problem SCENE                       forgets the last one's objects and held joints; SCENE as the library loads it
//     hold JOINT VALUE
//     object ID box|cylinder|sphere POSE(7) SIZE...     as SCENE has it, for FCL
//     ends JOINT... START... GOAL...
//     run PLANNER CHECKER SEED SECONDS DENSE RANGE
//
// CHECKER is proof, default (OMPL's resolution) or a resolution in rad. DENSE is how far apart (rad) the samples are by which FCL judges
// the paths. RANGE is RRTConnect's, the length of its motions at most (rad); 0 is OMPL's own. Times are those that the process computed.
#include <ompl/util/Console.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <map>

#include "problem.h"
#include "srdf.h"
#include "text.h"

namespace {

class Session {
 public:
  std::string answer(const std::string &line) {
    Reader in(splitLine(line));
    const std::string command = in.word("a command");
    if (command == "robot") return robot(in);
    if (!robot_) throw Failure("load a robot first");
    if (command == "problem") {
      now_ = Description{};
      now_.scene = in.word("the scene");
      problem_.reset();
    } else if (command == "hold") {
      const std::string joint = in.word("a joint");
      const double value = in.number("its value");
      for (const auto &variable : robot_->robot.variables)  // files of problems name joints that a robot may lack
        if (variable.name == joint) now_.held[joint] = value;
    } else if (command == "object") {
      object(in);
    } else if (command == "ends") {
      ends(in);
    } else if (command == "run") {
      return run(in);
    } else {
      throw Failure("there is no command " + quoted(command));
    }
    return "ok";
  }

 private:
  std::string robot(Reader &in) {
    const std::string urdf = in.word("the URDF file"), srdf = in.word("the SRDF file");
    std::vector<std::pair<std::string, std::string>> allowed;
    while (in.left()) {
      const std::string a = in.word("a link");
      allowed.emplace_back(a, in.word("another link"));
    }
    problem_.reset();
    robot_ = std::make_unique<Models>(urdf, srdf, allowed);
    return "ok";
  }
  void object(Reader &in) {
    Sampler::Object o;
    o.id = in.word("the object's id");
    const std::string type = in.word("the object's type");
    const auto p = in.numbers(7, "the object's pose x y z qx qy qz qw");
    o.poseRS = Eigen::Translation3d(p[0], p[1], p[2]) * Eigen::Quaterniond(p[6], p[3], p[4], p[5]).normalized();
    if (type == "box") {
      const double x = in.positive("size x"), y = in.positive("size y"), z = in.positive("size z");
      o.piece = pieces::box({x, y, z}, 0);
    } else if (type == "cylinder") {
      const double length = in.positive("length"), radius = in.positive("radius");
      o.piece = pieces::cylinder(radius, length, 0);
    } else if (type == "sphere") {
      o.piece = pieces::sphere(in.positive("radius"), 0);
    } else {
      throw Failure("object " + quoted(o.id) + ": unknown type " + quoted(type));
    }
    now_.objects.push_back(o);
  }
  void ends(Reader &in) {
    const std::size_t n = in.left() / 3;
    if (n == 0 || in.left() != 3 * n) throw Failure("ends takes joints, as many numbers of the start and of the goal");
    for (std::size_t i = 0; i < n; i++) now_.joints.push_back(in.word("a joint"));
    now_.start = in.numbers(n, "the start"), now_.goal = in.numbers(n, "the goal");
    problem_ = std::make_unique<Problem>(*robot_, now_);
  }
  std::string run(Reader &in) {
    if (!problem_) throw Failure("say the ends first");
    const std::string planner = in.word("a planner"), checker = in.word("a checker");
    const int seed = in.count("the seed", 1, 1 << 30);
    const double seconds = in.positive("the seconds"), dense = in.positive("the distance of samples");
    const double range = in.number("the range");
    in.finish();
    return problem_->run(planner, checker, seed, seconds, dense, range);
  }

  std::unique_ptr<Models> robot_;
  Description now_;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

int main() {
  ompl::msg::noOutputHandler();
  Session session;
  for (std::string line; std::getline(std::cin, line);) {
    std::string out;
    try {
      out = session.answer(line);
    } catch (const std::exception &e) {
      out = std::string("error ") + e.what();
    }
    std::cout << out << std::endl;
  }
}
