// The pairs that an SRDF allows to touch.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "robot.h"

struct SrdfPairs {
  std::vector<std::pair<std::string, std::string>> disabled;  // both links exist
  int unknown = 0;  // entries that name a link the robot lacks
};

// Reads disable_default_collisions, then enable_collisions, then
// disable_collisions, each over the former, as MoveIt does.
SrdfPairs readSrdf(const std::string &path, const Robot &robot);
