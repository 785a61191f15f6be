// Contexts of OpenGL 4.3 without a surface.
#ifndef FIRSTCONTACT_OFFSCREEN_CONTEXT_H
#define FIRSTCONTACT_OFFSCREEN_CONTEXT_H

#include <EGL/egl.h>

typedef struct {
	EGLDisplay display;
	EGLContext context;
} fc_context;

// Places that fc_open tries, besides the devices 0, 1, ... that EGL lists.
enum { FC_SURFACELESS = -1, FC_DEFAULT = -2 };

// fc_devices returns how many devices EGL lists; 0 where it cannot.
int fc_devices(void);

// fc_open makes a context of one place and makes it current in the calling thread. It returns 0,
// or what failed, which fc_failure names.
int fc_open(int place, fc_context *c);

// fc_close releases what fc_open made, in the thread that it was made in.
void fc_close(fc_context *c);

// fc_failure names a step of fc_open.
const char *fc_failure(int step);

#endif
