"""Start the firstcontact node on the humanoid and the room that come with it."""

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    """Include firstcontact.launch.py with the files of the example."""
    share = FindPackageShare('firstcontact')
    example = [share, 'examples', 'humanoid']
    return LaunchDescription([
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'firstcontact.launch.py'])),
            launch_arguments={
                'robot_description_file': PathJoinSubstitution(example + ['humanoid.urdf']),
                'robot_description_semantic_file': PathJoinSubstitution(example + ['humanoid.srdf']),
                'scene': PathJoinSubstitution(example + ['obstacles.yaml']),
            }.items(),
        ),
    ])
