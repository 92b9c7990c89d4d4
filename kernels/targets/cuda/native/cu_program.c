#define _GNU_SOURCE
#include "cu_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *read_arguments(struct kw_program *p, FILE *file) {
    for (unsigned i = 0; i < p->arguments; i++) {
        struct kw_cu_argument *one = &p->argument[i];
        unsigned long long value;
        int found = fscanf(file, " argument %d %d %zu %llx", &one->kind, &one->writable, &one->size, &value);
        if (found != 4 || one->kind < KW_BUFFER || one->kind > KW_CONSTANT) return "bad argument";
        if (one->kind != KW_BUFFER && one->size > sizeof one->value) return "a scalar of more than 8 bytes";
        memcpy(one->value, &value, sizeof one->value);
    }
    for (unsigned i = 0; i < p->scratches; i++)
        if (fscanf(file, " scratch %zu", &p->scratch_size[i]) != 1) return "bad scratch memory";
    for (unsigned i = 0; i < p->launches; i++) {
        struct kw_launch *one = &p->launch[i];
        int found = fscanf(file, " launch " KW_CU_NAME_FORMAT " %u %u %u", one->name, &one->blocks, &one->threads,
                           &one->shared);
        if (found != 4) return "bad launch";
    }
    return NULL;
}

static const char *read_file(struct kw_program *p, FILE *file) {
    if (fscanf(file, "kernelwright-cuda 1 %u %u %u", &p->arguments, &p->scratches, &p->launches) != 3)
        return "no candidate of this target";
    if (p->arguments > KW_MAX_ARGUMENTS || p->scratches > KW_SCRATCHES || p->launches > KW_LAUNCHES || !p->launches)
        return "too many parts, or none";
    const char *wrong = read_arguments(p, file);
    if (wrong) return wrong;
    if (fscanf(file, " cubin %zu", &p->cubin_size) != 1 || fgetc(file) != '\n') return "no cubin";
    p->cubin = malloc(p->cubin_size);
    if (!p->cubin || fread(p->cubin, 1, p->cubin_size, file) != p->cubin_size) return "half a cubin";
    return NULL;
}

const char *kw_program_read(struct kw_program *program, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return "the file cannot be opened";
    const char *wrong = read_file(program, file);
    fclose(file);
    return wrong;
}

static const char *find_function(struct kw_launch *one, struct kw_cu *cu, cu_object module) {
    if (cu->module_function(&one->function, module, one->name)) return "the cubin has no kernel of a launched name";
    if (!one->shared) return NULL;
    if (cu->function_set(one->function, KW_CUDA_FUNCTION_DYNAMIC_SHARED, (int)one->shared))
        return "a launch asks for more shared memory than a block of this GPU may have";
    cu->function_set(one->function, KW_CUDA_FUNCTION_CARVEOUT, KW_CUDA_CARVEOUT_MOST_SHARED); /* a wish */
    return NULL;
}

const char *kw_program_load(struct kw_program *p, struct kw_cu *cu) {
    cu_object module;
    cu_result wrong = cu->module_load(&module, p->cubin);
    if (wrong) return kw_cu_text(cu, wrong);
    const char *why = NULL;
    for (unsigned i = 0; i < p->launches && !why; i++) why = find_function(&p->launch[i], cu, module);
    return why;
}
