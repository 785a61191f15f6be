#include "solid.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

Point toPoint(const Eigen::Vector3d &p) { return Point(p.x(), p.y(), p.z()); }

int orient(const Point &a, const Point &b, const Point &c, const Point &d) {
  return static_cast<int>(CGAL::orientation(a, b, c, d));
}

// A prime below 2^31, so that products fit.
constexpr long long prime = 2147483647;

long long power(long long x, long long n) {
  long long y = 1;
  for (; n; n >>= 1, x = x * x % prime)
    if (n & 1) y = y * x % prime;
  return y;
}

// The kernel of a matrix over the field of p elements; rows are equations.
std::vector<std::vector<long long>> kernel(std::vector<std::vector<long long>> rows, int columns, long long p) {
  std::vector<int> pivotRow(columns, -1);
  int rank = 0;
  for (int c = 0; c < columns && rank < static_cast<int>(rows.size()); c++) {
    int r = rank;
    while (r < static_cast<int>(rows.size()) && rows[r][c] % p == 0) r++;
    if (r == static_cast<int>(rows.size())) continue;
    std::swap(rows[r], rows[rank]);
    const long long inverse = p == 2 ? 1 : power(rows[rank][c], p - 2);
    for (auto &x : rows[rank]) x = x * inverse % p;
    for (int k = 0; k < static_cast<int>(rows.size()); k++) {
      const long long f = rows[k][c];
      if (k == rank || f == 0) continue;
      for (int j = 0; j < columns; j++) rows[k][j] = (rows[k][j] + (p - f) * rows[rank][j]) % p;
    }
    pivotRow[c] = rank++;
  }
  std::vector<std::vector<long long>> basis;
  for (int c = 0; c < columns; c++) {
    if (pivotRow[c] >= 0) continue;
    std::vector<long long> v(columns, 0);
    v[c] = 1;
    for (int k = 0; k < columns; k++)
      if (pivotRow[k] >= 0) v[k] = (p - rows[pivotRow[k]][c]) % p;
    basis.push_back(v);
  }
  return basis;
}

// The sign with which a face runs through the edge from its smaller to its larger corner.
int along(const std::array<int, 3> &f, int a, int b) {
  for (int k = 0; k < 3; k++)
    if (f[k] == a && f[(k + 1) % 3] == b) return 1;
  return -1;
}

}  // namespace

Solid::Solid(const Triangles &mesh) {
  std::map<std::array<double, 3>, int> seen;
  std::vector<int> id(mesh.points.size());
  for (std::size_t i = 0; i < id.size(); i++) {
    const auto &p = mesh.points[i];
    const auto [at, added] = seen.insert({{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, static_cast<int>(points_.size())});
    if (added) points_.push_back(p);
    id[i] = at->second;
  }
  std::set<std::array<int, 3>> known;
  std::vector<int> root(points_.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto &t : mesh.faces) {
    std::array<int, 3> f = {id[t[0]], id[t[1]], id[t[2]]}, sorted = f;
    root[find(f[0])] = find(f[1]);
    root[find(f[1])] = find(f[2]);
    std::sort(sorted.begin(), sorted.end());
    if (sorted[0] == sorted[1] || sorted[1] == sorted[2] || !known.insert(sorted).second) continue;
    faces_.push_back({f, -1, 1});
  }
  std::set<int> parts;
  for (const auto &f : faces_)
    if (parts.insert(find(f.corner[0])).second) probes_.push_back(points_[f.corner[0]]);

  std::vector<char> orientable;
  cutIntoPatches(orientable);
  findCycles(orientable);
  min_.setConstant(std::numeric_limits<double>::infinity());
  max_ = -min_;
  for (const auto &f : faces_)
    for (int c : f.corner) {
      min_ = min_.cwiseMin(points_[c]);
      max_ = max_.cwiseMax(points_[c]);
    }
}

using Edges = std::map<std::pair<int, int>, std::vector<int>>;

namespace {
template <typename Faces>
Edges edgesOf(const Faces &faces) {
  Edges edges;
  for (int i = 0; i < static_cast<int>(faces.size()); i++)
    for (int k = 0; k < 3; k++) {
      const int a = faces[i].corner[k], b = faces[i].corner[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}].push_back(i);
    }
  return edges;
}
}  // namespace

