build/judge.o: src/judge.cpp src/judge.h src/narrow.h \
 /usr/include/eigen3/Eigen/Geometry src/piece.h \
 /usr/include/eigen3/Eigen/Core src/mesh.h src/robot.h src/text.h
src/judge.h:
src/narrow.h:
/usr/include/eigen3/Eigen/Geometry:
src/piece.h:
/usr/include/eigen3/Eigen/Core:
src/mesh.h:
src/robot.h:
src/text.h:
