/* printf integers: all flags, widths, precisions, length modifiers, star arguments. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int v[] = { 0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1 }, i;
    for (i = 0; i < 7; i++) {
        printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.4d] [%-8.4d] [%+08d]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%#010x] [%.0x] [%8.5x] [%-#8x]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    printf("[%hhd] [%hhu] [%hd] [%hu] [%hhx]\n", 300, 300, 70000, 70000, -1);
    printf("[%ld] [%lu] [%lx] [%lld] [%llu] [%llX]\n", -1L, -1L, -1L, -1LL, -1LL, 0xabcdefLL);
    printf("[%jd] [%zu] [%td] [%zd] [%zx]\n", (intmax_t)-5, (size_t)5, (ptrdiff_t)-7, (size_t)9, (size_t)255);
    printf("[%*d] [%-*d] [%.*d] [%*.*d] [%*d]\n", 6, 42, 6, 42, 4, 42, 8, 3, 42, -6, 42);
    printf("[%.0d] [%.0d] [%5.0d] [%.*d]\n", 0, 1, 0, -1, 7);
    printf("[%i] [%+i] [%+.2i] [% 5d] [%- 5d|]\n", 5, 5, 5, 5, 5);
    printf("[%c] [%3c] [%-3c] [%%] [%5s]\n", 'x', 'y', 'z', "s");
    printf("[%#x] [%#o] [%#X]\n", 0, 0, 255);
    printf("[%0*d] [%-05d] [%+-6d|]\n", 6, -42, 42, 42);
    return 0;
}
