"""Start the firstcontact node beside MoveIt and ros2_control.

The robot comes from the topics robot_description and, unless
robot_description_semantic_file names a file, robot_description_semantic; the
obstacles, attached objects and allowed pairs from MoveIt's planning scene. With
gate:=true the node stands in front of the controllers: MoveIt sends to
CONTROLLER_checked instead of CONTROLLER. Otherwise it judges what is sent to
them. All arguments of firstcontact.launch.py apply.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

ARGUMENTS = [
    ('controllers', '', 'trajectory controllers of ros2_control: "left_arm_controller right_arm_controller"'),
    ('gate', 'false', 'true: only what is proved free reaches the controllers'),
    ('planning_scene', 'monitored_planning_scene', 'topics of MoveIt with obstacles; empty: none'),
    ('robot_description_semantic_file', '', 'SRDF file; empty: the topic robot_description_semantic'),
    ('parameters', '', 'further parameters, which override all others'),
]


def start(context):
    """Include firstcontact.launch.py with the parameters for MoveIt."""
    def value(name):
        return LaunchConfiguration(name).perform(context)

    def listed(name):
        return '[' + ','.join(value(name).replace(',', ' ').split()) + ']'

    if value('gate').lower() not in ('true', 'false'):
        raise ValueError(f'gate:={value("gate")}: give true or false')
    gate = value('gate').lower() == 'true'
    parameters = []
    if value('planning_scene'):
        parameters += ['acm.source:=srdf+scene', 'world.topics:=' + listed('planning_scene')]
    else:
        parameters += ['acm.source:=srdf']
    if value('controllers'):
        parameters += [('gate.controllers:=' if gate else 'trajectory.topics:=') + listed('controllers')]
    elif gate:
        raise ValueError('gate:=true needs the controllers: controllers:=arm_controller')
    if not value('robot_description_semantic_file'):
        parameters += ['model.semantic_topic:=true']
    return [IncludeLaunchDescription(
        PythonLaunchDescriptionSource(PathJoinSubstitution(
            [FindPackageShare('firstcontact'), 'launch', 'firstcontact.launch.py'])),
        launch_arguments={
            'robot_description_semantic_file': value('robot_description_semantic_file'),
            'parameters': ' '.join(parameters + [value('parameters')]).strip(),
        }.items(),
    )]


def generate_launch_description():
    """Declare the arguments and start the node."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=description)
        for name, default, description in ARGUMENTS
    ]
    return LaunchDescription(declared + [OpaqueFunction(function=start)])
