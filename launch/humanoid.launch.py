"""Start the firstcontact node for a humanoid.

The defaults are the humanoid and the room that come with the node. For another
robot, give its files, and where its joint states come from: remappings, as for
all arguments of firstcontact.launch.py.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

FILES = [
    ('robot_description_file', 'humanoid.urdf', 'URDF or xacro file of the humanoid'),
    ('robot_description_semantic_file', 'humanoid.srdf', 'SRDF file; empty: none'),
    ('scene', 'obstacles.yaml', 'scene file with obstacles; empty: none'),
]


def generate_launch_description():
    """Include firstcontact.launch.py with the files of the example."""
    share = FindPackageShare('firstcontact')
    example = [share, 'examples', 'humanoid']
    declared = [
        DeclareLaunchArgument(name, default_value=PathJoinSubstitution(example + [file]), description=description)
        for name, file, description in FILES
    ]
    return LaunchDescription(declared + [
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'firstcontact.launch.py'])),
            launch_arguments={name: LaunchConfiguration(name) for name, _, _ in FILES}.items(),
        ),
    ])
