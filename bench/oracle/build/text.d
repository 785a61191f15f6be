build/text.o: src/text.cpp src/text.h
src/text.h:
