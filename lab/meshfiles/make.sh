#!/bin/bash
# Writes clouds with PCL and meshes with assimp, of Debian's packages pcl-tools and
# assimp-utils, out of text of our own.
# Usage: make.sh FOLDER, which has block.obj of make.mjs
set -euo pipefail
cd "${1:?folder}"

# A board of 20 x 10 points 0.125 m apart, 1 m in front of a sensor; every seventh has no
# return. Its numbers have few digits, so that every form of the file holds the same.
{
	printf '%s\n' '# .PCD v0.7 - Point Cloud Data file format' 'VERSION 0.7' 'FIELDS x y z intensity' \
		'SIZE 4 4 4 4' 'TYPE F F F F' 'COUNT 1 1 1 1' 'WIDTH 20' 'HEIGHT 10' 'VIEWPOINT 0 0 0 1 0 0 0' 'POINTS 200' 'DATA ascii'
	awk 'BEGIN { for (i = 0; i < 200; i++) if (i % 7 == 3) print "nan nan nan 0"; else print (i % 20) / 8, int(i / 20) / 8, 1, i }'
} >board.pcd
pcl_convert_pcd_ascii_binary board.pcd board_text.pcd 0
pcl_convert_pcd_ascii_binary board.pcd board_binary.pcd 1
pcl_convert_pcd_ascii_binary board.pcd board_compressed.pcd 2
pcl_pcd2ply board.pcd board_pcl.ply

assimp export block.obj assimp.ply
assimp export block.obj assimp_binary.ply -fplyb
assimp export block.obj assimp.gltf -fgltf2
assimp export block.obj assimp.glb -fglb2
