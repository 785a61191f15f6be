// Stands for the header that ROS makes of std_msgs/Bool.
#pragma once
namespace std_msgs::msg {
struct Bool { bool data = false; };
}