void Solid::cutIntoPatches(std::vector<char> &orientable) {
  const Edges edges = edgesOf(faces_);
  std::vector<std::vector<std::pair<int, int>>> next(faces_.size());  // neighbour, and whether it is turned against this face
  for (const auto &[edge, by] : edges) {
    if (by.size() != 2) continue;
    const int turn = -along(faces_[by[0]].corner, edge.first, edge.second) * along(faces_[by[1]].corner, edge.first, edge.second);
    next[by[0]].push_back({by[1], turn});
    next[by[1]].push_back({by[0], turn});
  }
  for (int i = 0; i < static_cast<int>(faces_.size()); i++) {
    if (faces_[i].patch >= 0) continue;
    const int patch = static_cast<int>(orientable.size());
    orientable.push_back(1);
    std::vector<int> todo = {i};
    faces_[i].patch = patch;
    while (!todo.empty()) {
      const int f = todo.back();
      todo.pop_back();
      for (const auto &[g, turn] : next[f]) {
        if (faces_[g].patch < 0) {
          faces_[g].patch = patch;
          faces_[g].sign = faces_[f].sign * turn;
          todo.push_back(g);
        } else if (faces_[g].sign != faces_[f].sign * turn) {
          orientable[patch] = 0;
        }
      }
    }
  }
}

void Solid::findCycles(const std::vector<char> &orientable) {
  const int patches = static_cast<int>(orientable.size());
  std::set<std::vector<long long>> odd, sum;
  for (const auto &[edge, by] : edgesOf(faces_)) {
    std::vector<long long> o(patches, 0), s(patches, 0);
    for (int f : by) {
      const int p = faces_[f].patch;
      o[p] ^= 1;
      s[p] += faces_[f].sign * along(faces_[f].corner, edge.first, edge.second);
    }
    for (auto &x : s) x = (x % prime + prime) % prime;
    if (std::any_of(o.begin(), o.end(), [](long long x) { return x; })) odd.insert(o);
    if (std::any_of(s.begin(), s.end(), [](long long x) { return x; })) sum.insert(s);
  }
  for (int p = 0; p < patches; p++) {
    if (orientable[p]) continue;
    std::vector<long long> s(patches, 0);
    s[p] = 1;
    sum.insert(s);
  }
  for (const auto &v : kernel({odd.begin(), odd.end()}, patches, 2)) parity_.emplace_back(v.begin(), v.end());
  winding_ = kernel({sum.begin(), sum.end()}, patches, prime);
}

Side Solid::locate(const Eigen::Vector3d &point) const {
  if (!encloses() || (point.array() < min_.array()).any() || (point.array() > max_.array()).any()) return Side::outside;
  static const double directions[][3] = {{0.7071234, 0.3131, 0.6341},   {-0.4713, 0.8231, 0.3171}, {0.1931, -0.5717, 0.7973},
                                         {-0.6173, -0.3371, -0.7109}, {0.8839, -0.1237, -0.4519}, {0.2719, 0.9257, -0.2633}};
  const std::size_t patches = parity_.empty() ? winding_[0].size() : parity_[0].size();
  const Point p = toPoint(point);
  for (const auto &d : directions) {
    const double far = 3 * (max_ - min_).norm() + 1;
    const Point q = toPoint(point + far * Eigen::Vector3d(d[0], d[1], d[2]));
    std::vector<int> count(patches, 0), net(patches, 0);
    bool degenerate = false;
    for (const auto &f : faces_) {
      const Point a = toPoint(points_[f.corner[0]]), b = toPoint(points_[f.corner[1]]), c = toPoint(points_[f.corner[2]]);
      const int u = orient(p, q, a, b), v = orient(p, q, b, c), w = orient(p, q, c, a);
      if ((u > 0 || v > 0 || w > 0) && (u < 0 || v < 0 || w < 0)) continue;
      if (u == 0 && v == 0 && w == 0) continue;  // in a plane with the line, or without area
      const int above = orient(a, b, c, p), below = orient(a, b, c, q);
      if (above == 0) return Side::unknown;  // on the face's plane, and on it or its edge
      if (above == below) continue;
      if (u == 0 || v == 0 || w == 0 || below == 0) {
        degenerate = true;
        break;
      }
      count[f.patch]++;
      net[f.patch] += above * f.sign;
    }
    if (degenerate) continue;
    for (const auto &cycle : parity_) {
      int odd = 0;
      for (std::size_t k = 0; k < patches; k++) odd ^= cycle[k] & count[k] & 1;
      if (odd) return Side::inside;
    }
    for (const auto &cycle : winding_) {
      long long sum = 0;
      for (std::size_t k = 0; k < patches; k++) sum = (sum + cycle[k] * ((net[k] + prime) % prime)) % prime;
      if (sum) return Side::inside;
    }
    return Side::outside;
  }
  return Side::unknown;
}
