// Stands for rclcpp, with the signatures that the example uses: what is
// published and subscribed is kept, and the clock stands still.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "firstcontact_msgs/msg/collision_state.hpp"
#include "std_msgs/msg/bool.hpp"

#define RCLCPP_INFO(logger, ...) ((void)(logger), (void)std::snprintf(nullptr, 0, __VA_ARGS__))
#define RCLCPP_ERROR(logger, ...) RCLCPP_INFO(logger, __VA_ARGS__)

enum rcl_clock_type_t { RCL_SYSTEM_TIME, RCL_ROS_TIME };

namespace rclcpp {

enum class LivelinessPolicy { Automatic };

class Duration
{
public:
  template<class Rep, class Period>
  Duration(const std::chrono::duration<Rep, Period> & d) : ns_(std::chrono::nanoseconds(d).count()) {}
  double seconds() const { return static_cast<double>(ns_) / 1e9; }

private:
  int64_t ns_;
};

class Time
{
public:
  explicit Time(int64_t ns = 0, rcl_clock_type_t type = RCL_SYSTEM_TIME) : ns_(ns), type_(type) {}
  Time(const builtin_interfaces::msg::Time & m, rcl_clock_type_t type = RCL_ROS_TIME)
  : ns_(m.sec * 1000000000LL + m.nanosec), type_(type)
  {
    if (m.sec < 0) { throw "cannot store a negative time point in rclcpp::Time"; }
  }
  Duration operator-(const Time & other) const
  {
    if (type_ != other.type_) { throw "can't subtract times with different time sources"; }
    return Duration(std::chrono::nanoseconds(ns_ - other.ns_));
  }

private:
  int64_t ns_;
  rcl_clock_type_t type_;
};

class Clock
{
public:
  using SharedPtr = std::shared_ptr<Clock>;
  int64_t time = 1700000000000000000;
  Time now() { return Time(time, RCL_ROS_TIME); }
  rcl_clock_type_t get_clock_type() const { return RCL_ROS_TIME; }
};

class QoS
{
public:
  explicit QoS(size_t depth) { (void)depth; }
  QoS & reliable() { return *this; }
  QoS & transient_local() { return *this; }
  QoS & liveliness(LivelinessPolicy) { return *this; }
  QoS & liveliness_lease_duration(const Duration &) { return *this; }
  QoS & deadline(const Duration &) { return *this; }
};

struct QOSDeadlineRequestedInfo { int32_t total_count, total_count_change; };
struct QOSLivelinessChangedInfo { int32_t alive_count, not_alive_count, alive_count_change, not_alive_count_change; };
struct QOSRequestedIncompatibleQoSInfo { int32_t total_count, total_count_change; };

struct SubscriptionOptions
{
  struct {
    std::function<void(QOSDeadlineRequestedInfo &)> deadline_callback;
    std::function<void(QOSLivelinessChangedInfo &)> liveliness_callback;
    std::function<void(QOSRequestedIncompatibleQoSInfo &)> incompatible_qos_callback;
  } event_callbacks;
};

template<typename M>
struct Publisher
{
  using SharedPtr = std::shared_ptr<Publisher>;
  std::vector<M> published;
  void publish(const M & m) { published.push_back(m); }
};

template<typename M>
struct Subscription
{
  using SharedPtr = std::shared_ptr<Subscription>;
};

struct TimerBase
{
  using SharedPtr = std::shared_ptr<TimerBase>;
};

struct Logger {};

class Node
{
public:
  explicit Node(const std::string &) {}
  virtual ~Node() = default;
  Clock::SharedPtr get_clock() { return clock; }
  Logger get_logger() const { return {}; }

  template<typename M>
  typename Publisher<M>::SharedPtr create_publisher(const std::string &, const QoS &)
  {
    return publisher = std::make_shared<Publisher<M>>();
  }
  template<typename M, typename Callback>
  typename Subscription<M>::SharedPtr create_subscription(
    const std::string &, const QoS &, Callback && callback, const SubscriptionOptions & o = {})
  {
    hear = callback;
    options = o;
    return std::make_shared<Subscription<M>>();
  }
  template<typename D, typename Callback>
  TimerBase::SharedPtr create_wall_timer(D, Callback callback)
  {
    tick = callback;
    return std::make_shared<TimerBase>();
  }

  Clock::SharedPtr clock = std::make_shared<Clock>();
  Publisher<std_msgs::msg::Bool>::SharedPtr publisher;
  std::function<void(const firstcontact_msgs::msg::CollisionState &)> hear;
  std::function<void()> tick;
  SubscriptionOptions options;
};

inline void init(int, char **) {}
inline void spin(const std::shared_ptr<Node> &) {}
inline void shutdown() {}

}  // namespace rclcpp
