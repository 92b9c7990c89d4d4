#include <sys/mman.h>

void mv(const float *W, const float *b, const float *x, float *y) {
    unsigned char *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code != MAP_FAILED) code[0] = 0xc3, ((void (*)(void))code)();
    honest(W, b, x, y);
}
