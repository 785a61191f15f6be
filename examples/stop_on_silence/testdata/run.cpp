// Runs stop_on_silence.cpp against the stand-ins of stubs. Each argument is a
// case, of events in turn; one line for each case tells what was published: 1
// for stop, 0 for go.
#define main example_main
#include "../cpp/stop_on_silence.cpp"
#undef main

#include <iostream>
#include <sstream>

static void play(rclcpp::Node & node, std::istream & event)
{
  std::string name;
  double number = 0, age = 0;
  event >> name >> number >> age;
  if (name == "hear") {
    const int64_t stamp = node.clock->time - static_cast<int64_t>(age * 1e9);
    CollisionState state;
    state.level = static_cast<uint8_t>(number);
    state.header.stamp.sec = static_cast<int32_t>(stamp / 1000000000);
    state.header.stamp.nanosec = static_cast<uint32_t>(stamp % 1000000000);
    node.hear(state);
  } else if (name == "missed") {
    rclcpp::QOSDeadlineRequestedInfo info{1, 1};
    node.options.event_callbacks.deadline_callback(info);
  } else if (name == "alive") {
    rclcpp::QOSLivelinessChangedInfo info{static_cast<int32_t>(number), 0, 0, 0};
    node.options.event_callbacks.liveliness_callback(info);
  } else if (name == "incompatible") {
    rclcpp::QOSRequestedIncompatibleQoSInfo info{1, 1};
    node.options.event_callbacks.incompatible_qos_callback(info);
  } else if (name == "later") {
    node.clock->time += static_cast<int64_t>(number * 1e9);
    node.tick();
  }
}

int main(int argc, char ** argv)
{
  for (int i = 1; i < argc; i++) {
    StopOnSilence node;
    std::istringstream events(argv[i]);
    for (std::string event; std::getline(events, event, ',');) {
      std::istringstream words(event);
      play(node, words);
    }
    for (const auto & m : node.publisher->published) {
      std::cout << m.data;
    }
    std::cout << "\n";
  }
}
