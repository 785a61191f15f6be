// Lets a robot move only while firstcontact says, and goes on saying, that it is
// free. Publishes true on the topic stop where the robot has to stop. README.md
// tells more.
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "firstcontact_msgs/msg/collision_state.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/bool.hpp"

using namespace std::chrono_literals;
using firstcontact_msgs::msg::CollisionState;

namespace {

// The promises that ~/state makes with the default parameters. A subscriber may
// ask for as much or for less; who asks for more hears nothing.
constexpr auto deadline = 40ms;
constexpr auto lease = 500ms;
constexpr auto max_age = 150ms;  // joint_state_timeout, and the way here
constexpr double max_age_seconds = std::chrono::duration<double>(max_age).count();

rclcpp::QoS latched()
{
  rclcpp::QoS qos(1);
  qos.reliable().transient_local().liveliness(rclcpp::LivelinessPolicy::Automatic).liveliness_lease_duration(rclcpp::Duration(lease));
  return qos;
}

}  // namespace

class StopOnSilence : public rclcpp::Node
{
public:
  StopOnSilence() : Node("stop_on_silence")
  {
    stop_ = create_publisher<std_msgs::msg::Bool>("stop", latched());
    set(false, "no state has come yet");
    rclcpp::SubscriptionOptions options;
    options.event_callbacks.deadline_callback = [this](rclcpp::QOSDeadlineRequestedInfo & event) {
      set(false, "no state came within the deadline (" + std::to_string(event.total_count) + " times)");
    };
    options.event_callbacks.liveliness_callback = [this](rclcpp::QOSLivelinessChangedInfo & event) {
      if (event.alive_count == 0) {
        set(false, "the node is gone or gives no sign of life");
      }
    };
    options.event_callbacks.incompatible_qos_callback = [this](rclcpp::QOSRequestedIncompatibleQoSInfo &) {
      set(false, "the node offers less than is asked for: is its check_rate lower?");
    };
    subscription_ = create_subscription<CollisionState>(
      "firstcontact/state", latched().deadline(rclcpp::Duration(deadline)),
      [this](const CollisionState & state) { hear(state); }, options);
    timer_ = create_wall_timer(max_age / 10, [this]() { tick(); });
  }

private:
  void hear(const CollisionState & state)
  {
    if (state.header.stamp.sec < 0) {  // rclcpp::Time would throw
      set(false, "the state has a stamp before 1970");
      return;
    }
    stamp_ = rclcpp::Time(state.header.stamp, get_clock()->get_clock_type());
    if (state.level != CollisionState::FREE && state.level != CollisionState::WARN) {
      set(false, state.reason);
    } else if (!(std::abs(age()) <= max_age_seconds)) {
      set(false, "the state is " + std::to_string(age()) + " s old");
    } else {
      set(true, state.reason);
    }
  }

  // Whatever the middleware tells: what is open now was good a moment ago.
  void tick()
  {
    if (open_ == true && age() > max_age_seconds) {
      set(false, "the last state is " + std::to_string(age()) + " s old");
    }
  }

  double age() { return (get_clock()->now() - stamp_).seconds(); }

  void set(bool open, const std::string & why)
  {
    if (open_ == open) {
      return;
    }
    open_ = open;
    std_msgs::msg::Bool stop;
    stop.data = !open;
    stop_->publish(stop);
    if (open) {
      RCLCPP_INFO(get_logger(), "the robot may move: %s", why.c_str());
    } else {
      RCLCPP_ERROR(get_logger(), "STOP: %s", why.c_str());
    }
  }

  rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr stop_;
  rclcpp::Subscription<CollisionState>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr timer_;
  std::optional<bool> open_;  // nothing is said yet
  rclcpp::Time stamp_;        // of the last state
};

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<StopOnSilence>());
  rclcpp::shutdown();
  return 0;
}
