#!/usr/bin/env python3
"""Lets a robot move only while firstcontact says, and goes on saying, that it is free.

Publishes true on the topic stop where the robot has to stop. README.md tells more.
"""
import rclpy
from firstcontact_msgs.msg import CollisionState
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy
from rclpy.time import Time
from std_msgs.msg import Bool

try:
    from rclpy.event_handler import SubscriptionEventCallbacks  # Iron and later
except ImportError:
    from rclpy.qos_event import SubscriptionEventCallbacks  # Humble

# The promises that ~/state makes with the default parameters. A subscriber may ask
# for as much or for less; who asks for more hears nothing.
DEADLINE = Duration(nanoseconds=40_000_000)
LEASE = Duration(nanoseconds=500_000_000)
MAX_AGE = Duration(nanoseconds=150_000_000)  # joint_state_timeout, and the way here


def latched(**promises):
    return QoSProfile(
        depth=1,
        reliability=ReliabilityPolicy.RELIABLE,
        durability=DurabilityPolicy.TRANSIENT_LOCAL,
        liveliness=LivelinessPolicy.AUTOMATIC,
        liveliness_lease_duration=LEASE,
        **promises,
    )


class StopOnSilence(Node):
    def __init__(self):
        super().__init__('stop_on_silence')
        self.open = None  # nothing is said yet
        self.stamp = None  # of the last state
        self.stop = self.create_publisher(Bool, 'stop', latched())
        self.set(False, 'no state has come yet')
        self.create_subscription(
            CollisionState,
            'firstcontact/state',
            self.hear,
            latched(deadline=DEADLINE),
            event_callbacks=SubscriptionEventCallbacks(
                deadline=self.missed,
                liveliness=self.liveliness,
                incompatible_qos=self.incompatible,
            ),
        )
        self.create_timer(MAX_AGE.nanoseconds / 10e9, self.tick)

    def hear(self, state):
        if state.header.stamp.sec < 0:  # Time would raise
            self.set(False, 'the state has a stamp before 1970')
            return
        self.stamp = Time.from_msg(state.header.stamp, clock_type=self.get_clock().clock_type)
        age = self.age()
        if state.level not in (CollisionState.FREE, CollisionState.WARN):
            self.set(False, state.reason)
        elif abs(age) > MAX_AGE.nanoseconds:
            self.set(False, f'the state is {age / 1e9:.3f} s old')
        else:
            self.set(True, state.reason)

    def missed(self, event):
        self.set(False, f'no state came within the deadline ({event.total_count} times)')

    def liveliness(self, event):
        if event.alive_count == 0:
            self.set(False, 'the node is gone or gives no sign of life')

    def incompatible(self, event):
        self.set(False, 'the node offers less than is asked for: is its check_rate lower?')

    def tick(self):
        # Whatever the middleware tells: what is open now was good a moment ago.
        if self.open and self.age() > MAX_AGE.nanoseconds:
            self.set(False, f'the last state is {self.age() / 1e9:.3f} s old')

    def age(self):
        return self.get_clock().now().nanoseconds - self.stamp.nanoseconds

    def set(self, open_, why):
        if open_ == self.open:
            return
        self.open = open_
        self.stop.publish(Bool(data=not open_))
        if open_:
            self.get_logger().info('the robot may move: ' + why)
        else:
            self.get_logger().error('STOP: ' + why)


def main():
    rclpy.init()
    rclpy.spin(StopOnSilence())


if __name__ == '__main__':
    main()
