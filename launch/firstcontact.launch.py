"""Start the firstcontact node.

The robot comes from robot_description_file (URDF, or xacro by its name), or,
where that is empty, from the topic robot_description, as robot_state_publisher
publishes it. moveit.launch.py and humanoid.launch.py take the same arguments.
"""

import yaml

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
    ('parameters', '', 'further parameters, which override all others: "check_rate:=50.0 top_k_pairs:=1"'),
    ('use_sim_time', '', 'true: the time of /clock; false: that of the system; empty: as the parameter file says'),
    ('autostart', '', 'false: somebody else configures and activates the node; empty: as the parameter file says'),
    ('node_name', 'firstcontact', 'name of the node'),
    ('namespace', '', 'namespace of the node'),
    ('remappings', '', 'rules for names: "joint_states:=arm/joint_states tf:=/arm/tf"'),
    ('respawn', 'false', 'true: start the node again when it ends'),
    ('respawn_delay', '1.0', 's: the time before it is started again'),
    ('enclave', '', 'enclave of the node, such as /firstcontact, where ROS_SECURITY_ENABLE is true; empty: /'),
    ('log_level', 'info', 'debug, info, warn, error or fatal'),
]


def truth(name, value):
    """Read true or false."""
    if value.lower() not in ('true', 'false'):
        raise ValueError(f'{name}:={value}: give true or false')
    return value.lower() == 'true'


def assignments(name, value):
    """Split NAME:=VALUE NAME:=VALUE; a value holds no space, except in brackets."""
    pairs = []
    for word in value.split():
        if ':=' in word:
            pairs.append(word.split(':=', 1))
        elif pairs and pairs[-1][1].startswith('['):
            pairs[-1][1] += ' ' + word
        else:
            raise ValueError(f'{name}:={value}: {word} is no NAME:=VALUE')
    return [tuple(pair) for pair in pairs]


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
    for name in ('use_sim_time', 'autostart'):
        if value(name):
            overrides[name] = truth(name, value(name))
    for name, text in assignments('parameters', value('parameters')):
        overrides[name] = yaml.safe_load(text)
    robot = value('robot_description_file')
    if robot.endswith('.xacro'):
        command = Command(['xacro ', robot, ' ', value('xacro_args')])
        overrides['robot_description'] = ParameterValue(command, value_type=str)
    elif robot:
        overrides['robot_description_file'] = robot

    ros_arguments = ['--log-level', value('log_level')]
    if value('enclave'):
        ros_arguments += ['--enclave', value('enclave')]

    return [Node(
        package='firstcontact',
        executable='firstcontact',
        arguments=['node'],
        name=value('node_name'),
        namespace=value('namespace'),
        parameters=[params_file] + ([overrides] if overrides else []),
        remappings=assignments('remappings', value('remappings')),
        ros_arguments=ros_arguments,
        respawn=truth('respawn', value('respawn')),
        respawn_delay=float(value('respawn_delay')),
        output='screen',
    )]


def generate_launch_description():
    """Declare the arguments and start the node."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS
    ]
    return LaunchDescription(declared + [OpaqueFunction(function=start)])
