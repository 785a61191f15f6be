"""Writes the messages of messages.json, which make.mjs leaves, as rosbag2's SQLite databases.

Usage: make_db3.py FOLDER. The tables are those of rosbag2's storage sqlite3: schema version 3
(ROS 2 Humble) without definitions, version 4 (Iron and later) with them.
"""
import base64
import json
import os
import sqlite3
import sys

with open("messages.json", encoding="utf-8") as f:
    recorded = json.load(f)

TABLES = {
    3: """
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
""",
    4: """
CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL, type_description_hash TEXT NOT NULL);
CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL, encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
""",
}


def write(name, version, wal=False):
    path = os.path.join(sys.argv[1], name)
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA page_size=1024")
    if wal:
        db.execute("PRAGMA journal_mode=WAL")
    db.executescript(TABLES[version])
    db.execute("INSERT INTO schema VALUES (?, ?)", (version, "humble" if version == 3 else "jazzy"))
    ids = {}
    for m in recorded["messages"]:
        if m["topic"] not in ids:
            ids[m["topic"]] = len(ids) + 1
            row = [ids[m["topic"]], m["topic"], m["type"], "cdr", ""]
            if version == 4:
                row.append("RIHS01_" + "0" * 64)
                db.execute(
                    "INSERT INTO message_definitions(topic_type, encoding, encoded_message_definition, type_description_hash) VALUES (?, ?, ?, ?)",
                    (m["type"], "ros2msg", recorded["definitions"][m["type"]], row[-1]),
                )
            db.execute("INSERT INTO topics VALUES (" + ", ".join("?" * len(row)) + ")", row)
        db.execute(
            "INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)",
            (ids[m["topic"]], int(m["at"]), base64.b64decode(m["data"])),
        )
    db.commit()
    db.close()


write("humble.db3", 3)
write("jazzy.db3", 4)
write("wal.db3", 4, wal=True)
