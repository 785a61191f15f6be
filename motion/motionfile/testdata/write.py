#!/usr/bin/env python3
"""Writes the recordings in this folder: one motion of two publishers in the texts of other programs.

echo.yaml, echo_flow.yaml  ros2 topic echo: rosidl_runtime_py's message_to_yaml, which is PyYAML's dump
                           of an ordered mapping (allow_unicode, width=sys.maxsize); each message is
                           followed by ---. PyYAML writes these files.
echo.csv                   ros2 topic echo --csv: rosidl_runtime_py's message_to_csv, str() of every
                           value, joined by commas, without lengths; an empty list is an empty cell.
plotjuggler.csv            PlotJuggler's CSV exporter: __time with 6 decimals, values with 9, a cell
                           is empty where a series has no sample; series TOPIC/JOINT/position.
plotjuggler_array.csv      the same where the parser knows arrays only: TOPIC/position[0].
goal.yaml                  a goal of FollowJointTrajectory as ros2 interface prototype and send_goal
                           take it, written by PyYAML.

    python3 write.py       # PyYAML; run it in this folder
"""
import math
import sys

import yaml


class Ordered(dict):
    pass


def represent(dumper, data):
    items = [(dumper.represent_data(k), dumper.represent_data(v)) for k, v in data.items()]
    return yaml.nodes.MappingNode("tag:yaml.org,2002:map", items)


yaml.add_representer(Ordered, represent)


def to_yaml(message, flow=False):
    return yaml.dump(message, allow_unicode=True, width=sys.maxsize, default_flow_style=flow)


def to_csv(value):
    if isinstance(value, (list, dict)):
        result = ""
        for v in value.values() if isinstance(value, dict) else value:
            if result:
                result += ","
            result += to_csv(v)
        return result
    return str(value)


def joint_state(ns, names, position, velocity=()):
    stamp = Ordered(sec=ns // 10**9, nanosec=ns % 10**9)
    return Ordered(header=Ordered(stamp=stamp, frame_id=""), name=list(names), position=list(position), velocity=list(velocity), effort=[])


START = 1_700_000_000_000_000_000
TOPIC = "/joint_states"


def messages():
    """The arm every 20 ms, the tool every 30 ms, from 10 ms on."""
    out = []
    for i in range(31):
        t = i * 0.02
        out.append(joint_state(START + i * 20_000_000, ["shoulder", "elbow"], [0.5 * math.sin(t), -1e-5 * i], [0.5 * math.cos(t), -5e-4]))
    for i in range(20):
        out.append(joint_state(START + 10_000_000 + i * 30_000_000, ["tool"], [0.01 * i if i != 3 else float("nan")]))
    return sorted(out, key=lambda m: (m["header"]["stamp"]["sec"], m["header"]["stamp"]["nanosec"]))


def plotjuggler(rows, columns):
    text = ",".join(["__time"] + columns) + "\n"
    for at in sorted(rows):
        cells = ["%.9f" % rows[at][c] if c in rows[at] else "" for c in columns]
        text += ",".join(["%.6f" % (at / 1e9)] + cells) + "\n"
    return text


def main():
    recorded = messages()
    with open("echo.yaml", "w") as f:
        for i, m in enumerate(recorded):
            f.write(to_yaml(m) + "---\n")
            if i == 20:
                f.write("A message was lost!!!\n\ttotal count change:1\n\ttotal count: 1---\n")
    with open("echo_flow.yaml", "w") as f:
        f.writelines(to_yaml(m, flow=True) + "---\n" for m in recorded)
    with open("echo.csv", "w") as f:
        f.writelines(to_csv(m) + "\n" for m in recorded)
    rows, arrays = {}, {}
    for m in recorded:
        at = m["header"]["stamp"]["sec"] * 10**9 + m["header"]["stamp"]["nanosec"]
        row = rows.setdefault(at, {TOPIC + "/header/stamp": at / 1e9})
        for i, name in enumerate(m["name"]):
            row[f"{TOPIC}/{name}/position"] = m["position"][i]
            if m["velocity"]:
                row[f"{TOPIC}/{name}/velocity"] = m["velocity"][i]
        if m["name"][0] == "shoulder":
            arrays[at] = {f"{TOPIC}/position[{i}]": x for i, x in enumerate(m["position"])}
    columns = sorted({c for row in rows.values() for c in row})
    open("plotjuggler.csv", "w").write(plotjuggler(rows, columns))
    open("plotjuggler_array.csv", "w").write(plotjuggler(arrays, [f"{TOPIC}/position[0]", f"{TOPIC}/position[1]"]))
    point = Ordered(positions=[0.1, 0.2], velocities=[0.0, 0.0], accelerations=[], effort=[], time_from_start=Ordered(sec=1, nanosec=500_000_000))
    header = Ordered(stamp=Ordered(sec=0, nanosec=0), frame_id="")
    goal = Ordered(
        trajectory=Ordered(header=header, joint_names=["shoulder", "elbow"], points=[point]),
        multi_dof_trajectory=Ordered(header=Ordered(stamp=Ordered(sec=0, nanosec=0), frame_id=""), joint_names=[], points=[]),
        path_tolerance=[Ordered(name="shoulder", position=0.05, velocity=0.0, acceleration=0.0), Ordered(name="elbow", position=-1.0, velocity=0.0, acceleration=0.0)],
        component_path_tolerance=[],
        goal_tolerance=[Ordered(name="shoulder", position=0.01, velocity=0.0, acceleration=0.0)],
        component_goal_tolerance=[],
        goal_time_tolerance=Ordered(sec=1, nanosec=0),
    )
    open("goal.yaml", "w").write(to_yaml(goal))


main()
