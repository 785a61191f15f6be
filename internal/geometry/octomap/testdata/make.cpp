// Makes the trees of this folder with liboctomap, and the leaves that it reads
// back from the binary one, in cells from the tree's middle:
//
//   g++ -o make make.cpp -loctomap -loctomath && ./make
#include <cmath>
#include <fstream>

#include <octomap/ColorOcTree.h>
#include <octomap/OcTreeStamped.h>
#include <octomap/octomap.h>

template <class Tree>
void fill(Tree &tree) {
  unsigned seed = 12345;
  auto random = [&] {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / double(1 << 24);
  };
  for (int i = 0; i < 300; i++) {
    octomap::point3d p(random() * 2 - 1, random() * 2 - 1, random() * 1.5 - 0.2);
    tree.updateNode(p, random() < 0.6);
  }
  // A block that becomes one leaf of 8 cells a side.
  for (int i = 0; i < 8 * 8 * 8; i++) {
    octomap::point3d p(1.65 + 0.1 * (i % 8), 0.05 + 0.1 * (i / 8 % 8), -0.75 + 0.1 * (i / 64));
    for (int k = 0; k < 6; k++) tree.updateNode(p, true);
  }
  tree.updateInnerOccupancy();
  tree.prune();
}

template <class Tree>
void leaves(const Tree &tree, const char *name) {
  std::ofstream out(name);
  for (auto it = tree.begin_leafs(), end = tree.end_leafs(); it != end; ++it) {
    long side = std::lround(it.getSize() / tree.getResolution());
    out << (tree.isNodeOccupied(*it) ? "occupied" : "free");
    for (double x : {it.getX(), it.getY(), it.getZ()})
      out << " " << std::lround(x / tree.getResolution() - side / 2.0);
    out << " " << side << "\n";
  }
}

int main() {
  octomap::OcTree plain(0.1);
  fill(plain);
  plain.write("plain.ot");
  plain.writeBinary("plain.bt");
  leaves(plain, "plain.leaves");
  octomap::OcTree again("plain.bt");
  leaves(again, "binary.leaves");
  octomap::ColorOcTree colour(0.1);
  fill(colour);
  colour.write("colour.ot");
  octomap::OcTreeStamped stamped(0.1);
  fill(stamped);
  stamped.write("stamped.ot");
  octomap::OcTree empty(0.1);
  empty.write("empty.ot");
  empty.writeBinary("empty.bt");
}
