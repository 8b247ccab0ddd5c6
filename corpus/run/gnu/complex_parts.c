/* The parts of complex numbers as places, and how large complex types are. */
#include <stdio.h>
#include <string.h>

struct mixed {
    char a;
    _Complex float f;
    char b;
    _Complex double z;
    char c;
    _Complex long double l;
    __complex__ int i;
    _Complex char small;
    _Complex plain;
};

static _Complex double zero;

static _Complex float handed(_Complex float z)
{
    __real__ z = __real__ z + 1;
    return z;
}

int main(void)
{
    _Complex double z, copy;
    __complex__ int n;
    _Complex float f;
    double parts[2];
    __real__ z = 1.5;
    __imag__ z = -2;
    copy = z;
    __real__ z += 1;
    __imag__ copy *= 3;
    memcpy(parts, &copy, sizeof parts);
    printf("%g %g %g %g\n", __real__ z, __imag__ z, parts[0], parts[1]);
    __real__ n = 7;
    __imag__ n = __real__ n << 2;
    printf("%d %d\n", __real__ n, __imag__ n);
    __real__ f = 0.25f;
    __imag__ f = 4;
    f = handed(f);
    printf("%g %g %g\n", __real__ f, __imag__ f, __imag__ handed(f));
    printf("%g %g %d %d\n", __real__ zero, __imag__ zero, __real__ 3, __imag__ 3);
    printf("%zu %zu %zu\n", sizeof(struct mixed), sizeof __real__ f, sizeof __imag__ n);
    printf("%zu %zu %zu\n", _Alignof(_Complex float), _Alignof(_Complex double), _Alignof(struct mixed));
    return 0;
}
