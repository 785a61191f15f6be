"""Runs stop_on_silence.py against stand-ins for rclpy and the message packages.

ROS is not there when the tests run. The stand-ins keep the callbacks; each
argument is a case, of events in turn; one line for each case tells what was
published: 1 for stop, 0 for go.
"""

import pathlib
import runpy
import sys
import types


class Keep:
    """Stands for a class of which only the arguments matter."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)


class Duration(Keep):
    pass


class Time:
    def __init__(self, nanoseconds):
        self.nanoseconds = nanoseconds

    @classmethod
    def from_msg(cls, stamp, clock_type):
        assert stamp.sec >= 0
        return cls(stamp.sec * 1_000_000_000 + stamp.nanosec)


class Clock:
    clock_type = 'ROS'
    time = 1_700_000_000_000_000_000

    def now(self):
        return Time(self.time)


class Node:
    def __init__(self, name):
        self.clock, self.published = Clock(), []

    def get_clock(self):
        return self.clock

    def get_logger(self):
        return types.SimpleNamespace(info=lambda text: None, error=lambda text: None)

    def create_publisher(self, kind, topic, qos):
        assert (kind, topic) == (Bool, 'stop')
        return types.SimpleNamespace(publish=lambda m: self.published.append(m.data))

    def create_subscription(self, kind, topic, callback, qos, event_callbacks):
        assert (kind, topic) == (CollisionState, 'firstcontact/state')
        assert qos.deadline.nanoseconds == 40_000_000 and qos.liveliness_lease_duration.nanoseconds == 500_000_000
        self.callback, self.events = callback, event_callbacks

    def create_timer(self, seconds, callback):
        assert 0 < seconds < 0.1
        self.timer = callback


class Bool:
    def __init__(self, data):
        self.data = data


class CollisionState:
    UNKNOWN, FREE, WARN, STOP, COLLISION = range(5)


def module(name, **members):
    m = types.ModuleType(name)
    m.__dict__.update(members)
    sys.modules[name] = m


def policy(*names):
    return types.SimpleNamespace(**{name: name for name in names})


module('rclpy')
module('rclpy.duration', Duration=Duration)
module('rclpy.node', Node=Node)
module('rclpy.time', Time=Time)
module('rclpy.event_handler', SubscriptionEventCallbacks=Keep)
module(
    'rclpy.qos',
    QoSProfile=Keep,
    DurabilityPolicy=policy('TRANSIENT_LOCAL'),
    LivelinessPolicy=policy('AUTOMATIC'),
    ReliabilityPolicy=policy('RELIABLE'),
)
module('firstcontact_msgs')
module('firstcontact_msgs.msg', CollisionState=CollisionState)
module('std_msgs')
module('std_msgs.msg', Bool=Bool)


def hear(node, level, age):
    stamp = node.clock.time - int(float(age) * 1e9)
    header = types.SimpleNamespace(stamp=types.SimpleNamespace(sec=stamp // 10**9, nanosec=stamp % 10**9))
    node.callback(types.SimpleNamespace(level=int(level), reason='', header=header))


def later(node, seconds):
    node.clock.time += int(float(seconds) * 1e9)
    node.timer()


events = {
    'hear': hear,
    'missed': lambda node: node.events.deadline(types.SimpleNamespace(total_count=1)),
    'alive': lambda node, n: node.events.liveliness(types.SimpleNamespace(alive_count=int(n))),
    'incompatible': lambda node: node.events.incompatible_qos(None),
    'later': later,
}

example = runpy.run_path(str(pathlib.Path(__file__).parent.parent / 'python' / 'stop_on_silence.py'))
for case in sys.argv[1:]:
    node = example['StopOnSilence']()
    for event in case.split(','):
        name, *arguments = event.split()
        events[name](node, *arguments)
    print(''.join(str(int(stop)) for stop in node.published))
