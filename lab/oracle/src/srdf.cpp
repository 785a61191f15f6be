#include "srdf.h"

#include <tinyxml2.h>

#include <functional>
#include <set>

#include "text.h"

namespace {

std::string attribute(const tinyxml2::XMLElement &element, const char *name, const std::string &path) {
  const char *value = element.Attribute(name);
  if (!value)
    throw Failure(path + ", line " + std::to_string(element.GetLineNum()) + ": " + element.Name() + " has no " + name);
  return value;
}

}  // namespace

SrdfPairs readSrdf(const std::string &path, const Robot &robot) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS) throw Failure(path + ": " + document.ErrorStr());
  const tinyxml2::XMLElement *root = document.FirstChildElement("robot");
  if (!root) throw Failure(path + " has no element robot");

  SrdfPairs out;
  std::set<std::pair<int, int>> off;
  const auto eachPair = [&](const char *tag, const std::function<void(std::pair<int, int>)> &act) {
    for (auto *e = root->FirstChildElement(tag); e; e = e->NextSiblingElement(tag)) {
      const int a = robot.link(attribute(*e, "link1", path)), b = robot.link(attribute(*e, "link2", path));
      if (a < 0 || b < 0)
        out.unknown++;
      else
        act({std::min(a, b), std::max(a, b)});
    }
  };

  for (auto *e = root->FirstChildElement("disable_default_collisions"); e;
       e = e->NextSiblingElement("disable_default_collisions")) {
    const int a = robot.link(attribute(*e, "link", path));
    if (a < 0) out.unknown++;
    for (int b = 0; a >= 0 && b < static_cast<int>(robot.links.size()); b++)
      if (b != a) off.insert({std::min(a, b), std::max(a, b)});
  }
  eachPair("enable_collisions", [&](std::pair<int, int> p) { off.erase(p); });
  eachPair("disable_collisions", [&](std::pair<int, int> p) { off.insert(p); });

  for (const auto &[a, b] : off)
    if (a != b) out.disabled.push_back({robot.links[a].name, robot.links[b].name});
  return out;
}
