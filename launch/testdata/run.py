"""Run a launch file against stand-ins for launch and launch_ros.

ROS is not there when the tests run. The stand-ins keep what they are given, so
that this shows what a launch file would start: one JSON object for each node.
Usage: run.py FILE [argument:=value...]
"""

import json
import runpy
import sys
import types


class Keep:
    """Stands for every class of launch: remembers how it was made."""

    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs



class LaunchConfiguration(Keep):
    def perform(self, context):
        return text(context[self.args[0]])


class DeclareLaunchArgument(Keep):
    pass


class OpaqueFunction(Keep):
    pass


class Node(Keep):
    pass


class IncludeLaunchDescription(Keep):
    pass


def text(value):
    """Write a substitution as the words it is made of."""
    if isinstance(value, LaunchConfiguration):
        return value.perform(context)
    if isinstance(value, Keep):
        return ''.join(text(a) for a in value.args)
    if isinstance(value, (list, tuple)):
        return '/'.join(text(v) for v in value)
    return value


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (bool, float)):
        return value
    return text(value)


def show(action):
    if isinstance(action, IncludeLaunchDescription):
        print(json.dumps({
            'include': plain(action.args[0]),
            'arguments': plain(dict(action.kwargs['launch_arguments'])),
        }))
    elif isinstance(action, Node):
        print(json.dumps(plain(action.kwargs)))
    elif isinstance(action, OpaqueFunction):
        for inner in action.kwargs['function'](context):
            show(inner)
    else:
        assert isinstance(action, DeclareLaunchArgument), action


def module(name, **members):
    m = types.ModuleType(name)
    m.__dict__.update(members)
    sys.modules[name] = m


module('launch', LaunchDescription=Keep)
module('launch.actions', DeclareLaunchArgument=DeclareLaunchArgument,
       OpaqueFunction=OpaqueFunction, IncludeLaunchDescription=IncludeLaunchDescription)
module('launch.launch_description_sources', PythonLaunchDescriptionSource=Keep)
module('launch.substitutions', Command=Keep, LaunchConfiguration=LaunchConfiguration, PathJoinSubstitution=Keep)
module('launch_ros', )
module('launch_ros.actions', Node=Node)
module('launch_ros.parameter_descriptions', ParameterValue=Keep)
module('launch_ros.substitutions', FindPackageShare=Keep)

sys.dont_write_bytecode = True
given = dict(a.split(':=', 1) for a in sys.argv[2:])
actions = runpy.run_path(sys.argv[1])['generate_launch_description']().args[0]
context = {a.args[0]: a.kwargs['default_value'] for a in actions if isinstance(a, DeclareLaunchArgument)}
unknown = set(given) - set(context)
if unknown:
    sys.exit('no such argument: ' + ', '.join(sorted(unknown)))
context.update(given)
for action in actions:
    show(action)
