// premise_judge: reads a robot, a scene and motions by other people's readers and refutes verdicts by samples.
// One line on standard input gives one line on standard output; see the package documentation of bench/premises.

#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <sstream>

#include "judge.h"

namespace {

class Conversation {
 public:
  std::string answer(const std::string &line) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "case") return begin();
    if (word == "robot") return robot(in);
    if (word == "srdf") return judge_.srdf = loadSRDF(text(in), judge_.robot), judge_.hasSRDF = true, "ok";
    if (word == "scene") return judge_.scene = loadScene(text(in), judge_.robot), "ok";
    if (word == "allow") {
      const std::string a = text(in), b = text(in);
      return judge_.options.insert(ordered(a, b)), "ok";
    }
    if (word == "state") {
      const std::string name = text(in);
      return judge_.state[name] = number(in), "ok";
    }
    if (word == "padding") return judge_.padding = number(in), "ok";
    if (word == "clearance") return judge_.clearance = number(in), "ok";
    if (word == "linkpadding") {
      const std::string name = text(in);
      return judge_.linkPadding[name] = number(in), "ok";
    }
    if (word == "tube") {
      const std::string name = text(in);
      return judge_.tube[name] = number(in), "ok";
    }
    if (word == "ready") return ready();
    if (word == "piece") return piece(in);
    if (word == "motion") return motion(in);
    throw Failure("unknown word " + word);
  }

 private:
  Judge judge_;
  std::vector<Piece> pieces_;

  static std::string text(std::istream &in) {
    std::string s;
    if (!(in >> s)) throw Failure("a word is missing");
    return s;
  }
  static double number(std::istream &in) {
    const std::string s = text(in);
    return std::stod(s);
  }
  static Eigen::Vector3d vector(std::istream &in) {
    const double x = number(in), y = number(in), z = number(in);
    return {x, y, z};
  }

  std::string begin() {
    judge_ = Judge();
    pieces_.clear();
    return "ok";
  }

  std::string robot(std::istream &in) {
    judge_.robot = loadRobot(text(in));
    return "ok";
  }

  std::string ready() {
    judge_.prepare();
    std::ostringstream out;
    out << "ok self " << judge_.selfPairs << " world " << judge_.worldPairs << " left out " << judge_.leftOut << " ambiguous " << judge_.ambiguous;
    return out.str();
  }

  // A piece of the root link's motion, the joints standing still.
  std::string piece(std::istream &in) {
    Piece p;
    p.start = number(in);
    p.end = number(in);
    p.root.start.translation() = vector(in);
    for (int r = 0; r < 3; r++) p.root.start.linear().row(r) = vector(in).transpose();
    p.root.point = vector(in);
    p.root.velocity = vector(in);
    p.root.turn = vector(in);
    for (double x : judge_.held()) p.moves.push_back({x, 0});
    pieces_.push_back(p);
    return "ok";
  }

  // motion FILE|- ATTACHED|- STATUS LO HI TOLERANCE A B ax ay az bx by bz
  std::string motion(std::istream &in) {
    const std::string file = text(in), carried = text(in);
    Verdict v;
    v.status = text(in);
    v.lo = number(in);
    v.hi = number(in);
    v.tolerance = number(in);
    v.a = text(in);
    v.b = text(in);
    v.pointA = vector(in);
    v.pointB = vector(in);
    Motion m;
    if (file == "-") {
      m.pieces.swap(pieces_);
      if (m.pieces.empty()) throw Failure("no pieces");
    } else {
      m = loadMotion(file, judge_.robot, judge_.held());
    }
    const Judge before = carried == "-" ? Judge() : judge_;
    if (carried != "-") {
      NamePairs allowed;
      auto bodies = loadAttached(carried, judge_.robot, allowed);
      judge_.carry(std::move(bodies), allowed);
    }
    const std::string out = rule(m, v);
    if (carried != "-") judge_ = before;
    return out;
  }

  std::string rule(const Motion &m, const Verdict &v) {
    std::ostringstream out;
    out.precision(12);
    if (v.status == "undecided") return "ok 0 0 -";
    const double until = v.status == "free" ? std::numeric_limits<double>::infinity() : v.lo;
    const Found f = judge_.sample(m, until);
    if (f.contact) {
      out << (v.status == "free" ? "free " : "late ") << f.time << ' ' << f.a << ' ' << f.b;
      return out.str();
    }
    std::string witness = "-";
    if (v.status == "contact" && judge_.tube.empty()) {  // within a tube bodies only may touch
      const auto d = judge_.apart(m, v.hi, v.a, v.b);
      if (!d) {
        witness = "pair";  // one that is not to be checked, or that may be called either way
      } else if (*d > v.tolerance + 1e-5 && !onBoth(m, v)) {
        out << "apart " << *d << ' ' << v.a << ' ' << v.b;
        return out.str();
      } else {
        witness = "met";
      }
    }
    out << "ok " << f.samples << ' ' << f.ties << ' ' << witness;
    return out.str();
  }

  // Now and then libccd says too much of a distance of two primitives. Then the witness itself
  // decides: two points of the bodies, padding included, no farther apart than the clearance.
  bool onBoth(const Motion &m, const Verdict &v) {
    return (v.pointA - v.pointB).norm() <= judge_.clearance + v.tolerance + 1e-5 && judge_.near(m, v.hi, v.a, v.pointA, 1e-5) && judge_.near(m, v.hi, v.b, v.pointB, 1e-5);
  }
};

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  Conversation c;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::string out;
    try {
      out = c.answer(line);
    } catch (const std::exception &e) {
      out = std::string("error ") + e.what();
      for (char &x : out)
        if (x == '\n') x = ' ';
    }
    std::cout << out << '\n';
    if (std::cin.rdbuf()->in_avail() <= 0) std::cout.flush();
  }
}
