build/narrow.o: src/narrow.cpp src/narrow.h \
 /usr/include/eigen3/Eigen/Geometry src/piece.h \
 /usr/include/eigen3/Eigen/Core src/mesh.h
src/narrow.h:
/usr/include/eigen3/Eigen/Geometry:
src/piece.h:
/usr/include/eigen3/Eigen/Core:
src/mesh.h:
