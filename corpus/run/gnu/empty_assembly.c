// Empty assembly is a barrier: its operands are evaluated, and what shares a register is moved.
#include <stdio.h>

static int n;
static int *bump(void) {
    n++;
    return &n;
}

int main(void) {
    int x = 1, y = 2, z = 7;
    double d = 0;
    struct { int i; } s = {0};
    __asm__("" : "+r"(*bump()));
    __asm__("" : "=r"(x) : "0"(y));
    printf("%d %d\n", n, x);
    __asm__("" : "=m"(z), [out] "=r"(x) : "[out]"(5));
    printf("%d %d\n", z, x);
    printf("%d %d %d %d\n", __builtin_classify_type(x), __builtin_classify_type(&x),
           __builtin_classify_type(d), __builtin_classify_type(s));
    return 0;
}
