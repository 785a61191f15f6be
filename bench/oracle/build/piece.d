build/piece.o: src/piece.cpp src/piece.h /usr/include/eigen3/Eigen/Core \
 src/mesh.h src/text.h
src/piece.h:
/usr/include/eigen3/Eigen/Core:
src/mesh.h:
src/text.h:
