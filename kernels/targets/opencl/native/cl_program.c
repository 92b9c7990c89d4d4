#define _GNU_SOURCE
#include "cl_program.h"

#include <dlfcn.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u
#define DEPTH 16

static const char *read_arguments(struct kw_program *p, FILE *file) {
    for (unsigned i = 0; i < p->arguments; i++) {
        struct kw_cl_argument *one = &p->argument[i];
        unsigned long long value;
        int found = fscanf(file, " argument %d %d %zu %llx", &one->kind, &one->writable, &one->size, &value);
        if (found != 4) return "bad argument";
        if (one->kind != KW_BUFFER && one->size > sizeof one->value) return "a scalar of more than 8 bytes";
        memcpy(one->value, &value, sizeof one->value);
    }
    for (unsigned i = 0; i < p->scratches; i++)
        if (fscanf(file, " scratch %zu", &p->scratch_size[i]) != 1) return "bad scratch memory";
    for (unsigned i = 0; i < p->launches; i++) {
        struct kw_launch *one = &p->launch[i];
        if (fscanf(file, " launch %63s %zu %zu", one->name, &one->global, &one->local) != 3) return "bad launch";
    }
    return NULL;
}

static const char *read_file(struct kw_program *p, FILE *file) {
    if (fscanf(file, "kernelwright-opencl 1 %u %u %u", &p->arguments, &p->scratches, &p->launches) != 3)
        return "no candidate of this target";
    if (p->arguments > KW_MAX_ARGUMENTS || p->scratches > KW_SCRATCHES || p->launches > KW_LAUNCHES)
        return "too many parts";
    const char *wrong = read_arguments(p, file);
    if (wrong) return wrong;
    if (fscanf(file, " binary %zu", &p->binary_size) != 1 || fgetc(file) != '\n') return "no binary";
    p->binary = malloc(p->binary_size);
    if (!p->binary || fread(p->binary, 1, p->binary_size, file) != p->binary_size) return "half a binary";
    return NULL;
}

const char *kw_program_read(struct kw_program *program, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return "the file cannot be opened";
    const char *wrong = read_file(program, file);
    fclose(file);
    return wrong;
}

static const char *make_scratch(struct kw_program *p, struct kw_cl *cl, cl_object context) {
    int32_t wrong;
    for (unsigned i = 0; i < p->scratches; i++) {
        size_t wanted = p->scratch_size[i], size = (wanted + PAGE - 1) / PAGE * PAGE;
        void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (memory == MAP_FAILED) return "cannot allocate memory for the scratch buffers";
        p->scratch[i] = cl->create_buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, wanted, memory, &wrong);
        if (wrong) return "clCreateBuffer refuses the scratch memory";
    }
    return NULL;
}

static const char *make_kernel(struct kw_program *p, struct kw_launch *one, struct kw_cl *cl, cl_object program) {
    int32_t wrong;
    one->kernel = cl->create_kernel(program, one->name, &wrong);
    if (wrong) return "clCreateKernel finds no such kernel";
    for (unsigned i = 0; i < p->arguments; i++) {
        const struct kw_cl_argument *a = &p->argument[i];
        if (a->kind == KW_CONSTANT) wrong = cl->set_argument(one->kernel, i, a->size, a->value);
        if (wrong) return "clSetKernelArg refuses a constant";
    }
    for (unsigned i = 0; i < p->scratches && !wrong; i++)
        wrong = cl->set_argument(one->kernel, p->arguments + i, sizeof(cl_object), &p->scratch[i]);
    return wrong ? "a launched function lacks a scratch buffer among its parameters" : NULL;
}

const char *kw_program_load(struct kw_program *p, struct kw_cl *cl, cl_object context) {
    int32_t wrong, status;
    const unsigned char *binary = p->binary;
    cl_object program = cl->program_from_binary(context, 1, &cl->device, &p->binary_size, &binary, &status, &wrong);
    if (wrong || status) return "clCreateProgramWithBinary refuses the program";
    if (cl->build(program, 1, &cl->device, "", NULL, NULL)) return "clBuildProgram refuses the program";
    const char *why = make_scratch(p, cl, context);
    for (unsigned i = 0; i < p->launches && !why; i++) why = make_kernel(p, &p->launch[i], cl, program);
    return why;
}

static int pin(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about, (void)place;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 3 || strcmp(path + length - 3, ".so")) return 0;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL) ? 0 : 1;
}

const char *kw_program_pin(const char *folder) { return nftw(folder, pin, DEPTH, FTW_PHYS) ? dlerror() : NULL; }
