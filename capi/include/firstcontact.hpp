// firstcontact from C++: firstcontact.h with handles that free themselves and errors that are thrown. Header only; link with
// libfirstcontact. C++14 or later.
//
//     firstcontact::Robot robot("arm.urdf", "arm.srdf");
//     firstcontact::Scene scene("cell.yaml", robot);
//     firstcontact::Checker checker(robot, scene);
//     firstcontact::Verdict verdict = checker.check(from, to);
//     if (verdict.free()) ...        a proof, for every point of every link at every time
//
// What units, threads, signals and forks mean is in firstcontact.h. A Checker is shared by its copies; all its functions
// may be called from any thread.
#ifndef FIRSTCONTACT_HPP
#define FIRSTCONTACT_HPP

#include "firstcontact.h"

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace firstcontact {

// Error is what a call that failed threw: what() tells what is wrong, where, and what to do.
class Error : public std::runtime_error {
public:
	explicit Error(int code) : std::runtime_error(fc_error()), code_(code) {}
	Error(int code, const std::string &why) : std::runtime_error(why), code_(code) {}
	int code() const { return code_; } // enum fc_code

private:
	int code_;
};

inline void require(int code)
{
	if (code != FC_OK) throw Error(code);
}

// Strings is a list of names as the library takes it. get is valid as long as the list.
class Strings {
public:
	explicit Strings(std::vector<std::string> list) : list_(std::move(list))
	{
		for (const auto &s : list_) at_.push_back(s.c_str());
		at_.push_back(nullptr);
	}
	Strings(const Strings &) = delete; // whose addresses would be those of the other's texts
	Strings &operator=(const Strings &) = delete;
	fc_strings get() const { return at_.data(); }

private:
	const std::vector<std::string> list_;
	std::vector<const char *> at_;
};

// made wraps a new handle, or throws.
template <typename T>
std::shared_ptr<T> made(T *handle, int (*free)(T *))
{
	if (!handle) throw Error(fc_error_code());
	return std::shared_ptr<T>(handle, [free](T *h) { free(h); });
}

class Robot {
public:
	// Reads a URDF file and, if it is not empty, an SRDF file. packages are "name=folder".
	explicit Robot(const std::string &urdf, const std::string &srdf = "", const std::vector<std::string> &packages = {})
	    : handle_(made(fc_robot_load(urdf.c_str(), srdf.empty() ? nullptr : srdf.c_str(), Strings(packages).get()), fc_robot_free))
	{
	}
	// Reads texts in memory, such as the parameter robot_description.
	static Robot parse(const std::string &urdf, const std::string &srdf = "", const std::string &base = "",
			   const std::vector<std::string> &packages = {})
	{
		return Robot(made(fc_robot_parse(urdf.c_str(), srdf.empty() ? nullptr : srdf.c_str(), base.empty() ? nullptr : base.c_str(),
						 Strings(packages).get()),
				  fc_robot_free));
	}
	fc_robot *get() const { return handle_.get(); }

private:
	explicit Robot(std::shared_ptr<fc_robot> handle) : handle_(std::move(handle)) {}
	std::shared_ptr<fc_robot> handle_;
};

// Scene is what surrounds the robot. Copies are the same scene; clone makes another one.
class Scene {
public:
	Scene() : handle_(made(fc_scene_new(), fc_scene_free)) {}
	Scene(const std::string &path, const Robot &robot) : handle_(made(fc_scene_load(path.c_str(), robot.get()), fc_scene_free)) {}
	static Scene parse(const std::string &name, const std::string &text, const Robot &robot)
	{
		return Scene(made(fc_scene_parse(name.c_str(), text.c_str(), robot.get()), fc_scene_free));
	}
	Scene clone() const { return Scene(made(fc_scene_copy(get()), fc_scene_free)); }
	void put(const fc_object &object) { require(fc_scene_put(get(), &object)); }
	void remove(const std::string &id) { require(fc_scene_remove(get(), id.c_str())); }
	void allow(const std::string &a, const std::string &b) { require(fc_scene_allow(get(), a.c_str(), b.c_str())); }
	fc_scene *get() const { return handle_.get(); }

private:
	explicit Scene(std::shared_ptr<fc_scene> handle) : handle_(std::move(handle)) {}
	std::shared_ptr<fc_scene> handle_;
};

// An object of a scene with its pose; set further fields of fc_object before Scene::put. id must outlive it.
inline fc_object object(const char *id, fc_shape shape, const std::array<double, 3> &dimensions, const std::array<double, 3> &position,
			const std::array<double, 4> &quaternion = {{0, 0, 0, 1}})
{
	fc_object o = fc_object_default();
	o.id = id;
	o.shape = shape;
	for (std::size_t i = 0; i < 3; i++) o.dimensions[i] = dimensions[i], o.pose[i] = position[i];
	for (std::size_t i = 0; i < 4; i++) o.pose[3 + i] = quaternion[i];
	return o;
}

// Verdict is fc_verdict with questions in words.
struct Verdict : fc_verdict {
	bool free() const { return status == FC_FREE; }
	bool contact_found() const { return status == FC_CONTACT; }
	bool undecided() const { return status == FC_UNDECIDED; }
};
static_assert(sizeof(Verdict) == sizeof(fc_verdict), "Verdict adds no field");

// Options is fc_options, which says what each means, in types of C++.
struct Options {
	std::vector<std::string> joints;
	std::string group;
	std::map<std::string, double> state; // of other joints, by name
	std::vector<std::pair<std::string, std::string>> allowed;
	std::vector<std::string> accept;
	double padding = 0;
	std::map<std::string, double> linkPadding; // by name
	std::string cache;
	bool proveDefaults = false;
};

class Checker {
public:
	explicit Checker(const Robot &robot) : Checker(robot, fc_options_default()) {}
	Checker(const Robot &robot, const fc_options &options) : Checker(robot, Scene(), options) {}
	Checker(const Robot &robot, const Options &options) : Checker(robot, Scene(), options) {}
	Checker(const Robot &robot, const Scene &scene) : Checker(robot, scene, fc_options_default()) {}
	Checker(const Robot &robot, const Scene &scene, const Options &options) : handle_(made(make(robot, scene, options), fc_checker_free)) {}
	Checker(const Robot &robot, const Scene &scene, const fc_options &options)
	    : handle_(made(fc_checker_new(robot.get(), scene.get(), &options), fc_checker_free))
	{
	}

	// Another checker of the same robot in the same scene, at once. Copies by = are this one.
	Checker clone() const { return Checker(made(fc_checker_copy(get()), fc_checker_free)); }
	// Puts the robot into another scene, or an edited one; for all copies by =.
	void setScene(const Scene &scene) { require(fc_checker_set_scene(get(), scene.get())); }

	std::size_t dimension() const
	{
		std::size_t n;
		require(fc_checker_dimension(get(), &n));
		return n;
	}
	std::vector<fc_joint> joints() const
	{
		std::vector<fc_joint> out(dimension());
		for (std::size_t i = 0; i < out.size(); i++) require(fc_checker_joint(get(), i, &out[i]));
		return out;
	}
	// What every verdict rests on besides its proof, a line for each premise; gaps begin with "GAP".
	std::string premises() const
	{
		return whole([this](char *text, std::size_t size, std::size_t *needed) { return fc_checker_premises(get(), text, size, needed); });
	}
	// What a verdict of checkPath about these points rests on, or of check about two.
	std::string premises(const std::vector<std::vector<double>> &points, const std::vector<double> &times = {},
			     const fc_query &query = fc_query_default()) const
	{
		if (!times.empty()) same(points.size(), times.size());
		const std::size_t n = points.empty() ? 0 : points[0].size();
		const std::vector<double> numbers = flat(points, n);
		return whole([&](char *text, std::size_t size, std::size_t *needed) {
			return fc_path_premises(get(), numbers.data(), points.size(), n, times.empty() ? nullptr : times.data(), &query, text, size, needed);
		});
	}

	Verdict check(const std::vector<double> &from, const std::vector<double> &to, const fc_query &query = fc_query_default()) const
	{
		Verdict v;
		same(from.size(), to.size());
		require(fc_check(get(), from.data(), to.data(), from.size(), &query, &v));
		return v;
	}
	Verdict checkState(const std::vector<double> &at, const fc_query &query = fc_query_default()) const
	{
		Verdict v;
		require(fc_check_state(get(), at.data(), at.size(), &query, &v));
		return v;
	}
	// Straight lines through points, at times (s), or at 0, 1, 2, ... where there are none.
	Verdict checkPath(const std::vector<std::vector<double>> &points, const std::vector<double> &times = {},
			  const fc_query &query = fc_query_default()) const
	{
		Verdict v;
		if (!times.empty()) same(points.size(), times.size());
		const std::size_t n = points.empty() ? 0 : points[0].size();
		const std::vector<double> numbers = flat(points, n);
		require(fc_check_path(get(), numbers.data(), points.size(), n, times.empty() ? nullptr : times.data(), &query, &v));
		return v;
	}
	// segments holds from, to, from, to, ...
	std::vector<Verdict> checkAll(const std::vector<std::vector<double>> &segments, const fc_query &query = fc_query_default(),
				      const fc_batch &batch = fc_batch_default()) const
	{
		if (segments.size() % 2) throw Error(FC_MISUSE, "segments are pairs of configurations, and their number is odd");
		const std::size_t n = segments.empty() ? 0 : segments[0].size();
		std::vector<Verdict> out(segments.size() / 2);
		if (out.empty()) return out;
		require(fc_check_all(get(), flat(segments, n).data(), out.size(), n, &query, &batch, out.data()));
		return out;
	}
	fc_distances distance(const std::vector<double> &at, const fc_query &query = fc_query_default()) const
	{
		fc_distances d;
		require(fc_distance(get(), at.data(), at.size(), &query, &d));
		return d;
	}
	std::vector<fc_span> profile(const std::vector<double> &from, const std::vector<double> &to, const fc_query &query = fc_query_default()) const
	{
		same(from.size(), to.size());
		std::vector<fc_span> out(64);
		for (;;) {
			std::size_t n;
			require(fc_profile(get(), from.data(), to.data(), from.size(), &query, out.data(), out.size(), &n));
			const bool all = n <= out.size();
			out.resize(n);
			if (all) return out;
		}
	}
	fc_checker *get() const { return handle_.get(); }

private:
	explicit Checker(std::shared_ptr<fc_checker> handle) : handle_(std::move(handle)) {}
	static fc_checker *make(const Robot &robot, const Scene &scene, const Options &of)
	{
		std::vector<std::string> held, padded, allowed;
		std::vector<double> positions, paddings;
		for (const auto &joint : of.state) held.push_back(joint.first), positions.push_back(joint.second);
		for (const auto &link : of.linkPadding) padded.push_back(link.first), paddings.push_back(link.second);
		for (const auto &pair : of.allowed) allowed.push_back(pair.first), allowed.push_back(pair.second);
		const Strings joints(of.joints), state(held), allow(allowed), accept(of.accept), links(padded);
		fc_options o = fc_options_default();
		o.joints = of.joints.empty() ? nullptr : joints.get();
		o.group = of.group.empty() ? nullptr : of.group.c_str();
		o.state_joints = state.get(), o.state_positions = positions.data();
		o.allowed = allow.get(), o.accept = accept.get();
		o.padding = of.padding;
		o.padded_links = links.get(), o.link_paddings = paddings.data();
		o.cache = of.cache.empty() ? nullptr : of.cache.c_str();
		o.prove_defaults = of.proveDefaults;
		return fc_checker_new(robot.get(), scene.get(), &o);
	}
	// All of a text, whose length may change between two calls.
	template <typename F>
	static std::string whole(F read)
	{
		std::string text;
		std::size_t needed = 1;
		while (text.size() < needed) {
			text.assign(needed, '\0');
			require(read(&text[0], text.size(), &needed));
		}
		text.resize(text.find('\0'));
		return text;
	}
	static void same(std::size_t a, std::size_t b)
	{
		if (a != b) throw Error(FC_MISUSE, "lists of " + std::to_string(a) + " and of " + std::to_string(b) + " numbers belong together");
	}
	static std::vector<double> flat(const std::vector<std::vector<double>> &rows, std::size_t n)
	{
		std::vector<double> out;
		out.reserve(n * rows.size());
		for (const auto &row : rows) {
			same(n, row.size());
			out.insert(out.end(), row.begin(), row.end());
		}
		return out;
	}
	std::shared_ptr<fc_checker> handle_;
};

} // namespace firstcontact
#endif
