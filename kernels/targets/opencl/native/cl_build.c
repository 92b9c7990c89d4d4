/* The compiler of this target: `kw-cl-build describe`, or `kw-cl-build build SOURCE BINARY SIZES OPTIONS`. It runs
   confined, in the folder of the build, and never runs what it builds. Diagnostics go to standard output. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_api.h"

static struct kw_cl cl;

static int fail(const char *what) {
    printf("%s\n", what);
    return 1;
}

static void platform_text(const char *name, uint32_t what) {
    char value[1024] = "";
    cl.platform_info(cl.platform, what, sizeof value, value, NULL);
    printf("%s: %s\n", name, value);
}

static void text(const char *name, uint32_t what) {
    char value[1024] = "";
    cl.device_info(cl.device, what, sizeof value, value, NULL);
    printf("%s: %s\n", name, value);
}

static void number(const char *name, uint32_t what, size_t size) {
    uint64_t value = 0;
    cl.device_info(cl.device, what, size, &value, NULL);
    printf("%s: %llu\n", name, (unsigned long long)value);
}

static int describe(void) {
    platform_text("platform", CL_PLATFORM_NAME);
    platform_text("platform_version", CL_PLATFORM_VERSION);
    text("device", CL_DEVICE_NAME);
    text("device_version", CL_DEVICE_VERSION);
    text("driver_version", CL_DRIVER_VERSION);
    number("compute_units", CL_DEVICE_MAX_COMPUTE_UNITS, 4);
    number("work_group_size", CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    number("float_width", CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4);
    number("local_bytes", CL_DEVICE_LOCAL_MEM_SIZE, 8);
    number("unified_memory", CL_DEVICE_HOST_UNIFIED_MEMORY, 4);
    return 0;
}

static char *contents(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *read = malloc(*size + 1);
    if (read && fread(read, 1, *size, file) != *size) read = NULL;
    fclose(file);
    return read;
}

static void print_log(cl_object program) {
    size_t size = 0;
    cl.build_info(program, cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = size ? calloc(size + 1, 1) : NULL;
    if (!log) return;
    cl.build_info(program, cl.device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    fputs(log, stdout);
}

static int save(cl_object program, const char *path) {
    size_t size = 0;
    cl.program_info(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *binary = size ? malloc(size) : NULL;
    if (!binary || cl.program_info(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL))
        return fail("error: OpenCL gives no binary of the program");
    FILE *file = fopen(path, "wb");
    int written = file && fwrite(binary, 1, size, file) == size;
    if (!file || fclose(file) || !written) return fail("error: the binary cannot be written");
    return 0;
}

static int build(char **words) {
    size_t size;
    int32_t wrong;
    char *source = contents(words[0], &size);
    if (!source) return fail("error: the source cannot be read");
    setenv("POCL_BINARY_SPECIALIZE_WG", words[2], 1); /* code for these sizes of groups, not only for any */
    cl_object context = cl.create_context(NULL, 1, &cl.device, NULL, NULL, &wrong);
    if (wrong) return fail("error: no OpenCL context");
    cl_object program = cl.program_from_source(context, 1, (const char **)&source, &size, &wrong);
    if (wrong) return fail("error: no OpenCL program");
    wrong = cl.build(program, 1, &cl.device, words[3], NULL, NULL);
    print_log(program);
    if (wrong) {
        printf("error: clBuildProgram fails with %d\n", wrong);
        return 1;
    }
    return save(program, words[1]);
}

int main(int count, char **words) {
    setenv("POCL_CACHE_DIR", KW_OPENCL_CACHE, 1);
    const char *missing = kw_cl_open(&cl);
    if (missing) return fail(missing);
    if (count == 2 && !strcmp(words[1], "describe")) return describe();
    if (count == 6 && !strcmp(words[1], "build")) return build(words + 2);
    return fail("usage: kw-cl-build describe | build SOURCE BINARY SIZES OPTIONS");
}
