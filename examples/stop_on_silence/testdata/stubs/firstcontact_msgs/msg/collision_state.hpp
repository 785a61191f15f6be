// Stands for the header that rosidl makes of CollisionState.msg, as far as the
// example needs it.
#pragma once
#include <cstdint>
#include <string>
namespace builtin_interfaces::msg {
struct Time { int32_t sec = 0; uint32_t nanosec = 0; };
}
namespace std_msgs::msg {
struct Header { builtin_interfaces::msg::Time stamp; std::string frame_id; };
}
namespace firstcontact_msgs::msg {
struct CollisionState
{
  static constexpr uint8_t UNKNOWN = 0, FREE = 1, WARN = 2, STOP = 3, COLLISION = 4;
  std_msgs::msg::Header header;
  uint8_t level = 0;
  std::string reason;
};
}
