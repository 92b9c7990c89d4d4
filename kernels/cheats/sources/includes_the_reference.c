#include "../baseline.c"
