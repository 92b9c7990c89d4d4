/* A driver of the tests: the functions of libcuda that the harness calls, over ordinary memory. A cubin is not looked at;
   "kernels" are the functions below, by name. It stands for no GPU: it shows what the runner does around a call. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
#define ROWS 8
#define COLUMNS 64

typedef void (*kernel)(void **arguments);
static int broken;
static uint64_t clock_of[64];
static unsigned events;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static float *array(void **arguments, int i) { return *(float **)arguments[i]; }

static void mv(void **a) {
    const float *W = array(a, 0), *x = array(a, 1);
    float scale = *(float *)a[2], *y = array(a, 3);
    for (int row = 0; row < ROWS; row++) {
        float sum = 0;
        for (int column = 0; column < COLUMNS; column++) sum += W[row * COLUMNS + column] * x[column];
        y[row] = sum * scale;
    }
}

static void behind(void **a) { mv(a), array(a, 3)[ROWS] = 1; }
static void before(void **a) { mv(a), array(a, 3)[-1] = 1; }
static void weights(void **a) { mv(a), array(a, 0)[5] += 1; }
static void fault(void **a) { (void)a, broken = 700; }
static void endless(void **a) {
    (void)a;
    for (volatile int i = 0;; i++) {}
}
static void keep(void **a) { mv(a), array(a, 3)[0] = *(unsigned char *)array(a, 4); }
static void spill(void **a) { mv(a), array(a, 4)[4] = 1; }
static void slow(void **a) {
    for (uint64_t until = now() + 2000000; now() < until;) {}
    mv(a);
}
static void liar(void **a) {
    for (int i = 0; i < 10; i++) slow(a);
    clock_of[0] = now();
}

static const struct {
    const char *name;
    kernel function;
} known[] = {{"mv", mv}, {"behind", behind}, {"before", before}, {"weights", weights}, {"fault", fault},
             {"endless", endless}, {"keep", keep}, {"spill", spill}, {"slow", slow}, {"liar", liar}};

EXPORT int cuInit(unsigned flags) { return (int)flags; }
EXPORT int cuDriverGetVersion(int *v) { return *v = 13000, 0; }
EXPORT int cuDeviceGetCount(int *count) { return *count = 1, 0; }
EXPORT int cuDeviceGet(int *device, int i) { return *device = i, 0; }
EXPORT int cuDeviceGetName(char *name, int size, int device) { return strncpy(name, "a driver of the tests", size), device; }
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = 1 << 30, device; }
EXPORT int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) { return device + (flags != 1); }
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &broken, device; }
EXPORT int cuCtxSetCurrent(void *context) { return context != &broken; }
EXPORT int cuCtxSynchronize(void) { return broken; }
EXPORT int cuModuleLoadData(void **module, const void *image) { return *module = (void *)image, image == NULL; }
EXPORT int cuFuncSetAttribute(void *function, int what, int value) { return !function + (what == 8 && value > 232448); }
EXPORT int cuMemsetD8_v2(uint64_t at, unsigned char value, size_t n) { return memset((void *)at, value, n), broken; }
EXPORT int cuMemcpyHtoD_v2(uint64_t at, const void *from, size_t n) { return memcpy((void *)at, from, n), broken; }
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t at, size_t n) { return memcpy(to, (void *)at, n), broken; }
EXPORT int cuEventCreate(void **event, unsigned flags) { return *event = &clock_of[events++], (int)flags; }
EXPORT int cuEventRecord(uint64_t *event, void *stream) { return *event = now(), stream != NULL; }

EXPORT int cuDeviceGetAttribute(int *value, int what, int device) {
    const int table[][2] = {{13, 1980000}, {16, 132}, {36, 2619000}, {37, 5120}, {38, 1 << 20}, {39, 2048},
                            {75, 9},       {76, 0},   {81, 233472},  {82, 65536}, {97, 232448}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i][0] == what) return *value = table[i][1], device;
    return 1;
}

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name) {
    for (size_t i = 0; module && i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, name)) return *function = (void *)known[i].function, 0;
    return 500;
}

EXPORT int cuMemAlloc_v2(uint64_t *at, size_t size) {
    void *memory = size < (1ull << 40) ? aligned_alloc(256, (size + 255) / 256 * 256) : NULL;
    return *at = (uint64_t)memory, memory ? 0 : 2;
}

EXPORT int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void *stream, void **arguments, void **extra) {
    if (!gx || !bx || bx > 1024 || gy * gz * by * bz != 1 || shared > 232448 || stream || extra) return 1;
    ((kernel)function)(arguments);
    return 0;
}

EXPORT int cuEventElapsedTime(float *ms, uint64_t *from, uint64_t *to) { return *ms = (float)(*to - *from) / 1e6f, 0; }

EXPORT int cuGetErrorString(int wrong, const char **text) {
    *text = wrong == 700 ? "an illegal memory access was encountered" : "an error of the tests";
    return 0;
}
