//go:build gl && cgo

#include "context.h"

#include <EGL/eglext.h>
#include <string.h>

enum { MAX_DEVICES = 32 };

static const char *steps[] = {
	"nothing", "EGL has no such platform", "no display", "the display cannot be initialized",
	"the display has no OpenGL", "no configuration", "no context of OpenGL 4.3", "the context cannot be used without a surface",
};

const char *fc_failure(int step) {
	return step >= 0 && step < (int)(sizeof steps / sizeof *steps) ? steps[step] : "an unknown step";
}

// has looks a word up in a list of words.
static int has(const char *list, const char *word) {
	size_t n = strlen(word);
	for (const char *at = list; at && (at = strstr(at, word)); at += n) {
		if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) return 1;
	}
	return 0;
}

static int devices(EGLDeviceEXT *list) {
	if (!has(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_EXT_platform_device")) return 0;
	PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
	EGLint n = 0;
	if (!query || !query(MAX_DEVICES, list, &n)) return 0;
	return n;
}

int fc_devices(void) {
	EGLDeviceEXT list[MAX_DEVICES];
	return devices(list);
}

static EGLDisplay display_of(int place) {
	if (place == FC_DEFAULT) return eglGetDisplay(EGL_DEFAULT_DISPLAY);
	PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
	if (!get) return EGL_NO_DISPLAY;
	if (place == FC_SURFACELESS) {
		if (!has(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
		return get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	}
	EGLDeviceEXT list[MAX_DEVICES];
	return place < devices(list) ? get(EGL_PLATFORM_DEVICE_EXT, list[place], NULL) : EGL_NO_DISPLAY;
}

// context_of asks for a context that tells when it is lost, and for any where there is none.
static EGLContext context_of(EGLDisplay d, EGLConfig config) {
	for (int robust = 1; robust >= 0; robust--) {
		EGLint attributes[] = {
			EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
			EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
			robust ? EGL_CONTEXT_OPENGL_ROBUST_ACCESS : EGL_NONE, EGL_TRUE,
			EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET,
			EGL_NONE,
		};
		EGLContext c = eglCreateContext(d, config, EGL_NO_CONTEXT, attributes);
		if (c != EGL_NO_CONTEXT) return c;
	}
	return EGL_NO_CONTEXT;
}

int fc_open(int place, fc_context *c) {
	c->context = EGL_NO_CONTEXT;
	c->display = display_of(place);
	if (c->display == EGL_NO_DISPLAY) return 2;
	EGLint major, minor, n = 0;
	if (!eglInitialize(c->display, &major, &minor)) return 3;
	int step = 4;
	if (eglBindAPI(EGL_OPENGL_API)) {
		static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
		EGLConfig config;
		step = 5;
		if (eglChooseConfig(c->display, wanted, &config, 1, &n) && n > 0) {
			step = 6;
			c->context = context_of(c->display, config);
			if (c->context != EGL_NO_CONTEXT) {
				if (eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context)) return 0;
				step = 7;
			}
		}
	}
	fc_close(c);
	return step;
}

void fc_close(fc_context *c) {
	eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	if (c->context != EGL_NO_CONTEXT) eglDestroyContext(c->display, c->context);
	c->context = EGL_NO_CONTEXT;
}
