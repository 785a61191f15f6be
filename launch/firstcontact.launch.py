"""Start the firstcontact node.

The robot comes from robot_description_file (URDF, or xacro by its name), or,
where that is empty, from the topic robot_description, as robot_state_publisher
publishes it.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import Command, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

ARGUMENTS = [
    ('robot_description_file', '', 'URDF or xacro file; empty: the topic robot_description'),
    ('xacro_args', '', 'arguments for a xacro file, such as "prefix:=left_"'),
    ('robot_description_semantic_file', '', 'SRDF file; empty: none'),
    ('scene', '', 'scene file with obstacles; empty: none'),
    ('params_file', '', 'ROS parameter file; empty: the defaults in config/firstcontact.yaml'),
    ('namespace', '', 'namespace of the node'),
    ('enclave', '', 'enclave of the node, such as /firstcontact, where ROS_SECURITY_ENABLE is true; empty: /'),
    ('log_level', 'info', 'debug, info, warn, error or fatal'),
]


def start(context):
    """Build the node once the arguments have values."""
    def value(name):
        return LaunchConfiguration(name).perform(context)

    params_file = value('params_file') or PathJoinSubstitution(
        [FindPackageShare('firstcontact'), 'config', 'firstcontact.yaml'])

    # What was given on the command line of launch overrides the file.
    overrides = {}
    for name in ('robot_description_semantic_file', 'scene'):
        if value(name):
            overrides[name] = value(name)
    robot = value('robot_description_file')
    if robot.endswith('.xacro'):
        command = Command(['xacro ', robot, ' ', value('xacro_args')])
        overrides['robot_description'] = ParameterValue(command, value_type=str)
    elif robot:
        overrides['robot_description_file'] = robot

    enclave = ['--enclave', value('enclave')] if value('enclave') else []

    return [Node(
        package='firstcontact',
        executable='firstcontact',
        arguments=['node'],
        name='firstcontact',
        namespace=value('namespace'),
        parameters=[params_file] + ([overrides] if overrides else []),
        ros_arguments=['--log-level', value('log_level')] + enclave,
        output='screen',
    )]


def generate_launch_description():
    """Declare the arguments and start the node."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS
    ]
    return LaunchDescription(declared + [OpaqueFunction(function=start)])
